/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - joins the items of two sides, and compares their costs. */
#include "config.h"

#include "src/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/diff/align.h"

/* ---- costs ----------------------------------------------------------- */

/* values has room for two numbers of each run. */
static struct diff_value diff_value_of(const struct side *s, const struct side_item *item,
				       double *values)
{
	struct diff_value v = { .item = item };

	for (size_t run = 0; run < s->nruns; run++) {
		const size_t number = item ? (size_t)(item - s->items) : 0;
		const struct cost *block = side_cost(s, number, run);
		const struct cost sum = item ? cost_sum(block, 0) : (struct cost){ 0 };

		values[run] = (double)sum.weight;
		values[s->nruns + run] = side_sampling(s, run, &sum);
		v.samples += sum.samples;
		for (unsigned c = 0; c < OMP_CLASSES && item; c++)
			v.class[c] += (double)block[c].weight / (double)s->nruns;
	}
	v.all = noise_mean(values, values + s->nruns, s->nruns);
	return v;
}

static void row_finish(const struct diff *d, struct diff_row *row)
{
	struct noise_mean ideal = row->side[BEFORE].all, after = row->side[AFTER].all;

	ideal.mean *= d->ideal;
	ideal.deviation *= d->ideal;
	ideal.variance *= d->ideal * d->ideal;
	ideal.sampling *= d->ideal * d->ideal;
	noise_raise(&ideal, d->common);
	noise_raise(&after, d->common);
	noise_share(&ideal, d->side[BEFORE]->nruns, &after, d->side[AFTER]->nruns);
	row->change = row->side[AFTER].all.mean - row->side[BEFORE].all.mean;
	row->loss = after.mean - ideal.mean;
	row->noise = noise_bound(&ideal, &after);
}

bool diff_within_noise(const struct diff_row *row)
{
	return fabs(row->loss) <= row->noise;
}

const struct side_item *diff_item(const struct diff_row *row)
{
	return row->side[AFTER].item ? row->side[AFTER].item : row->side[BEFORE].item;
}

/* ---- functions in files of another name ------------------------------ */

/* For functions that have another file on each side: the file after, by function; the address
   of several if there is more than one. */
struct renamed {
	struct map have[SIDES]; /* functions with their files */
	struct map only[SIDES]; /* by function: the file that only this side has */
};

static const char several[] = "";

static void renamed_have(struct renamed *r, const struct side *s, int side)
{
	for (size_t i = 0; i < s->nitems; i++)
		if (*s->items[i].function)
			map_set_pointer(&r->have[side], (uintptr_t)s->items[i].function,
					(uintptr_t)s->items[i].file, s->items[i].file);
}

static void renamed_find(struct renamed *r, const struct diff *d)
{
	*r = (struct renamed){ 0 };
	for (int side = 0; side < SIDES; side++)
		renamed_have(r, d->side[side], side);
	for (int side = 0; side < SIDES; side++) {
		const struct map *have = &r->have[side];

		for (size_t i = 0; i < have->count; i++) {
			const struct map_entry *e = &have->entries[i];

			if (map_pointer(&r->have[!side], e->a, e->b))
				continue;
			map_set_pointer(&r->only[side], e->a, 0,
					map_pointer(&r->only[side], e->a, 0) ? several :
									       e->pointer);
		}
	}
}

/* The file that the function of an item before has after. */
static const char *renamed_file(const struct renamed *r, const struct side_item *item)
{
	const uint64_t function = (uintptr_t)item->function;
	const char *before = map_pointer(&r->only[BEFORE], function, 0);
	const char *after = map_pointer(&r->only[AFTER], function, 0);

	return before == item->file && after && after != several ? after : item->file;
}

/* ---- joining --------------------------------------------------------- */

/* An item and what it is matched by. */
struct diff_member {
	const struct side_item *item;
	const char *file;
};

struct join {
	struct diff *diff;
	struct diff_table *table;
	size_t room;
	double *values; /* room for value_of() */
	struct renamed renamed;
	struct diff_member *members[SIDES];
	size_t n[SIDES];
};

static int diff_compare(uintptr_t a, uintptr_t b)
{
	return a < b ? -1 : a > b;
}

/* Orders groups, within which places are aligned. */
static int compare_groups(const struct diff_member *a, const struct diff_member *b)
{
	const struct side_item *x = a->item, *y = b->item;
	int c = diff_compare((uintptr_t)x->function, (uintptr_t)y->function);

	if (!c)
		c = diff_compare((uintptr_t)a->file, (uintptr_t)b->file);
	if (!c)
		c = diff_compare((uintptr_t)x->kind, (uintptr_t)y->kind);
	if (!c)
		c = diff_compare((uintptr_t)x->inside, (uintptr_t)y->inside);
	return c ? c : x->ordinal - y->ordinal;
}

