/*
 * view_context.c - converts frames of the implementation to frames of the program.
 *
 * From the outermost frame inward, each frame is one of: start-up code (left out); code of
 * the runtime, or the C library called by it (left out; the name of the outermost one tells
 * what was called); code of the profiler (left out); the body of a construct (part of the
 * function that contains the construct); or a function.  At a boundary the path continues
 * from the place that created the region or task.
 */
#include "config.h"

#include "src/path/view_context.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/model/mpi.h"
#include "src/path/view_context_parts.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/toolchain.h"
#include "src/view/items.h"
#include "src/view/view.h"

/* Finds libraries' frames beneath which there is nothing but sleep: they are not on the path, which
   ends with the call. */
static void contexts_find_slept(struct contexts *c)
{
	const struct prof_file *f = c->file;

	c->slept = alloc_bytes(f->nnodes + 1);
	memset(c->slept, true, f->nnodes + 1);
	for (size_t i = f->nnodes; i-- > 0;) {
		const struct prof_rnode *n = &f->nodes[i];
		bool slept = c->slept[i];

		if (n->kind == PROF_NODE_LEAF)
			slept = n->state & PROF_ASLEEP;
		else if (n->kind == PROF_NODE_FRAME)
			slept = slept && sites_is_in_library(&c->sites, n);
		else if (n->kind != PROF_NODE_OBJECT && n->kind != PROF_NODE_CONSTRUCT)
			slept = false;
		if (n->parent != PROF_NONE && !slept)
			c->slept[n->parent] = false;
		if (n->context != PROF_NONE)
			c->slept[n->context] = false;
	}
}

static bool contexts_know_sleep(const struct view *v)
{
	bool wall = false;

	for (size_t i = 0; i < v->model->nevents; i++)
		wall = wall || v->model->events[i].flags & PROF_EVENT_WALL;
	return wall;
}

void contexts_init(struct contexts *c, struct view *v, const struct view_options *o,
		   const struct prof_file *f, struct map *expert)
{
	*c = (struct contexts){
		.view = v,
		.options = o,
		.file = f,
		.expert = expert,
		.untold = !prof_text(f, PROF_INFO_RUNTIME),
	};
	c->all = alloc_zeroed(f->nnodes + 1, sizeof(*c->all));
	sites_init(&c->sites, &v->names, o->resolver, f);
	if (contexts_know_sleep(v))
		contexts_find_slept(c);
	origins_find(&c->sites, &c->origins);
}

void contexts_fini(struct contexts *c)
{
	sites_fini(&c->sites);
	free(c->all);
	free(c->slept);
	origins_fini(&c->origins);
	bodies_fini(&c->bodies);
	map_free(&c->called);
	*c = (struct contexts){ 0 };
}

/* ---- frames ---------------------------------------------------------- */

uint32_t context_outermost(const struct contexts *c, const struct site *site)
{
	return c->view->names.lines[c->sites.lines[site->first + site->n - 1]].function;
}

/*
 * Whether the first frame above a boundary is again the frame that created the region.  A
 * serialized region's body may be inlined into it, and while the team is created or joined,
 * the task's own frames are the creator's.
 */
static void context_is_creator(struct contexts *c, const struct context *x, const struct site *site,
			       bool *is)
{
	const struct names *n = &c->view->names;
	const struct site *creator;
	uint32_t function;

	*is = false;
	if (!(x->flags & CONTEXT_BODY) || x->flags & CONTEXT_UNKNOWN)
		return;
	function = context_outermost(c, site);
	/* A region's body never creates that region, but it may create an undeferred task. */
	if (c->file->nodes[x->creation].kind != PROF_NODE_FRAME ||
	    (n->functions[function].outlined != SYM_NOT_OUTLINED && !(x->flags & CONTEXT_TASK)))
		return;
	sites_find(&c->sites, &c->file->nodes[x->creation], &creator);
	*is = context_outermost(c, creator) == function;
}

