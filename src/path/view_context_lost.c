/*
 * view_context_lost.c - frames that are not on the stack: of functions that the compiler inlined
 * without a record, or that left by a tail call.
 */
#include "config.h"

#include "src/path/view_context_parts.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

void context_lost_frame(struct contexts *c, struct context *x, uint32_t origin)
{
	struct names *n = &c->view->names;
	const struct line *at = &n->lines[x->user_line];

	if (!origin || at->function == origin)
		return;
	names_line(n, origin, at->file, at->line, &x->user_line);
	if (c->view->kind != VIEW_MACHINE)
		context_push(c, x, origin, x->user_line);
	x->user_node = x->node;
}

uint64_t context_body_at(const struct contexts *c, uint32_t frame)
{
	const uint32_t above = c->file->nodes[frame].parent;

	return above != PROF_NONE && c->file->nodes[above].kind == PROF_NODE_BODY ?
		       c->file->nodes[above].a :
		       origins_told(&c->origins, &c->sites, frame);
}

/* Inserts the frame of the function that has a body's directive. */
static void context_push_creator(struct contexts *c, struct context *x, uint32_t body,
				 uint64_t begin)
{
	struct names *n = &c->view->names;
	const struct function *f;
	uint32_t function, line;

	names_origin(n, body, &function);
	f = &n->functions[body];
	names_line(n, function, f->file, f->line, &line);
	if (c->view->kind != VIEW_MACHINE)
		context_push(c, x, function, line);
	x->user_line = line;
	x->user_at = begin;
	x->user_exact = true;
	x->user_function = function;
	x->user_node = x->node;
}

/*
 * Whether the creation context lacks the function that has the body's directive: it left by a
 * tail call of the runtime, or was inlined and not recorded.
 */
static void context_lacks(struct contexts *c, const struct context *x, uint32_t body, bool *lacks)
{
	const struct prof_rnode *frame = &c->file->nodes[x->creation];
	const struct names *n = &c->view->names;
	const struct function *f = &n->functions[body];
	const struct site *site;

	*lacks = false;
	if (!f->origin || !f->line || frame->kind != PROF_NODE_FRAME || !x->user_line)
		return;
	sites_find(&c->sites, frame, &site);
	*lacks = !names_is_of(n->functions[x->user_function].name, f->origin) &&
		 !origins_there(&c->sites, site, f->origin);
}

void contexts_left(struct contexts *c, const struct context *x, uint32_t frame, bool *left)
{
	const struct prof_rnode *node = &c->file->nodes[frame];
	struct context at = *x;
	uint32_t called = 0;

	*left = false;
	/* Runtimes may report a frame of their own. And the function may be on the path already. */
	if (x->user_at != node->a || x->user_exact != !!(node->flags & PROF_FRAME_EXACT))
		return;
	if (node->kind != PROF_NODE_FRAME || origins_tail(&c->origins, node->a) ||
	    ask(c->options->resolver, c->file, QUERY_WAY, node->a, false).way == CALLSITE_UNKNOWN)
		return;
	at.user_frame = frame;
	at.jump = 0;
	context_by_call(c, &at, &called);
	*left = !called;
}

/* A function of that name is at the creation context, but that need not be the one that left: the
   directive's line tells. */
static void context_take_directive(struct contexts *c, struct context *x, uint32_t body,
				   uint64_t begin)
{
	struct names *n = &c->view->names;
	const struct function *f = &n->functions[body];

	x->user_at = begin;
	x->user_exact = true;
	if (f->line)
		names_line(n, n->lines[x->user_line].function, f->file, f->line, &x->user_line);
}

/* What was created by a function that left, and that no runtime tells: all samples may have the
   same body. */
static void context_by_samples(struct contexts *c, struct context *x)
{
	const uint64_t place = c->file->nodes[x->creation].a;
	const uint32_t body = origins_alone(&c->origins, x->creation);
	bool lacks;

	context_lacks(c, x, body, &lacks);
	if (lacks) {
		x->flags |= CONTEXT_SAMPLED;
		context_push_creator(c, x, body, place);
		return;
	}
	if (!origins_is_own(&c->origins, place))
		x->flags |= CONTEXT_LEFT;
}

