/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_nodes.c - a process's nodes as those of its tree. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/pack.h"
#include "src/merge/batch_parts.h"
#include "src/profile/reader/reader.h"

struct adder {
	struct batch *batch;
	const struct prof_file *file;
	struct forest_tree *tree;
	struct batch_tree *counted;
	const uint32_t *ids;
	size_t nids;
	uint32_t input;
	uint32_t *numbers;   /* by node of the file */
	bool again;	     /* two of its modules are one in the tree */
	struct map siblings; /* by parent and number: index into alike */
	uint32_t *alike;     /* how many were met */
	size_t nalike, alike_room;
};

static bool batch_nodes_is_again(const uint32_t *ids, size_t nids)
{
	enum { WORDS = (UINT16_MAX + 1) / 64 };
	uint64_t met[WORDS] = { 0 };

	for (size_t i = 1; i < nids; i++) {
		const uint64_t bit = UINT64_C(1) << ids[i] % 64;

		if (ids[i] && met[ids[i] / 64 % WORDS] & bit)
			return true;
		met[ids[i] / 64 % WORDS] |= bit;
	}
	return false;
}

bool batch_is_counted(uint8_t kind)
{
	return kind == PROF_NODE_LEAF || kind == PROF_NODE_STATS || kind == PROF_NODE_COUNT ||
	       kind == PROF_NODE_CPU;
}

static bool is_lock(const struct prof_rnode *n)
{
	return n->kind == PROF_NODE_STATS && n->flags == PROF_STATS_OBJECT;
}

static uint32_t add_inner(struct adder *a, const struct prof_rnode *n, struct forest_node *f)
{
	const uint32_t number = forest_node(a->tree, f);
	const bool located = n->kind == PROF_NODE_FRAME || n->kind == PROF_NODE_CONSTRUCT ||
			     n->kind == PROF_NODE_BODY || n->kind == PROF_NODE_DATA ||
			     (n->kind == PROF_NODE_OBJECT && n->flags);

	/* The thread may have several nodes that are one in the tree.  They have the same parent,
	   and have contexts of several threads, or locations in an object that is loaded twice. */
	if (n->context != PROF_NONE || (a->again && located)) {
		/* The number of nodes before that are alike. */
		uint32_t at;

		a->alike = grow(a->alike, a->nalike, &a->alike_room, sizeof(*a->alike));
		if (map_add(&a->siblings, n->parent, number, (uint32_t)a->nalike, &at))
			a->nalike++;
		f->ordinal = a->alike[at]++;
	}
	return f->ordinal ? forest_node(a->tree, f) : number;
}

static uint32_t batch_nodes_add_node(struct adder *a, const struct prof_rnode *n)
{
	struct forest_node f = {
		.parent = n->parent == PROF_NONE ? 0 : a->numbers[n->parent] + 1,
		.context = n->context == PROF_NONE ? 0 : a->numbers[n->context] + 1,
		.info = PROF_NODE_INFO(n->kind, n->event, n->state, n->flags),
		.first = a->input,
	};

	/* What identifies the node beneath its parent. */
	switch (n->kind) {
	case PROF_NODE_ROOT: f.a = a->file->threads[n->thread].t.kind; break;
	case PROF_NODE_FRAME:
	case PROF_NODE_BODY:
	case PROF_NODE_PHASE:
	case PROF_NODE_DESCRIPTOR:
	case PROF_NODE_CONSTRUCT: f.a = forest_location(a->ids, a->nids, n->a); break;
	case PROF_NODE_OBJECT: f.a = n->flags ? forest_location(a->ids, a->nids, n->a) : 0; break;
	case PROF_NODE_DATA:
		if (n->flags == PROF_DATA_GLOBAL) {
			f.a = forest_location(a->ids, a->nids, n->a);
		} else if (n->a) {
			f.a = n->a;
			f.process = a->input + 1;
		}
		break;
	case PROF_NODE_STATS:
		if (is_lock(n)) {
			f.a = forest_location(a->ids, a->nids, n->a);
			f.b = forest_location(a->ids, a->nids, n->b);
		}
		break;
	}
	if (!batch_is_counted(n->kind))
		return add_inner(a, n, &f);
	const uint32_t number = forest_node(a->tree, &f);
	struct batch_tree *t = a->counted;

	t->values = grow(t->values, t->nvalues, &t->values_room, sizeof(*t->values));
	t->values[t->nvalues++] = (struct batch_value){
		.a = is_lock(n) ? 0 : n->a,
		.b = is_lock(n) ? 0 : n->b,
		.node = number,
		.thread = a->batch->nthreads + n->thread,
	};
	return number;
}