/* Resets x to the state before the creating frame. */
static void context_back(struct contexts *c, struct context *x)
{
	const uint32_t above = c->file->nodes[x->creation].parent;
	const struct context none = { 0 };
	const struct context *before = above == PROF_NONE ? &none : &c->all[above];

	if (c->view->kind != VIEW_MACHINE) {
		x->node = before->node;
		x->line = before->line;
	}
	x->user_node = before->user_node;
	x->user_line = before->user_line;
	x->user_at = before->user_at;
	x->user_exact = before->user_exact;
	x->loop = before->loop;
	x->user_function = before->user_function;
	x->outlined = before->outlined;
	x->header = before->header;
	x->flags &= ~(uint32_t)(CONTEXT_BODY | CONTEXT_FOLDED);
	x->flags |= before->flags & CONTEXT_FOLDED;
	if (!(x->flags & CONTEXT_TASK))
		return;
	/* The frame does not belong to the task, but to the code that created it. */
	x->task = before->task;
	x->region = before->region;
	x->flags = (x->flags & ~(uint32_t)CONTEXT_TASK) | (before->flags & CONTEXT_TASK);
}

/* Functions inlined into the creator's frame, or called by it, belong to the task. */
static void context_at_once(struct context *x, const struct context *task)
{
	x->task = task->task;
	x->region = task->region;
	x->flags |= CONTEXT_TASK | CONTEXT_AT_ONCE;
}

static void context_user(struct contexts *c, struct context *x, const struct site *site,
			 uint32_t frame)
{
	const struct prof_rnode *node = &c->file->nodes[frame];
	const struct context was = *x;
	uint32_t origin;
	bool again, left;

	context_is_creator(c, x, site, &again);
	if (again)
		context_back(c, x);
	else if (x->flags & CONTEXT_RUNTIME && !(x->flags & CONTEXT_BODY))
		x->flags |= CONTEXT_CALLBACK | CONTEXT_CALLED;
	else
		context_lost_body(c, x, site);
	if (!again)
		context_other_creator(c, x, site);
	context_call_library(c, x, site, frame);
	if (!(x->flags & CONTEXT_CALLBACK))
		x->entry = x->inner = 0;
	x->flags &= ~(uint32_t)(CONTEXT_START | CONTEXT_RUNTIME | CONTEXT_SAMPLED);
	x->user_frame = frame;
	x->jump = 0;
	for (uint32_t i = site->n; i-- > 0;) {
		context_function(c, x, c->sites.lines[site->first + i], node);
		if (again && i == site->n - 1 && was.flags & CONTEXT_TASK)
			context_at_once(x, &was);
	}
	/* An undeferred task is not of the loop in which its creator's frame is. */
	if (again && was.flags & CONTEXT_TASK)
		x->loop = 0;
	else if (site->loop)
		x->loop = site->loop;
	if (again && !(was.flags & CONTEXT_TASK))
		context_lost_creator(c, x);
	origin = origins_function(&c->origins, node->a);
	/* The creator that left may be on the path already. */
	if (!origin || origins_tail(&c->origins, node->a) || x->user_at != node->a ||
	    x->flags & CONTEXT_SAMPLED)
		return;
	contexts_left(c, x, frame, &left);
	if (!(left))
		context_lost_frame(c, x, origin);
}

/* Adds the frame of the function that the innermost one called, and that left by the jump at. */
static void context_jumped(struct contexts *c, struct context *x, uint64_t at)
{
	const struct prof_rnode jump = {
		.kind = PROF_NODE_FRAME,
		.a = at,
		.flags = PROF_FRAME_EXACT,
	};
	const struct site *site;

	sites_find(&c->sites, &jump, &site);
	for (uint32_t i = site->n; i-- > 0;)
		context_function(c, x, c->sites.lines[site->first + i], &jump);
}

/* The same of one that entered the runtime. */
static void context_tail_call(struct contexts *c, struct context *x)
{
	const struct prof_rnode *frame = &c->file->nodes[x->user_frame];
	const struct origin_tail *tail = x->user_line && frame->kind == PROF_NODE_FRAME ?
						 origins_tail(&c->origins, frame->a) :
						 NULL;

	if (tail)
		context_jumped(c, x, tail->at);
}

