/* view_context_created.c - the regions and tasks that a frame creates, and their places. */
#include "config.h"

#include "src/path/view_context_parts.h"

#include <string.h>

#include "src/toolchain/toolchain.h"
#include "src/view/items.h"
#include "src/view/view.h"

/* Whether body was made from code of that function, or of a function that it is a copy of.
   gcc merges equal functions, so a call may pass a body that has another origin. */
static bool context_is_origin(const struct function *body, const struct function *function)
{
	return body->origin && names_is_of(function->name, body->origin);
}

void contexts_line(struct contexts *c, uint32_t line, uint64_t loc, bool exact, uint32_t *place)
{
	struct names *n = &c->view->names;
	const uint32_t function = n->lines[line].function;
	const struct function *body;
	uint32_t id;

	/* Of a call in code that is not shown no place is. */
	*place = 0;
	if (!line)
		return;
	origins_directive(&c->sites, &c->origins, loc, exact, &id);
	body = &n->functions[id];
	if (id && context_is_origin(body, &n->functions[function])) {
		names_line(n, function, body->file, body->line, place);
		return;
	}
	sites_place(&c->sites, line, loc, exact, place);
}

void contexts_place(struct contexts *c, const struct context *x, uint32_t *line)
{
	contexts_line(c, x->user_line, x->user_at, x->user_exact, line);
}

static const struct line *creator_line(const struct view *v, uint32_t creator, uint32_t region)
{
	return &v->names.lines[creator ? v->tasks[creator].line : v->regions[region].line];
}

/* Whether a comes before b, by what they are and not by when they are met; the unknown last. */
static bool comes_before(const struct names *n, const struct line *a, const struct line *b)
{
	const char *of_a = n->functions[a->function].name, *of_b = n->functions[b->function].name;

	if (a->line != b->line)
		return a->line && (!b->line || a->line < b->line);
	return of_a && (!of_b || strcmp(of_a, of_b) < 0);
}

void context_creator(struct contexts *c, const struct context *x, uint32_t creator, bool added)
{
	struct view *v = c->view;
	struct view_task *t = &v->tasks[x->task];

	if (!added && (creator == x->task || (t->creator == creator && t->region == x->region)))
		return;
	t->creators = !added;
	if (!added && !comes_before(&v->names, creator_line(v, creator, x->region),
				    creator_line(v, t->creator, t->region)))
		return;
	t->region = x->region;
	t->creator = creator;
	t->within = x->user_function;
}

/* A region or task created by the code at x.  For creator see view_task. */
void context_task(struct contexts *c, struct context *x)
{
	const size_t before = c->view->ntasks;
	const uint32_t creator = x->flags & CONTEXT_TASK ? x->task : 0;
	uint32_t line;

	contexts_place(c, x, &line);
	if (x->flags & CONTEXT_LEFT)
		names_called(&c->view->names, line, &line);
	view_task(c->view, x->user_node, line, &x->task);
	if (x->flags & CONTEXT_SAMPLED)
		c->view->tasks[x->task].sampled = true;
	context_creator(c, x, creator, c->view->ntasks > before);
	x->flags |= CONTEXT_TASK;
}

static void context_region_at(struct contexts *c, struct context *x, bool nested)
{
	const struct view *v = c->view;
	uint32_t line;

	contexts_place(c, x, &line);
	if (x->flags & CONTEXT_LEFT)
		names_called(&c->view->names, line, &line);
	x->flags &= ~(uint32_t)CONTEXT_TASK;
	if (!nested && x->region >= REGION_SPECIALS && v->regions[x->region].node == x->user_node &&
	    v->regions[x->region].line == line)
		return;
	view_region(c->view, x->user_node, line, x->region, &x->region);
	if (x->flags & CONTEXT_SAMPLED)
		c->view->regions[x->region].sampled = true;
}

void context_region(struct contexts *c, struct context *x)
{
	context_region_at(c, x, false);
}

void context_region_nested(struct contexts *c, struct context *x)
{
	context_region_at(c, x, true);
}

void contexts_fork(struct contexts *c, const struct context *x, uint32_t *region)
{
	struct context begun = *x;

	begun.creation = x->user_frame;
	begun.flags &= ~(uint32_t)(CONTEXT_LEFT | CONTEXT_SAMPLED);
	context_lost_creator(c, &begun);
	context_region(c, &begun);
	*region = begun.region;
}

void context_called_region(struct contexts *c, struct context *x, const struct function *f)
{
	/* Before the region becomes x's: it may be the one that is around it. */
	const bool is_target = c->view->names.functions[x->entry].entry->flags & ENTRY_TARGET ||
			       toolchain_is_target_body(f->linkage);
	const uint32_t around = x->region;

	context_region(c, x);
	if (is_target && x->region != around)
		c->view->regions[x->region].kind = CONSTRUCT_TARGET;
}

/* A region or task whose body was called directly and not by the runtime: a serialized region
   or an undeferred task. */
void context_serialized(struct contexts *c, struct context *x, uint32_t id,
			const struct prof_rnode *frame)
{
	const struct function *f = &c->view->names.functions[id];

	if (x->flags & CONTEXT_BODY || context_same_construct(x, f))
		return;
	if (c->untold && x->flags & CONTEXT_CALLED) {
		if (f->outlined == SYM_OUTLINED_REGION || f->outlined == SYM_OUTLINED_TASK) {
			context_untold(c, x, id, frame);
			return;
		}
		/* The body called it with a tail call. */
		if (!f->outlined && x->user_line && !x->inner &&
		    c->view->names.functions[x->entry].entry->flags & ENTRY_FORK) {
			context_region(c, x);
			return;
		}
	}
	if (x->flags & CONTEXT_AT_ONCE && f->outlined == SYM_OUTLINED_TASK) {
		x->flags &= ~(uint32_t)CONTEXT_AT_ONCE;
		return;
	}
	if (f->outlined == SYM_OUTLINED_REGION) {
		context_called_region(c, x, f);
		return;
	}
	/* If the runtime called the body, the task has a boundary, which is just not there
	   yet or no longer. */
	if (f->outlined != SYM_OUTLINED_TASK || x->flags & CONTEXT_CALLBACK || !x->user_line)
		return;
	context_task(c, x);
}