uint32_t *batch_add_nodes(struct batch *b, const struct prof_file *f, uint32_t input, uint32_t tree,
			  const uint32_t *ids, size_t nids)
{
	struct adder a = {
		.batch = b,
		.file = f,
		.tree = &b->forest.trees[tree],
		.counted = &b->trees[tree],
		.ids = ids,
		.nids = nids,
		.input = input,
		.numbers = alloc_zeroed(f->nnodes + 1, sizeof(*a.numbers)),
		.again = batch_nodes_is_again(ids, nids),
	};

	for (size_t i = 0; i < f->nnodes; i++)
		a.numbers[i] = batch_nodes_add_node(&a, &f->nodes[i]);
	map_free(&a.siblings);
	free(a.alike);
	return a.numbers;
}

/* ---- what processes have in common ----------------------------------- */

void batch_look(const struct prof_file *f, bool *made, bool *kernel)
{
	*made = *kernel = false;
	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];
		const bool code = n->kind == PROF_NODE_FRAME || n->kind == PROF_NODE_CONSTRUCT ||
				  n->kind == PROF_NODE_BODY;

		if (!code && n->kind != PROF_NODE_OBJECT && n->kind != PROF_NODE_DATA)
			continue;
		*made = *made || (code && n->a && !PROF_LOC_MODULE(n->a));
		*kernel = *kernel || (code && PROF_LOC_MODULE(n->a) == PROF_MODULE_ID_KERNEL);
	}
}

static void key_text(struct pack *key, const struct prof_file *f, enum prof_info_kind kind)
{
	const char *text = prof_text(f, kind);

	pack_number(key, !!text);
	if (text)
		pack_text(key, text, strlen(text));
}

void batch_key(struct pack *key, const struct prof_file *f, uint32_t input, bool made, bool kernel)
{
	pack_number(key, f->header.machine);
	pack_number(key, f->header.nevents);
	for (unsigned e = 0; e < f->header.nevents; e++) {
		const struct prof_event *v = &f->header.events[e];

		pack_text(key, v->label, strlen(v->label));
		pack_text(key, v->requested, strlen(v->requested));
		pack_number(key, v->unit);
		pack_number(key, v->flags & PROF_EVENT_COUNT_ONLY);
	}
	key_text(key, f, PROF_INFO_RUNTIME);
	for (size_t i = 0; i < f->nmodules; i++) {
		const struct prof_rmodule *m = &f->modules[i];

		if (!(m->flags & PROF_MODULE_MAIN))
			continue;
		pack_text(key, m->path, strlen(m->path));
		pack_text(key, m->build_id, m->build_id_bytes);
	}
	pack_number(key, made ? input + UINT64_C(1) : 0);
	pack_number(key, kernel);
	if (kernel) {
		key_text(key, f, PROF_INFO_HOST);
		key_text(key, f, PROF_INFO_BOOT);
	}
}

/* ---- nodes without values ---------------------------------------------- */

void batch_find_bare(const struct prof_file *f, const uint32_t *numbers, struct batch_bare *bare)
{
	/* By node: whether another one lies beneath it, or it has counts. */
	bool *parent = alloc_zeroed(f->nnodes + 1, sizeof(*parent));

	for (size_t i = 0; i < f->nnodes; i++) {
		if (f->nodes[i].parent != PROF_NONE)
			parent[f->nodes[i].parent] = true;
		if (batch_is_counted(f->nodes[i].kind))
			parent[i] = true;
	}
	size_t n = 0;

	*bare = (struct batch_bare){ 0 };
	for (size_t i = 0; i < f->nnodes; i++)
		n += !parent[i];
	bare->all = alloc_zeroed(n + 1, sizeof(*bare->all));
	for (size_t i = 0; i < f->nnodes; i++)
		if (!parent[i])
			bare->all[bare->n++] = (struct batch_had){ f->nodes[i].thread, numbers[i] };
	free(parent);
}

static int batch_bare_order(const void *a, const void *b)
{
	const struct batch_had *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

void batch_pack_bare(const struct batch_bare *bare, const uint32_t *nodes, struct pack *out)
{
	struct batch_had *all = alloc_zeroed(bare->n + 1, sizeof(*all)), last = { 0 };
	struct pack packed = { 0 };

	for (size_t i = 0; i < bare->n; i++)
		all[i] = (struct batch_had){ bare->all[i].thread, nodes[bare->all[i].node] };
	qsort(all, bare->n, sizeof(*all), batch_bare_order);
	for (size_t i = 0; i < bare->n; i++) {
		/* Several objects without a name are one node. */
		if (i && !batch_bare_order(&all[i], &last))
			continue;
		if (all[i].thread != last.thread)
			last.node = 0;
		pack_number(&packed, all[i].thread - last.thread);
		pack_number(&packed, all[i].node - last.node);
		last = all[i];
	}
	pack_text(out, packed.bytes, packed.n);
	pack_free(&packed);
	free(all);
}
