/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - the tables of a view: see view.h. */
#include "config.h"

#include "src/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/pinned.h"

static const char *const names[VIEW_KINDS + 1] = { "user", "expert", "machine" };

const char *view_name(enum view_kind kind)
{
	return kind < VIEW_KINDS ? names[kind] : "unknown";
}

const char *const *view_names(void)
{
	return names;
}

/* The name of a cause of <unknown>, for people. */
static const char *view_cause_name(enum prof_cause cause)
{
	switch (cause) {
	case PROF_CAUSE_NONE: return "(no frames)";
	case PROF_CAUSE_NO_RULES: return "(no unwind rules)";
	case PROF_CAUSE_BOUNDS: return "(unwinding left the stack)";
	case PROF_CAUSE_DEPTH: return "(stack deeper than the limit)";
	case PROF_CAUSE_CONTEXT: return "(no creation context)";
	}
	return "(another cause)";
}

/* ---- numbers of things ----------------------------------------------- */

uint32_t view_unknown(struct view *v, unsigned cause)
{
	const uint32_t unknown = names_artificial(&v->names, "<unknown>", FUNCTION_UNKNOWN);
	const uint32_t why = names_artificial(&v->names, view_cause_name((enum prof_cause)cause),
					      FUNCTION_UNKNOWN);

	return tree_child(&v->tree, tree_child(&v->tree, 0, unknown, 0), why, 0);
}

uint32_t view_region(struct view *v, uint32_t node, uint32_t line, uint32_t parent)
{
	uint32_t id;

	v->regions = pinned_grow(v->regions, v->nregions, &v->regions_room, sizeof(*v->regions));
	if (map_add(&v->by_region, (uint64_t)node << 32 | line, parent, (uint32_t)v->nregions, &id))
		v->regions[v->nregions++] = (struct view_region){
			.node = node,
			.line = line,
			.parent = parent,
			.kind = CONSTRUCT_PARALLEL,
		};
	return id;
}

uint32_t view_task(struct view *v, uint32_t node, uint32_t line)
{
	uint32_t id;

	v->tasks = pinned_grow(v->tasks, v->ntasks, &v->tasks_room, sizeof(*v->tasks));
	if (map_add(&v->by_task, node, line, (uint32_t)v->ntasks, &id))
		v->tasks[v->ntasks++] = (struct view_task){
			.node = node,
			.line = line,
			.body_known = true,
			.kind = CONSTRUCT_TASK,
		};
	return id;
}

uint32_t view_of_context(const struct view *v, uint32_t process, uint32_t node,
			 enum view_context kind)
{
	return map_get(&v->by_context, (uint64_t)process << 32 | node, kind, UINT32_MAX);
}

uint32_t view_called(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	const struct function *caller = &v->names.functions[v->tree.nodes[n->parent].function];
	const struct function *f = &v->names.functions[n->function];

	if (!v->folded || !f->library || !n->parent || caller->kind != FUNCTION_PLAIN ||
	    caller->library)
		return 0;
	return n->function;
}

char *view_phase_label(const struct view *v, uint32_t phase)
{
	const struct view_phase *p = &v->phases[phase];
	char *around, *label;

	if (phase == 0)
		return alloc_text("(no phase)");
	if (p->parent == 0)
		return alloc_text(p->name);
	around = view_phase_label(v, p->parent);
	label = alloc_printf("%s / %s", around, p->name);
	free(around);
	return label;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	names_fini(&v->names);
	tree_fini(&v->tree);
	pinned_free(v->regions);
	pinned_free(v->recurrences);
	pinned_free(v->tasks);
	pinned_free(v->constructs);
	pinned_free(v->entrants);
	pinned_free(v->places);
	pinned_free(v->memory);
	pinned_free(v->phases);
	pinned_free(v->dependences);
	for (size_t i = 0; i < v->ndescriptors; i++)
		descriptor_free(&v->descriptors[i].what);
	pinned_free(v->descriptors);
	pinned_free(v->records);
	pinned_free(v->parts);
	pinned_free(v->counts);
	pinned_free(v->created);
	pinned_free(v->blames);
	free(v->kept);
	free(v->mpi_threads);
	map_free(&v->by_phase);
	map_free(&v->by_descriptor);
	map_free(&v->by_region);
	map_free(&v->by_task);
	map_free(&v->by_construct);
	map_free(&v->by_memory);
	map_free(&v->by_entrant);
	map_free(&v->by_place);
	map_free(&v->by_device_op);
	map_free(&v->by_dependence);
	map_free(&v->by_context);
	free(v);
}
