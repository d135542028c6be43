/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find.h - the function or file that a user means.
 *
 * A name that is exact (match.h) means all functions that have it.  Otherwise it is a
 * pattern (pattern.h), or a part of a name, and has to stand for one.
 */
#ifndef OMPHWC_SRC_FILTER_FIND_H
#define OMPHWC_SRC_FILTER_FIND_H

#include <stddef.h>

struct trouble;
struct view;

enum find_kind {
	FIND_CALLED, /* a function on paths */
	FIND_SOURCE, /* a function or file */
	FIND_CODE,   /* a function of the symbol tables */
};

struct found {
	char *name;
	char **several; /* what else was meant, if name is NULL */
	size_t n;
};

/* found_fini() is required in any case.  0 and found->name; -ENOENT with *t: there is none,
   or there are several. */
int find_target(const struct view *v, const char *wanted, enum find_kind kind, struct found *found,
		struct trouble *t);
void found_fini(struct found *found);

#endif
