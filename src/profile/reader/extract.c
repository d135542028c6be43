/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extract.c - see extract.h.
 *
 * A thread has the nodes that it counted at, those above, those that its timeline names, and bare
 * ones.  Which thread a creation context is of is not recorded: it is the first one that has it.
 */
#include "config.h"

#include "src/profile/reader/extract.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/base/pack.h"
#include "src/profile/reader/extract_parts.h"
#include "src/profile/reader/merged.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/reader.h"
#include "src/profile/reader/values.h"

/* What a thread of the process counted at a node of the tree. */
struct value {
	uint32_t node, thread;
	uint64_t a, b;
};

/* A node of the tree that a thread has. */
struct had {
	uint32_t node, thread;
};

struct extract_process {
	const struct prof_file *from, *tree;
	uint32_t first_thread; /* of all of the file's */
	struct value *values;  /* by node, those of a node by thread */
	size_t nvalues, values_room;
	struct had *had;
	size_t nhad, had_room;
	/* By node of the tree */
	uint32_t *owner; /* the first thread that has it; PROF_NONE: none */
	uint32_t *mark;	 /* the last one */
	uint32_t *first; /* where the node's are in file->nodes; one more */
	uint16_t *ids;	 /* by id of a module in the tree: the file's; 0: it has none */
	struct prof_file *file;
};

/* Threads count at all others. */
static bool is_inner(const struct prof_file *tree, uint32_t node)
{
	return nodes_have_leaves(tree->nodes[node].kind);
}

/* ---- values ------------------------------------------------------------ */

static int value_take(struct extract_process *all, size_t n, const struct prof_file *tree,
		      uint32_t node, const struct prof_rvalue *v)
{
	size_t i = 0;

	while (i < n && v->thread - all[i].first_thread >= all[i].from->nthreads)
		i++;
	if (i == n)
		return 0;
	struct extract_process *p = &all[i];
	struct value *room = grow_or_null(p->values, p->nvalues, &p->values_room, sizeof(*room));

	if (!room)
		return -ENOMEM;
	p->values = room;
	if (p->tree != tree || is_inner(tree, node))
		return -EINVAL;
	room[p->nvalues++] = (struct value){ node, v->thread - p->first_thread, v->a, v->b };
	return 0;
}

/* What the processes, which are neighbours, counted in a tree. */
static int values_take(struct extract_process *all, size_t n, const struct prof_file *tree)
{
	const uint32_t first = all[0].first_thread;
	const uint32_t end = all[n - 1].first_thread + (uint32_t)all[n - 1].from->nthreads;
	int err = 0;

	for (uint32_t i = 0; i < tree->nnodes && !err; i++) {
		struct prof_values v;
		struct prof_rvalue value;

		prof_values_of(&v, tree, i, first, end - first);
		while (!err && prof_values_next(&v, &value))
			err = value_take(all, n, tree, i, &value);
	}
	return err;
}

/* ---- nodes ------------------------------------------------------------- */

static int have(struct extract_process *p, uint32_t node, uint32_t thread)
{
	struct had *room = grow_or_null(p->had, p->nhad, &p->had_room, sizeof(*room));

	if (!room)
		return -ENOMEM;
	p->had = room;
	room[p->nhad++] = (struct had){ node, thread };
	p->mark[node] = thread;
	if (p->owner[node] == PROF_NONE)
		p->owner[node] = thread;
	return 0;
}

/* The thread has the node, and those above; called for one thread after the other. */
static int have_path(struct extract_process *p, uint32_t node, uint32_t thread)
{
	int err = 0;

	for (; node != PROF_NONE && p->mark[node] != thread && !err;
	     node = p->tree->nodes[node].parent)
		err = is_inner(p->tree, node) ? have(p, node, thread) : -EINVAL;
	return err;
}

static int have_values(struct extract_process *p, const uint32_t *order, size_t *at,
		       uint32_t thread)
{
	int err = 0;

	for (; *at < p->nvalues && p->values[order[*at]].thread == thread && !err; (*at)++)
		err = have_path(p, p->tree->nodes[p->values[order[*at]].node].parent, thread);
	return err;
}

static int have_cells(struct extract_process *p, const struct prof_rtimeline *t)
{
	int err = 0;

	for (size_t i = 0; i < t->n && !err; i++)
		err = have_path(p, t->cells[i].node, t->thread);
	return err;
}

/* Bare nodes, of one thread after the other. */
struct extract_bare {
	struct unpack u;
	uint32_t thread, node; /* the next one; thread: PROF_NONE, there is none */
};

static void bare_next(struct extract_bare *b)
{
	const uint32_t distance = (uint32_t)unpack_up_to(&b->u, PROF_NONE - 1 - b->thread);
	const uint64_t node = unpack_up_to(&b->u, UINT32_MAX) + (distance ? 0 : b->node);

	b->thread = b->u.damaged || node >= PROF_NONE ? PROF_NONE : b->thread + distance;
	b->node = (uint32_t)node;
}

