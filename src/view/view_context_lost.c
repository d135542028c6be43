/*
 * view_context_lost.c - frames that are not on the stack: of functions that the compiler inlined
 * without a record, or that left by a tail call.
 */
#include "config.h"

#include "src/view/view_context_parts.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

int context_lost_frame(struct contexts *c, struct context *x, uint32_t origin)
{
	struct names *n = &c->view->names;
	const struct line *at = &n->lines[x->user_line];
	int err;

	if (!origin || at->function == origin)
		return 0;
	err = names_line(n, origin, at->file, at->line, &x->user_line);
	if (!err && c->view->kind != VIEW_MACHINE)
		err = context_push(c, x, origin, x->user_line);
	x->user_node = x->node;
	return err;
}

uint64_t context_body_at(const struct contexts *c, uint32_t frame)
{
	const uint32_t above = c->file->nodes[frame].parent;

	return above != PROF_NONE && c->file->nodes[above].kind == PROF_NODE_BODY ?
		       c->file->nodes[above].a :
		       origins_told(&c->origins, &c->sites, frame);
}

/* Inserts the frame of the function that has a body's directive. */
static int context_push_creator(struct contexts *c, struct context *x, uint32_t body,
				uint64_t begin)
{
	struct names *n = &c->view->names;
	const struct function *f;
	uint32_t function, line;
	int err = names_origin(n, body, &function);

	f = &n->functions[body];
	if (!err)
		err = names_line(n, function, f->file, f->line, &line);
	if (!err && c->view->kind != VIEW_MACHINE)
		err = context_push(c, x, function, line);
	if (err)
		return err;
	x->user_line = line;
	x->user_at = begin;
	x->user_exact = true;
	x->user_function = function;
	x->user_node = x->node;
	return 0;
}

/*
 * Whether the creation context lacks the function that has the body's directive: it left by a
 * tail call of the runtime, or was inlined and not recorded.
 */
static int context_lacks(struct contexts *c, const struct context *x, uint32_t body, bool *lacks)
{
	const struct prof_rnode *frame = &c->file->nodes[x->creation];
	const struct names *n = &c->view->names;
	const struct function *f = &n->functions[body];
	const struct site *site;
	int err;

	*lacks = false;
	if (!f->origin || !f->line || frame->kind != PROF_NODE_FRAME || !x->user_line)
		return 0;
	err = sites_find(&c->sites, frame, &site);
	*lacks = !err && !names_is_of(n->functions[x->user_function].name, f->origin) &&
		 !origins_there(&c->sites, site, f->origin);
	return err;
}

int contexts_left(struct contexts *c, const struct context *x, uint32_t frame, bool *left)
{
	const struct prof_rnode *node = &c->file->nodes[frame];
	struct context at = *x;
	uint32_t called = 0;
	int err;

	*left = false;
	/* Runtimes may report a frame of their own. And the function may be on the path already. */
	if (x->user_at != node->a || x->user_exact != !!(node->flags & PROF_FRAME_EXACT))
		return 0;
	if (node->kind != PROF_NODE_FRAME || origins_tail(&c->origins, node->a) ||
	    ask(c->options->resolver, c->file, QUERY_WAY, node->a, false).way == CALLSITE_UNKNOWN)
		return 0;
	at.user_frame = frame;
	at.jump = 0;
	err = context_by_call(c, &at, &called);
	*left = !called;
	return err;
}

/* A function of that name is at the creation context, but that need not be the one that left: the
   directive's line tells. */
static int context_take_directive(struct contexts *c, struct context *x, uint32_t body,
				  uint64_t begin)
{
	struct names *n = &c->view->names;
	const struct function *f = &n->functions[body];

	x->user_at = begin;
	x->user_exact = true;
	return !f->line ? 0 :
			  names_line(n, n->lines[x->user_line].function, f->file, f->line,
				     &x->user_line);
}

/* What was created by a function that left, and that no runtime tells: all samples may have the
   same body. */
static int context_by_samples(struct contexts *c, struct context *x)
{
	const uint64_t place = c->file->nodes[x->creation].a;
	const uint32_t body = origins_alone(&c->origins, x->creation);
	bool lacks;
	int err = context_lacks(c, x, body, &lacks);

	if (err)
		return err;
	if (lacks) {
		x->flags |= CONTEXT_SAMPLED;
		return context_push_creator(c, x, body, place);
	}
	if (!origins_is_own(&c->origins, place))
		x->flags |= CONTEXT_LEFT;
	return 0;
}

