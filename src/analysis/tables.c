/* tables.c - one pass over the records for each table. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/analysis/grow.h"
#include "src/analysis/model.h"
#include "src/analysis/tables.h"
#include "src/analysis/view.h"
#include "src/profile/reader.h"

struct key {
	uint64_t a, b;
};

uint64_t table_region_key(const struct view *v, uint32_t region)
{
	return region < REGION_SPECIALS ? region :
	       (uint64_t)REGION_SPECIALS << 32 | v->regions[region].line;
}

static struct key key_function(const struct view *v, const struct view_record *r)
{
	return (struct key){ .a = v->tree.nodes[r->node].function };
}

uint64_t table_line_key(const struct view *v, const struct view_record *r)
{
	return r->line ? r->line :
	       (uint64_t)v->tree.nodes[r->node].function << TABLE_LINE_FUNCTION;
}

static struct key key_line(const struct view *v, const struct view_record *r)
{
	return (struct key){ .a = table_line_key(v, r) };
}

static struct key key_path(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->node };
}

static struct key key_thread(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->thread };
}

static struct key key_state(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->leaf };
}

static struct key key_state_line(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = (uint64_t)r->leaf << 32 | r->line, .b = (uintptr_t)r->object };
}

static struct key key_region(const struct view *v, const struct view_record *r)
{
	return (struct key){ .a = table_region_key(v, r->region) };
}

static struct key key_region_context(const struct view *v, const struct view_record *r)
{
	return (struct key){ .a = table_region_key(v, r->region), .b = r->region };
}

static struct key key_region_thread(const struct view *v, const struct view_record *r)
{
	return (struct key){ .a = table_region_key(v, r->region), .b = r->thread };
}

static struct key key_construct(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->construct };
}

static struct key key_construct_thread(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->construct, .b = r->thread };
}

static struct key key_thread_path(const struct view *v, const struct view_record *r)
{
	(void)v;
	return (struct key){ .a = r->thread, .b = r->node };
}

static struct key (*const keys[TABLE_KEYS])(const struct view *, const struct view_record *) = {
	[TABLE_FUNCTION] = key_function,
	[TABLE_LINE] = key_line,
	[TABLE_PATH] = key_path,
	[TABLE_THREAD] = key_thread,
	[TABLE_STATE] = key_state,
	[TABLE_STATE_LINE] = key_state_line,
	[TABLE_REGION] = key_region,
	[TABLE_REGION_CONTEXT] = key_region_context,
	[TABLE_REGION_THREAD] = key_region_thread,
	[TABLE_CONSTRUCT] = key_construct,
	[TABLE_CONSTRUCT_THREAD] = key_construct_thread,
	[TABLE_THREAD_PATH] = key_thread_path,
};

/* ---- costs ----------------------------------------------------------- */

static void cost_plus(struct cost *a, const struct cost *b)
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

static void cost_add_record(struct cost *block, const struct view_record *r)
{
	const struct cost c = { .samples = r->samples, .weight = r->weight };

	cost_plus(&block[r->event * OMP_CLASSES + r->class], &c);
}

/* ---- tables ---------------------------------------------------------- */

/* Which row each record belongs to; the rows get their keys. */
static int table_rows(const struct view *v, enum table_key by, struct table *t, uint32_t *row)
{
	struct idmap ids = { 0 };
	size_t room = 0;
	int err = 0;

	for (size_t i = 0; i < v->nrecords && err >= 0; i++) {
		const struct key k = keys[by](v, &v->records[i]);
		struct table_row *rows = grow(t->rows, t->n, &room, sizeof(*rows));

		if (rows)
			t->rows = rows;
		err = rows ? idmap_add(&ids, k.a, k.b, (uint32_t)t->n, &row[i]) : -ENOMEM;
		if (err == 1)
			t->rows[t->n++] = (struct table_row){ .key = k.a, .key2 = k.b };
	}
	idmap_fini(&ids);
	return err < 0 ? err : 0;
}

static struct cost *cost_blocks(size_t n, size_t nevents)
{
	size_t cells;

	/* One more, so that an empty table is no failure. */
	if (__builtin_mul_overflow(n + 1, nevents * OMP_CLASSES + 1, &cells))
		return NULL;
	return calloc(cells, sizeof(struct cost));
}

