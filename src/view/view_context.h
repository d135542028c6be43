/*
 * view_context.h - the way from a profile's node outward, in terms of a view.
 *
 * Private to the view: one struct context for each node of a profile, made
 * from its parent's (and at a boundary from the creation context's), so that
 * every node is looked at once.
 */
#ifndef OMPHWC_SRC_VIEW_VIEW_CONTEXT_H
#define OMPHWC_SRC_VIEW_VIEW_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/view/bodies.h"
#include "src/view/origins.h"
#include "src/view/sites.h"

struct prof_file;
struct view;
struct view_options;

enum context_flag {
	CONTEXT_START = 1 << 0,	  /* nothing of the program's own so far */
	CONTEXT_SYSTEM = 1 << 1,  /* the C library started it */
	CONTEXT_RUNTIME = 1 << 2, /* the innermost frames are the runtime's */
	CONTEXT_BODY = 1 << 3,	  /* the next user frame is a construct's body */
	CONTEXT_DIRECT = 1 << 4,  /* a boundary, and no frame since */
	CONTEXT_CALLBACK = 1 << 5, /* user code that the runtime called */
	CONTEXT_HELPER = 1 << 6,  /* the innermost user frame is a helper */
	CONTEXT_WHOLE = 1 << 7,	  /* hangs beneath a known creation context */
	CONTEXT_UNKNOWN = 1 << 8, /* hangs beneath <unknown> */
	CONTEXT_TASK = 1 << 9,	  /* the last boundary was a task's */
	CONTEXT_AT_ONCE = 1 << 10, /* whose creator calls the body like a function */
};

struct context {
	uint32_t node;		/* of the tree */
	uint32_t line;		/* of the innermost frame shown */
	uint32_t user_node;	/* of the tree, at the innermost user frame */
	uint32_t user_line;	/* of that frame, folded as in the user view */
	uint32_t user_frame;	/* that frame, among the profile's nodes */
	uint32_t creation;	/* the last boundary's creation context, likewise */
	uint32_t user_function;	/* of that frame, as the compiler made it */
	uint32_t outlined;	/* the same, if an outlined one */
	uint32_t region;
	uint32_t task;
	uint32_t entry;		/* function: the runtime's outermost frame */
	uint32_t inner;		/* function: the one that it called */
	uint32_t flags;
	uint64_t user_at;	/* location of that frame's call, which user_line is the line
				   of; exact: of a jump */
	bool user_exact;
	uint64_t jump;		/* location behind the jump by which a body that is on no
				   stack called the runtime; 0: none, or not known */
};

/* Makes the contexts of one profile. */
struct contexts {
	struct view *view;
	const struct view_options *options;
	const struct prof_file *file;
	struct sites sites;
	struct context *all;	/* as many as the profile has nodes */
	struct origins origins;
	struct bodies bodies;
	struct map *expert;	/* expert names, shared by all profiles */
};

int contexts_init(struct contexts *c, struct view *v, const struct view_options *o,
		  const struct prof_file *f, struct map *expert);
void contexts_fini(struct contexts *c);

/* Makes the context of node i (no LEAF or STATS), after those of all nodes
   before it: a node's parent and creation context have lower numbers.
   0 or -ENOMEM. */
int contexts_make(struct contexts *c, uint32_t i);

/* Where x is, by its user's line; by its code where that line has no number, so that
   constructs of one function are told apart all the same.  0 or -ENOMEM. */
int contexts_place(struct contexts *c, const struct context *x, uint32_t *line);

/* The context of node i's parent. */
const struct context *contexts_above(const struct contexts *c, uint32_t i);

/* For the view and its contexts: numbers of things, made if need be. */
int view_region(struct view *v, uint32_t node, uint32_t line, uint32_t *region);
int view_task(struct view *v, uint32_t node, uint32_t line, uint32_t *task);
int view_artificial(struct view *v, const char *name, int kind, uint32_t *function);
int view_unknown(struct view *v, unsigned cause, uint32_t *node);

#endif
