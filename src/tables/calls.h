/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - callers and callees of a function.
 *
 * Each sample beneath the function counts once: for the caller of the function's outermost
 * call, and for the callee of its innermost call (or for itself).  So callers, and the
 * function itself with its callees, both add up to its inclusive cost.
 */
#ifndef OMPHWC_SRC_TABLES_CALLS_H
#define OMPHWC_SRC_TABLES_CALLS_H

#include "src/tables/tables.h"

struct view;

struct calls {
	struct table callers;	/* key: function; 0: no caller */
	struct table callees;	/* key: function; 0: itself */
	struct cost *inclusive; /* a block */
};

/* Combines all functions that name means (match.h).  0; -ENOENT: there is none. */
int calls_build(const struct view *v, const char *name, struct calls *c);
void calls_fini(struct calls *c);

#endif
