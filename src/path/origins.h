/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origins.h - finds the function that contains each region in the source, by the name of
 * the region's body.
 *
 * A compiler may inline a function with a region into its caller without recording it, so
 * that the region seems to belong to the caller.  The body's name still shows the function:
 * solve._omp_fn.0.
 */
#ifndef OMPHWC_SRC_PATH_ORIGINS_H
#define OMPHWC_SRC_PATH_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/model/construct_kind.h"

struct site;
struct sites;

/* The jump by which a function made a tail call to the runtime. */
struct origin_tail {
	uint64_t at;		  /* PROF_LOC */
	enum construct_kind kind; /* the construct that it begins: see
					   callsites_construct() */
};

struct origins {
	/* private */
	struct map functions; /* by place: the function that the body's name shows */
	struct map own;	      /* places with a body from the function at the place */
	struct map tails;     /* by place: index into all + 1; 0: no tail call */
	struct map bodies;    /* by place: the function of the body that ran */
	struct map several;   /* places with bodies of several directives */
	struct map created;   /* by place and exactness: the body that the code passes */
	/* By parent of a BODY node and place, its child's: see origins_reported(). */
	struct map reported;
	struct map alone; /* by node, 0: the function of the body that ran; by node, 1: there
				 were several, or one that is not known */
	struct origin_tail *all;
	size_t n, room;
};

/* Whether the site has the function origin or a copy made from it. */
bool origins_there(const struct sites *s, const struct site *site, const char *origin);

/* Examines all bodies of a profile. */
void origins_find(struct sites *s, struct origins *origins);
void origins_fini(struct origins *o);

/*
 * For a place that creates a region or task: the number of the function that the bodies'
 * names show, if it is not among the functions at the place; otherwise 0.  One body from a
 * function at the place is enough for 0: frames of others may belong to a task that the
 * runtime ran there without reporting it.
 */
uint32_t origins_function(const struct origins *o, uint64_t place);

/*
 * For a place that creates a region or task (exact: a jump there): the function of its body, if
 * that shows the directive's line, else 0.  The code of the call shows it, or else the only body
 * that ran.
 */
uint32_t origins_directive(struct sites *s, struct origins *o, uint64_t place, bool exact);

/* The location of the only body that the runtime reported for calls in a frame, by their creation
   contexts; 0: none, or several. */
uint64_t origins_reported(const struct origins *o, const struct sites *s, uint32_t frame);

/* Whether the runtime reported several bodies for calls at a place beneath that node. */
bool origins_are_several(const struct origins *o, uint32_t parent, uint64_t place);

/* The function of the only body that ran of what the node created; 0: none, or several. */
uint32_t origins_alone(const struct origins *o, uint32_t node);

/* Whether a body from a function at the place ran. */
bool origins_is_own(const struct origins *o, uint64_t place);

/* The jump by which the function called at such a place, which has no stack frame, entered
   the runtime; or NULL. */
const struct origin_tail *origins_tail(const struct origins *o, uint64_t place);

#endif
