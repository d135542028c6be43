/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - options of `ompcount run`, from the command line, or else from the
 * environment that the library reads, too.
 */
#ifndef OMPHWC_SRC_RUN_OPTIONS_H
#define OMPHWC_SRC_RUN_OPTIONS_H

#include <stdbool.h>

#include "pmu/event.h"

struct trouble;

/* The command that the options are of. */
enum run_verb {
	RUN_RUN,
	RUN_RECORD, /* only the profile's name is printed at the end */
	RUN_STAT,   /* as if --count were given */
};

struct run_options {
	enum run_verb verb;
	char *events;	       /* sampled events, comma-separated; owned; NULL: none */
	char *counted;	       /* exactly counted events, likewise */
	bool count;	       /* some event is counted */
	uint32_t count_min_us; /* 0: the library's default */
	struct pmu_rate rate;
	const char *output; /* pattern, as given */
	bool output_given;
	const char *delivery; /* auto, signal, sigtrap */
	uint64_t heap_min;    /* bytes; 0: the library's default; UINT64_MAX: none */
	bool strict;
	bool dependences;     /* the graph of tasks */
	bool entries;	      /* count entries of synchronization constructs */
	bool blame;	      /* charge waits to what causes them */
	uint64_t trace_bytes; /* of a thread's last events; 0: none */
	bool timeline;	      /* keep when samples were taken */
	bool paused;
	uint64_t delay_ns, duration_ns; /* of sampling; 0: none */
	bool no_names;			/* store no names in profiles */
	const char *spool;		/* the folder; "no"; NULL: where it is needed */
	uint64_t spool_interval_s;	/* from one copy to the next */
	bool quiet;
	bool verbose;
	bool help;	/* print help and ignore all else */
	char **command; /* NULL-terminated, the end of argv */
};

/*
 * 0, or -1 with *t; run_options_free() is required in either case.  Strings point into argv
 * and the environment.  Not reentrant (getopt).
 */
int run_options_parse(struct run_options *o, enum run_verb verb, int argc, char **argv,
		      struct trouble *t);
void run_options_free(struct run_options *o);

#endif
