/*
 * leaf.h - what a thread was doing for OpenMP when a sample was taken.
 *
 * The state reported by the runtime is not enough: for example, runtimes report a taskwait
 * as work, and do not distinguish an explicit barrier.  The runtime function called by user
 * code and the object of a wait tell more.  The table in leaf.c has all rules;
 * doc/user-model.md describes them in prose.  Pure functions.
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

/* The kind of barrier that the code of the call tells. */
enum barrier_kind {
	BARRIER_UNKNOWN = 0,
	BARRIER_IMPLICIT, /* at a construct's end */
	BARRIER_EXPLICIT, /* a barrier directive */
};

/* How it is known where one of gcc's singles ends: no call tells it. */
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

/* What is known about the leaf of a sample's stack. */
struct leaf_evidence {
	enum prof_state state;
	const char *entry;	   /* the runtime function that user code called; NULL: none, or
				   unnamed */
	const char *inner;	   /* the runtime function that entry called, or NULL */
	const char *object;	   /* name of the object that the thread waits for, or NULL */
	enum barrier_kind barrier; /* of the call that entered the runtime */
	bool in_runtime;	   /* the innermost frames are the runtime's */
	bool callback;		   /* user code called by the runtime */
	bool helper;		   /* and that code is a compiler's helper */
	bool no_user_frames;	   /* the stack has no user frame */
	bool users;		   /* the innermost frame is the user's, the stack is complete,
				   and the runtime's frames are recognizable */
	bool bodiless;		   /* in a region, but outside its body */
	bool in_mpi;		   /* the innermost frames are MPI's */
	bool mpi_thread;	   /* and the stack has no others */
	bool asleep;		   /* the thread slept in a system call */
	bool ready;		   /* it could run and had no CPU */
	bool alone;		   /* the process has no other thread */
};

struct leaf_verdict {
	enum omp_leaf leaf;
	enum omp_class class;
};

struct leaf_verdict leaf_decide(const struct leaf_evidence *e);

/* "<OMP-idle>" and so on; NULL for user code. */
const char *leaf_function(enum omp_leaf leaf);

/* For tables: "idle", "serial work". */
const char *leaf_label(enum omp_leaf leaf);

/* "work", "wait", "overhead", "mpi", "blocked". */
const char *omp_class_name(enum omp_class class);

/* The name by which programs call a function of the runtime, without what an inner entry of it
   adds; name may be NULL. */
const char *leaf_plain(const char *name);

/* Whether entry begins or ends a region, so that its cost belongs to the region. */
bool leaf_is_fork(const char *entry);

/* Whether entry is gcc's barrier, which is also the end of a loop or of single. */
bool leaf_is_gnu_barrier(const char *entry);

/* Whether gcc gives no place in the source to the call of entry, which begins a construct: the
   call has that of the code before. */
bool leaf_is_unplaced(const char *entry);

/* Whether the symbol of a critical section's lock is one that a compiler creates for a
   reduction. */
bool leaf_is_reduction(const char *object);

/* Whether the runtime function runs a target region, on the host where there is no device. */
bool leaf_is_target(const char *entry);

/* Whether only the OpenMP runtime has functions of that name. */
bool leaf_is_runtime_name(const char *name);

/* The same in an executable that has a runtime in it: that of all its functions, whose names other
   programs' functions may have, too. */
bool leaf_is_linked_runtime_name(const char *name);

#endif
