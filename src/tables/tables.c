/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - each table takes one pass over the records. */
#include "config.h"

#include "src/tables/tables.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"
#include "src/view/label.h"
#include "src/view/view.h"

uint64_t table_region_key(const struct view *v, uint32_t region)
{
	return region < REGION_SPECIALS ? region :
					  (uint64_t)REGION_SPECIALS << 32 | v->regions[region].line;
}

static struct table_key_pair key_of_node(const struct view *v, enum table_key by, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	const uint32_t called = by == TABLE_CALL ? view_called(v, node) : 0;

	return (struct table_key_pair){
		.a = called ? v->tree.nodes[n->parent].function : n->function,
		.b = called,
	};
}

uint64_t table_line_key(const struct view *v, const struct view_record *r)
{
	const uint32_t function = r->line ? view_called(v, r->node) :
					    v->tree.nodes[r->node].function;

	return r->line | (uint64_t)function << TABLE_LINE_FUNCTION;
}

/* Takes over place. */
static char *label_called(const struct view *v, uint32_t called, const char *how, char *place)
{
	const char *name = v->names.functions[called].name;
	char *s;

	if (!called || !place)
		return place;
	s = alloc_printf("%s%s, called %s %s", name, name[strlen(name) - 1] == ')' ? "" : "()", how,
			 place);
	free(place);
	return s;
}

char *table_line_label(const struct view *v, uint64_t key)
{
	const uint32_t line = (uint32_t)key;

	if (!line)
		return label_function(&v->names.functions[key >> TABLE_LINE_FUNCTION]);
	return label_called(v, table_line_called(key), "at", label_line(&v->names, line));
}

char *table_call_label(const struct view *v, const struct table_row *row)
{
	return label_called(v, (uint32_t)row->key2, "by",
			    label_function(&v->names.functions[row->key]));
}

/* A call may have no module of its own: see names_call(). */
static bool is_code(const struct view *v, uint32_t node)
{
	const struct function *f = &v->names.functions[v->tree.nodes[node].function];

	return f->kind == FUNCTION_PLAIN && (f->module || !f->library);
}

/* A path without code is named by its outermost function: <OMP-idle>, <unknown>. */
struct table_name table_module(const struct view *v, const struct view_record *r)
{
	const struct function *f = &v->names.functions[r->within];
	uint32_t node = r->node, outermost = r->node;

	if (view_called(v, node) && f->module)
		return (struct table_name){ f->module, TABLE_NAME_FILE };
	while (node && !is_code(v, node)) {
		outermost = node;
		node = v->tree.nodes[node].parent;
	}
	f = &v->names.functions[v->tree.nodes[node ? node : outermost].function];
	if (node && f->module)
		return (struct table_name){ f->module, TABLE_NAME_FILE };
	return (struct table_name){ f->name ? f->name : "(no function)", TABLE_NAME_NONE };
}

static struct table_name table_file(const struct view *v, const struct view_record *r)
{
	const struct line *l = &v->names.lines[r->line];
	const char *file = l->file ? l->file : v->names.functions[l->function].file;
	struct table_name module;

	if (file)
		return (struct table_name){ file, TABLE_NAME_FILE };
	module = table_module(v, r);
	if (module.kind == TABLE_NAME_FILE)
		module.kind = TABLE_NAME_MODULE;
	return module;
}

const char *table_name_kind(enum table_name_kind kind)
{
	static const char *const names[] = {
		[TABLE_NAME_FILE] = "file",
		[TABLE_NAME_MODULE] = "module",
		[TABLE_NAME_NONE] = "none",
	};

	return names[kind];
}

