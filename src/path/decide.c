/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide.c - see decide.h.
 *
 * The order of this file is that of a frame's way: the table, what is left out or stands for a
 * call, the runtime, MPI, a user frame, one function of it, what that creates; then boundaries.
 */
#include "config.h"

#include "src/path/decide.h"

#include <stdlib.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/path/decide_parts.h"
#include "src/path/evidence.h"
#include "src/profile/reader/reader.h"
#include "src/view/names.h"

/* What a frame is by itself. */
enum frame_class {
	CLASS_OURS,    /* this profiler's */
	CLASS_ASLEEP,  /* a library's, beneath which there is only sleep */
	CLASS_RUNTIME, /* the runtime's */
	CLASS_MPI,     /* MPI's, or of code that MPI works with */
	CLASS_SYSTEM,  /* the C library's, the loader's, the kernel's */
	CLASS_BODY,    /* likewise, but the runtime called it by a pointer, as it calls bodies */
	CLASS_START,   /* its name or place is that of code that starts a program or thread */
	CLASS_USER,
	CLASSES
};

enum role {
	LEFT_OUT,
	STARTS,	  /* left out; a program or thread was started by the C library */
	WRAPPER,  /* the first frame of a wrapper of this profiler's: a call */
	RUNTIME,  /* left out; the first of them is the runtime's function that was called */
	MPI,	  /* part of a call of MPI */
	FUNCTION, /* a user frame that was called, */
	CALLBACK, /* by the runtime, */
	BODY,	  /* as a construct's body: the first one above a boundary */
};

/* START, LIBC, USER, WRAPPER, RUNTIME, BOUNDARY, MPI */
static const uint8_t roles[CLASSES][POSITIONS] = {
	[CLASS_OURS] = { LEFT_OUT, LEFT_OUT, WRAPPER, LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT },
	[CLASS_ASLEEP] = { LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT },
	[CLASS_RUNTIME] = { RUNTIME, RUNTIME, RUNTIME, RUNTIME, RUNTIME, RUNTIME, RUNTIME },
	[CLASS_MPI] = { MPI, MPI, MPI, MPI, MPI, MPI, MPI },
	[CLASS_SYSTEM] = { STARTS, STARTS, FUNCTION, LEFT_OUT, LEFT_OUT, LEFT_OUT, MPI },
	[CLASS_BODY] = { FUNCTION, FUNCTION, FUNCTION, FUNCTION, CALLBACK, BODY, FUNCTION },
	[CLASS_START] = { LEFT_OUT, FUNCTION, FUNCTION, FUNCTION, CALLBACK, BODY, FUNCTION },
	[CLASS_USER] = { FUNCTION, FUNCTION, FUNCTION, FUNCTION, CALLBACK, BODY, FUNCTION },
};

struct step *decide_step(struct decisions *d, enum step_kind kind, enum tree_why why)
{
	if (d->nsteps == d->steps_room)
		d->steps = grow(d->steps, d->nsteps, &d->steps_room, sizeof(*d->steps));
	d->steps[d->nsteps] = (struct step){ .kind = (uint8_t)kind, .why = (uint8_t)why };
	return &d->steps[d->nsteps++];
}

static enum frame_class decide_class(const struct decisions *d, const struct decided *x,
				     const struct site *site, uint32_t frame)
{
	struct evidence *e = d->evidence;
	bool body = false;

	if (site->owner == SITE_TOOL)
		return CLASS_OURS;
	if (site->owner == SITE_SYSTEM && x->position == PATH_AT_WRAPPER)
		return CLASS_SYSTEM;
	if (x->library && evidence_slept(e, frame))
		return CLASS_ASLEEP;
	if (site->owner == SITE_RUNTIME)
		return CLASS_RUNTIME;
	if (decide_is_mpi(d, x, site, frame))
		return CLASS_MPI;
	if (site->owner == SITE_SYSTEM) {
		if (decided_in_runtime(x))
			body = bodies_called(&e->sites, frame);
		return body ? CLASS_BODY : CLASS_SYSTEM;
	}
	return site->start ? CLASS_START : CLASS_USER;
}

