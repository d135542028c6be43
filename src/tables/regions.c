/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - the rows of regions, with their threads and calling contexts. */
#include "config.h"

#include "src/tables/regions.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

const char *region_special_name(uint32_t special)
{
	switch (special) {
	case REGION_SERIAL: return "(serial)";
	case REGION_IDLE: return "(idle)";
	case REGION_UNKNOWN: return "(region not known)";
	case REGION_OUTSIDE: return "(outside OpenMP)";
	}
	return "(region)";
}

const char *region_kind(uint32_t special)
{
	static const char *const kinds[] = {
		[REGION_SERIAL] = "serial",   [REGION_IDLE] = "idle",
		[REGION_UNKNOWN] = "unknown", [REGION_OUTSIDE] = "outside",
		[REGION_SPECIALS] = "region",
	};

	return kinds[special];
}

/* Adds regions that were entered but have no sample; outside: and those outside of regions. */
static void regions_unsampled(const struct view *v, bool outside, struct regions *r,
			      struct map *rows)
{
	size_t room = r->n;
	uint32_t row;

	for (uint32_t i = 0; i < v->nregions; i++) {
		const bool special = i < REGION_SPECIALS;

		if (special ? !outside || i > REGION_IDLE :
			      !v->regions[i].counts.entries && !v->regions[i].counts.team_most)
			continue;
		if (!map_add(rows, table_region_key(v, i), 0, (uint32_t)r->n, &row))
			continue;
		r->all = grow(r->all, r->n, &room, sizeof(*r->all));
		r->all[r->n++] = (struct region_row){
			.special = special ? i : REGION_SPECIALS,
			.line = v->regions[i].line,
		};
	}
}

/* Numbers of records by row, in *numbers; each has a region, which therefore has a row.
   list_of: a row's list. */
static void regions_number(struct regions *r, const uint32_t *row, const struct view_record *all,
			   size_t n, uint32_t **numbers,
			   struct table_records *(*list_of)(struct region_row *r))
{
	uint32_t **place = alloc_zeroed(r->n + 1, sizeof(*place)), *next;

	*numbers = next = alloc_zeroed(n + 1, sizeof(*next));
	for (size_t i = 0; i < n; i++)
		list_of(&r->all[row[all[i].region]])->n++;
	for (size_t i = 0; i < r->n; i++) {
		struct table_records *list = list_of(&r->all[i]);

		list->all = all;
		list->number = place[i] = next;
		next += list->n;
	}
	for (uint32_t i = 0; i < n; i++)
		*place[row[all[i].region]]++ = i;
	free(place);
}

static struct table_records *list_of_records(struct region_row *r)
{
	return &r->records;
}

static struct table_records *list_of_parts(struct region_row *r)
{
	return &r->parts;
}

static void regions_group(const struct view *v, struct regions *r, const struct map *rows)
{
	/* Each context's region: its row. */
	uint32_t *row = alloc_zeroed(v->nregions + 1, sizeof(*row));
	uint32_t *place;

	for (uint32_t i = 0; i < v->nregions; i++)
		row[i] = map_get(rows, table_region_key(v, i), 0, UINT32_MAX);

	/* Groups contexts by region with a counting sort. */
	r->contexts = place = alloc_zeroed(v->nregions + 1, sizeof(*place));
	for (uint32_t i = 0; i < v->nregions; i++)
		if (row[i] != UINT32_MAX)
			r->all[row[i]].ncontexts++;
	for (size_t i = 0; i < r->n; i++) {
		r->all[i].contexts = place;
		place += r->all[i].ncontexts;
		r->all[i].ncontexts = 0;
	}
	for (uint32_t i = 0; i < v->nregions; i++) {
		struct region_row *one = row[i] != UINT32_MAX ? &r->all[row[i]] : NULL;

		if (!one)
			continue;
		one->contexts[one->ncontexts++] = i;

		const struct view_region *c = &v->regions[i];

		region_counts_add(&one->counts, &c->counts);
		one->counts.sampled = one->counts.sampled || c->begun;
		one->partial = one->partial || c->begun;
		if (one->partial)
			region_counts_forget(&one->counts, true, false);
	}
	regions_number(r, row, v->records, v->nrecords, &r->records, list_of_records);
	if (v->summed)
		regions_number(r, row, v->parts, v->nparts, &r->parts, list_of_parts);
	for (size_t i = 0; i < r->n && !v->summed; i++)
		r->all[i].parts = r->all[i].records;
	free(row);
}

