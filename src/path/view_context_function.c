/* view_context_function.c - one function on a path, as the view shows it. */
#include "config.h"

#include "src/path/view_context_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/path/expert.h"
#include "src/profile/reader/reader.h"
#include "src/view/items.h"
#include "src/view/view.h"

void context_push(struct contexts *c, struct context *x, uint32_t function, uint32_t line)
{
	struct view *v = c->view;

	x->line = line;
	x->header = 0;
	x->flags &= ~(uint32_t)CONTEXT_FOLDED;
	tree_child(&v->tree, x->node, function, c->options->lines ? line : 0, &x->node);
}

/* Merges a body into the frame of the function that contains it.  In trees that distinguish
   lines, that frame gets the new line. */
static void context_fold(struct contexts *c, struct context *x)
{
	const struct tree_node *at = &c->view->tree.nodes[x->node];

	x->line = x->user_line;
	x->header = 0;
	if (!c->options->lines || !x->node)
		return;
	tree_child(&c->view->tree, at->parent, at->function, x->line, &x->node);
}

/* Whether f is the body of the construct that x is already in: debug information makes clang
   emit a wrapper that calls the body, and a task's entry calls the body.  The first frame
   above a boundary never continues a frame below it. */
bool context_same_construct(const struct context *x, const struct function *f)
{
	return f->inner && x->outlined && !(x->flags & CONTEXT_BODY);
}

/* For a body whose containing function is unknown: its own name is an artifact of the
   compiler. */
static void context_nobody(struct names *n, const struct function *f, uint32_t *function)
{
	static const char *const called[] = {
		[SYM_OUTLINED_REGION] = "(a parallel region's body)",
		[SYM_OUTLINED_TASK] = "(a task's body)",
		[SYM_OUTLINED_HELPER] = "(a construct's helper)",
	};
	const struct function plain = { .name = called[f->outlined], .module = f->module };

	names_function(n, &plain, function);
}

/* The line of an outlined function's frame in the user's view: in the function that contains
   the construct, at the frame's line.  *user_line may be x->user_line. */
static void context_user_line(struct contexts *c, const struct context *x, uint32_t line,
			      bool outlined, uint32_t *user_line)
{
	struct names *n = &c->view->names;
	const struct line *l = &n->lines[line];
	const struct function *f = &n->functions[l->function];
	uint32_t function = n->lines[x->user_line].function;

	if (!outlined || (!function && f->outlined == SYM_NOT_OUTLINED)) {
		*user_line = line;
		return;
	}
	if (!function) {
		if (f->origin)
			names_origin(n, l->function, &function);
		else
			context_nobody(n, f, &function);
		l = &n->lines[line];
	} else if (!l->line) {
		*user_line = x->user_line;
		return;
	}
	names_line(n, function, l->file, l->line, user_line);
}

/* Whether a construct's body is f rather than what is taken for it so far: an inner function has
   the code, its wrapper only calls it.  Not by the order in which they are met. */
static bool context_is_better(const struct names *n, uint32_t so_far, uint32_t function)
{
	const struct function *was = &n->functions[so_far], *f = &n->functions[function];

	if (!so_far || was->inner != f->inner)
		return !so_far || f->inner;
	return f->linkage && (!was->linkage || strcmp(f->linkage, was->linkage) < 0);
}

/* Notes the body of the region or task. */
static void context_body(struct contexts *c, const struct context *x, uint32_t function)
{
	uint32_t *body = x->flags & CONTEXT_TASK ? &c->view->tasks[x->task].body :
						   &c->view->regions[x->region].body;

	if (context_is_better(&c->view->names, *body, function))
		*body = function;
}

static enum construct_kind context_kind(const struct contexts *c, const struct context *x)
{
	const struct view_region *r = &c->view->regions[x->region];

	return (enum construct_kind)(x->flags & CONTEXT_TASK ? c->view->tasks[x->task].kind :
				     r->combined	     ? r->combined :
							       r->kind);
}

/* Gives the frame of a construct's wrapper the line in its body. */
static void context_merge(struct contexts *c, struct context *x, uint32_t line)
{
	const struct tree_node at = c->view->tree.nodes[x->node];
	const struct line *l = &c->view->names.lines[line];

	names_line(&c->view->names, at.function, l->file, l->line, &x->line);
	if (!c->options->lines || !x->node)
		return;
	tree_child(&c->view->tree, at.parent, at.function, x->line, &x->node);
}

