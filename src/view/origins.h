/*
 * origins.h - which function each region was taken from, by its own body.
 *
 * A compiler that inlines a function with a region into its caller may forget
 * to say so, and the region seems to begin in the caller.  The body's name
 * still tells: solve._omp_fn.0.
 */
#ifndef OMPHWC_SRC_VIEW_ORIGINS_H
#define OMPHWC_SRC_VIEW_ORIGINS_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/model/construct_kind.h"

struct sites;

/* The jump by which a function called the runtime as its last deed. */
struct origin_tail {
	uint64_t at;			/* PROF_LOC */
	enum construct_kind kind;	/* of what it begins, as callsites_construct() */
};

struct origins {
	/* private */
	struct map functions;		/* by place: what another body's name says */
	struct map own;		/* places one of whose bodies is theirs */
	struct map tails;		/* by place: number, and 1; 0: none */
	struct origin_tail *all;
	size_t n, room;
};

/* Looks at all bodies.  0 or -ENOMEM. */
int origins_find(struct sites *s, struct origins *origins);
void origins_fini(struct origins *o);

/*
 * Of a place that creates a region or task whose bodies name another function as
 * their origin than those that lie at the place: that function's number; else 0.
 * One body that is the place's own is enough: frames of others may be of a task
 * that the runtime ran there without telling.
 */
uint32_t origins_function(const struct origins *o, uint64_t place);

/* Of such a place: the jump in the function that it calls, which is on no stack; or
   NULL. */
const struct origin_tail *origins_tail(const struct origins *o, uint64_t place);

#endif