static int compare_members(const void *a, const void *b)
{
	const struct diff_member *x = a, *y = b;
	int c = compare_groups(x, y);

	return c ? c : (x->item->place > y->item->place) - (x->item->place < y->item->place);
}

static void diff_join_members(struct join *j, enum diff_by by, int side)
{
	const struct side *s = j->diff->side[side];
	struct diff_member *all = alloc_zeroed(s->nitems + 1, sizeof(*all));

	free(j->members[side]);
	j->members[side] = all;
	j->n[side] = 0;
	for (size_t i = 0; i < s->nitems; i++) {
		const struct side_item *item = &s->items[i];

		if (item->by == by)
			all[j->n[side]++] = (struct diff_member){
				.item = item,
				.file = side == BEFORE ? renamed_file(&j->renamed, item) :
							 item->file,
			};
	}
	qsort(all, j->n[side], sizeof(*all), compare_members);
}

static void join_row(struct join *j, const struct side_item *before, const struct side_item *after)
{
	struct diff_table *t = j->table;
	struct diff_row *row;

	t->rows = grow(t->rows, t->n, &j->room, sizeof(*t->rows));
	row = &t->rows[t->n++];
	row->side[BEFORE] = diff_value_of(j->diff->side[BEFORE], before, j->values);
	row->side[AFTER] = diff_value_of(j->diff->side[AFTER], after, j->values);
}

/* Lines from where the function begins, if both sides show it; or places by their order. */
static void join_places(const struct diff_member *m, size_t n, unsigned begin, int64_t *places)
{
	for (size_t i = 0; i < n; i++)
		places[i] = m[i].item->ordinal ? (int64_t)i : m[i].item->place - begin;
}

/* Joins a group: nb items before, na items after, of one function and kind. */
static void join_group(struct join *j, const struct diff_member *b, size_t nb,
		       const struct diff_member *a, size_t na)
{
	const bool begins = nb && na && b->item->function_at && a->item->function_at;
	int64_t *places = alloc_zeroed(nb + na + 1, sizeof(*places));
	uint32_t *match = alloc_zeroed(nb + 1, sizeof(*match));
	bool *taken = alloc_zeroed(na + 1, sizeof(*taken));

	join_places(b, nb, begins ? b->item->function_at : 0, places);
	join_places(a, na, begins ? a->item->function_at : 0, places + nb);
	align(places, nb, places + nb, na, match);
	for (size_t i = 0; i < nb; i++) {
		const bool both = match[i] != (uint32_t)ALIGN_NONE;

		if (both)
			taken[match[i]] = true;
		join_row(j, b[i].item, both ? a[match[i]].item : NULL);
	}
	for (size_t i = 0; i < na; i++)
		if (!taken[i])
			join_row(j, NULL, a[i].item);
	free(places);
	free(match);
	free(taken);
}

static size_t group_end(const struct diff_member *m, size_t from, size_t n)
{
	size_t end = from;

	while (end < n && !compare_groups(&m[from], &m[end]))
		end++;
	return end;
}

static void join_groups(struct join *j)
{
	const struct diff_member *b = j->members[BEFORE], *a = j->members[AFTER];
	size_t i = 0, k = 0;

	while (i < j->n[BEFORE] || k < j->n[AFTER]) {
		const int c = i == j->n[BEFORE] ? 1 :
			      k == j->n[AFTER]	? -1 :
						  compare_groups(&b[i], &a[k]);
		const size_t end_b = c <= 0 ? group_end(b, i, j->n[BEFORE]) : i;
		const size_t end_a = c >= 0 ? group_end(a, k, j->n[AFTER]) : k;

		join_group(j, b + i, end_b - i, a + k, end_a - k);
		i = end_b;
		k = end_a;
	}
}

/* Changes that may be chance come last; equal ones are ordered by names, so that the order is
   always the same. */
static int diff_compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	const struct side_item *p = diff_item(x), *q = diff_item(y);
	const double d = fabs(x->loss) - fabs(y->loss);
	int c = diff_within_noise(x) - diff_within_noise(y);

	if (!c)
		c = d < 0 ? 1 : d > 0 ? -1 : strcmp(p->name, q->name);
	if (!c)
		c = strcmp(p->title, q->title);
	return c ? c : (p->place > q->place) - (p->place < q->place);
}