/* The function that the call before at calls, or the jump at it; 0: unknown. */
static void context_called_at(struct contexts *c, uint64_t at, bool jump, uint32_t *function)
{
	struct function f = { .kind = FUNCTION_PLAIN };

	*function = map_get(&c->called, at, jump, UINT32_MAX);
	if (*function != UINT32_MAX)
		return;
	*function = 0;
	f.name = f.linkage = ask(c->options->resolver, c->file, QUERY_CALLED, at, jump).text;
	if (f.name)
		names_function(&c->view->names, &f, function);
	map_add(&c->called, at, jump, *function, function);
}

/* The function that the innermost user frame calls, by the code of the call; 0: unknown. */
static void context_callee(struct contexts *c, const struct context *x, uint32_t *function)
{
	const struct prof_rnode *frame = &c->file->nodes[x->user_frame];
	const struct origin_tail *tail = origins_tail(&c->origins, frame->a);

	*function = 0;
	if (!x->user_line || frame->kind != PROF_NODE_FRAME ||
	    (frame->flags & PROF_FRAME_EXACT && !x->jump))
		return;
	context_called_at(c, tail ? tail->at : x->jump ? x->jump : frame->a, tail, function);
}

/* Whether the function called is the runtime's or MPI's. */
static bool context_is_runtimes(const struct contexts *c, uint32_t function)
{
	const char *name = c->view->names.functions[function].linkage;
	char call[MPI_CALL_BYTES];

	return name && (toolchain_is_runtime_name(name) || !strncmp(name, "omp_", 4) ||
			mpi_call(name, false, call));
}

void context_library_called(struct contexts *c, struct context *x, uint32_t *function)
{
	const struct prof_rnode *frame = &c->file->nodes[x->user_frame];
	struct answer tail = { .known = false };

	if (frame->kind == PROF_NODE_FRAME && !(frame->flags & PROF_FRAME_EXACT))
		tail = ask(c->options->resolver, c->file, QUERY_TAIL, frame->a, false);
	if (!tail.known || tail.construct != CONSTRUCT_SERIAL) {
		context_callee(c, x, function);
	} else {
		context_jumped(c, x, tail.at);
		context_called_at(c, tail.at, true, function);
	}
	/* The loader binds the call. */
	if (context_is_runtimes(c, *function))
		*function = 0;
}

void context_by_call(struct contexts *c, const struct context *x, uint32_t *function)
{
	context_callee(c, x, function);
	if (!context_is_runtimes(c, *function))
		*function = 0;
}

static void context_runtime(struct contexts *c, struct context *x, const struct site *site)
{
	const uint32_t line = c->sites.lines[site->first + site->n - 1];
	const uint32_t function = c->view->names.lines[line].function;
	const char *linkage = c->view->names.functions[function].linkage;
	uint32_t called = 0;

	if (!(x->flags & CONTEXT_RUNTIME)) {
		x->entry = x->inner = 0;
		x->flags &= ~(uint32_t)CONTEXT_MICROTASK;
		if (!linkage)
			context_by_call(c, x, &called);
	}
	if (!x->entry)
		x->entry = called ? called : function;
	else if (!x->inner)
		x->inner = function;
	x->flags &= ~(uint32_t)(CONTEXT_START | CONTEXT_CALLBACK | CONTEXT_HELPER | CONTEXT_MPI);
	x->flags |= CONTEXT_RUNTIME;
	if (c->view->names.functions[function].entry->flags & ENTRY_MICROTASK)
		x->flags |= CONTEXT_MICROTASK;
}

/* Adds the frames as they are on the stack. */
static void context_raw(struct contexts *c, struct context *x, const struct site *site)
{
	for (uint32_t i = site->n; i-- > 0;) {
		uint32_t line = c->sites.lines[site->first + i];

		context_push(c, x, c->view->names.lines[line].function, line);
	}
}

/* "nanosleep" of a wrapper that is linked into the program. */
static const char *context_unwrapped(const char *name)
{
	static const char prefix[] = "wrap_";

	return name && !strncmp(name, prefix, sizeof(prefix) - 1) ? name + sizeof(prefix) - 1 :
								    name;
}

