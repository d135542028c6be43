/*
 * view_context.h - the path from a profile's node to the root, in terms of a view.
 *
 * Private to the view.  Each node of a profile has one struct context, which is derived
 * from its parent's (at a boundary: from the creation context's), so that every node is
 * processed once.
 */
#ifndef OMPHWC_SRC_PATH_VIEW_CONTEXT_H
#define OMPHWC_SRC_PATH_VIEW_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/path/bodies.h"
#include "src/path/origins.h"
#include "src/path/sites.h"

struct prof_file;
struct view;
struct view_options;

enum context_flag {
	CONTEXT_START = 1 << 0,	     /* no user frame so far */
	CONTEXT_SYSTEM = 1 << 1,     /* started by the C library */
	CONTEXT_RUNTIME = 1 << 2,    /* the innermost frames are the runtime's */
	CONTEXT_BODY = 1 << 3,	     /* the next user frame is a construct's body */
	CONTEXT_DIRECT = 1 << 4,     /* a boundary without a frame above it so far */
	CONTEXT_CALLBACK = 1 << 5,   /* user code called by the runtime */
	CONTEXT_HELPER = 1 << 6,     /* the innermost user frame is a compiler's helper */
	CONTEXT_WHOLE = 1 << 7,	     /* descends from a known creation context */
	CONTEXT_UNKNOWN = 1 << 8,    /* descends from <unknown> */
	CONTEXT_TASK = 1 << 9,	     /* the last boundary is a task's */
	CONTEXT_AT_ONCE = 1 << 10,   /* an undeferred task, whose creator calls the body directly */
	CONTEXT_MICROTASK = 1 << 11, /* a frame of the runtime calls bodies of regions alone */
	CONTEXT_CALLED = 1 << 12,    /* the runtime calls the next user frame */
	CONTEXT_OWN = 1 << 13,	     /* the innermost frame, or the one that called the C
					library's, is this profiler's */
	CONTEXT_MPI = 1 << 14,	     /* the innermost frames are MPI's */
	CONTEXT_LEFT = 1 << 15,	     /* what is created is created by a function that the
					innermost user frame called, and that is not known */
	CONTEXT_SAMPLED = 1 << 16,   /* it is known by samples alone: see view_region.sampled */
	CONTEXT_WRAPPER = 1 << 17,   /* the innermost frames are of a wrapper of this profiler's
					that stands for the C library's function */
	CONTEXT_FOLDED = 1 << 18,    /* the innermost frames are of libraries, of which the path
					has the call alone */
};

struct context {
	uint32_t node;		/* tree node */
	uint32_t line;		/* line of the innermost displayed frame */
	uint32_t header;	/* the outermost function of a header that is inlined there, which
				   is not displayed; 0: none */
	uint32_t user_node;	/* tree node of the innermost user frame */
	uint32_t user_line;	/* line of that frame, as in the user view */
	uint32_t user_frame;	/* node of that frame in the profile */
	uint32_t creation;	/* node of the last boundary's creation context in the profile */
	uint32_t user_function; /* function of that frame, as compiled */
	uint32_t outlined;	/* the same if it is an outlined function, else 0 */
	uint32_t region;
	uint32_t task;
	uint16_t team;	     /* threads of the team; 0: unknown */
	uint32_t entry;	     /* the runtime function called by user code */
	uint32_t inner;	     /* the runtime function that entry called */
	uint32_t mpi;	     /* function of the MPI call that user code made; 0: not known */
	uint32_t mpi_module; /* of its innermost frame of MPI's: see view_context_mpi.c */
	uint32_t library;    /* node in the profile of the outermost of the innermost frames, if
				these are libraries' (see struct site) that user code called;
				else 0 */
	uint32_t flags;
	uint64_t user_at; /* location of the call (exact: the jump) that user_line is
				   the line of */
	bool user_exact;
	uint64_t loop; /* of the static loop of gcc that a frame of the task is in: see
			  struct site; 0: none */
	uint64_t jump; /* location after the jump by which a body without a frame
				   made a tail call to the runtime; 0: none, or unknown */
};

/* Makes the contexts of one profile. */
struct contexts {
	struct view *view;
	const struct view_options *options;
	const struct prof_file *file;
	struct sites sites;
	struct context *all; /* one for each node of the profile */
	struct origins origins;
	struct bodies bodies;
	struct map *expert; /* cache of expert names, shared by all profiles */
	struct map called;  /* runtime functions by the location of their call; 0: unknown */
	bool *slept;	    /* by node: the threads only slept beneath it; NULL: nobody did */
	bool untold;	    /* no runtime told anything: there are no boundaries */
};

void contexts_init(struct contexts *c, struct view *v, const struct view_options *o,
		   const struct prof_file *f, struct map *expert);
void contexts_fini(struct contexts *c);

/* Makes the context of node i (not of a LEAF or STATS node), after those of all nodes before
   it: a node's parent and creation context have lower numbers. */
void contexts_make(struct contexts *c, uint32_t i);

/*
 * The line of the construct that the call before return address loc is for (exact: the jump
 * at loc), whose frame has the given line, in a function of the source.  It is that of the
 * directive where the construct's body tells it.  A line without a number is replaced by one
 * that is unique to the code position, so that constructs of one function stay distinct.
 */
void contexts_line(struct contexts *c, uint32_t line, uint64_t loc, bool exact, uint32_t *place);

/* The same for the innermost user frame of x. */
void contexts_place(struct contexts *c, const struct context *x, uint32_t *line);

/* The region that the runtime begins or ends for the innermost user frame of x, in front of the
   region's boundary. */
void contexts_fork(struct contexts *c, const struct context *x, uint32_t *region);

/* Whether the call in the frame, which is a user's, is of another function than the runtime's: that
   function therefore left by a tail call of the runtime, and the code does not tell it. */
void contexts_left(struct contexts *c, const struct context *x, uint32_t frame, bool *left);

/* The name of the function of a library that user code called, of x whose innermost frames are
   its: by the code of the call, else the frame's own; NULL: none. */
void contexts_library_call(struct contexts *c, const struct context *x, const char **name);

/* The context of node i's parent. */
const struct context *contexts_above(const struct contexts *c, uint32_t i);

#endif
