/*
 * fit.h - whether an LLVM runtime can serve a program in place of GCC's.
 */
#ifndef OMPHWC_SRC_RUN_FIT_H
#define OMPHWC_SRC_RUN_FIT_H

#include <stddef.h>

#include "src/run/elfsyms.h"

struct loader_list;

struct fit {
	struct elfsyms needs;	/* of the program and its libraries */
	struct elfsyms gomp;	/* what libgomp itself has */
	char cancels[256];	/* the first of those that cancels threads; "": none */
};

enum fit_way {
	FIT_NOT,
	FIT_WHOLLY,	/* libgomp need not be there */
	FIT_BESIDE,	/* only with libgomp there too: it keeps versions that libomp
			   does not define, and calls that do no harm */
};

/* Collects what program and the objects in now want of the library soname,
   which is one of them.  0 or -errno; to be freed in either case. */
int fit_collect(struct fit *f, const char *program, const struct loader_list *now,
		const char *soname);
void fit_free(struct fit *f);

/* Judges the library at path libomp; *why is told if it does not fit. */
enum fit_way fit_judge(const struct fit *f, const char *libomp, char *why, size_t bytes);

#endif