void regions_build(const struct view *v, size_t event, bool outside, struct regions *r)
{
	struct map rows = { 0 };
	uint32_t row;

	*r = (struct regions){ 0 };
	table_build(v, TABLE_REGION, &r->table);
	table_build(v, TABLE_REGION_THREAD, &r->threads);
	table_sort(&r->table, event);
	r->n = r->table.n;
	r->all = alloc_zeroed(r->n + 1, sizeof(*r->all));
	for (uint32_t i = 0; i < r->n; i++) {
		const struct table_row *t = &r->table.rows[i];
		const bool special = t->key < REGION_SPECIALS;

		r->all[i] = (struct region_row){
			.special = special ? (uint32_t)t->key : REGION_SPECIALS,
			.line = special ? 0 : (uint32_t)t->key,
			.self = t->self,
		};
		map_add(&rows, t->key, 0, i, &row);
	}
	regions_unsampled(v, outside, r, &rows);
	/* Regions without samples share one block of zeros: the last, unused one. */
	for (size_t i = r->table.n; i < r->n; i++)
		r->all[i].self = &r->table.self[r->table.n * r->table.nevents * OMP_CLASSES];
	regions_group(v, r, &rows);
	spread_build(&r->spread, &r->threads, &rows, r->n);
	for (size_t i = 0; i < r->n; i++) {
		r->all[i].threads = &r->spread.all[r->spread.first[i]];
		r->all[i].nthreads = r->spread.first[i + 1] - r->spread.first[i];
	}
	map_free(&rows);
}

void regions_fini(struct regions *r)
{
	table_fini(&r->table);
	table_fini(&r->threads);
	free(r->all);
	spread_fini(&r->spread);
	free(r->contexts);
	free(r->records);
	free(r->parts);
	*r = (struct regions){ 0 };
}

size_t region_threads(const struct view *v, const struct region_row *r)
{
	const struct model *m = v->model;
	uint32_t process = UINT32_MAX;
	uint64_t at_once = 0;

	/* Threads of a process are neighbours. */
	for (size_t i = 0; i < r->nthreads; i++) {
		const uint32_t of = m->threads[r->threads[i].thread].process;

		if (of != process)
			at_once = prof_add(at_once, m->processes[of].openmp_threads);
		process = of;
	}
	if (r->special != REGION_SPECIALS || r->nthreads < at_once)
		at_once = r->nthreads;
	return at_once > r->counts.team_most ? (size_t)at_once : r->counts.team_most;
}

double region_imbalance(const struct region_row *r, size_t event, uint32_t *slowest)
{
	return spread_imbalance(r->threads, r->nthreads, r->counts.team_most, event, slowest);
}

/* ---- one region from near -------------------------------------------- */

bool region_has(const struct view *v, const struct region_row *r, const struct view_record *record)
{
	const uint64_t key = r->special < REGION_SPECIALS ?
				     r->special :
				     (uint64_t)REGION_SPECIALS << 32 | r->line;

	return table_region_key(v, record->region) == key;
}

void region_of_thread(const struct view *v, const struct region_row *r, uint32_t thread,
		      struct table_records *of, struct view_records *own)
{
	*own = (struct view_records){ 0 };
	*of = r->records;
	if (v->summed) {
		view_of_thread(v, thread, own);
		*of = (struct table_records){ .all = own->all, .n = own->n };
	}
}

/* A thread in a region. */
struct region_thread {
	const struct region_row *region;
	uint32_t thread;
};

static bool region_line_key(const struct view *v, const struct view_record *r, void *arg,
			    struct table_key_pair *key)
{
	const struct region_thread *of = arg;

	key->a = table_line_key(v, r);
	return r->thread == of->thread && r->class == OMP_WORK && region_has(v, of->region, r);
}

static bool region_context_key(const struct view *v, const struct view_record *r, void *arg,
			       struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = r->region;
	return true;
}

static bool region_team_key(const struct view *v, const struct view_record *r, void *arg,
			    struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = r->team;
	return true;
}

void region_lines(const struct view *v, const struct region_row *r, uint32_t thread, size_t event,
		  struct table *t)
{
	struct region_thread arg = { r, thread };
	struct table_records of;
	struct view_records own;

	region_of_thread(v, r, thread, &of, &own);
	table_build_among(v, &of, region_line_key, &arg, t);
	free(own.all);
	table_sort(t, event);
}

static int region_more_threads(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	return x->key > y->key ? -1 : x->key < y->key;
}

void region_teams(const struct view *v, const struct region_row *r, struct table *t)
{
	table_build_among(v, &r->records, region_team_key, NULL, t);
	if (t->n)
		qsort(t->rows, t->n, sizeof(*t->rows), region_more_threads);
}

void region_contexts(const struct view *v, const struct region_row *r, size_t event,
		     struct table *t)
{
	table_build_among(v, &r->records, region_context_key, NULL, t);
	table_sort(t, event);
}