static int have_bare(struct extract_process *p, struct extract_bare *b, uint32_t thread)
{
	int err = 0;

	while (b->thread == thread && !err) {
		err = b->node < p->tree->nnodes ? have_path(p, b->node, thread) : -EINVAL;
		bare_next(b);
	}
	return err;
}

/* The values' indices by thread.  NULL without memory. */
static uint32_t *values_by_thread(const struct extract_process *p)
{
	uint32_t *order = calloc(p->nvalues + 1, sizeof(*order));
	size_t *end = calloc(p->from->nthreads + 2, sizeof(*end));

	for (size_t i = 0; i < p->nvalues && end; i++)
		end[p->values[i].thread + 2]++;
	for (size_t i = 2; i < p->from->nthreads + 2 && end; i++)
		end[i] += end[i - 1];
	for (size_t i = 0; i < p->nvalues && end && order; i++)
		order[end[p->values[i].thread + 1]++] = (uint32_t)i;
	if (!end) {
		free(order);
		order = NULL;
	}
	free(end);
	return order;
}

static int have_counted(struct extract_process *p, const struct prof_packed_rest *rest)
{
	struct extract_bare bare = { .u = { .at = rest->bare, .end = rest->bare + rest->nbare } };
	uint32_t *order = values_by_thread(p);
	size_t at = 0, timeline = 0;
	int err = order ? 0 : -ENOMEM;

	bare_next(&bare);
	for (uint32_t t = 0; t < p->from->nthreads && !err; t++) {
		err = have_values(p, order, &at, t);
		if (!err)
			err = have_bare(p, &bare, t);
		/* They are by thread. */
		if (!err && timeline < p->file->ntimelines &&
		    p->file->timelines[timeline].thread == t)
			err = have_cells(p, &p->file->timelines[timeline++]);
	}
	free(order);
	return err;
}

/* Whether some thread has the creation context. */
static bool has_context(const struct extract_process *p, uint32_t context)
{
	return context == PROF_NONE || p->owner[context] != PROF_NONE;
}

/* Contexts have contexts, too. */
static bool has_contexts(const struct extract_process *p)
{
	for (size_t i = 0; i < p->file->ntraces; i++)
		for (size_t k = 0; k < p->file->traces[i].n; k++)
			if (!has_context(p, p->file->traces[i].events[k].context))
				return false;
	for (size_t i = 0; i < p->nhad; i++)
		if (!has_context(p, p->tree->nodes[p->had[i].node].context))
			return false;
	return true;
}

/* ---- the file's nodes -------------------------------------------------- */

static uint64_t extract_location(const struct extract_process *p, uint64_t loc)
{
	const uint32_t id = PROF_LOC_MODULE(loc);

	return p->ids[id] ? PROF_LOC(p->ids[id], PROF_LOC_ADDRESS(loc)) : loc;
}

