/* SPDX-License-Identifier: BSD-3-Clause */
/* task_bodies.c - which functions are the bodies of tasks. */
#include "config.h"

#include "src/path/bodies.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/path/sites.h"
#include "src/profile/reader/reader.h"
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

static void take_frame(struct task_bodies *b, uint32_t node, const struct above *above)
{
	const struct prof_rnode *n = &b->file->nodes[node];
	const uint32_t function = sites_outermost(&b->sites, n);
	const uint8_t owner = sites_find(&b->sites, n)->owner;

	if (owner == SITE_RUNTIME || owner == SITE_TOOL) {
		if (!above->called)
			b->above[node] = *above;
		return;
	}
	/* Whether the function is that of the creating code's own frame. */
	const struct prof_rnode *of =
		b->file->nodes[above->boundary].context == PROF_NONE ?
			NULL :
			&b->file->nodes[b->file->nodes[above->boundary].context];
	const bool creator = of && of->kind == PROF_NODE_FRAME &&
			     sites_outermost(&b->sites, of) == function;
	if (creator && !above->called)
		b->above[node] = (struct above){ above->boundary, true };
	else if (!creator && b->names->functions[function].outlined == SYM_OUTLINED_REGION)
		b->names->functions[function].outlined = SYM_OUTLINED_TASK;
}

static void task_bodies_take_nodes(struct task_bodies *b)
{
	const struct prof_file *f = b->file;

	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];
		b->above[i].boundary = is_task(n) ? i : PROF_NONE;
		if (n->kind == PROF_NODE_FRAME && b->above[n->parent].boundary != PROF_NONE)
			take_frame(b, i, &b->above[n->parent]);
	}
}

void view_task_bodies(struct view *v, const struct view_options *o, const struct prof_file *f)
{
	struct task_bodies b = { .names = &v->names, .file = f };

	if (!has_tasks(f))
		return;
	sites_init(&b.sites, &v->names, o->resolver, f);
	b.above = alloc_zeroed(f->nnodes + 1, sizeof(*b.above));
	task_bodies_take_nodes(&b);
	sites_fini(&b.sites);
	free(b.above);
}
