/*
 * leaf.h - what a thread was doing for OpenMP when a sample was taken.
 *
 * The state that the runtime reports is not enough: it calls a taskwait work
 * and an explicit barrier like any other.  The runtime function that the
 * user's code called tells more, and so does what a wait is for.  The table in
 * leaf.c has every rule; doc/user-model.md says the same in prose.
 * Pure functions.
 */
#ifndef OMPHWC_SRC_MODEL_LEAF_H
#define OMPHWC_SRC_MODEL_LEAF_H

#include <stdbool.h>

#include "src/profile/format.h"

/* Work + wait + overhead = total. */
enum omp_class {
	OMP_WORK,
	OMP_WAIT,
	OMP_OVERHEAD,
	OMP_CLASSES
};

enum omp_leaf {
	/* The user's own code: no artificial function */
	LEAF_SERIAL,
	LEAF_PARALLEL,
	LEAF_OUTSIDE,		/* a thread that OpenMP doesn't know */
	LEAF_UNDEFINED,		/* in a state that this program doesn't know */
	/* Artificial functions */
	LEAF_REDUCTION,
	LEAF_IDLE,
	LEAF_IMPLICIT_BARRIER,
	LEAF_EXPLICIT_BARRIER,
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
	LEAFS
};

/* What the source says of the barrier at a call site. */
enum barrier_kind {
	BARRIER_UNKNOWN = 0,
	BARRIER_IMPLICIT,	/* at a construct's end */
	BARRIER_EXPLICIT,	/* a directive of its own */
};

/* A sample's innermost end. */
struct leaf_evidence {
	enum prof_state state;
	const char *entry;	/* the runtime function that user code called, or
				   NULL: none, or none with a name */
	const char *inner;	/* the runtime function that entry called, or NULL */
	const char *object;	/* name of what is waited for, or NULL */
	enum barrier_kind barrier; /* of the entry's call site */
	bool in_runtime;	/* the innermost frames are the runtime's */
	bool callback;		/* user code called back by the runtime */
	bool helper;		/* and it is a compiler-made helper's */
	bool no_user_frames;	/* nothing of the user's on the whole stack */
	bool users;		/* innermost is code of the user's, of a whole stack, and the
				   runtime's would be known as such */
	bool bodiless;		/* in a region, but not, or not yet, in its body */
};

struct leaf_verdict {
	enum omp_leaf leaf;
	enum omp_class class;
};

struct leaf_verdict leaf_decide(const struct leaf_evidence *e);

/* "<OMP-idle>" and so on; NULL for the user's own code. */
const char *leaf_function(enum omp_leaf leaf);

/* For tables: "idle", "serial work". */
const char *leaf_label(enum omp_leaf leaf);

/* "work", "wait", "overhead". */
const char *omp_class_name(enum omp_class class);

/* Whether entry begins or ends a region: what it costs is its region's. */
bool leaf_is_fork(const char *entry);

/* Whether a critical section's symbol is one that a compiler made for a reduction. */
bool leaf_is_reduction(const char *object);

/* Whether a function's name is the OpenMP runtime's own. */
bool leaf_is_runtime_name(const char *name);

#endif