static struct table_key_pair tables_key_of(const struct view *v, enum table_key by,
					   const struct view_record *r)
{
	const uint64_t region = table_region_key(v, r->region);
	struct table_name n;

	switch (by) {
	case TABLE_LINE: return (struct table_key_pair){ table_line_key(v, r), 0 };
	case TABLE_PATH: return (struct table_key_pair){ r->node, 0 };
	case TABLE_THREAD: return (struct table_key_pair){ r->thread, 0 };
	case TABLE_STATE: return (struct table_key_pair){ r->leaf, 0 };
	case TABLE_STATE_LINE:
		return (struct table_key_pair){ (uint64_t)r->leaf << 32 | r->line,
						(uintptr_t)r->object };
	case TABLE_REGION: return (struct table_key_pair){ region, 0 };
	case TABLE_REGION_CONTEXT: return (struct table_key_pair){ region, r->region };
	case TABLE_REGION_THREAD: return (struct table_key_pair){ region, r->thread };
	case TABLE_CONSTRUCT: return (struct table_key_pair){ r->construct, 0 };
	case TABLE_CONSTRUCT_THREAD: return (struct table_key_pair){ r->construct, r->thread };
	case TABLE_THREAD_PATH: return (struct table_key_pair){ r->thread, r->node };
	case TABLE_PHASE: return (struct table_key_pair){ r->phase, 0 };
	case TABLE_MODULE:
	case TABLE_FILE:
		n = by == TABLE_FILE ? table_file(v, r) : table_module(v, r);
		return (struct table_key_pair){ (uintptr_t)n.name, n.kind };
	case TABLE_MEMORY: return (struct table_key_pair){ r->memory, 0 };
	case TABLE_MEMORY_LINE: return (struct table_key_pair){ r->memory, table_line_key(v, r) };
	case TABLE_MEMORY_SOURCE: return (struct table_key_pair){ r->memory, r->source };
	case TABLE_FUNCTION:
	case TABLE_CALL:
	case TABLE_KEYS: break;
	}
	return key_of_node(v, by, r->node);
}

/* ---- costs ----------------------------------------------------------- */

void cost_plus(struct cost *a, const struct cost *b)
{
	a->samples = prof_add(a->samples, b->samples);
	a->weight = prof_add(a->weight, b->weight);
}

struct cost cost_sum(const struct cost *block, size_t event)
{
	struct cost sum = { 0 };

	for (unsigned c = 0; c < OMP_CLASSES; c++)
		cost_plus(&sum, cost_at(block, event, (enum omp_class)c));
	return sum;
}

void cost_add(struct cost *a, const struct cost *b, size_t nevents)
{
	for (size_t i = 0; i < nevents * OMP_CLASSES; i++)
		cost_plus(&a[i], &b[i]);
}

bool cost_is_zero(const struct cost *block, size_t nevents)
{
	for (size_t i = 0; i < nevents * OMP_CLASSES; i++)
		if (block[i].samples || block[i].weight)
			return false;
	return true;
}

void cost_add_record(struct cost *block, const struct view_record *r)
{
	const struct cost c = { .samples = r->samples, .weight = r->weight };

	cost_plus(&block[r->event * OMP_CLASSES + r->class], &c);
}

/* ---- tables ---------------------------------------------------------- */

enum { NO_ROW = UINT32_MAX };

/* Record i of a table's; among is NULL for all of the view's. */
static const struct view_record *table_record(const struct view *v,
					      const struct table_records *among, size_t i)
{
	const struct view_record *all = among && among->all ? among->all : v->records;

	return &all[among && among->number ? among->number[i] : i];
}

static struct cost *cost_blocks(size_t n, size_t nevents)
{
	size_t cells;

	/* One block more: an empty table has one of zeros. */
	if (__builtin_mul_overflow(n + 1, nevents * OMP_CLASSES + 1, &cells))
		return NULL;
	return alloc_zeroed(cells, sizeof(struct cost));
}

