/* regions.c - the rows of regions, with their threads and calling contexts. */
#include "config.h"

#include "src/tables/regions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/base/grow.h"
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

/* Adds regions that were entered but have no sample. */
static int regions_unsampled(const struct view *v, struct regions *r, struct map *rows)
{
	size_t room = r->n;
	struct region *all;
	uint32_t row;
	int added;

	for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
		if (!v->regions[i].entries && !v->regions[i].team_most)
			continue;
		added = map_add(rows, table_region_key(v, i), 0, (uint32_t)r->n, &row);
		if (added < 0)
			return added;
		if (!added)
			continue;
		all = grow(r->all, r->n, &room, sizeof(*all));
		if (!all)
			return -ENOMEM;
		r->all = all;
		r->all[r->n++] = (struct region){
			.special = REGION_SPECIALS,
			.line = v->regions[i].line,
			.elapsed_known = true,
		};
	}
	return 0;
}

static void region_add_context(struct region *r, const struct view_region *c)
{
	r->entries = prof_add(r->entries, c->entries);
	r->elapsed_ns = prof_add(r->elapsed_ns, c->elapsed_ns);
	r->elapsed_known = r->elapsed_known && c->elapsed_known;
	if (c->team_least && (!r->team_least || c->team_least < r->team_least))
		r->team_least = c->team_least;
	if (c->team_most > r->team_most)
		r->team_most = c->team_most;
	r->team_sum = prof_add(r->team_sum, c->team_sum);
}

/* Groups contexts by region with a counting sort. */
static int regions_contexts(const struct view *v, struct regions *r, const struct map *rows)
{
	uint32_t *place;

	r->context_rows = place = calloc(v->nregions + 1, sizeof(*place));
	if (!place)
		return -ENOMEM;
	for (uint32_t i = 0; i < v->nregions; i++) {
		uint32_t row = map_get(rows, table_region_key(v, i), 0, UINT32_MAX);

		if (row != UINT32_MAX)
			r->all[row].ncontexts++;
	}
	for (size_t i = 0; i < r->n; i++) {
		r->all[i].contexts = place;
		place += r->all[i].ncontexts;
		r->all[i].ncontexts = 0;
	}
	for (uint32_t i = 0; i < v->nregions; i++) {
		uint32_t row = map_get(rows, table_region_key(v, i), 0, UINT32_MAX);

		if (row == UINT32_MAX)
			continue;
		r->all[row].contexts[r->all[row].ncontexts++] = i;
		region_add_context(&r->all[row], &v->regions[i]);
	}
	return 0;
}

static int regions_fill(const struct view *v, struct regions *r, struct map *rows)
{
	uint32_t row;
	int err = 0;

	r->n = r->table.n;
	r->all = calloc(r->n + 1, sizeof(*r->all));
	if (!r->all)
		return -ENOMEM;
	for (uint32_t i = 0; i < r->n && err >= 0; i++) {
		const struct table_row *t = &r->table.rows[i];
		const bool special = t->key < REGION_SPECIALS;

		r->all[i] = (struct region){
			.special = special ? (uint32_t)t->key : REGION_SPECIALS,
			.line = special ? 0 : (uint32_t)t->key,
			.self = t->self,
			.elapsed_known = true,
		};
		err = map_add(rows, t->key, 0, i, &row);
	}
	if (err >= 0)
		err = regions_unsampled(v, r, rows);
	/* Regions without samples share one block of zeros: the last, unused one. */
	for (size_t i = r->table.n; i < r->n && err >= 0; i++)
		r->all[i].self = &r->table.self[r->table.n * r->table.nevents * OMP_CLASSES];
	if (err >= 0)
		err = regions_contexts(v, r, rows);
	if (err >= 0)
		err = spread_build(&r->spread, &r->threads, rows, r->n);
	for (size_t i = 0; i < r->n && err >= 0; i++) {
		r->all[i].threads = &r->spread.all[r->spread.first[i]];
		r->all[i].nthreads = r->spread.first[i + 1] - r->spread.first[i];
	}
	return err < 0 ? err : 0;
}

int regions_build(const struct view *v, size_t event, struct regions *r)
{
	struct map rows = { 0 };
	int err;

	*r = (struct regions){ 0 };
	err = table_build(v, TABLE_REGION, &r->table);
	if (!err)
		err = table_build(v, TABLE_REGION_THREAD, &r->threads);
	if (!err) {
		table_sort(&r->table, event);
		err = regions_fill(v, r, &rows);
	}
	map_free(&rows);
	if (err)
		regions_fini(r);
	return err;
}