static void join_by(struct join *j, enum diff_by by)
{
	diff_join_members(j, by, BEFORE);
	diff_join_members(j, by, AFTER);
	j->table = &j->diff->by[by];
	j->room = 0;
	join_groups(j);
}

/* ---- the whole ------------------------------------------------------- */

/* A row with fewer samples a run differs by whole samples. */
enum { SAMPLES_LEAST = 20 };

/* By function: each sample is in one row. */
static void diff_common(struct diff *d)
{
	const struct diff_table *t = &d->by[DIFF_FUNCTION];
	double *excesses = alloc_zeroed(SIDES * t->n + 1, sizeof(*excesses));
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		for (int side = 0; side < SIDES; side++) {
			const struct diff_value *v = &t->rows[i].side[side];
			const size_t runs = d->side[side]->nruns;

			if (runs > 1 && v->samples >= SAMPLES_LEAST * runs)
				excesses[n++] = noise_excess(&v->all, runs);
		}
	d->common = noise_common(excesses, n);
	free(excesses);
}

/* The elapsed time's only error is what the runs show. */
static void diff_elapsed(struct diff *d, double *values)
{
	bool known = true;

	for (int side = 0; side < SIDES; side++) {
		const struct side *s = d->side[side];

		for (size_t run = 0; run < s->nruns; run++) {
			values[run] = (double)s->runs[run].elapsed_ns;
			values[s->nruns + run] = 0;
			known = known && s->runs[run].elapsed_ns;
		}
		d->elapsed.side[side].all = noise_mean(values, values + s->nruns, s->nruns);
	}
	row_finish(d, &d->elapsed);
	d->elapsed.loss = d->elapsed.change;
	if (!known || d->scaled || (d->side[BEFORE]->nruns < 2 && d->side[AFTER]->nruns < 2))
		d->elapsed.noise = NAN;
	for (int side = 0; side < SIDES && !known; side++)
		d->elapsed.side[side].all.mean = 0;
}

void diff_build(struct diff *d, const struct side *before, const struct side *after,
		enum diff_scaling scaling)
{
	const size_t most = before->nruns > after->nruns ? before->nruns : after->nruns;
	struct join j = { .diff = d };

	*d = (struct diff){
		.side = { before, after },
		.threads = { side_threads(before), side_threads(after) },
		.scaling = scaling,
		.ideal = 1,
		.classes = before->classes | after->classes,
	};
	d->scaled = d->threads[BEFORE] && d->threads[AFTER] &&
		    d->threads[BEFORE] != d->threads[AFTER];
	if (d->scaled && scaling == DIFF_WEAK)
		d->ideal = (double)d->threads[AFTER] / d->threads[BEFORE];
	j.values = alloc_zeroed(2 * most + 1, sizeof(*j.values));
	renamed_find(&j.renamed, d);
	for (int by = 0; by < DIFF_BYS; by++)
		join_by(&j, (enum diff_by)by);
	diff_common(d);
	for (int by = 0; by < DIFF_BYS; by++) {
		struct diff_table *t = &d->by[by];

		for (size_t i = 0; i < t->n; i++)
			row_finish(d, &t->rows[i]);
		if (t->n)
			qsort(t->rows, t->n, sizeof(*t->rows), diff_compare_rows);
	}
	diff_elapsed(d, j.values);
	for (int side = 0; side < SIDES; side++) {
		map_free(&j.renamed.have[side]);
		map_free(&j.renamed.only[side]);
	}
	for (int side = 0; side < SIDES; side++)
		free(j.members[side]);
	free(j.values);
}

void diff_fini(struct diff *d)
{
	for (int by = 0; by < DIFF_BYS; by++)
		free(d->by[by].rows);
	*d = (struct diff){ 0 };
}

struct diff_judged diff_judge(const struct diff *d)
{
	const bool elapsed = d->elapsed.side[BEFORE].all.mean > 0 &&
			     d->elapsed.side[AFTER].all.mean > 0;
	const struct diff_row *row = elapsed ? &d->elapsed : &d->by[DIFF_RUN].rows[0];
	const double before = row->side[BEFORE].all.mean;

	return (struct diff_judged){
		.row = row,
		.elapsed = elapsed,
		.percent = before > 0 ? 100 * row->change / before : NAN,
	};
}

bool diff_is_above(const struct diff *d, double percent)
{
	const struct diff_judged j = diff_judge(d);
	const bool by_chance = !isnan(j.row->noise) && diff_within_noise(j.row);

	return !by_chance && j.percent > percent;
}