int context_lost_creator(struct contexts *c, struct context *x)
{
	const struct prof_rnode *frame = &c->file->nodes[x->creation];
	const struct prof_rnode told = {
		.kind = PROF_NODE_FRAME,
		.a = context_body_at(c, x->creation),
		.flags = PROF_FRAME_EXACT,
	};
	const struct site *site;
	bool lacks, left;
	uint32_t body;
	int err;

	if (frame->kind != PROF_NODE_FRAME || !x->user_line)
		return 0;
	err = contexts_left(c, x, x->creation, &left);
	if (err || !left)
		return err;
	if (!told.a)
		return context_by_samples(c, x);
	err = sites_find(&c->sites, &told, &site);
	if (err)
		return err;
	body = context_outermost(c, site);
	err = context_lacks(c, x, body, &lacks);
	if (err)
		return err;
	return lacks ? context_push_creator(c, x, body, told.a) :
		       context_take_directive(c, x, body, told.a);
}

int context_other_creator(struct contexts *c, struct context *x, const struct site *site)
{
	const struct prof_rnode *frame = &c->file->nodes[x->creation];
	const struct context *base = &c->all[x->creation];
	const uint32_t body = context_outermost(c, site);
	const bool task = x->flags & CONTEXT_TASK;
	bool lacks, left = false;
	int err;

	if (!(x->flags & CONTEXT_BODY) || x->flags & CONTEXT_UNKNOWN ||
	    frame->kind != PROF_NODE_FRAME || x->flags & CONTEXT_SAMPLED ||
	    context_body_at(c, x->creation))
		return 0;
	err = context_lacks(c, x, body, &lacks);
	if (!err && lacks)
		err = contexts_left(c, x, x->creation, &left);
	if (err || !left)
		return err;
	const uint32_t base_region = x->region;

	x->region = base->region;
	x->task = base->task;
	x->flags = (x->flags & ~(uint32_t)CONTEXT_TASK) | (base->flags & CONTEXT_TASK);
	err = context_push_creator(c, x, body, frame->a);
	if (!err)
		err = task ? context_task(c, x) : context_region(c, x);
	if (!err && !task)
		c->view->regions[x->region].begun = base_region;
	if (!err && task) {
		c->view->tasks[x->task].body_known = false;
		c->view->untold |= UNTOLD_TASK_CREATE | UNTOLD_TASK_SCHEDULE;
	}
	return err;
}

/* Adds the frame of a body that made a tail call, at the jump; without a known jump, at the
   body's entry. */
static int context_put_body(struct contexts *c, struct context *x, const struct answer *body)
{
	const struct prof_rnode there = {
		.kind = PROF_NODE_FRAME,
		.a = body->at ? body->at : body->entry,
		.flags = PROF_FRAME_EXACT,
	};
	const struct site *site;
	uint32_t line;
	int err = sites_find(&c->sites, &there, &site);

	if (err)
		return err;
	if (body->at) {
		for (uint32_t i = site->n; i-- > 0 && !err;)
			err = context_function(c, x, c->sites.lines[site->first + i], &there);
		return err;
	}
	err = names_line(&c->view->names, context_outermost(c, site), NULL, 0, &line);
	return err ? err : context_function(c, x, line, &there);
}

int context_lost_body(struct contexts *c, struct context *x, const struct site *site)
{
	const struct answer *body;
	int err;

	/* First, since the function and the node are rarely in the cache. */
	if (!(x->flags & CONTEXT_BODY) || x->flags & CONTEXT_UNKNOWN || !x->user_line)
		return 0;
	const struct function *f = &c->view->names.functions[context_outermost(c, site)];
	/* No body lies in the C library, also where that is stripped of its names. */
	const char *callee = f->linkage ? f->linkage : site->owner == SITE_SYSTEM ? "" : NULL;
	const struct prof_rnode *creation = &c->file->nodes[x->creation];

	if (f->outlined != SYM_NOT_OUTLINED || !callee || creation->kind != PROF_NODE_FRAME)
		return 0;
	const struct origin_tail *tail = origins_tail(&c->origins, creation->a);

	err = bodies_find(&c->bodies, &c->sites, tail ? tail->at : creation->a, tail, callee,
			  &body);
	if (err || !body)
		return err;
	x->jump = body->end;
	return context_put_body(c, x, body);
}