void contexts_library_call(struct contexts *c, const struct context *x, const char **name)
{
	const struct site *site;
	uint32_t function;

	*name = NULL;
	if (!x->library)
		return;
	context_callee(c, contexts_above(c, x->library), &function);
	if (!function) {
		sites_find(&c->sites, &c->file->nodes[x->library], &site);
		function = context_outermost(c, site);
	}
	*name = context_unwrapped(c->view->names.functions[function].name);
}

/*
 * The first frame of this profiler's: if it is a wrapper's, the path shows it as the function of
 * the C library that the program called, with all that is called there.
 */
static void context_tool(struct contexts *c, struct context *x, const struct site *site,
			 uint32_t frame)
{
	uint32_t function;

	if (c->view->kind == VIEW_MACHINE ||
	    x->flags & (CONTEXT_START | CONTEXT_RUNTIME | CONTEXT_MPI | CONTEXT_WRAPPER))
		return;
	context_callee(c, x, &function);
	/* A handler's frames are called by no call. */
	if (!function && x->library == frame)
		function = context_outermost(c, site);
	if (!function)
		return;
	view_call(c->view, context_unwrapped(c->view->names.functions[function].name), NULL,
		  &function);
	tree_child(&c->view->tree, x->node, function, 0, &x->node);
	x->flags |= CONTEXT_WRAPPER;
}

static void context_frame(struct contexts *c, struct context *x, uint32_t frame)
{
	const struct site *site;
	bool called = false;

	sites_find(&c->sites, &c->file->nodes[frame], &site);
	x->flags &= ~(uint32_t)CONTEXT_DIRECT;
	if (!site->library)
		x->library = 0;
	else if (!x->library && !(x->flags & (CONTEXT_START | CONTEXT_RUNTIME)))
		x->library = frame;
	if (site->owner != SITE_SYSTEM)
		x->flags = site->own ? x->flags | CONTEXT_OWN : x->flags & ~(uint32_t)CONTEXT_OWN;
	if (c->view->kind == VIEW_MACHINE)
		context_raw(c, x, site);
	if (site->owner == SITE_TOOL) {
		context_tool(c, x, site, frame);
		return;
	}
	if (site->owner == SITE_SYSTEM && x->flags & CONTEXT_WRAPPER)
		return;
	if (x->library && c->slept && c->slept[frame] && c->view->kind != VIEW_MACHINE)
		return;
	x->flags &= ~(uint32_t)CONTEXT_WRAPPER;
	if (site->owner == SITE_RUNTIME) {
		if (!(x->flags & (CONTEXT_RUNTIME | CONTEXT_START)))
			context_tail_call(c, x);
		else if (c->file->nodes[c->file->nodes[frame].parent].kind == PROF_NODE_BOUNDARY)
			context_lost_body(c, x, site);
		context_runtime(c, x, site);
		return;
	}
	if (context_is_mpi(c, x, site, &c->file->nodes[frame])) {
		context_mpi(c, x, site, &c->file->nodes[frame]);
		return;
	}
	if (site->owner == SITE_SYSTEM && x->flags & CONTEXT_RUNTIME)
		bodies_called(&c->sites, frame, &called);
	if (site->owner == SITE_SYSTEM && x->flags & (CONTEXT_RUNTIME | CONTEXT_START) && !called) {
		x->flags |= CONTEXT_SYSTEM;
		return;
	}
	if (site->start && x->flags & CONTEXT_START && !(x->flags & CONTEXT_SYSTEM))
		return;
	context_leave_mpi(c, x);
	context_user(c, x, site, frame);
}

/* ---- boundaries ------------------------------------------------------ */

/* A region or task whose creation context is unknown. */
static void context_lost(struct contexts *c, struct context *x)
{
	x->user_line = x->outlined = x->task = 0;
	x->region = REGION_UNKNOWN;
	if (c->view->kind == VIEW_MACHINE)
		return;
	x->line = x->header = 0;
	x->flags &= ~(uint32_t)CONTEXT_FOLDED;
	x->flags |= CONTEXT_UNKNOWN;
	view_unknown(c->view, PROF_CAUSE_CONTEXT, &x->node);
}

