/* view.c - one record for each leaf of the profiles. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/analysis/context.h"
#include "src/analysis/grow.h"
#include "src/analysis/model.h"
#include "src/analysis/resolver.h"
#include "src/analysis/view.h"

enum {
	RAW_FRAMES = 64,	/* of a stack that is start-up code alone */
	PROGRESS_NODES = 1 << 16,
};

/* What building a view needs beside the view. */
struct view_builder {
	struct view *view;
	const struct view_options *options;
	const struct model_process *process;
	struct contexts contexts;
	struct idmap expert;	/* names of outlined functions */
	struct idmap moved;	/* paths moved beneath <unknown> */
	size_t done, total;
};

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
	case PROF_CAUSE_NONE:
		return "(no frames)";
	case PROF_CAUSE_NO_RULES:
		return "(no unwind rules)";
	case PROF_CAUSE_BOUNDS:
		return "(unwinding left the stack)";
	case PROF_CAUSE_DEPTH:
		return "(stack deeper than the limit)";
	case PROF_CAUSE_CONTEXT:
		return "(no creation context)";
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
		err = view_artificial(v, view_cause_name((enum prof_cause)cause),
				      FUNCTION_UNKNOWN, &function);
	return err ? err : tree_child(&v->tree, *node, function, 0, node);
}

