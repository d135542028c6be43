/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide_lost.c - functions that have no frame: that the compiler inlined without a record, or
 * that left by a tail call.
 */
#include "config.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/path/decide_parts.h"
#include "src/path/evidence.h"
#include "src/profile/reader/reader.h"
#include "src/view/names.h"

/* Inserts a function at the innermost user line. */
static void decide_insert(struct decisions *d, struct decided *x, uint32_t function,
			  enum tree_why why)
{
	struct step *s = decide_step(d, STEP_INSERT, why);

	s->function = function;
	s->user_line = x->user_line;
	s->user = true;
	x->shown = function;
	x->header = 0;
	x->folded = false;
}

/* Adds the functions at an instruction. */
static void decide_add_at(struct decisions *d, struct decided *x, uint64_t at, enum entered entered,
			  enum tree_why why)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode there = {
		.kind = PROF_NODE_FRAME,
		.a = at,
		.flags = PROF_FRAME_EXACT,
	};
	const struct site *site = sites_find(&e->sites, &there);

	for (uint32_t i = site->n; i-- > 0; entered = ENTERED_BY_CALL) {
		decide_function(d, x, e->sites.lines[site->first + i], &there, entered);
		d->steps[d->nsteps - 1].why = (uint8_t)why;
	}
}

void decide_jumped(struct decisions *d, struct decided *x, uint64_t at)
{
	decide_add_at(d, x, at, ENTERED_BY_CALL, WHY_JUMP);
}

void decide_tail_call(struct decisions *d, struct decided *x)
{
	const struct evidence *e = d->evidence;
	const struct prof_rnode *frame = &e->file->nodes[x->user_frame];
	const struct origin_tail *tail = x->user_line && frame->kind == PROF_NODE_FRAME ?
						 origins_tail(&e->origins, frame->a) :
						 NULL;

	if (tail)
		decide_jumped(d, x, tail->at);
}

void decide_inlined(struct decisions *d, struct decided *x, uint32_t origin)
{
	struct names *n = d->evidence->names;
	const struct line *at = &n->lines[x->user_line];

	if (at->function == origin)
		return;
	x->user_line = names_line(n, origin, at->file, at->line);
	decide_insert(d, x, origin, WHY_BODY_NAME);
}

/* ---- creators ---------------------------------------------------------------------- */

/* Inserts the function that has a body's directive. */
static void decide_insert_creator(struct decisions *d, struct decided *x, uint32_t body,
				  uint64_t begin, enum tree_why why)
{
	struct names *n = d->evidence->names;
	const struct function *f;
	const uint32_t function = names_origin(n, body);

	f = &n->functions[body];
	x->user_line = names_line(n, function, f->file, f->line);
	decide_insert(d, x, function, why);
	x->user_at = begin;
	x->user_exact = true;
	x->user_function = function;
}

bool decide_left(const struct decisions *d, const struct decided *x, uint32_t frame)
{
	const struct evidence *e = d->evidence;
	const struct prof_rnode *node = &e->file->nodes[frame];

	/* Runtimes may report a frame of their own. And the function may be on the path already. */
	if (x->user_at != node->a || x->user_exact != !!(node->flags & PROF_FRAME_EXACT))
		return false;
	if (node->kind != PROF_NODE_FRAME || origins_tail(&e->origins, node->a) ||
	    ask(e->resolver, e->file, QUERY_WAY, node->a, false).way == CALLSITE_UNKNOWN)
		return false;
	return !decide_by_call(d, x, frame, 0);
}

/* What was created by a function that left, and that no runtime reports: all samples may have the
   same body. */
static void decide_by_samples(struct decisions *d, struct decided *x)
{
	struct evidence *e = d->evidence;
	const uint64_t place = e->file->nodes[x->creation].a;
	const uint32_t body = origins_alone(&e->origins, x->creation);

	if (evidence_lacks(e, x->creation, x->user_function, body)) {
		x->creator = CREATOR_SAMPLED;
		decide_insert_creator(d, x, body, place, WHY_SAMPLES);
	} else if (!origins_is_own(&e->origins, place)) {
		x->creator = CREATOR_LEFT;
	}
}