/* Continues from the creation context; in the machine view the path stays. */
static void context_jump(struct contexts *c, struct context *x, const struct context *base)
{
	const struct context from = *x;

	*x = *base;
	if (c->view->kind == VIEW_MACHINE) {
		x->node = from.node;
		x->line = from.line;
		x->flags = from.flags;
	} else if (!(base->flags & CONTEXT_UNKNOWN)) {
		x->flags |= CONTEXT_WHOLE;
	}
	x->flags &= ~(uint32_t)CONTEXT_OWN;
}

/* The construct that the creating call names.  The innermost user frame counts, because
   runtimes may report a frame of their own as the caller. */
static enum construct_kind context_called(const struct contexts *c, const struct context *x)
{
	const uint64_t loc = c->file->nodes[x->user_frame].a;
	const struct origin_tail *tail = origins_tail(&c->origins, loc);

	if (!x->user_line)
		return CONSTRUCT_UNKNOWN;
	return tail ? tail->kind :
		      ask(c->options->resolver, c->file, QUERY_CONSTRUCT, loc, false).construct;
}

static void context_create(struct contexts *c, struct context *x, bool task)
{
	struct view *v = c->view;
	enum construct_kind kind;

	if (task)
		context_task(c, x);
	else
		context_region_nested(c, x);
	kind = context_called(c, x);
	if (task && kind == CONSTRUCT_TASKLOOP)
		v->tasks[x->task].kind = CONSTRUCT_TASKLOOP;
	if (!task && kind == CONSTRUCT_TEAMS)
		v->regions[x->region].kind = CONSTRUCT_TEAMS;
	if (!task && (construct_is_loop(kind) || kind == CONSTRUCT_SECTIONS))
		v->regions[x->region].combined = (uint8_t)kind;
}

static void context_boundary(struct contexts *c, struct context *x, const struct prof_rnode *node)
{
	const bool task = node->flags == PROF_BOUNDARY_TASK;

	if (node->context == PROF_NONE) {
		context_lost(c, x);
	} else {
		const uint32_t in_task = c->all[node->context].flags & CONTEXT_TASK;

		context_jump(c, x, &c->all[node->context]);
		x->creation = node->context;
		/* In the machine view the flags are those of the stack. */
		x->flags = (x->flags & ~(uint32_t)(CONTEXT_TASK | CONTEXT_SAMPLED)) | in_task;
		if (!(x->flags & CONTEXT_RUNTIME))
			context_tail_call(c, x);
		context_lost_creator(c, x);
		context_create(c, x, task);
	}
	x->team = (uint16_t)(node->event | node->state << 8);
	x->entry = x->inner = 0;
	x->jump = x->loop = 0;
	x->library = 0;
	x->flags &= ~(uint32_t)(CONTEXT_START | CONTEXT_CALLBACK | CONTEXT_HELPER | CONTEXT_TASK |
				CONTEXT_AT_ONCE | CONTEXT_MPI | CONTEXT_LEFT | CONTEXT_WRAPPER);
	x->flags |= CONTEXT_RUNTIME | CONTEXT_BODY | CONTEXT_DIRECT | (task ? CONTEXT_TASK : 0);
}

/* ---- every node once ------------------------------------------------- */

const struct context *contexts_above(const struct contexts *c, uint32_t i)
{
	static const struct context start = { .flags = CONTEXT_START };
	const uint32_t parent = c->file->nodes[i].parent;

	return parent == PROF_NONE ? &start : &c->all[parent];
}

void contexts_make(struct contexts *c, uint32_t i)
{
	const struct prof_rnode *node = &c->file->nodes[i];
	struct context *x = &c->all[i];

	*x = *contexts_above(c, i);
	if (node->kind == PROF_NODE_FRAME) {
		context_frame(c, x, i);
		return;
	}
	if (node->kind == PROF_NODE_BOUNDARY) {
		context_boundary(c, x, node);
		return;
	}
}
