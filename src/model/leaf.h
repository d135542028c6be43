/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaf.h - what threads do for OpenMP, in words: doc/user-model.md describes them in prose.  Pure
 * functions.
 */
#ifndef OMPHWC_SRC_MODEL_LEAF_H
#define OMPHWC_SRC_MODEL_LEAF_H

#include <stdbool.h>

#include "src/profile/format.h"

/* Work + wait + overhead + mpi + blocked = total.  A profile without MPI is shown without mpi, and
   one that does not know which threads slept without blocked: see struct view's classes. */
enum omp_class { OMP_WORK, OMP_WAIT, OMP_OVERHEAD, OMP_MPI, OMP_BLOCKED, OMP_CLASSES };

/* A set of classes: bit N is class N. */
#define OMP_CLASS(class) (1u << (class))
#define OMP_CLASSES_ALWAYS (OMP_CLASS(OMP_WORK) | OMP_CLASS(OMP_WAIT) | OMP_CLASS(OMP_OVERHEAD))

static inline bool omp_has_class(unsigned classes, unsigned class)
{
	return (classes & OMP_CLASS(class)) != 0;
}

/* How many there are, and how many of them come before class. */
unsigned omp_classes_count(unsigned classes);
unsigned omp_class_index(unsigned classes, unsigned class);

enum omp_leaf {
	/* The user's own code: no artificial function */
	LEAF_SERIAL,
	LEAF_PARALLEL,
	LEAF_OUTSIDE,	/* a thread that is unknown to OpenMP */
	LEAF_UNDEFINED, /* in an unknown state */
	/* Artificial functions */
	LEAF_REDUCTION,
	LEAF_IDLE,
	LEAF_IMPLICIT_BARRIER,
	LEAF_EXPLICIT_BARRIER,
	LEAF_BARRIER, /* either of these */
	LEAF_LOCK,
	LEAF_CRITICAL,
	LEAF_ORDERED,
	LEAF_ATOMIC,
	LEAF_TASKWAIT,
	LEAF_TASKGROUP,
	LEAF_DEPEND,
	LEAF_DOACROSS,
	LEAF_TARGET,
	LEAF_FORK_JOIN,
	LEAF_DISPATCH,
	LEAF_TASK_CREATION,
	LEAF_OVERHEAD,
	LEAF_MPI,	 /* in an MPI call, by the thread that called it; its
			    function is the call's */
	LEAF_MPI_THREAD, /* a thread of the MPI library's own */
	LEAF_BLOCKED,	 /* asleep in a system call that is neither OpenMP's nor MPI's; its
			    function is the one that the program called */
	LEAF_READY,	 /* without a CPU */
	LEAFS
};

/* The kind of barrier that the code of the call shows. */
enum barrier_kind {
	BARRIER_UNKNOWN = 0,
	BARRIER_IMPLICIT, /* at a construct's end */
	BARRIER_EXPLICIT, /* a barrier directive */
};

/* How it is known where one of gcc's singles ends: no call shows it. */
enum single_end {
	SINGLE_END_UNKNOWN, /* its code can't be followed */
	SINGLE_END_BARRIER, /* at the barrier to which it leads */
	SINGLE_END_ALONE,   /* likewise, but its code is not known; or at a call */
	SINGLE_END_CODE,    /* it is nowait: by its code alone */
	SINGLE_END_LEFT,    /* likewise, but it goes on in other functions by jumps */
	SINGLE_END_LAST,    /* likewise, and nothing follows in its own function */
	SINGLE_END_BEHIND,  /* of code: it is behind singles, and in none */
	SINGLE_END_VAGUE,   /* likewise, but what the compiler took for it may be what follows */
};

struct leaf_verdict {
	enum omp_leaf leaf;
	enum omp_class class;
};

/* "<OMP-idle>" and so on; NULL for user code. */
const char *leaf_function(enum omp_leaf leaf);

/* For tables: "idle", "serial work". */
const char *leaf_label(enum omp_leaf leaf);

/* "work", "wait", "overhead", "mpi", "blocked". */
const char *omp_class_name(enum omp_class class);

#endif
