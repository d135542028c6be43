/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide.h - the role of each frame and boundary on the path of its samples.
 *
 * The second of three passes: see path_build.h.  From the outermost frame inward, a table says what
 * a frame is by what it is itself (its class) and by what the frames below it were (the position):
 * start-up code, code of the runtime, of MPI or of this profiler, the body of a construct, or a
 * function.  What follows from a role are steps, which the third pass takes.  Each has the reason
 * for it.  Where the evidence ends, the step says so (WHY_SAMPLES, step.elsewhere), and nothing is
 * guessed.
 *
 * No decision depends on the perspective of a view, but that calls of libraries are named only in a
 * view that folds libraries: their code is asked for the names.
 */
#ifndef OMPHWC_SRC_PATH_DECIDE_H
#define OMPHWC_SRC_PATH_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/construct_kind.h"
#include "src/view/tree.h"

struct evidence;

/* What the innermost frames are. */
enum position {
	PATH_AT_START,	  /* no user frame so far */
	PATH_AT_LIBC,	  /* likewise; the C library's frames came, which start a thread */
	PATH_AT_USER,	  /* the program's, or a library's that the program called */
	PATH_AT_WRAPPER,  /* of a wrapper of this profiler's for a function of the C library */
	PATH_AT_RUNTIME,  /* the OpenMP runtime's */
	PATH_AT_BOUNDARY, /* likewise, and the next user frame is the body of a region or task */
	PATH_AT_MPI,	  /* MPI's */
	POSITIONS
};

/* How much of a path the creation contexts gave. */
enum path_whole {
	PATH_OF_STACK, /* nothing: it is the stack */
	PATH_WHOLE,    /* it descends from a creation context that is known */
	PATH_UNKNOWN,  /* from one that is not: the path begins with <unknown> */
};

/* How the function is known that creates the next region or task. */
enum path_creator {
	CREATOR_THERE,	 /* it is on the path */
	CREATOR_SAMPLED, /* by samples of the body alone: see view_region.sampled */
	CREATOR_LEFT,	 /* it is not: a function that the innermost user frame called */
	CREATOR_UNKNOWN, /* likewise, behind the boundary: until the body's first function */
};

/* What is decided at a node of the profile.  Lines and functions are numbers of names.h, frames
   nodes of the profile; 0: none or not known. */
struct decided {
	uint64_t user_at; /* location of the call (user_exact: the jump) that user_line is the line
			     of */
	uint64_t loop;	  /* of the static loop of gcc that a frame of the task is in: see site */
	uint64_t jump;	  /* after the jump by which a body without a frame called the runtime */
	uint32_t user_line;	/* of the innermost user frame, in a function of the source */
	uint32_t user_frame;	/* that frame */
	uint32_t user_function; /* its function, as compiled */
	uint32_t outlined;	/* the same if it is an outlined function */
	uint32_t creation;	/* the last boundary's creation context */
	uint32_t entry;		/* the runtime function that user code called */
	uint32_t inner;		/* the runtime function that entry called */
	uint32_t mpi;		/* the MPI call that user code made */
	uint32_t mpi_module;	/* module of its innermost frame of MPI's */
	uint32_t library; /* the outermost of the innermost frames, if these are libraries' (see
			     site) that user code called */
	uint32_t shown;	  /* the innermost function that a view shows that folds libraries */
	uint32_t header;  /* the outermost function of a header that is inlined there, which such a
			     view does not show */
	uint8_t position; /* enum position */
	uint8_t whole;	  /* enum path_whole */
	uint8_t creator;  /* enum path_creator */
	bool user_exact;
	bool direct;	/* a boundary without a frame above it so far */
	bool callback;	/* user code called by the runtime, and no body */
	bool microtask; /* a frame of the runtime calls bodies of regions alone */
	bool helper;	/* the innermost user frame is a compiler's helper */
	bool in_task;	/* the last boundary is a task's */
	bool at_once;	/* an undeferred task, whose creator calls the body directly */
	bool own;	/* the innermost frame, or the one that called the C library's, is this
			   profiler's */
	bool folded;	/* the innermost frames are of libraries, of which such a view shows the
			   call alone */
};

enum step_kind {
	STEP_FUNCTION, /* one function of a user frame */
	STEP_INSERT,   /* a function that has no frame */
	STEP_CALL,     /* a call of code that is not shown */
	STEP_REGION,   /* the code begins a region */
	STEP_TASK,     /* the code creates a task */
	STEP_CREATION, /* the path goes on from the boundary's creation context */
	STEP_UNKNOWN,  /* the boundary has none */
	STEP_BACK,     /* the next frame is the creator's own, which was met already */
	STEP_AT_ONCE,  /* what it calls belongs to the task, which is not deferred */
	STEP_ANOTHER,  /* the region or task is another one of the same call */
};

struct step {
	uint8_t kind;	   /* enum step_kind */
	uint8_t why;	   /* enum tree_why */
	uint8_t construct; /* STEP_REGION, STEP_TASK: of a boundary: what the call begins, as an
			      enum construct_kind */
	bool in_task;	   /* the code is in the task, and not only in the region */
	bool nested;	   /* STEP_REGION: also if that is the region that the code is in */
	bool target;	   /* STEP_REGION: of a target construct */
	bool elsewhere;	   /* STEP_REGION, STEP_TASK: its creator is identified by samples alone */
	bool outlined;	   /* STEP_FUNCTION: a construct's body or helper, */
	bool body;	   /* which is the body of the region or task that it is in */
	bool continues;	   /* and part of the one that the path is in already */
	bool fold;	   /* of the function that contains it, which is on the path */
	bool hidden;	   /* code of a library that is not shown */
	bool user;	   /* STEP_INSERT: it is the user's */
	uint32_t function; /* STEP_TASK: of the creating code, as compiled */
	uint32_t line;	   /* as compiled; STEP_REGION, STEP_TASK: the construct's */
	uint32_t user_line;
	uint32_t caller; /* STEP_FUNCTION: line of the user's frame before */
	uint32_t node;	 /* STEP_CREATION, STEP_BACK, STEP_ANOTHER: of the creation context */
};

struct decisions {
	struct evidence *evidence;
	struct step *steps; /* of the node that was decided last */
	size_t nsteps;
	/* private */
	const struct decided **all; /* by node of the profile; NULL: not decided */
	size_t steps_room;
	bool folds; /* the view folds libraries */
};

/* For one profile; e is borrowed. */
void decisions_init(struct decisions *d, struct evidence *e, bool folds);
void decisions_fini(struct decisions *d);

/* What is decided of node i, and of its parent; of none: of a thread's start. */
const struct decided *decided_of(const struct decisions *d, uint32_t i);
const struct decided *decided_above(const struct decisions *d, uint32_t i);

/* Decides node i, after its parent and its creation context, into *x, which must stay where it is;
   NULL: what is decided of its parent holds (of all but FRAME and BOUNDARY nodes). */
void decide_node(struct decisions *d, uint32_t i, struct decided *x);

/* The steps to the region that the runtime begins or ends for the innermost user frame of x, in
   front of the region's boundary. */
void decide_fork(struct decisions *d, const struct decided *x);

/* The name of the function of a library that user code called, of x whose innermost frames are its:
   by the code of the call, else the frame's own; NULL: none. */
const char *decided_library_call(const struct decisions *d, const struct decided *x);

static inline bool decided_in_runtime(const struct decided *x)
{
	return x->position == PATH_AT_RUNTIME || x->position == PATH_AT_BOUNDARY;
}

#endif
