/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/blamed.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/tables/tables.h"

const char *blamed_kind_name(enum blame_kind kind)
{
	static const char *const names[BLAME_KINDS] = {
		[BLAME_BARRIER] = "barrier", [BLAME_TASKS] = "tasks", [BLAME_IDLE] = "idle",
		[BLAME_ORDERED] = "ordered", [BLAME_LOCK] = "lock",   [BLAME_CRITICAL] = "critical",
		[BLAME_ATOMIC] = "atomic",   [BLAME_MUTEX] = "mutex",
	};

	return names[kind];
}

/* What a wait's samples are to be compared with; BLAME_KINDS: nothing. */
static enum blame_kind kind_of_leaf(uint8_t leaf)
{
	switch ((enum omp_leaf)leaf) {
	case LEAF_IMPLICIT_BARRIER:
	case LEAF_EXPLICIT_BARRIER:
	case LEAF_BARRIER: return BLAME_BARRIER;
	case LEAF_IDLE: return BLAME_IDLE;
	case LEAF_LOCK: return BLAME_LOCK;
	case LEAF_CRITICAL: return BLAME_CRITICAL;
	case LEAF_ATOMIC: return BLAME_ATOMIC;
	case LEAF_ORDERED:
	case LEAF_DOACROSS: return BLAME_ORDERED;
	case LEAF_TASKWAIT:
	case LEAF_TASKGROUP:
	case LEAF_DEPEND: return BLAME_TASKS;
	default: return BLAME_KINDS;
	}
}

/* BLAMED_UNREPORTED: every runtime reports it. */
static enum blamed_unreported unreported_of_leaf(uint8_t leaf)
{
	switch ((enum omp_leaf)leaf) {
	case LEAF_DEPEND: return UNREPORTED_DEPEND;
	case LEAF_DOACROSS: return UNREPORTED_DOACROSS;
	case LEAF_TARGET: return UNREPORTED_TARGET;
	default: return BLAMED_UNREPORTED;
	}
}

/* Rows and parts while the table is built. */
struct blamed_rows {
	struct blamed *t;
	size_t room;
	struct map by_place; /* rows, by line and region */
};

static void blamed_row_add(struct blamed_rows *r, const struct view *v, const struct view_blame *b)
{
	struct blamed *t = r->t;
	const uint64_t line = table_line_key(v, &b->record);
	uint32_t at;

	t->rows = grow(t->rows, t->n, &r->room, sizeof(*t->rows));
	if (map_add(&r->by_place, line, table_region_key(v, b->record.region), (uint32_t)t->n, &at))
		t->rows[t->n++] = (struct blamed_row){ .line = line, .region = b->record.region };
	t->charged[b->kind] += b->record.weight;
	t->all_charged += b->record.weight;

	struct blamed_row *row = &t->rows[at];
	struct blamed_part *parts = row->parts;
	size_t i = 0;

	/* Names are interned. */
	while (i < row->nparts && (parts[i].kind != b->kind || parts[i].object != b->record.object))
		i++;
	if (i == row->nparts) {
		parts = alloc_array(parts, i + 1, sizeof(*parts));
		row->parts = parts;
		row->nparts++;
		parts[i] = (struct blamed_part){ .kind = b->kind, .object = b->record.object };
	}
	parts[i].weight += b->record.weight;
	row->causes += b->record.weight;
}

static void blamed_add_record(struct blamed_rows *r, const struct view *v,
			      const struct view_record *from)
{
	const enum blame_kind kind = from->class == OMP_WAIT ? kind_of_leaf(from->leaf) :
							       BLAME_KINDS;

	if (kind != BLAME_KINDS) {
		r->t->waited[kind] += from->weight;
		r->t->all_waited += from->weight;
	}
	if (from->class == OMP_WAIT && unreported_of_leaf(from->leaf) != BLAMED_UNREPORTED)
		r->t->unreported[unreported_of_leaf(from->leaf)] += from->weight;
	if (from->class != OMP_WORK)
		return;
	const uint32_t at = map_get(&r->by_place, table_line_key(v, from),
				    table_region_key(v, from->region), UINT32_MAX);

	if (at != UINT32_MAX)
		r->t->rows[at].work += from->weight;
}

