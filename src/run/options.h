/*
 * options.h - what `ompcount run` was told, on the command line or, where that
 * is silent, by the environment that the library itself reads.
 */
#ifndef OMPHWC_SRC_RUN_OPTIONS_H
#define OMPHWC_SRC_RUN_OPTIONS_H

#include <stdbool.h>

#include "pmu/event.h"

struct trouble;

enum run_runtime {
	RUN_RUNTIME_AUTO,	/* libomp for libgomp, where it can stand in */
	RUN_RUNTIME_KEEP,
	RUN_RUNTIME_LIBOMP,	/* libomp for libgomp, unchecked, for all beneath */
	RUN_RUNTIME_PATH,	/* the one at runtime_path */
};

struct run_options {
	char *events;		/* comma list, to be sampled; owned; NULL: none */
	char *counted;		/* the same, to be counted exactly */
	bool count;		/* there is something to count */
	uint32_t count_min_us;	/* 0: the library's choice */
	struct pmu_rate rate;
	const char *output;	/* pattern, as given */
	bool output_given;
	enum run_runtime runtime;
	const char *runtime_path;
	const char *delivery;	/* auto, signal, sigtrap */
	uint64_t heap_min;	/* bytes; 0: the library's choice; UINT64_MAX: none */
	bool strict;
	bool entries;		/* of what synchronises are counted */
	bool paused;
	bool quiet;
	bool verbose;
	bool help;		/* nothing else counts then */
	char **command;		/* NULL-ended, the tail of argv */
};

/*
 * 0, or -1 with *t; options are to be freed in either case.  Strings point
 * into argv and the environment.  Not reentrant (getopt).
 */
int run_options_parse(struct run_options *o, int argc, char **argv, struct trouble *t);
void run_options_free(struct run_options *o);

#endif