/* ---- where a thread worked -------------------------------------------- */

/* The nodes of the thread's paths in a region, ascending, and the work at or beneath each. */
struct region_paths {
	const struct region_row *region;
	struct table_records of;
	uint32_t thread;
	size_t event;
	uint32_t *nodes;
	uint64_t *beneath;
	size_t n, room;
};

/* Record i of those of the thread, if it is its work in the region; else NULL. */
static const struct view_record *paths_work(const struct region_paths *p, const struct view *v,
					    size_t i)
{
	const struct view_record *r = &p->of.all[p->of.number ? p->of.number[i] : i];

	return r->thread == p->thread && r->event == p->event && r->class == OMP_WORK &&
			       region_has(v, p->region, r) ?
		       r :
		       NULL;
}

/* Adds the nodes from node to the root that are new. */
static void paths_add(struct region_paths *p, const struct view *v, uint32_t node,
		      struct map *known)
{
	uint32_t id;

	while (map_add(known, node, 0, (uint32_t)p->n, &id)) {
		p->nodes = grow(p->nodes, p->n, &p->room, sizeof(*p->nodes));
		p->nodes[p->n++] = node;
		if (node == 0)
			return;
		node = v->tree.nodes[node].parent;
	}
}

static int regions_paths_order(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t *paths_beneath(const struct region_paths *p, uint32_t node)
{
	const uint32_t *at = bsearch(&node, p->nodes, p->n, sizeof(node), regions_paths_order);

	return &p->beneath[at - p->nodes];
}

/* Zeroed if the thread has no work in the region.  the caller frees both arrays
   in any case. */
static void paths_of(struct region_paths *p, const struct view *v)
{
	struct map known = { 0 };

	for (size_t i = 0; i < p->of.n; i++) {
		const struct view_record *one = paths_work(p, v, i);

		if (one)
			paths_add(p, v, one->node, &known);
	}
	map_free(&known);
	if (!p->n)
		return;
	p->beneath = alloc_zeroed(p->n, sizeof(*p->beneath));
	qsort(p->nodes, p->n, sizeof(*p->nodes), regions_paths_order);
	for (size_t i = 0; i < p->of.n; i++) {
		const struct view_record *one = paths_work(p, v, i);
		uint64_t *at = one ? paths_beneath(p, one->node) : NULL;

		if (at)
			*at = prof_add(*at, one->weight);
	}
	/* Parents have lower numbers than their children. */
	for (size_t i = p->n; i-- > 1;) {
		uint64_t *at = paths_beneath(p, v->tree.nodes[p->nodes[i]].parent);

		*at = prof_add(*at, p->beneath[i]);
	}
}

void region_hot_node(const struct view *v, const struct region_row *r, uint32_t thread,
		     size_t event, uint32_t *node, uint64_t *weight)
{
	struct region_paths p = { .region = r, .thread = thread, .event = event };
	struct view_records own;

	region_of_thread(v, r, thread, &p.of, &own);
	paths_of(&p, v);
	free(own.all);

	const uint64_t all = p.n ? p.beneath[0] : 0;

	*node = 0;
	*weight = 0;
	/* The nodes with at least half of it form a path; the last one is the innermost. */
	for (size_t i = 1; all && i < p.n; i++)
		if (p.beneath[i] >= all - p.beneath[i] &&
		    v->tree.nodes[p.nodes[i]].parent == *node) {
			*node = p.nodes[i];
			*weight = p.beneath[i];
		}
	free(p.nodes);
	free(p.beneath);
}

uint64_t region_others_wait(const struct region_row *r, uint32_t thread, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->nthreads; i++)
		if (r->threads[i].thread != thread)
			sum = prof_add(sum, cost_at(r->threads[i].self, event, OMP_WAIT)->weight);
	return sum;
}

char *region_label(const struct view *v, uint32_t special, uint32_t line)
{
	const struct line *l = &v->names.lines[line];
	const char *function = v->names.functions[l->function].name;
	const char *file = l->file ? path_base(l->file) : "?";

	if (special != REGION_SPECIALS)
		return alloc_text(region_special_name(special));
	if (l->line)
		return alloc_printf("%s:%u (%s)%s%s", function, l->line, file, l->place ? ", " : "",
				    l->place ? l->place : "");
	if (l->place)
		return alloc_printf("%s (%s)", function, l->place);
	return alloc_text(function ? function : "(unknown)");
}

char *region_label_of(const struct view *v, uint32_t region)
{
	return region_label(v, region < REGION_SPECIALS ? region : REGION_SPECIALS,
			    v->regions[region].line);
}
