/*
 * construct_kind.h - the kinds of OpenMP constructs that samples are counted for.
 */
#ifndef OMPHWC_SRC_MODEL_CONSTRUCT_KIND_H
#define OMPHWC_SRC_MODEL_CONSTRUCT_KIND_H

#include <stdbool.h>

#include "src/model/leaf.h"

enum construct_kind {
	/* None: one of each in every view, at their own numbers */
	CONSTRUCT_SERIAL,
	CONSTRUCT_IDLE,
	CONSTRUCT_UNKNOWN,
	CONSTRUCT_OUTSIDE,
	CONSTRUCT_SPECIALS,
	/* Entered and left */
	CONSTRUCT_PARALLEL = CONSTRUCT_SPECIALS,
	CONSTRUCT_TEAMS,
	CONSTRUCT_TASK,
	CONSTRUCT_FOR,
	CONSTRUCT_FOR_STATIC,
	CONSTRUCT_FOR_DYNAMIC,
	CONSTRUCT_FOR_GUIDED,
	CONSTRUCT_FOR_RUNTIME,
	CONSTRUCT_FOR_AUTO,
	CONSTRUCT_SECTIONS,
	CONSTRUCT_SINGLE,
	CONSTRUCT_WORKSHARE,
	CONSTRUCT_DISTRIBUTE,
	CONSTRUCT_TASKLOOP,
	CONSTRUCT_SCOPE,
	CONSTRUCT_MASKED,
	CONSTRUCT_MASTER,
	/* What synchronises: met by the waits in them, and by their entries */
	CONSTRUCT_CRITICAL,
	CONSTRUCT_ORDERED,
	CONSTRUCT_ATOMIC,
	CONSTRUCT_BARRIER,
	CONSTRUCT_TASKWAIT,
	CONSTRUCT_TASKGROUP,
	CONSTRUCT_TARGET,
	CONSTRUCT_LOCK,		/* the call that sets or tests one */
	CONSTRUCT_KINDS
};

/* "parallel", "for schedule(dynamic)", "(serial)". */
const char *construct_name(enum construct_kind kind);

/* Of a profile's enum prof_construct_kind. */
enum construct_kind construct_of_profile(unsigned kind);

/* The construct that waits like this one belong to; CONSTRUCT_SPECIALS: none
   of their own. */
enum construct_kind construct_of_leaf(enum omp_leaf leaf);

/* "for" whatever the schedule: what may be the same construct. */
bool construct_is_loop(enum construct_kind kind);

/* A directive without a body. */
bool construct_is_point(enum construct_kind kind);

/* Whether its entries are counted on demand only. */
bool construct_synchronises(enum construct_kind kind);

/* Whether a barrier may end it. */
bool construct_ends_in_barrier(enum construct_kind kind);

#endif
