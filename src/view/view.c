/* view.c - one record for each leaf of the profiles. */
#include "config.h"

#include "src/view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/view/view_build.h"
#include "src/view/view_context.h"

enum { PROGRESS_NODES = 1 << 16, PREFETCH_NODES = 12 };

static const char *const view_names[VIEW_KINDS] = { "user", "expert", "machine" };

const char *view_name(enum view_kind kind)
{
	return kind < VIEW_KINDS ? view_names[kind] : "unknown";
}

int view_by_name(const char *name)
{
	for (int i = 0; i < VIEW_KINDS; i++)
		if (!strcmp(view_names[i], name))
			return i;
	return -1;
}

const char *view_cause_name(enum prof_cause cause)
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

int view_artificial(struct view *v, const char *name, int kind, uint32_t *function)
{
	const struct function f = { .name = name, .kind = (enum function_kind)kind };

	return names_function(&v->names, &f, function);
}

int view_unknown(struct view *v, unsigned cause, uint32_t *node)
{
	uint32_t function;
	int err = view_artificial(v, "<unknown>", FUNCTION_UNKNOWN, &function);

	if (!err)
		err = tree_child(&v->tree, 0, function, 0, node);
	if (!err)
		err = view_artificial(v, view_cause_name((enum prof_cause)cause), FUNCTION_UNKNOWN,
				      &function);
	return err ? err : tree_child(&v->tree, *node, function, 0, node);
}

int view_region(struct view *v, uint32_t node, uint32_t line, uint32_t parent, uint32_t *region)
{
	struct view_region *room = grow(v->regions, v->nregions, &v->regions_room, sizeof(*room));
	int added;

	if (!room)
		return -ENOMEM;
	v->regions = room;
	added = map_add(&v->by_region, node, line, (uint32_t)v->nregions, region);
	if (added == 1)
		v->regions[v->nregions++] = (struct view_region){
			.node = node,
			.line = line,
			.parent = parent,
			.elapsed_known = true,
			.team_known = true,
			.kind = CONSTRUCT_PARALLEL,
		};
	return added < 0 ? added : 0;
}

int view_task(struct view *v, uint32_t node, uint32_t line, uint32_t *task)
{
	struct view_task *room = grow(v->tasks, v->ntasks, &v->tasks_room, sizeof(*room));
	int added;

	if (!room)
		return -ENOMEM;
	v->tasks = room;
	added = map_add(&v->by_task, node, line, (uint32_t)v->ntasks, task);
	if (added == 1)
		v->tasks[v->ntasks++] = (struct view_task){
			.node = node,
			.line = line,
			.body_known = true,
			.kind = CONSTRUCT_TASK,
		};
	return added < 0 ? added : 0;
}

uint32_t view_of_context(const struct view *v, uint32_t process, uint32_t context, bool task)
{
	return map_get(&v->by_context, (uint64_t)process << 32 | context, task, UINT32_MAX);
}

/* ---- building -------------------------------------------------------- */

/* Parents lie anywhere: theirs are asked for before they are needed. */
static void view_prefetch(const struct contexts *c, uint32_t i)
{
	uint32_t parent;

	if (i + PREFETCH_NODES >= c->file->nnodes)
		return;
	parent = c->file->nodes[i + PREFETCH_NODES].parent;
	if (parent != PROF_NONE)
		__builtin_prefetch(&c->all[parent]);
}

static int view_process(struct view_builder *b, const struct model_process *p)
{
	const struct view_options *o = b->options;
	const struct prof_file *f = p->file;
	int err;

	b->process = p;
	b->view->untold |= f->header.untold;
	err = contexts_init(&b->contexts, b->view, o, f, &b->expert);
	if (b->contexts.untold)
		b->view->untold |= UNTOLD_TASK_CREATE | UNTOLD_TASK_SCHEDULE;
	for (uint32_t i = 0; i < f->nnodes && !err; i++) {
		view_prefetch(&b->contexts, i);
		if (f->nodes[i].kind == PROF_NODE_LEAF)
			err = view_leaf(b, &f->nodes[i], contexts_above(&b->contexts, i));
		else if (f->nodes[i].kind == PROF_NODE_STATS)
			err = view_stats(b, &f->nodes[i], contexts_above(&b->contexts, i));
		else if (f->nodes[i].kind == PROF_NODE_COUNT)
			err = view_count(b, &f->nodes[i], contexts_above(&b->contexts, i));
		else if (f->nodes[i].kind != PROF_NODE_CPU)
			err = contexts_make(&b->contexts, i);
		if (o->progress && ++b->done % PROGRESS_NODES == 0)
			o->progress(o->arg, b->done, b->total);
	}
	if (b->contexts.untold && !b->view->linked)
		b->view->linked = b->contexts.sites.linked;
	contexts_fini(&b->contexts);
	view_settle_teams(b);
	return err;
}

static int view_init(struct view *v, const struct model *m, const struct view_options *o)
{
	uint32_t id;
	int err;

	v->kind = o->kind;
	v->model = m;
	err = names_init(&v->names);
	if (!err)
		err = tree_init(&v->tree);
	/* The special regions' keys are nodes that no tree has. */
	for (uint32_t i = 0; i < REGION_SPECIALS && !err; i++)
		err = view_region(v, UINT32_MAX - i, 0, REGION_SERIAL, &id);
	if (!err)
		err = view_task(v, UINT32_MAX, 0, &id);
	for (uint32_t i = 0; i < CONSTRUCT_SPECIALS && !err; i++)
		err = view_construct(v, (enum construct_kind)i, 0, NULL, &id);
	return err ? err : view_init_memory(v);
}

int view_build(const struct model *m, const struct view_options *o, struct view **out)
{
	struct view_builder b = { .view = calloc(1, sizeof(*b.view)), .options = o };
	int err;

	if (!b.view)
		return -ENOMEM;
	for (size_t i = 0; i < m->nprocesses; i++)
		b.total += m->processes[i].file->nnodes;
	err = view_init(b.view, m, o);
	for (size_t i = 0; i < m->nprocesses && !err; i++)
		err = view_process(&b, &m->processes[i]);
	if (!err)
		err = view_settle_constructs(&b);
	if (!err)
		err = view_settle_memory(&b);
	map_free(&b.expert);
	map_free(&b.moved);
	map_free(&b.by_call);
	map_free(&b.by_team);
	free(b.teams);
	free(b.spans);
	free(b.path);
	if (err) {
		view_free(b.view);
		return err;
	}
	*out = b.view;
	return 0;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	names_fini(&v->names);
	tree_fini(&v->tree);
	free(v->regions);
	free(v->tasks);
	free(v->constructs);
	free(v->entrants);
	free(v->places);
	free(v->memory);
	free(v->records);
	free(v->counts);
	free(v->blames);
	map_free(&v->by_region);
	map_free(&v->by_task);
	map_free(&v->by_construct);
	map_free(&v->by_memory);
	map_free(&v->by_entrant);
	map_free(&v->by_place);
	map_free(&v->by_context);
	free(v);
}
