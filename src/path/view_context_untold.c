/* view_context_untold.c - regions and tasks where no runtime told anything: what code and
   stacks tell of them. */
#include "config.h"

#include "src/path/view_context_parts.h"

#include <string.h>

#include "src/answers/ask.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/toolchain.h"
#include "src/view/items.h"
#include "src/view/view.h"

/*
 * Whether what the runtime called is a task's body, where it told nothing.  gcc gives tasks
 * and regions the same names; but libgomp calls a region's body from the thread's first
 * function or from GOMP_parallel, and LLVM's runtime by __kmp_invoke_microtask.
 */
static bool context_runs_task(const struct contexts *c, const struct context *x,
			      const struct function *f)
{
	const unsigned entry = c->view->names.functions[x->entry].entry->flags;

	if (f->outlined == SYM_OUTLINED_TASK)
		return true;
	if (x->flags & CONTEXT_MICROTASK || !outlined_is_gnu(f->linkage) || entry & ENTRY_TARGET)
		return false;
	return x->inner || (x->user_line && !(entry & ENTRY_FORK));
}

/* The line of a body's directive, or what else identifies it, for a construct whose creation
   is unknown. */
static void context_own_place(struct contexts *c, uint32_t id, const struct prof_rnode *frame,
			      uint32_t *line)
{
	struct names *n = &c->view->names;
	struct answer begin;
	uint32_t function = id;

	if (n->functions[id].origin)
		names_origin(n, id, &function);
	names_line(n, function, n->functions[id].file, n->functions[id].line, line);
	if (n->functions[id].line)
		return;
	begin = ask(c->options->resolver, c->file, QUERY_BEGIN, frame->a, false);
	if (begin.known)
		sites_place(&c->sites, *line, begin.at, true, line);
}

/* A region or task that runs where the runtime told nothing. */
void context_untold(struct contexts *c, struct context *x, uint32_t id,
		    const struct prof_rnode *frame)
{
	const bool task = context_runs_task(c, x, &c->view->names.functions[id]);
	const uint32_t creator = x->flags & CONTEXT_TASK ? x->task : 0;
	const size_t before = c->view->ntasks;
	uint32_t line;

	if (!task && x->user_line) {
		context_called_region(c, x, &c->view->names.functions[id]);
		return;
	}
	context_own_place(c, id, frame, &line);
	x->flags &= ~(uint32_t)CONTEXT_TASK;
	x->loop = 0;
	if (!task) {
		view_region(c->view, x->user_node, line, x->region, &x->region);
		return;
	}
	view_task(c->view, x->user_node, line, &x->task);
	context_creator(c, x, creator, c->view->ntasks > before);
	x->flags |= CONTEXT_TASK;
}