/* Whether a function is left out: the program's own code called it or has it inlined. */
static bool context_is_folded(const struct contexts *c, const struct context *x, uint32_t function)
{
	const struct names *n = &c->view->names;
	const struct function *caller = &n->functions[c->view->tree.nodes[x->node].function];

	if (!c->view->folded || !n->functions[function].library)
		return false;
	return x->flags & CONTEXT_FOLDED ||
	       (x->node && caller->kind == FUNCTION_PLAIN && !caller->library);
}

/*
 * The call is named as the program's code names it (cos), where the function is in another module;
 * there it may have other names (__cos_fma), or have left by a tail call. A stub is the caller's
 * own, like what is inlined of a header.
 */
void context_call_library(struct contexts *c, struct context *x, const struct site *site,
			  uint32_t frame)
{
	struct view *v = c->view;
	const uint32_t function = context_outermost(c, site);
	const char *module = v->names.functions[function].module;
	uint32_t call = 0;

	if (x->flags & CONTEXT_FOLDED || !context_is_folded(c, x, function) ||
	    sites_is_stub(v->names.functions[function].name))
		return;
	if (module == v->names.functions[v->tree.nodes[x->node].function].module)
		call = x->header;
	else if (c->file->nodes[frame].parent == x->user_frame)
		context_library_called(c, x, &call);
	if (call && call != x->header)
		view_call(v, v->names.functions[call].name, module, &call);
	x->flags |= CONTEXT_FOLDED;
	tree_child(&v->tree, x->node, call ? call : function, 0, &x->node);
}

static void context_show(struct contexts *c, struct context *x, uint32_t line, bool outlined,
			 bool fold, uint32_t caller)
{
	struct names *n = &c->view->names;
	const struct line *l = &n->lines[line];
	uint32_t function = l->function;

	if (c->view->kind == VIEW_MACHINE)
		return;
	if (context_is_folded(c, x, function)) {
		if (!x->header && !(x->flags & CONTEXT_FOLDED))
			x->header = function;
		return;
	}
	if (c->view->kind == VIEW_USER) {
		if (fold && !(x->flags & CONTEXT_FOLDED))
			context_fold(c, x);
		else
			context_push(c, x, n->lines[x->user_line].function, x->user_line);
		return;
	}
	if (!outlined) {
		context_push(c, x, function, line);
		return;
	}
	if (context_same_construct(x, &n->functions[function])) {
		context_merge(c, x, line);
		return;
	}
	expert_function(n, c->expert, function, caller, context_kind(c, x), &function);
	names_line(n, function, n->lines[line].file, n->lines[line].line, &line);
	context_push(c, x, function, line);
}

/*
 * Adds one user function: a frame's, or one inlined into it.  The first frame above a
 * boundary is the construct's body, even if a stripped file has no name for it.  A function
 * whose name no compiler gives to bodies was called by the body with a tail call, which
 * left no frame of the body.
 */
void context_function(struct contexts *c, struct context *x, uint32_t line,
		      const struct prof_rnode *frame)
{
	struct names *n = &c->view->names;
	const uint32_t id = n->lines[line].function;
	const enum sym_outlined kind = n->functions[id].outlined;
	const bool outlined = kind != SYM_NOT_OUTLINED ||
			      (x->flags & CONTEXT_BODY && !n->functions[id].linkage);
	const bool fold = outlined && x->user_line;
	const uint32_t caller = x->user_line, region = x->region, task = x->task;
	/* The first frame above a boundary, what that wraps, or what creates the construct. */
	const bool body = x->flags & (CONTEXT_BODY | CONTEXT_AT_ONCE) ||
			  context_same_construct(x, &n->functions[id]);

	context_serialized(c, x, id, frame);
	context_user_line(c, x, line, outlined, &x->user_line);
	x->user_at = frame->a;
	x->user_exact = frame->flags & PROF_FRAME_EXACT;
	if (outlined && kind != SYM_OUTLINED_HELPER &&
	    (body || x->region != region || x->task != task))
		context_body(c, x, id);
	context_show(c, x, line, outlined, fold, caller);
	x->user_function = id;
	x->outlined = outlined ? id : 0;
	x->flags &= ~(uint32_t)(CONTEXT_BODY | CONTEXT_HELPER | CONTEXT_CALLED);
	if (kind == SYM_OUTLINED_HELPER)
		x->flags |= CONTEXT_HELPER;
	x->user_node = x->node;
}
