/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remedies.h - which settings of the environment may help against findings.
 *
 * What needs an edit of the program is none.
 */
#ifndef OMPHWC_SRC_TABLES_REMEDIES_H
#define OMPHWC_SRC_TABLES_REMEDIES_H

#include <stddef.h>

#include "src/profile/launch.h"

struct finding;
struct findings;
struct placement;
struct view;

enum { REMEDIES_MOST = 24, REMEDY_BYTES = 128 };

struct remedy {
	const struct finding *finding; /* the first one that it may help against */
	char settings[REMEDY_BYTES];   /* "OMP_PLACES=cores OMP_PROC_BIND=spread" */
	unsigned rank;		       /* private: how many the finding has before it */
};

struct remedies {
	struct remedy all[REMEDIES_MOST]; /* the first one of each finding, in their order, then
					   the second one of each, ... */
	size_t n;
};

/*
 * present: the environment that the program was started with.  A setting that is in force is no
 * remedy, nor is one of a variable that the program's starter sets itself, or that the program
 * does not follow.  p may have no processes: then fewer are found.
 */
void remedies_find(const struct view *v, const struct placement *p, const struct findings *f,
		   prof_variable *present, struct remedies *r);

#endif