/* The file's index of a node that the thread has: those of a node are by thread. */
static uint32_t extract_index_of(const struct extract_process *p, uint32_t node, uint32_t thread)
{
	const struct prof_rnode *nodes = p->file->nodes;
	uint32_t low = p->first[node], high = p->first[node + 1] - 1;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (nodes[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t index_of_context(const struct extract_process *p, uint32_t context)
{
	return context == PROF_NONE ? PROF_NONE : extract_index_of(p, context, p->owner[context]);
}

/* The place of each node's; while filling, first[i + 1] is where the next one of node i goes. */
static int nodes_count(struct extract_process *p)
{
	p->first = calloc(p->tree->nnodes + 2, sizeof(*p->first));
	if (!p->first || p->nhad + p->nvalues >= PROF_NONE)
		return -ENOMEM;
	for (size_t i = 0; i < p->nhad; i++)
		p->first[p->had[i].node + 2]++;
	for (size_t i = 0; i < p->nvalues; i++)
		p->first[p->values[i].node + 2]++;
	for (size_t i = 2; i < p->tree->nnodes + 2; i++)
		p->first[i] += p->first[i - 1];
	return 0;
}

static void node_fill(struct extract_process *p, uint32_t node, uint32_t thread, uint64_t a,
		      uint64_t b)
{
	struct prof_rnode *n = &p->file->nodes[p->first[node + 1]++];

	*n = p->tree->nodes[node];
	n->thread = thread;
	n->a = a;
	n->b = b;
	switch (n->kind) {
	case PROF_NODE_FRAME:
	case PROF_NODE_BODY:
	case PROF_NODE_CONSTRUCT: n->a = extract_location(p, n->a); break;
	case PROF_NODE_OBJECT: n->a = n->flags ? extract_location(p, n->a) : n->a; break;
	case PROF_NODE_DATA:
		n->a = n->flags == PROF_DATA_GLOBAL ? extract_location(p, n->a) : n->a;
		break;
	case PROF_NODE_STATS:
		if (n->flags == PROF_STATS_OBJECT) {
			n->a = extract_location(p, n->a);
			n->b = extract_location(p, n->b);
		}
		break;
	}
}

static int nodes_fill(struct extract_process *p)
{
	struct prof_file *f = p->file;
	int err = nodes_count(p);

	f->nodes = err ? NULL : calloc(p->nhad + p->nvalues + 1, sizeof(*f->nodes));
	if (!f->nodes)
		return -ENOMEM;
	for (size_t i = 0; i < p->nhad; i++) {
		const struct had *h = &p->had[i];
		const struct prof_rnode *n = &p->tree->nodes[h->node];

		node_fill(p, h->node, h->thread, n->parent == PROF_NONE ? h->thread : n->a, n->b);
	}
	for (size_t i = 0; i < p->nvalues; i++)
		node_fill(p, p->values[i].node, p->values[i].thread, p->values[i].a,
			  p->values[i].b);
	f->nnodes = p->nhad + p->nvalues;
	for (size_t i = 0; i < f->nnodes; i++) {
		struct prof_rnode *n = &f->nodes[i];

		if (n->parent != PROF_NONE)
			n->parent = extract_index_of(p, n->parent, n->thread);
		n->context = index_of_context(p, n->context);
	}
	return 0;
}

static void times_fill(struct extract_process *p)
{
	struct prof_file *f = p->file;

	for (size_t i = 0; i < f->ntimelines; i++)
		for (size_t k = 0; k < f->timelines[i].n; k++) {
			struct prof_rcell *c = &f->timelines[i].cells[k];

			c->node = extract_index_of(p, c->node, f->timelines[i].thread);
		}
	for (size_t i = 0; i < f->ntraces; i++)
		for (size_t k = 0; k < f->traces[i].n; k++) {
			struct prof_rtraced *e = &f->traces[i].events[k];

			e->context = index_of_context(p, e->context);
		}
}

/* ---- all --------------------------------------------------------------- */

static void process_fini(struct extract_process *p)
{
	free(p->values);
	free(p->had);
	free(p->owner);
	free(p->mark);
	free(p->first);
	free(p->ids);
}

static int process_extract(struct extract_process *p, const struct prof_packed_rest *rest,
			   enum extract_ids ids)
{
	const size_t n = p->tree->nnodes;
	int err;

	p->file = calloc(1, sizeof(*p->file));
	p->owner = malloc(n * sizeof(*p->owner) + 1);
	p->mark = malloc(n * sizeof(*p->mark) + 1);
	if (!p->file || !p->owner || !p->mark)
		return -ENOMEM;
	memset(p->owner, 0xff, n * sizeof(*p->owner));
	memset(p->mark, 0xff, n * sizeof(*p->mark));
	err = extract_head(p->from, ids, p->file, &p->ids);
	if (!err)
		err = extract_times(rest, p->tree, p->file);
	if (!err)
		err = have_counted(p, rest);
	if (!err && !has_contexts(p))
		err = -EINVAL;
	if (!err)
		err = nodes_fill(p);
	if (!err)
		times_fill(p);
	return err;
}

/* What all processes counted, in each of their trees. */
static int extract_collect(struct extract_process *all, size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again = again || all[k].tree == all[i].tree;
		if (!again)
			err = values_take(all, n, all[i].tree);
	}
	return err;
}

int prof_extract(const struct prof_merged *m, size_t first, size_t n, enum extract_ids ids,
		 struct prof_file **files)
{
	struct extract_process *all = calloc(n + 1, sizeof(*all));
	uint32_t thread = 0;
	int err = all ? 0 : -ENOMEM;

	for (size_t i = 0; i < first; i++)
		thread += (uint32_t)m->processes[i]->nthreads;
	for (size_t i = 0; i < n && !err; i++) {
		all[i].from = m->processes[first + i];
		all[i].tree = all[i].from->tree;
		all[i].first_thread = thread;
		thread += (uint32_t)all[i].from->nthreads;
	}
	if (!err)
		err = extract_collect(all, n);
	for (size_t i = 0; i < n && !err; i++) {
		err = process_extract(&all[i], &m->rest[first + i], ids);
		process_fini(&all[i]);
		all[i] = (struct extract_process){ .file = all[i].file };
	}
	for (size_t i = 0; i < n && all; i++) {
		files[i] = all[i].file;
		if (err) {
			prof_free(all[i].file);
			files[i] = NULL;
			process_fini(&all[i]);
		}
	}
	free(all);
	return err;
}
