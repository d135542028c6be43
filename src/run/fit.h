/*
 * fit.h - checks whether an LLVM runtime can replace GCC's for a program.
 */
#ifndef OMPHWC_SRC_RUN_FIT_H
#define OMPHWC_SRC_RUN_FIT_H

#include <stddef.h>

#include "src/run/elfsyms.h"

struct loader_list;

struct fit {
	struct elfsyms needs; /* of the program and its libraries */
	struct elfsyms gomp;  /* exports of libgomp */
	char cancels[256];    /* the first of them that cancels threads; "": none */
};

enum fit_way {
	FIT_NOT,
	FIT_WHOLLY, /* libgomp is not needed */
	FIT_BESIDE, /* only together with libgomp, which provides versions that libomp
			   does not define, and harmless functions */
};

/* Collects the needs of program and of the objects in now from the library soname, which is
   one of these.  0 or -errno; fit_free() is required in either case. */
int fit_collect(struct fit *f, const char *program, const struct loader_list *now,
		const char *soname);
void fit_free(struct fit *f);

/* Judges the library at path libomp; *why is set if it does not fit. */
enum fit_way fit_judge(const struct fit *f, const char *libomp, char *why, size_t bytes);

#endif
