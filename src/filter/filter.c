/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - one pass over the records for each option; what all leave is kept. */
#include "config.h"

#include "src/filter/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/filter/select.h"
#include "src/model/model.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

static const struct {
	const char *name;
	filter_select_by *select;
	bool user_view; /* the places in the user view decide */
} filters[FILTER_OPTIONS] = {
	[FILTER_FOCUS] = { "--focus", select_focus, true },
	[FILTER_IGNORE] = { "--ignore", select_ignore, true },
	[FILTER_REGION] = { "--region", select_region, true },
	[FILTER_THREAD] = { "--thread", select_thread, false },
	[FILTER_RANK] = { "--rank", select_rank, false },
	[FILTER_MODULE] = { "--module", select_module, true },
	[FILTER_PHASE] = { "--phase", select_phase, false },
	[FILTER_FROM] = { "--from", NULL, false },
	[FILTER_TO] = { "--to", NULL, false },
	[FILTER_HIDE] = { "--hide-modules", NULL, false },
};

const char *filter_option_name(enum filter_kind kind)
{
	return filters[kind].name;
}

bool filter_selects(const struct filter_options *o)
{
	for (unsigned k = 0; k < FILTERS; k++)
		if (o->value[k])
			return true;
	return false;
}

bool filter_needs_user_view(const struct filter_options *o)
{
	for (unsigned k = 0; k < FILTERS; k++)
		if (o->value[k] && filters[k].user_view)
			return true;
	return false;
}

/* Entries are those of a region by all threads on all paths. */
bool filter_keeps_entries(const struct filter_options *o)
{
	for (unsigned k = 0; k < FILTERS; k++)
		if (o->value[k] && k != FILTER_REGION)
			return false;
	return true;
}

int select_none(const struct near *near, const char *why, const char *otherwise, const char *option,
		const char *value, struct trouble *t)
{
	char todo[sizeof(t->todo)];

	near_text(near, otherwise, todo, sizeof(todo));
	trouble(t, why, todo, "%s%s", option, value);
	return -ENOENT;
}

/* Each option alone leaves something. */
static int filter_nothing(const struct filter_options *o, struct trouble *t)
{
	char what[sizeof(t->what)] = "";
	size_t used = 0;

	for (unsigned k = 0; k < FILTERS && used < sizeof(what); k++)
		if (o->value[k])
			used += (size_t)snprintf(what + used, sizeof(what) - used, "%s%s %s",
						 used ? " " : "", filters[k].name, o->value[k]);
	trouble(t, "no sample is left", "leave one of them out", "%s", what);
	return -ENOENT;
}

int filter_select(const struct view *v, const struct filter_options *o, struct filtered *f,
		  struct trouble *t)
{
	int err = 0;

	*f = (struct filtered){
		.options = o,
		.all = alloc_zeroed(v->model->nevents + 1, sizeof(*f->all)),
		.left = alloc_zeroed(v->model->nevents + 1, sizeof(*f->left)),
		.nevents = v->model->nevents,
		.kept = alloc_zeroed(v->nrecords + 1, sizeof(*f->kept)),
	};
	for (size_t i = 0; i < v->nrecords; i++)
		f->kept[i] = true;
	for (unsigned k = 0; k < FILTERS && !err; k++)
		if (o->value[k] && filters[k].select)
			err = filters[k].select(v, o->value[k], f->kept, t);
	/* Whether a part of the time is left. */
	if (!err && (o->value[FILTER_FROM] || o->value[FILTER_TO]))
		err = select_time(v, f, t);
	if (err)
		return err;
	size_t n = 0;

	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_record *r = &v->records[i];
		const struct cost c = { .samples = r->samples, .weight = r->weight };

		cost_plus(&f->all[r->event], &c);
		if (!f->kept[i])
			continue;
		cost_plus(&f->left[r->event], f->within ? &f->within[i] : &c);
		n++;
	}
	return n || !filter_selects(o) ? 0 : filter_nothing(o, t);
}

void filtered_fini(struct filtered *f)
{
	for (size_t i = 0; i < f->nhidden; i++)
		free(f->hidden[i]);
	free(f->hidden);
	free(f->all);
	free(f->left);
	free(f->kept);
	free(f->within);
	*f = (struct filtered){ 0 };
}

static uint64_t filtered_samples(const struct cost *costs, size_t nevents)
{
	struct cost sum = { 0 };

	for (size_t e = 0; e < nevents; e++)
		cost_plus(&sum, &costs[e]);
	return sum.samples;
}