void decide_lost_creator(struct decisions *d, struct decided *x)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode *frame = &e->file->nodes[x->creation];
	struct prof_rnode reported = { .kind = PROF_NODE_FRAME, .flags = PROF_FRAME_EXACT };
	uint32_t body;
	bool left;

	if (frame->kind != PROF_NODE_FRAME || !x->user_line)
		return;
	left = decide_left(d, x, x->creation);
	if (!left && !evidence_has_several(e, x->creation))
		return;
	reported.a = evidence_body_at(e, x->creation);
	if (!reported.a) {
		decide_by_samples(d, x);
		return;
	}
	const struct site *site = sites_find(&e->sites, &reported);
	body = evidence_outermost(e, site);
	if (!evidence_lacks(e, x->creation, x->user_function, body)) {
		/* A function of that name is at the creation context, but that need not be the one
		   that left, or the call is of several directives: the directive's line is the
		   construct's. */
		struct names *n = d->evidence->names;
		const struct function *f = &n->functions[body];

		x->user_at = reported.a;
		x->user_exact = true;
		if (f->line)
			x->user_line =
				names_line(n, n->lines[x->user_line].function, f->file, f->line);
	} else if (left)
		decide_insert_creator(d, x, body, reported.a, WHY_BODY);
}

void decide_other_creator(struct decisions *d, struct decided *x, const struct site *site)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode *frame = &e->file->nodes[x->creation];
	const uint32_t body = evidence_outermost(e, site);
	const bool task = x->in_task;

	if (x->whole == PATH_UNKNOWN || frame->kind != PROF_NODE_FRAME || !x->user_line ||
	    x->creator == CREATOR_SAMPLED || evidence_body_at(e, x->creation) ||
	    !evidence_lacks(e, x->creation, x->user_function, body) ||
	    !decide_left(d, x, x->creation))
		return;
	decide_step(d, STEP_ANOTHER, WHY_STACK)->node = x->creation;
	x->in_task = decided_of(d, x->creation)->in_task;
	x->creator = CREATOR_THERE;
	decide_insert_creator(d, x, body, frame->a, WHY_BODY_NAME);
	if (task)
		decide_task(d, x);
	else
		decide_region(d, x);
}

/* ---- bodies --------------------------------------------------------------------------- */

bool decide_lost_body(struct decisions *d, struct decided *x, const struct site *site)
{
	struct evidence *e = d->evidence;
	const struct function *f = &e->names->functions[evidence_outermost(e, site)];
	/* No body lies in the C library, also where that is stripped of its names. */
	const char *callee = f->linkage ? f->linkage : site->owner == SITE_SYSTEM ? "" : NULL;
	const struct answer *body;

	if (x->whole == PATH_UNKNOWN || !x->user_line || f->outlined != SYM_NOT_OUTLINED || !callee)
		return false;
	body = evidence_body(e, x->creation, callee);
	if (!body)
		return false;
	x->jump = body->end;
	if (body->at) {
		decide_add_at(d, x, body->at, ENTERED_AS_BODY, WHY_JUMP);
		return true;
	}
	/* Without a known jump: at the body's entry. */
	const struct prof_rnode there = {
		.kind = PROF_NODE_FRAME,
		.a = body->entry,
		.flags = PROF_FRAME_EXACT,
	};

	site = sites_find(&e->sites, &there);
	const uint32_t line = names_line(e->names, evidence_outermost(e, site), NULL, 0);
	decide_function(d, x, line, &there, ENTERED_AS_BODY);
	d->steps[d->nsteps - 1].why = WHY_BODY;
	return true;
}

bool decide_jumped_wrapper(struct decisions *d, struct decided *x, const struct site *site,
			   uint32_t frame)
{
	struct evidence *e = d->evidence;
	const struct names *n = e->names;
	const char *name = n->functions[evidence_outermost(e, site)].linkage, *called;
	const struct answer *body = name ? evidence_body(e, x->creation, name) : NULL;

	if (!body || !body->at || x->whole == PATH_UNKNOWN)
		return false;
	/* Another function of ours is called by none of the program's jumps. */
	called = n->functions[evidence_called(e, body->at, true)].linkage;
	if (!called || strcmp(evidence_unwrapped(called), evidence_unwrapped(name)) != 0 ||
	    !decide_lost_body(d, x, site))
		return false;
	x->entry = x->inner = 0;
	x->position = PATH_AT_WRAPPER;
	x->library = frame;
	return true;
}