int view_region(struct view *v, uint32_t node, uint32_t line, uint32_t *region)
{
	struct view_region *room = grow(v->regions, v->nregions, &v->regions_room, sizeof(*room));
	int added;

	if (!room)
		return -ENOMEM;
	v->regions = room;
	added = idmap_add(&v->by_region, node, line, (uint32_t)v->nregions, region);
	if (added == 1)
		v->regions[v->nregions++] = (struct view_region){
			.node = node, .line = line, .elapsed_known = true,
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
	added = idmap_add(&v->by_task, node, line, (uint32_t)v->ntasks, task);
	if (added == 1)
		v->tasks[v->ntasks++] = (struct view_task){ .node = node, .line = line };
	return added < 0 ? added : 0;
}

/* ---- the leaf -------------------------------------------------------- */

static const char *view_function_name(const struct view *v, uint32_t function)
{
	const struct function *f = &v->names.functions[function];

	return !function ? NULL : f->linkage ? f->linkage : f->name;
}

/* The symbol of what is waited for. */
static const char *view_object(const struct view_builder *b, const struct prof_rnode *leaf)
{
	const struct resolver *r = b->options->resolver;
	const struct prof_file *f = b->process->file;
	const struct prof_rnode *o = leaf->parent == PROF_NONE ? NULL : &f->nodes[leaf->parent];

	if (!o || o->kind != PROF_NODE_OBJECT || !o->flags || !r->object)
		return NULL;
	return r->object(r->self, f, o->a);
}

/* A critical section's lock is called as the section is. */
static int view_object_name(struct names *n, const char *symbol, const char **name)
{
	static const char prefix[] = ".gomp_critical_user_", suffix[] = ".var";
	char copy[256];
	size_t len;

	if (!symbol || strncmp(symbol, prefix, sizeof(prefix) - 1))
		return names_string(n, symbol, name);
	snprintf(copy, sizeof(copy), "%s", symbol + sizeof(prefix) - 1);
	len = strlen(copy);
	if (len >= sizeof(suffix) - 1 && !strcmp(copy + len - (sizeof(suffix) - 1), suffix))
		copy[len - (sizeof(suffix) - 1)] = '\0';
	return names_string(n, *copy ? copy : "(unnamed)", name);
}

static enum barrier_kind view_barrier(const struct view_builder *b, const struct context *x)
{
	const struct resolver *r = b->options->resolver;
	const struct prof_file *f = b->process->file;

	const char *entry = view_function_name(b->view, x->entry);

	if (!r->barrier || !entry || !x->user_line || x->flags & CONTEXT_DIRECT ||
	    strncmp(entry, "__kmpc_", 7) || !strstr(entry, "barrier"))
		return BARRIER_UNKNOWN;
	return r->barrier(r->self, f, f->nodes[x->user_frame].a);
}

/* Before its first construct the initial thread's OpenMP isn't there yet. */
static enum prof_state view_state(const struct view_builder *b, const struct prof_rnode *leaf)
{
	const struct prof_thread *t = &b->process->file->threads[leaf->thread].t;

	if (leaf->state == PROF_STATE_NO_OPENMP && t->kind == PROF_THREAD_INITIAL)
		return PROF_STATE_SERIAL;
	return leaf->state < PROF_STATES ? leaf->state : PROF_STATE_UNDEFINED;
}

static struct leaf_verdict view_verdict(const struct view_builder *b, const struct context *x,
					const struct prof_rnode *leaf, const char *object)
{
	const struct leaf_evidence e = {
		.state = view_state(b, leaf),
		.entry = view_function_name(b->view, x->entry),
		.inner = view_function_name(b->view, x->inner),
		.object = object,
		.barrier = view_barrier(b, x),
		.in_runtime = x->flags & CONTEXT_RUNTIME,
		.callback = x->flags & CONTEXT_CALLBACK,
		.helper = x->flags & CONTEXT_HELPER,
		.no_user_frames = !x->user_line,
	};

	return leaf_decide(&e);
}

static int view_record_region(struct view_builder *b, const struct context *x,
			      const struct prof_rnode *leaf, enum omp_leaf is, uint32_t *region)
{
	const struct prof_thread *t = &b->process->file->threads[leaf->thread].t;

	*region = x->region;
	if (is == LEAF_IDLE) {
		*region = REGION_IDLE;
	} else if (x->flags & CONTEXT_RUNTIME && x->user_line &&
		   leaf_is_fork(view_function_name(b->view, x->entry))) {
		return view_region(b->view, x->user_node, x->user_line, region);
	} else if (!*region && t->kind == PROF_THREAD_WORKER) {
		*region = REGION_UNKNOWN;
	} else if (!*region && t->kind != PROF_THREAD_INITIAL &&
		   leaf->state == PROF_STATE_NO_OPENMP) {
		*region = REGION_OUTSIDE;
	}
	return 0;
}

/* The same path beneath <unknown>. */
static int view_move(struct view_builder *b, unsigned cause, uint32_t node, uint32_t *moved)
{
	struct tree *t = &b->view->tree;
	uint32_t path[RAW_FRAMES * 8];
	size_t depth = 0;
	int err = 0;

	while (node && idmap_get(&b->moved, node, cause, 0) == 0) {
		if (depth == sizeof(path) / sizeof(*path))
			break;
		path[depth++] = node;
		node = t->nodes[node].parent;
	}
	*moved = node ? idmap_get(&b->moved, node, cause, 0) : 0;
	if (!*moved)
		err = view_unknown(b->view, cause, moved);
	while (depth-- > 0 && !err) {
		const struct tree_node n = t->nodes[path[depth]];

		err = tree_child(t, *moved, n.function, n.line, moved);
		if (!err)
			err = idmap_add(&b->moved, path[depth], cause, *moved, moved);
		err = err < 0 ? err : 0;
	}
	return err;
}

/* A stack of start-up code alone is shown as it is, rather than as nothing. */
static int view_raw(struct view_builder *b, uint32_t at, struct view_record *r)
{
	struct contexts *c = &b->contexts;
	const struct prof_file *f = b->process->file;
	uint32_t frames[RAW_FRAMES];
	const struct site *site;
	size_t n = 0;
	int err = 0;

	for (; at != PROF_NONE && n < RAW_FRAMES; at = f->nodes[at].parent)
		if (f->nodes[at].kind == PROF_NODE_FRAME)
			frames[n++] = at;
	if (!n)
		return view_unknown(b->view, PROF_CAUSE_NONE, &r->node);
	while (n-- > 0 && !err) {
		err = sites_find(&c->sites, &f->nodes[frames[n]], &site);
		if (err || (site->start && n) || site->owner == SITE_TOOL)
			continue;
		for (uint32_t i = site->n; i-- > 0 && !err;) {
			r->line = c->sites.lines[site->first + i];
			err = tree_child(&b->view->tree, r->node,
					 b->view->names.lines[r->line].function,
					 b->options->lines ? r->line : 0, &r->node);
		}
	}
	return err;
}

/* Whether the stack's broken end is missing from the path. */
static unsigned view_cause(const struct view *v, const struct context *x,
			   const struct prof_rnode *leaf)
{
	if (!leaf->flags || x->flags & CONTEXT_UNKNOWN)
		return PROF_CAUSE_NONE;
	if (v->kind == VIEW_MACHINE)
		return leaf->flags == PROF_CAUSE_CONTEXT ? PROF_CAUSE_NONE : leaf->flags;
	return leaf->flags != PROF_CAUSE_CONTEXT && x->flags & CONTEXT_WHOLE ?
	       PROF_CAUSE_NONE : leaf->flags;
}

static int view_place(struct view_builder *b, const struct context *x,
		      const struct prof_rnode *leaf, struct view_record *r)
{
	struct view *v = b->view;
	const char *artificial = v->kind == VIEW_MACHINE ? NULL : leaf_function(r->leaf);
	const unsigned cause = view_cause(v, x, leaf);
	uint32_t function;
	int err = 0;

	if (artificial && r->leaf == LEAF_IDLE) {
		r->node = r->line = 0;
	} else if (cause) {
		err = view_move(b, cause, r->node, &r->node);
	} else if (!r->node && !artificial) {
		err = view_raw(b, leaf->parent, r);
		if (!err && !r->node)
			err = view_unknown(v, PROF_CAUSE_NONE, &r->node);
	}
	if (err || !artificial)
		return err;
	err = view_artificial(v, artificial, FUNCTION_ARTIFICIAL, &function);
	return err ? err : tree_child(&v->tree, r->node, function, 0, &r->node);
}

static int view_append(struct view *v, const struct view_record *r)
{
	struct view_record *room = grow(v->records, v->nrecords, &v->records_room, sizeof(*room));

	if (!room)
		return -ENOMEM;
	v->records = room;
	v->records[v->nrecords++] = *r;
	return 0;
}

static int view_leaf(struct view_builder *b, const struct prof_rnode *leaf,
		     const struct context *x)
{
	struct view_record r = { .samples = leaf->a, .weight = leaf->b };
	struct leaf_verdict is;
	int err;

	r.object = view_object(b, leaf);
	is = view_verdict(b, x, leaf, r.object);
	err = view_object_name(&b->view->names, r.object, &r.object);
	r.leaf = (uint8_t)is.leaf;
	r.class = (uint8_t)is.class;
	r.event = b->process->event[leaf->event];
	r.thread = b->process->first_thread + leaf->thread;
	r.node = x->node;
	r.line = x->line;
	r.task = x->task;
	if (!err)
		err = view_record_region(b, x, leaf, is.leaf, &r.region);
	if (!err)
		err = view_place(b, x, leaf, &r);
	return err ? err : view_append(b->view, &r);
}

/* ---- statistics of regions and tasks --------------------------------- */

/* Ticks of the cycle clock in nanoseconds; 0 where a killed process left no
   second reading to scale by. */
static double view_tick_ns(const struct prof_header *h)
{
	if (h->ticks_end <= h->ticks_start || h->end_monotonic_ns <= h->start_monotonic_ns)
		return 0;
	return (double)(h->end_monotonic_ns - h->start_monotonic_ns) /
	       (double)(h->ticks_end - h->ticks_start);
}

static uint64_t view_ticks(uint64_t ticks, double tick_ns)
{
	double ns = (double)ticks * tick_ns;

	return ns < 0x1p63 ? (uint64_t)ns : UINT64_MAX;
}

static void view_stats_region(struct view_region *r, const struct prof_rnode *s, double tick_ns)
{
	uint32_t least = (uint32_t)(s->a >> 32), most = (uint32_t)s->a;

	if (s->flags == PROF_STATS_REGION) {
		r->entries = prof_add(r->entries, s->a);
		r->elapsed_ns = prof_add(r->elapsed_ns, view_ticks(s->b, tick_ns));
		r->elapsed_known = r->elapsed_known && tick_ns > 0;
		return;
	}
	if (least && (!r->team_least || least < r->team_least))
		r->team_least = least;
	if (most > r->team_most)
		r->team_most = most;
	r->team_sum = prof_add(r->team_sum, s->b);
}

/* x is the boundary's, and so speaks of the region or task that it is of. */
static void view_stats(struct view *v, const struct prof_file *f, const struct prof_rnode *s,
		       const struct context *x)
{
	struct view_task *task = &v->tasks[x->task];

	if (s->parent == PROF_NONE || f->nodes[s->parent].kind != PROF_NODE_BOUNDARY)
		return;
	switch (s->flags) {
	case PROF_STATS_REGION:
	case PROF_STATS_TEAM:
		view_stats_region(&v->regions[x->region], s, view_tick_ns(&f->header));
		break;
	case PROF_STATS_TASK:
		task->created = prof_add(task->created, s->a);
		break;
	case PROF_STATS_TASK_RUN:
		task->run = prof_add(task->run, s->a);
		task->stolen = prof_add(task->stolen, s->b);
		break;
	}
}

/* ---- building -------------------------------------------------------- */

static int view_process(struct view_builder *b, const struct model_process *p)
{
	const struct view_options *o = b->options;
	const struct prof_file *f = p->file;
	int err;

	b->process = p;
	err = contexts_init(&b->contexts, b->view, o, f, &b->expert);
	for (uint32_t i = 0; i < f->nnodes && !err; i++) {
		if (f->nodes[i].kind == PROF_NODE_LEAF)
			err = view_leaf(b, &f->nodes[i], contexts_above(&b->contexts, i));
		else if (f->nodes[i].kind == PROF_NODE_STATS)
			view_stats(b->view, f, &f->nodes[i], contexts_above(&b->contexts, i));
		else
			err = contexts_make(&b->contexts, i);
		if (o->progress && ++b->done % PROGRESS_NODES == 0)
			o->progress(o->arg, b->done, b->total);
	}
	contexts_fini(&b->contexts);
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
		err = view_region(v, UINT32_MAX - i, 0, &id);
	if (!err)
		err = view_task(v, UINT32_MAX, 0, &id);
	return err;
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
	idmap_fini(&b.expert);
	idmap_fini(&b.moved);
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
	free(v->records);
	idmap_fini(&v->by_region);
	idmap_fini(&v->by_task);
	free(v);
}