void context_lost_creator(struct contexts *c, struct context *x)
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

	if (frame->kind != PROF_NODE_FRAME || !x->user_line)
		return;
	contexts_left(c, x, x->creation, &left);
	if (!left)
		return;
	if (!told.a) {
		context_by_samples(c, x);
		return;
	}
	sites_find(&c->sites, &told, &site);
	body = context_outermost(c, site);
	context_lacks(c, x, body, &lacks);
	if (lacks)
		context_push_creator(c, x, body, told.a);
	else
		context_take_directive(c, x, body, told.a);
}

void context_other_creator(struct contexts *c, struct context *x, const struct site *site)
{
	const struct prof_rnode *frame = &c->file->nodes[x->creation];
	const struct context *base = &c->all[x->creation];
	const uint32_t body = context_outermost(c, site);
	const bool task = x->flags & CONTEXT_TASK;
	bool lacks, left = false;

	if (!(x->flags & CONTEXT_BODY) || x->flags & CONTEXT_UNKNOWN ||
	    frame->kind != PROF_NODE_FRAME || x->flags & CONTEXT_SAMPLED ||
	    context_body_at(c, x->creation))
		return;
	context_lacks(c, x, body, &lacks);
	if (lacks)
		contexts_left(c, x, x->creation, &left);
	if (!left)
		return;
	const uint32_t base_region = x->region;

	x->region = base->region;
	x->task = base->task;
	x->flags = (x->flags & ~(uint32_t)CONTEXT_TASK) | (base->flags & CONTEXT_TASK);
	context_push_creator(c, x, body, frame->a);
	if (task)
		context_task(c, x);
	else
		context_region(c, x);
	if (!task)
		c->view->regions[x->region].begun = base_region;
	if (task) {
		c->view->tasks[x->task].body_known = false;
		c->view->untold |= UNTOLD_TASK_CREATE | UNTOLD_TASK_SCHEDULE;
	}
}

/* Adds the frame of a body that made a tail call, at the jump; without a known jump, at the
   body's entry. */
static void context_put_body(struct contexts *c, struct context *x, const struct answer *body)
{
	const struct prof_rnode there = {
		.kind = PROF_NODE_FRAME,
		.a = body->at ? body->at : body->entry,
		.flags = PROF_FRAME_EXACT,
	};
	const struct site *site;
	uint32_t line;

	sites_find(&c->sites, &there, &site);
	if (body->at) {
		for (uint32_t i = site->n; i-- > 0;)
			context_function(c, x, c->sites.lines[site->first + i], &there);
		return;
	}
	names_line(&c->view->names, context_outermost(c, site), NULL, 0, &line);
	context_function(c, x, line, &there);
}

void context_lost_body(struct contexts *c, struct context *x, const struct site *site)
{
	const struct answer *body;

	/* First, since the function and the node are rarely in the cache. */
	if (!(x->flags & CONTEXT_BODY) || x->flags & CONTEXT_UNKNOWN || !x->user_line)
		return;
	const struct function *f = &c->view->names.functions[context_outermost(c, site)];
	/* No body lies in the C library, also where that is stripped of its names. */
	const char *callee = f->linkage ? f->linkage : site->owner == SITE_SYSTEM ? "" : NULL;
	const struct prof_rnode *creation = &c->file->nodes[x->creation];

	if (f->outlined != SYM_NOT_OUTLINED || !callee || creation->kind != PROF_NODE_FRAME)
		return;
	const struct origin_tail *tail = origins_tail(&c->origins, creation->a);

	bodies_find(&c->bodies, &c->sites, tail ? tail->at : creation->a, tail, callee, &body);
	if (!body)
		return;
	x->jump = body->end;
	context_put_body(c, x, body);
}
