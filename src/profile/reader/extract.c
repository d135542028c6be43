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

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pack.h"
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
	bool damaged; /* the merged file is */
};

/* Threads count at all others. */
static bool is_inner(const struct prof_file *tree, uint32_t node)
{
	return nodes_have_leaves(tree->nodes[node].kind);
}

/* ---- values ------------------------------------------------------------ */

/* What the processes, which are neighbours, counted in a tree. */
static void values_take(struct extract_process *all, size_t n, const struct prof_file *tree)
{
	const uint32_t first = all[0].first_thread;
	const uint32_t end = all[n - 1].first_thread + (uint32_t)all[n - 1].from->nthreads;

	for (uint32_t node = 0; node < tree->nnodes; node++) {
		struct prof_values values;
		struct prof_rvalue v;

		prof_values_of(&values, tree, node, first, end - first);
		while (prof_values_next(&values, &v)) {
			struct extract_process *p = all;

			while (p < all + n && v.thread - p->first_thread >= p->from->nthreads)
				p++;
			if (p == all + n)
				continue;
			p->damaged = p->damaged || p->tree != tree || is_inner(tree, node);
			p->values =
				grow(p->values, p->nvalues, &p->values_room, sizeof(*p->values));
			p->values[p->nvalues++] =
				(struct value){ node, v.thread - p->first_thread, v.a, v.b };
		}
	}
}

/* ---- nodes ------------------------------------------------------------- */