void table_build_among(const struct view *v, const struct table_records *among, table_key_of of,
		       void *arg, struct table *t)
{
	const size_t n = among ? among->n : v->nrecords;
	const size_t block = v->model->nevents * OMP_CLASSES;
	uint32_t *row = alloc_zeroed(n + 1, sizeof(*row));

	*t = (struct table){ .nevents = v->model->nevents };
	/* Assigns a row to each of n records, and a key to each row. */
	struct map ids = { 0 };
	size_t room = 0;

	for (size_t i = 0; i < n; i++) {
		struct table_key_pair k = { 0 };

		t->rows = grow(t->rows, t->n, &room, sizeof(*t->rows));
		row[i] = NO_ROW;
		if (of(v, table_record(v, among, i), arg, &k) &&
		    map_add(&ids, k.a, k.b, (uint32_t)t->n, &row[i]))
			t->rows[t->n++] = (struct table_row){ .key = k.a, .key2 = k.b };
	}
	map_free(&ids);
	t->self = cost_blocks(t->n, t->nevents);
	t->total = cost_blocks(1, t->nevents);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i].self = &t->self[i * block];
	for (size_t i = 0; i < n; i++) {
		if (row[i] == NO_ROW)
			continue;
		cost_add_record(t->rows[row[i]].self, table_record(v, among, i));
		cost_add_record(t->total, table_record(v, among, i));
	}
	free(row);
}

void table_build_of(const struct view *v, table_key_of of, void *arg, struct table *t)
{
	table_build_among(v, NULL, of, arg, t);
}

static bool table_key(const struct view *v, const struct view_record *r, void *arg,
		      struct table_key_pair *k)
{
	*k = tables_key_of(v, *(enum table_key *)arg, r);
	return true;
}

void table_build(const struct view *v, enum table_key by, struct table *t)
{
	const bool by_thread = by == TABLE_THREAD || by == TABLE_REGION_THREAD ||
			       by == TABLE_CONSTRUCT_THREAD;

	if (by_thread)
		table_build_parts(v, table_key, &by, t);
	else
		table_build_of(v, table_key, &by, t);
	if (by == TABLE_PHASE) {
		/* Those that were begun, and have no samples. */
		struct cost *none = &t->self[t->n * v->model->nevents * OMP_CLASSES];
		bool *met = alloc_zeroed(v->nphases, sizeof(*met));
		size_t room = t->n;

		for (size_t i = 0; i < t->n; i++)
			met[t->rows[i].key] = true;
		for (uint32_t i = 1; i < v->nphases && !v->filtered; i++) {
			if (met[i] || !v->phases[i].entries)
				continue;
			t->rows = grow(t->rows, t->n, &room, sizeof(*t->rows));
			t->rows[t->n++] = (struct table_row){ .key = i, .self = none };
		}
		free(met);
	}
}

void table_fini(struct table *t)
{
	free(t->rows);
	free(t->self);
	free(t->inclusive);
	free(t->total);
	*t = (struct table){ 0 };
}

/* ---- the tree -------------------------------------------------------- */

void tree_costs(const struct view *v, struct cost **self, struct cost **inclusive)
{
	const size_t nevents = v->model->nevents, block = nevents * OMP_CLASSES;
	struct cost *s = cost_blocks(v->tree.n, nevents);
	struct cost *i = cost_blocks(v->tree.n, nevents);

	for (size_t r = 0; r < v->nrecords; r++) {
		cost_add_record(&s[v->records[r].node * block], &v->records[r]);
		cost_add_record(&i[v->records[r].node * block], &v->records[r]);
	}
	/* Backwards, because children follow their parents. */
	for (size_t n = v->tree.n; n-- > 1;)
		cost_add(&i[v->tree.nodes[n].parent * block], &i[n * block], nevents);
	*self = s;
	*inclusive = i;
}