void regions_fini(struct regions *r)
{
	table_fini(&r->table);
	table_fini(&r->threads);
	free(r->all);
	spread_fini(&r->spread);
	free(r->context_rows);
	*r = (struct regions){ 0 };
}

double region_imbalance(const struct region *r, size_t event, uint32_t *slowest)
{
	return spread_imbalance(r->threads, r->nthreads, r->team_most, event, slowest);
}

/* ---- one region from near -------------------------------------------- */

struct region_filter {
	uint64_t key;
	uint32_t thread;
};

static uint64_t region_key(const struct region *r)
{
	return r->special != REGION_SPECIALS ? r->special :
					       (uint64_t)REGION_SPECIALS << 32 | r->line;
}

static bool region_line_key(const struct view *v, const struct view_record *r, void *arg,
			    struct table_key_pair *key)
{
	const struct region_filter *f = arg;

	key->a = table_line_key(v, r);
	return r->thread == f->thread && r->class == OMP_WORK &&
	       table_region_key(v, r->region) == f->key;
}

static bool region_context_key(const struct view *v, const struct view_record *r, void *arg,
			       struct table_key_pair *key)
{
	const struct region_filter *f = arg;

	key->a = r->region;
	return table_region_key(v, r->region) == f->key;
}

int region_lines(const struct view *v, const struct region *r, uint32_t thread, size_t event,
		 struct table *t)
{
	struct region_filter f = { .key = region_key(r), .thread = thread };
	int err = table_build_of(v, region_line_key, &f, t);

	if (!err)
		table_sort(t, event);
	return err;
}

static bool region_team_key(const struct view *v, const struct view_record *r, void *arg,
			    struct table_key_pair *key)
{
	const struct region_filter *f = arg;

	key->a = r->team;
	return table_region_key(v, r->region) == f->key;
}

int region_teams(const struct view *v, const struct region *r, struct table *t)
{
	struct region_filter f = { .key = region_key(r) };
	int err = table_build_of(v, region_team_key, &f, t);

	/* Few rows: a selection sort. */
	for (size_t i = 0; !err && i < t->n; i++)
		for (size_t k = i + 1; k < t->n; k++)
			if (t->rows[k].key > t->rows[i].key) {
				const struct table_row row = t->rows[i];

				t->rows[i] = t->rows[k];
				t->rows[k] = row;
			}
	return err;
}

int region_contexts(const struct view *v, const struct region *r, size_t event, struct table *t)
{
	struct region_filter f = { .key = region_key(r) };
	int err = table_build_of(v, region_context_key, &f, t);

	if (!err)
		table_sort(t, event);
	return err;
}

/* Uses that parents have lower numbers than their children. */
int region_hot_node(const struct view *v, const struct region *r, uint32_t thread, size_t event,
		    uint32_t *node, uint64_t *weight)
{
	const uint64_t key = region_key(r);
	uint64_t *beneath = calloc(v->tree.n + 1, sizeof(*beneath)), all;

	*node = 0;
	*weight = 0;
	if (!beneath)
		return -ENOMEM;
	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_record *one = &v->records[i];

		if (one->thread == thread && one->event == event && one->class == OMP_WORK &&
		    table_region_key(v, one->region) == key)
			beneath[one->node] = prof_add(beneath[one->node], one->weight);
	}
	for (size_t i = v->tree.n; i-- > 1;) {
		const uint32_t parent = v->tree.nodes[i].parent;

		beneath[parent] = prof_add(beneath[parent], beneath[i]);
	}
	/* The nodes with at least half of it form a path; the last one is the innermost. */
	all = beneath[0];
	for (uint32_t i = 1; i < v->tree.n; i++)
		if (all && beneath[i] >= all - beneath[i] && v->tree.nodes[i].parent == *node) {
			*node = i;
			*weight = beneath[i];
		}
	free(beneath);
	return 0;
}

uint64_t region_others_wait(const struct region *r, uint32_t thread, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->nthreads; i++)
		if (r->threads[i].thread != thread)
			sum = prof_add(sum, cost_at(r->threads[i].self, event, OMP_WAIT)->weight);
	return sum;
}
