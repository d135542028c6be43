/*
 * calls.h - who calls a function, and what it calls.
 *
 * Each sample beneath the function counts once: for the caller of its
 * outermost call, and for what its innermost call called (or for itself).  So
 * callers, and itself with its callees, both sum to its inclusive cost.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_CALLS_H
#define OMPHWC_SRC_TABLES_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct view;

struct calls {
	struct table callers;	/* key: function; 0: nobody, it is outermost */
	struct table callees;	/* key: function; 0: itself */
	struct cost *inclusive;	/* a block */
};

/* Of all functions that name means (match.h) together.  0; -ENOENT: there is
   none; -ENOMEM. */
int calls_build(const struct view *v, const char *name, struct calls *c);
void calls_fini(struct calls *c);

#endif