void tree_inclusive(const struct view *v, const uint32_t *row, size_t nrows, struct cost *into)
{
	const size_t nevents = v->model->nevents, block = nevents * OMP_CLASSES;
	struct cost *self = NULL, *inclusive = NULL;
	uint32_t *active = alloc_zeroed(nrows + 1, sizeof(*active));
	/* The position among each node's children. */
	uint32_t *next = alloc_zeroed(v->tree.n, sizeof(*next));
	struct tree_children children;
	uint32_t at = 0;

	tree_children(&v->tree, &children);
	tree_costs(v, &self, &inclusive);
	memcpy(next, children.first, v->tree.n * sizeof(*next));
	/* Depth first without recursion, as the depth is up to the file. */
	for (;;) {
		if (next[at] == children.first[at] && row[at] != NO_ROW && !active[row[at]]++)
			cost_add(&into[row[at] * block], &inclusive[at * block], nevents);
		if (next[at] < children.first[at + 1]) {
			at = children.child[next[at]++];
			continue;
		}
		if (row[at] != NO_ROW)
			active[row[at]]--;
		if (!at)
			break;
		at = v->tree.nodes[at].parent;
	}
	tree_children_fini(&children);
	free(active);
	free(next);
	free(self);
	free(inclusive);
}

/* The row of each node's function in *row. Functions that have no record, because they only called
   others, get one. */
static void table_node_rows(const struct view *v, enum table_key by, struct table *t, uint32_t *row)
{
	struct map ids = { 0 };
	size_t room = t->n;

	for (size_t i = 0; i < t->n; i++)
		map_add(&ids, t->rows[i].key, t->rows[i].key2, (uint32_t)i, &row[0]);
	for (size_t i = 1; i < v->tree.n; i++) {
		const struct table_key_pair k = key_of_node(v, by, (uint32_t)i);

		t->rows = grow(t->rows, t->n, &room, sizeof(*t->rows));
		if (map_add(&ids, k.a, k.b, (uint32_t)t->n, &row[i]))
			t->rows[t->n++] = (struct table_row){ .key = k.a, .key2 = k.b };
	}
	row[0] = map_get(&ids, 0, 0, NO_ROW);
	map_free(&ids);
}

void table_add_inclusive(const struct view *v, enum table_key by, struct table *t)
{
	uint32_t *row = alloc_zeroed(v->tree.n, sizeof(*row));

	table_node_rows(v, by, t, row);

	/* Allocates blocks for the present number of rows, and fills them from the records. */
	const size_t block = t->nevents * OMP_CLASSES;

	free(t->self);
	t->self = cost_blocks(t->n, t->nevents);
	t->inclusive = cost_blocks(t->n, t->nevents);
	for (size_t i = 0; i < t->n; i++) {
		t->rows[i].self = &t->self[i * block];
		t->rows[i].inclusive = &t->inclusive[i * block];
	}
	for (size_t i = 0; i < v->nrecords; i++)
		cost_add_record(t->rows[row[v->records[i].node]].self, &v->records[i]);
	row[0] = NO_ROW;
	tree_inclusive(v, row, t->n, t->inclusive);
	free(row);
}

/* ---- order ----------------------------------------------------------- */

struct tables_order {
	size_t event;
	bool inclusive;
};

static int order_rows(const void *a, const void *b, void *arg)
{
	const struct tables_order *o = arg;
	const struct table_row *x = a, *y = b;
	const struct cost p = cost_sum(o->inclusive ? x->inclusive : x->self, o->event);
	const struct cost q = cost_sum(o->inclusive ? y->inclusive : y->self, o->event);

	if (p.weight != q.weight)
		return p.weight < q.weight ? 1 : -1;
	if (p.samples != q.samples)
		return p.samples < q.samples ? 1 : -1;
	if (!o->inclusive && x->inclusive) {
		const struct tables_order by_inclusive = { .event = o->event, .inclusive = true };

		return order_rows(a, b, (void *)(uintptr_t)&by_inclusive);
	}
	/* For equal costs: the order of the first records, which is that of the blocks in
	   memory. */
	return x->self < y->self ? -1 : x->self > y->self;
}

void table_sort(struct table *t, size_t event)
{
	struct tables_order o = { .event = event };

	if (t->n)
		qsort_r(t->rows, t->n, sizeof(*t->rows), order_rows, &o);
}

void table_build_parts(const struct view *v, table_key_of of, void *arg, struct table *t)
{
	struct table_records parts = { .number = NULL };

	parts.all = view_parts(v, &parts.n);
	table_build_among(v, &parts, of, arg, t);
}