int table_build(const struct view *v, enum table_key by, struct table *t)
{
	uint32_t *row = calloc(v->nrecords + 1, sizeof(*row));
	const size_t block = v->model->nevents * OMP_CLASSES;
	int err;

	*t = (struct table){ .nevents = v->model->nevents };
	err = row ? table_rows(v, by, t, row) : -ENOMEM;
	if (!err) {
		t->self = cost_blocks(t->n, t->nevents);
		t->total = cost_blocks(1, t->nevents);
		err = t->self && t->total ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < t->n && !err; i++)
		t->rows[i].self = &t->self[i * block];
	for (size_t i = 0; i < v->nrecords && !err; i++) {
		cost_add_record(t->rows[row[i]].self, &v->records[i]);
		cost_add_record(t->total, &v->records[i]);
	}
	free(row);
	if (err)
		table_fini(t);
	return err;
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

int tree_costs(const struct view *v, struct cost **self, struct cost **inclusive)
{
	const size_t nevents = v->model->nevents, block = nevents * OMP_CLASSES;
	struct cost *s = cost_blocks(v->tree.n, nevents);
	struct cost *i = cost_blocks(v->tree.n, nevents);

	if (!s || !i) {
		free(s);
		free(i);
		return -ENOMEM;
	}
	for (size_t r = 0; r < v->nrecords; r++) {
		cost_add_record(&s[v->records[r].node * block], &v->records[r]);
		cost_add_record(&i[v->records[r].node * block], &v->records[r]);
	}
	/* Children come after their parents. */
	for (size_t n = v->tree.n; n-- > 1;)
		cost_add(&i[v->tree.nodes[n].parent * block], &i[n * block], nevents);
	*self = s;
	*inclusive = i;
	return 0;
}

struct walk {
	const struct view *v;
	uint32_t *first, *next;	/* children of each node */
	uint32_t *active;	/* how often a function is on the path */
	uint32_t *row;		/* of each function, UINT32_MAX: none */
};

static int walk_init(struct walk *w, const struct view *v)
{
	*w = (struct walk){
		.v = v,
		.first = calloc(v->tree.n, sizeof(*w->first)),
		.next = calloc(v->tree.n, sizeof(*w->next)),
		.active = calloc(v->names.nfunctions, sizeof(*w->active)),
		.row = calloc(v->names.nfunctions, sizeof(*w->row)),
	};
	if (!w->first || !w->next || !w->active || !w->row)
		return -ENOMEM;
	for (size_t n = v->tree.n; n-- > 1;) {
		w->next[n] = w->first[v->tree.nodes[n].parent];
		w->first[v->tree.nodes[n].parent] = (uint32_t)n;
	}
	return 0;
}

static void walk_fini(struct walk *w)
{
	free(w->first);
	free(w->next);
	free(w->active);
	free(w->row);
}

/* Depth first without recursion: a path may be as deep as the file likes. */
static void walk_inclusive(struct walk *w, struct table *t, const struct cost *inclusive)
{
	const struct tree_node *nodes = w->v->tree.nodes;
	const size_t block = t->nevents * OMP_CLASSES;
	uint32_t at = 0;

	for (;;) {
		const uint32_t f = nodes[at].function;

		if (!w->active[f]++ && w->row[f] != UINT32_MAX)
			cost_add(t->rows[w->row[f]].inclusive, &inclusive[at * block],
				 t->nevents);
		if (w->first[at]) {
			at = w->first[at];
			continue;
		}
		while (at && !w->next[at]) {
			w->active[nodes[at].function]--;
			at = nodes[at].parent;
		}
		if (!at)
			return;
		w->active[nodes[at].function]--;
		at = w->next[at];
	}
}

/* Functions that only called others have no records, and get their rows here. */
static int table_callers(const struct view *v, struct table *t, struct walk *w)
{
	const size_t block = t->nevents * OMP_CLASSES;
	size_t n = t->n, room = t->n;
	struct table_row *rows;

	for (size_t f = 0; f < v->names.nfunctions; f++)
		w->row[f] = UINT32_MAX;
	for (size_t i = 0; i < t->n; i++)
		w->row[t->rows[i].key] = (uint32_t)i;
	for (size_t i = 1; i < v->tree.n; i++) {
		const uint32_t f = v->tree.nodes[i].function;

		if (w->row[f] != UINT32_MAX)
			continue;
		rows = grow(t->rows, n, &room, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		t->rows = rows;
		w->row[f] = (uint32_t)n;
		rows[n++] = (struct table_row){ .key = f };
	}
	free(t->self);
	t->n = n;
	t->self = cost_blocks(n, t->nevents);
	t->inclusive = cost_blocks(n, t->nevents);
	if (!t->self || !t->inclusive)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		t->rows[i].self = &t->self[i * block];
		t->rows[i].inclusive = &t->inclusive[i * block];
	}
	for (size_t i = 0; i < v->nrecords; i++)
		cost_add_record(t->rows[w->row[v->tree.nodes[v->records[i].node].function]].self,
				&v->records[i]);
	return 0;
}

int table_add_inclusive(const struct view *v, struct table *t)
{
	struct cost *self = NULL, *inclusive = NULL;
	struct walk w;
	int err = walk_init(&w, v);

	if (!err)
		err = table_callers(v, t, &w);
	if (!err)
		err = tree_costs(v, &self, &inclusive);
	if (!err)
		walk_inclusive(&w, t, inclusive);
	walk_fini(&w);
	free(self);
	free(inclusive);
	return err;
}

/* ---- order ----------------------------------------------------------- */

struct order {
	size_t event;
	bool inclusive;
};

static int order_rows(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	const struct table_row *x = a, *y = b;
	const struct cost p = cost_sum(o->inclusive ? x->inclusive : x->self, o->event);
	const struct cost q = cost_sum(o->inclusive ? y->inclusive : y->self, o->event);

	if (p.weight != q.weight)
		return p.weight < q.weight ? 1 : -1;
	if (p.samples != q.samples)
		return p.samples < q.samples ? 1 : -1;
	if (!o->inclusive && x->inclusive) {
		const struct order by_inclusive = { .event = o->event, .inclusive = true };

		return order_rows(a, b, (void *)(uintptr_t)&by_inclusive);
	}
	/* The costs' place in memory is the order of the first records. */
	return x->self < y->self ? -1 : x->self > y->self;
}

void table_sort(struct table *t, size_t event)
{
	struct order o = { .event = event };

	if (t->n)
		qsort_r(t->rows, t->n, sizeof(*t->rows), order_rows, &o);
}