static void decide_frame(struct decisions *d, struct decided *x, uint32_t frame)
{
	enum frame_class class;
	enum role role;
	const struct site *site = sites_find(&d->evidence->sites, &d->evidence->file->nodes[frame]);

	x->direct = false;
	if (!site->library)
		x->library = 0;
	else if (!x->library && x->position != PATH_AT_START && x->position != PATH_AT_LIBC &&
		 !decided_in_runtime(x))
		x->library = frame;
	if (site->owner != SITE_SYSTEM)
		x->own = site->own;
	class = decide_class(d, x, site, frame);
	if (class == CLASS_OURS && x->position == PATH_AT_BOUNDARY &&
	    decide_jumped_wrapper(d, x, site, frame))
		return;
	role = roles[class][x->position];
	switch (role) {
	case LEFT_OUT: return;
	case STARTS: x->position = PATH_AT_LIBC; return;
	case WRAPPER: decide_wrapper(d, x, site, frame); return;
	case RUNTIME: decide_runtime(d, x, site, frame); return;
	case MPI: decide_mpi(d, x, site, frame); return;
	case FUNCTION: decide_leave_mpi(d, x); break;
	case CALLBACK: x->callback = true; break;
	case BODY: break;
	}
	decide_user(d, x, site, frame,
		    role == BODY     ? ENTERED_AS_BODY :
		    role == CALLBACK ? ENTERED_BY_RUNTIME :
				       ENTERED_BY_CALL);
}

/* ---- boundaries ------------------------------------------------------------------ */

/* The construct that the creating call names.  The innermost user frame counts, because
   runtimes may report a frame of their own as the caller. */
static enum construct_kind decide_construct(const struct decisions *d, const struct decided *x)
{
	const struct evidence *e = d->evidence;
	const uint64_t loc = e->file->nodes[x->user_frame].a;
	const struct origin_tail *tail = origins_tail(&e->origins, loc);

	if (!x->user_line)
		return CONSTRUCT_UNKNOWN;
	return tail ? tail->kind : ask(e->resolver, e->file, QUERY_CONSTRUCT, loc, false).construct;
}

/* ---- every node once --------------------------------------------------------------- */

void decisions_init(struct decisions *d, struct evidence *e, bool folds)
{
	*d = (struct decisions){ .evidence = e, .folds = folds };
	d->all = alloc_zeroed(e->file->nnodes + 1, sizeof(*d->all));
}

void decisions_fini(struct decisions *d)
{
	free(d->all);
	free(d->steps);
	*d = (struct decisions){ 0 };
}

const struct decided *decided_of(const struct decisions *d, uint32_t i)
{
	static const struct decided start = { .position = PATH_AT_START };

	/* A damaged file may refer to nodes that are on no path. */
	return i == PROF_NONE || !d->all[i] ? &start : d->all[i];
}

const struct decided *decided_above(const struct decisions *d, uint32_t i)
{
	return decided_of(d, d->evidence->file->nodes[i].parent);
}

void decide_node(struct decisions *d, uint32_t i, struct decided *x)
{
	const struct prof_rnode *node = &d->evidence->file->nodes[i];

	d->nsteps = 0;
	d->all[i] = decided_above(d, i);
	if (!x)
		return;
	*x = *d->all[i];
	d->all[i] = x;
	if (node->kind == PROF_NODE_FRAME) {
		decide_frame(d, x, i);
	} else {
		const bool task = node->flags == PROF_BOUNDARY_TASK;

		if (node->context == PROF_NONE) {
			/* A region or task whose creation context is unknown. */
			struct names *n = d->evidence->names;

			x->user_line = x->outlined = x->header = 0;
			x->folded = false;
			x->whole = PATH_UNKNOWN;
			x->creator = CREATOR_THERE;
			x->shown = names_artificial(n, "<unknown>", FUNCTION_UNKNOWN);
			decide_step(d, STEP_UNKNOWN, WHY_STACK);
		} else {
			const uint32_t creation = node->context;

			*x = *decided_of(d, creation);
			x->own = false;
			if (x->whole != PATH_UNKNOWN)
				x->whole = PATH_WHOLE;
			x->creation = creation;
			x->creator = CREATOR_THERE;
			decide_step(d, STEP_CREATION, WHY_STACK)->node = creation;
			if (!decided_in_runtime(x))
				decide_tail_call(d, x);
			decide_lost_creator(d, x);
			if (task)
				decide_task(d, x);
			else
				decide_region(d, x)->nested = true;
			d->steps[d->nsteps - 1].construct = (uint8_t)decide_construct(d, x);
		}
		x->entry = x->inner = x->library = 0;
		x->jump = x->loop = 0;
		x->callback = x->helper = x->at_once = false;
		if (x->creator == CREATOR_LEFT)
			x->creator = CREATOR_UNKNOWN;
		x->position = PATH_AT_BOUNDARY;
		x->direct = true;
		x->in_task = task;
	}
}

void decide_fork(struct decisions *d, const struct decided *x)
{
	struct decided begun = *x;

	d->nsteps = 0;
	begun.creation = x->user_frame;
	begun.creator = CREATOR_THERE;
	decide_lost_creator(d, &begun);
	decide_region(d, &begun);
}