uint64_t filtered_all(const struct filtered *f)
{
	return filtered_samples(f->all, f->nevents);
}

uint64_t filtered_left(const struct filtered *f)
{
	return filtered_samples(f->left, f->nevents);
}

/* ---- the view -------------------------------------------------------- */

/* By line: whether a record is of a region there, in any calling context. */
static bool *filter_region_lines(const struct view *v)
{
	bool *left = alloc_zeroed(v->names.nlines + 1, sizeof(*left));

	for (size_t i = 0; i < v->nrecords; i++)
		left[v->regions[v->records[i].region].line] = true;
	return left;
}

/* Where a record is, whatever the thread did there. */
static struct map_entry filter_place(const struct view *v, const struct view_record *r)
{
	const struct tree_node *n = &v->tree.nodes[r->node];
	const bool leaf = v->names.functions[n->function].kind == FUNCTION_ARTIFICIAL ||
			  view_called(v, r->node);

	return (struct map_entry){
		.a = (uint64_t)(leaf ? n->parent : r->node) << 32 | r->line,
		.b = (uint64_t)r->region << 32 | r->thread,
	};
}

/* Waiting is charged where there is a record of the same sample: it is left where that is. */
static void filter_blames(struct view *v, const bool *kept)
{
	struct map places = { 0 };
	uint32_t number;
	size_t n = 0;

	for (size_t i = 0; v->nblames && i < v->nrecords; i++) {
		const struct map_entry at = filter_place(v, &v->records[i]);

		if (kept[i])
			map_add(&places, at.a, at.b, 1, &number);
	}
	for (size_t i = 0; i < v->nblames; i++) {
		const struct map_entry at = filter_place(v, &v->blames[i].record);

		if (map_get(&places, at.a, at.b, 0))
			v->blames[n++] = v->blames[i];
	}
	v->nblames = n;
	map_free(&places);
}

/* Leaves that had no record before have none. */
static void filter_leaves(struct view *v, const bool *kept)
{
	size_t record = 0;

	if (!v->kept) {
		v->kept = alloc_zeroed(v->nrecords + 1, sizeof(*v->kept));
		memcpy(v->kept, kept, v->nrecords * sizeof(*v->kept));
		return;
	}
	for (size_t i = 0; record < v->nrecords; i++)
		if (v->kept[i])
			v->kept[i] = kept[record++];
}

void filter_apply(struct view *v, const struct filtered *f)
{
	size_t n = 0;
	bool *left;

	/* When a wait was caused is not kept. */
	if (f->within)
		v->nblames = 0;
	filter_blames(v, f->kept);
	filter_leaves(v, f->kept);
	for (size_t i = 0; i < v->nrecords; i++) {
		if (!f->kept[i])
			continue;
		v->records[n] = v->records[i];
		if (f->within) {
			v->records[n].samples = f->within[i].samples;
			v->records[n].weight = f->within[i].weight;
		}
		n++;
	}
	v->nrecords = n;
	v->from_ns = f->from_ns;
	v->to_ns = f->to_ns;
	v->filtered = true;
	left = filter_region_lines(v);
	/* A team's size would make threads that are left out seem to have done no work. */
	const struct filter_options *o = f->options;
	const bool threads = o->value[FILTER_THREAD] || o->value[FILTER_RANK];

	for (size_t i = 0; i < v->nregions; i++) {
		struct view_region *r = &v->regions[i];

		const bool entries = !filter_keeps_entries(o) || !left[r->line];

		region_counts_forget(&r->counts, entries, threads || !left[r->line]);
		if (entries)
			r->longest_ns = 0;
	}
	/* How often tasks were created shows whom waits were for: view_counted() hides it. */
	for (size_t i = 0; i < v->ntasks; i++) {
		struct view_task *t = &v->tasks[i];

		t->cancelled = t->body_ns = 0;
		t->body_known = false;
	}
	for (size_t i = 0; i < v->nconstructs; i++) {
		struct view_construct *c = &v->constructs[i];

		c->entries = c->elapsed_ns = c->ended = c->longest_ns = 0;
		c->elapsed_known = false;
		c->count_sum = c->count_least = c->count_most = 0;
		c->chunks = c->chunks_sum = c->chunk_longest_ns = 0;
		c->nthreads = c->nentrants = 0;
	}
	for (size_t i = 0; i < v->nmemory; i++)
		v->memory[i].measured = v->memory[i].cycles = 0;
	free(left);
}