/* The thread has the node, and those above; called for one thread after the other. */
static void have_path(struct extract_process *p, uint32_t node, uint32_t thread)
{
	for (; node != PROF_NONE && p->mark[node] != thread; node = p->tree->nodes[node].parent) {
		p->damaged = p->damaged || !is_inner(p->tree, node);
		p->had = grow(p->had, p->nhad, &p->had_room, sizeof(*p->had));
		p->had[p->nhad++] = (struct had){ node, thread };
		p->mark[node] = thread;
		if (p->owner[node] == PROF_NONE)
			p->owner[node] = thread;
	}
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

static void have_counted(struct extract_process *p, const struct prof_packed_rest *rest)
{
	struct extract_bare bare = { .u = { .at = rest->bare, .end = rest->bare + rest->nbare } };

	/* The values' indices by thread. */
	uint32_t *order = alloc_zeroed(p->nvalues, sizeof(*order));
	size_t *end = alloc_zeroed(p->from->nthreads + 2, sizeof(*end));

	for (size_t i = 0; i < p->nvalues; i++)
		end[p->values[i].thread + 2]++;
	for (size_t i = 2; i < p->from->nthreads + 2; i++)
		end[i] += end[i - 1];
	for (size_t i = 0; i < p->nvalues; i++)
		order[end[p->values[i].thread + 1]++] = (uint32_t)i;
	free(end);
	size_t at = 0, timeline = 0;

	bare_next(&bare);
	for (uint32_t t = 0; t < p->from->nthreads; t++) {
		for (; at < p->nvalues && p->values[order[at]].thread == t; at++)
			have_path(p, p->tree->nodes[p->values[order[at]].node].parent, t);
		for (; bare.thread == t; bare_next(&bare)) {
			if (bare.node < p->tree->nnodes)
				have_path(p, bare.node, t);
			else
				p->damaged = true;
		}
		/* They are by thread. */
		if (timeline < p->file->ntimelines && p->file->timelines[timeline].thread == t) {
			const struct prof_rtimeline *l = &p->file->timelines[timeline++];

			for (size_t i = 0; i < l->n; i++)
				have_path(p, l->cells[i].node, t);
		}
	}
	free(order);
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

static void nodes_fill(struct extract_process *p)
{
	struct prof_file *f = p->file;

	if (p->nhad + p->nvalues >= PROF_NONE)
		alloc_failed();
	/* The place of each node's; while filling, first[i + 1] is where the next one of node i
	   goes. */
	p->first = alloc_zeroed(p->tree->nnodes + 2, sizeof(*p->first));
	for (size_t i = 0; i < p->nhad; i++)
		p->first[p->had[i].node + 2]++;
	for (size_t i = 0; i < p->nvalues; i++)
		p->first[p->values[i].node + 2]++;
	for (size_t i = 2; i < p->tree->nnodes + 2; i++)
		p->first[i] += p->first[i - 1];
	f->nodes = alloc_zeroed(p->nhad + p->nvalues, sizeof(*f->nodes));
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
}

/* ---- all but what was counted ------------------------------------------ */

static int extract_by_id(const void *a, const void *b)
{
	const struct prof_rmodule *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Of two that are one in the tree, locations are the first one's. */
static void modules_copy(struct extract_process *p, enum extract_ids ids)
{
	struct prof_file *f = p->file;

	f->modules = alloc_zeroed(p->from->nmodules, sizeof(*f->modules));
	for (size_t i = 0; i < p->from->nmodules; i++) {
		struct prof_rmodule *m = &f->modules[f->nmodules];
		const bool again = p->ids[p->from->modules[i].tree_id] != 0;

		*m = p->from->modules[i];
		m->id = ids == EXTRACT_IDS_OWN ? m->id : m->tree_id;
		if (!again)
			p->ids[m->tree_id] = (uint16_t)m->id;
		if (again && ids == EXTRACT_IDS_TREE)
			continue;
		m->tree_id = 0;
		m->path = alloc_text(m->path);
		f->nmodules++;
	}
	qsort(f->modules, f->nmodules, sizeof(*f->modules), extract_by_id);
}

/* Header, texts, threads and modules. */
static struct prof_file *head_copy(const struct prof_file *from, enum extract_ids ids)
{
	struct prof_file *f = alloc_zeroed(1, sizeof(*f));

	*f = (struct prof_file){ .path = alloc_text(from->path),
				 .tree = ids == EXTRACT_IDS_TREE ? from->tree : NULL,
				 .file_bytes = from->file_bytes,
				 .header = from->header,
				 .missing_bytes = from->missing_bytes,
				 .threads = alloc_zeroed(from->nthreads, sizeof(*f->threads)),
				 .nthreads = from->nthreads,
				 .texts = alloc_zeroed(from->ntexts, sizeof(*f->texts)),
				 .ntexts = from->ntexts,
				 .damaged = from->damaged,
				 .unfinished = from->unfinished };
	if (from->nthreads)
		memcpy(f->threads, from->threads, from->nthreads * sizeof(*f->threads));
	for (size_t i = 0; i < from->ntexts; i++) {
		f->texts[i] = from->texts[i];
		f->texts[i].text = alloc_bytes(from->texts[i].bytes + 1);
		memcpy(f->texts[i].text, from->texts[i].text, from->texts[i].bytes + 1);
	}
	return f;
}

/* ---- timelines and traces, as doc/profile-format.md describes ---------- */

/* Elements that each take some bytes at least. */
static size_t take_count(struct unpack *u, size_t bytes)
{
	return (size_t)unpack_up_to(u, (uint64_t)(u->end - u->at) / bytes);
}

static void take_timeline(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	enum { CELL_BYTES = 6 };
	struct prof_rtimeline *t = &f->timelines[f->ntimelines];
	uint64_t bucket = 0;
	size_t n;

	t->thread = (uint32_t)unpack_up_to(u, PROF_NONE);
	t->shift = (unsigned)unpack_up_to(u, PROF_TIMELINE_SHIFT_MOST);
	t->origin_ticks = f->header.ticks_start + unpack_number(u);
	n = take_count(u, CELL_BYTES);
	unpack_require(u, t->thread < f->nthreads && !(f->ntimelines && t->thread <= t[-1].thread));
	t->cells = alloc_zeroed(n, sizeof(*t->cells));
	f->ntimelines++;
	for (; t->n < n && !u->damaged; t->n++) {
		struct prof_rcell *c = &t->cells[t->n];

		bucket += unpack_up_to(u, UINT32_MAX);
		c->bucket = (uint32_t)bucket;
		c->node = (uint32_t)unpack_up_to(u, PROF_NONE);
		c->event = (uint8_t)unpack_up_to(u, UINT8_MAX);
		c->state = (uint8_t)unpack_up_to(u, UINT8_MAX);
		c->weight = unpack_number(u);
		c->samples = unpack_number(u);
		unpack_require(u, bucket <= UINT32_MAX && c->node < tree->nnodes &&
					  c->event < f->header.nevents &&
					  PROF_STATE_OF(c->state) < PROF_STATES);
	}
}

static void take_trace(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	enum { EVENT_BYTES = 4 };
	struct prof_rtrace *t = &f->traces[f->ntraces];
	uint64_t ticks = f->header.ticks_start;
	size_t n;

	t->thread = (uint32_t)unpack_up_to(u, PROF_NONE);
	t->lost = unpack_number(u);
	n = take_count(u, EVENT_BYTES);
	unpack_require(u, t->thread < f->nthreads);
	t->events = alloc_zeroed(n, sizeof(*t->events));
	f->ntraces++;
	for (; t->n < n && !u->damaged; t->n++) {
		struct prof_rtraced *e = &t->events[t->n];

		ticks += unpack_number(u);
		e->ticks = ticks;
		e->context = (uint32_t)unpack_up_to(u, tree->nnodes) - 1;
		e->kind = (uint8_t)unpack_up_to(u, PROF_TRACE_KINDS - 1);
		e->state = (uint8_t)unpack_up_to(u, PROF_STATES - 1);
		unpack_require(u, e->kind >= PROF_TRACE_FORK);
	}
}

/* Timelines by thread, and traces; nodes are the tree's.  False: the file is damaged. */
static bool take_times(const struct prof_packed_rest *rest, const struct prof_file *tree,
		       struct prof_file *f)
{
	struct unpack u = { .at = rest->times, .end = rest->times + rest->ntimes };
	size_t n;

	if (!rest->ntimes)
		return true;
	n = take_count(&u, 1);
	f->timelines = alloc_zeroed(n, sizeof(*f->timelines));
	for (size_t i = 0; i < n && !u.damaged; i++)
		take_timeline(&u, tree, f);
	n = take_count(&u, 1);
	f->traces = alloc_zeroed(n, sizeof(*f->traces));
	for (size_t i = 0; i < n && !u.damaged; i++)
		take_trace(&u, tree, f);
	return !u.damaged;
}

/* ---- all --------------------------------------------------------------- */

static void process_extract(struct extract_process *p, const struct prof_packed_rest *rest,
			    enum extract_ids ids)
{
	const size_t bytes = p->tree->nnodes * sizeof(*p->owner);

	p->file = head_copy(p->from, ids);
	p->ids = alloc_zeroed(UINT16_MAX + 1, sizeof(*p->ids));
	modules_copy(p, ids);
	p->owner = memset(alloc_bytes(bytes), 0xff, bytes);
	p->mark = memset(alloc_bytes(bytes), 0xff, bytes);
	p->damaged = p->damaged || !take_times(rest, p->tree, p->file);
	if (!p->damaged)
		have_counted(p, rest);
	p->damaged = p->damaged || !has_contexts(p);
	if (!p->damaged) {
		nodes_fill(p);

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
	free(p->values);
	free(p->had);
	free(p->owner);
	free(p->mark);
	free(p->first);
	free(p->ids);
}

int prof_extract(const struct prof_merged *m, size_t first, size_t n, enum extract_ids ids,
		 struct prof_file **files)
{
	struct extract_process *all = alloc_zeroed(n, sizeof(*all));
	uint32_t thread = 0;
	bool damaged = false;

	for (size_t i = 0; i < first; i++)
		thread += (uint32_t)m->processes[i]->nthreads;
	for (size_t i = 0; i < n; i++) {
		all[i].from = m->processes[first + i];
		all[i].tree = all[i].from->tree;
		all[i].first_thread = thread;
		thread += (uint32_t)all[i].from->nthreads;
	}
	/* What all processes counted, in each of their trees. */
	for (size_t i = 0; i < n; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again = again || all[k].tree == all[i].tree;
		if (!again)
			values_take(all, n, all[i].tree);
	}
	for (size_t i = 0; i < n; i++) {
		process_extract(&all[i], &m->rest[first + i], ids);
		files[i] = all[i].file;
		damaged = damaged || all[i].damaged;
	}
	for (size_t i = 0; i < n && damaged; i++) {
		prof_free(files[i]);
		files[i] = NULL;
	}
	free(all);
	return damaged ? -EINVAL : 0;
}
