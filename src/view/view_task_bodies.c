/* view_task_bodies.c - see view_task_bodies.h. */
#include "config.h"

#include "src/view/view_task_bodies.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/profile/reader/reader.h"
#include "src/view/sites.h"
#include "src/view/view.h"

/* What lies above a node: the body of that boundary's task; PROF_NONE: anything. */
struct above {
	uint32_t boundary;
	bool called; /* by the creating code's own frame, which is met again: an undeferred task */
};

struct task_bodies {
	struct names *names;
	const struct prof_file *file;
	struct sites sites;
	struct above *above; /* by node */
};

static bool is_task(const struct prof_rnode *n)
{
	return n->kind == PROF_NODE_BOUNDARY && n->flags == PROF_BOUNDARY_TASK;
}

static bool has_tasks(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nnodes; i++)
		if (is_task(&f->nodes[i]))
			return true;
	return false;
}

/* The outermost function of a frame's, and whose code that is. */
static int function_of(struct task_bodies *b, uint32_t node, uint32_t *function, uint8_t *owner)
{
	const struct site *site;
	int err = sites_find(&b->sites, &b->file->nodes[node], &site);

	if (err)
		return err;
	*owner = site->owner;
	*function = b->names->lines[b->sites.lines[site->first + site->n - 1]].function;
	return 0;
}

/* Whether the function is that of the creating code's own frame. */
static int is_creator(struct task_bodies *b, uint32_t context, uint32_t function, bool *is)
{
	uint32_t creator;
	uint8_t owner;
	int err;

	*is = false;
	if (context == PROF_NONE || b->file->nodes[context].kind != PROF_NODE_FRAME)
		return 0;
	err = function_of(b, context, &creator, &owner);
	*is = !err && creator == function;
	return err;
}

static int take_frame(struct task_bodies *b, uint32_t node, const struct above *above)
{
	uint32_t function;
	uint8_t owner;
	bool creator;
	int err = function_of(b, node, &function, &owner);

	if (err)
		return err;
	if (owner == SITE_RUNTIME || owner == SITE_TOOL) {
		if (!above->called)
			b->above[node] = *above;
		return 0;
	}
	err = is_creator(b, b->file->nodes[above->boundary].context, function, &creator);
	if (!err && creator && !above->called)
		b->above[node] = (struct above){ above->boundary, true };
	else if (!err && !creator && b->names->functions[function].outlined == SYM_OUTLINED_REGION)
		b->names->functions[function].outlined = SYM_OUTLINED_TASK;
	return err;
}

static int take_nodes(struct task_bodies *b)
{
	const struct prof_file *f = b->file;
	int err = 0;

	for (uint32_t i = 0; i < f->nnodes && !err; i++) {
		const struct prof_rnode *n = &f->nodes[i];
		b->above[i].boundary = is_task(n) ? i : PROF_NONE;
		if (n->kind == PROF_NODE_FRAME && b->above[n->parent].boundary != PROF_NONE)
			err = take_frame(b, i, &b->above[n->parent]);
	}
	return err;
}

int view_task_bodies(struct view *v, const struct view_options *o, const struct prof_file *f)
{
	struct task_bodies b = { .names = &v->names, .file = f };
	int err;

	if (!has_tasks(f))
		return 0;
	err = sites_init(&b.sites, &v->names, o->resolver, f);
	b.above = calloc(f->nnodes + 1, sizeof(*b.above));
	if (!err)
		err = b.above ? take_nodes(&b) : -ENOMEM;
	sites_fini(&b.sites);
	free(b.above);
	return err;
}