/* ---- functions -------------------------------------------------------- */

/* Adds to the functions of the record's path, to each once. Those that cause nothing have no
   entry in where. */
static void add_path(struct blamed_function *all, const uint32_t *where, const struct view *v,
		     const struct view_record *r, bool causes)
{
	const struct tree_node *nodes = v->tree.nodes;

	for (uint32_t n = r->node; n; n = nodes[n].parent) {
		uint32_t inner = r->node;

		while (inner != n && nodes[inner].function != nodes[n].function)
			inner = nodes[inner].parent;
		if (inner != n || where[nodes[n].function] == UINT32_MAX)
			continue;
		struct blamed_function *f = &all[where[nodes[n].function]];

		*(causes ? &f->causes : &f->work) += r->weight;
	}
}

static int more_causes(const void *a, const void *b)
{
	const struct blamed_function *x = a, *y = b;

	return (x->causes < y->causes) - (x->causes > y->causes);
}

static void build_functions(struct blamed *t, const struct view *v, size_t event)
{
	uint32_t *where = alloc_zeroed(v->names.nfunctions + 1, sizeof(*where));

	t->functions = alloc_zeroed(v->names.nfunctions + 1, sizeof(*t->functions));
	memset(where, 0xff, v->names.nfunctions * sizeof(*where));
	for (size_t i = 0; i < v->nblames; i++) {
		const struct view_record *r = &v->blames[i].record;

		if (r->event != event)
			continue;
		/* Gives each function on the record's path an entry. */
		for (uint32_t n = r->node; n; n = v->tree.nodes[n].parent) {
			const uint32_t function = v->tree.nodes[n].function;

			if (where[function] != UINT32_MAX || view_called(v, n))
				continue;
			where[function] = (uint32_t)t->nfunctions;
			t->functions[t->nfunctions++] =
				(struct blamed_function){ .function = function };
		}
		add_path(t->functions, where, v, r, true);
	}
	for (size_t i = 0; i < v->nrecords && t->nfunctions; i++)
		if (v->records[i].event == event && v->records[i].class == OMP_WORK)
			add_path(t->functions, where, v, &v->records[i], false);
	qsort(t->functions, t->nfunctions, sizeof(*t->functions), more_causes);
	free(where);
}

/* ---- the whole -------------------------------------------------------- */

static int by_causes(const void *a, const void *b)
{
	const struct blamed_row *x = a, *y = b;

	return (x->causes < y->causes) - (x->causes > y->causes);
}

static int by_weight(const void *a, const void *b)
{
	const struct blamed_part *x = a, *y = b;

	return (x->weight < y->weight) - (x->weight > y->weight);
}

void blamed_build(const struct view *v, size_t event, struct blamed *t)
{
	struct blamed_rows rows = { .t = t };

	*t = (struct blamed){
		.asked = model_was_set(v->model, "OMPHWC_BLAME"),
		.waits_known = event < v->model->nevents && !v->filtered &&
			       v->model->events[event].flags & PROF_EVENT_WALL,
		.filtered = v->filtered,
	};
	for (size_t i = 0; i < v->nblames; i++)
		if (v->blames[i].record.event == event)
			blamed_row_add(&rows, v, &v->blames[i]);
	for (size_t i = 0; i < v->nrecords; i++)
		if (v->records[i].event == event)
			blamed_add_record(&rows, v, &v->records[i]);
	for (size_t i = 0; i < t->n; i++)
		qsort(t->rows[i].parts, t->rows[i].nparts, sizeof(*t->rows[i].parts), by_weight);
	if (t->n)
		qsort(t->rows, t->n, sizeof(*t->rows), by_causes);
	map_free(&rows.by_place);
	build_functions(t, v, event);
}

void blamed_fini(struct blamed *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->rows[i].parts);
	free(t->rows);
	free(t->functions);
	*t = (struct blamed){ 0 };
}
