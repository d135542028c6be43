/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_regions.c - parallel regions, constructs and explicit tasks. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/model/construct_kind.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/ranks.h"
#include "src/tables/region_label.h"
#include "src/tables/regions.h"
#include "src/tables/tasks.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

#define ENTRIES_ABOUT "how often it was entered"
#define SAMPLED_ABOUT \
	"1: identified by samples alone: others that the call begins may be counted here"
#define ELAPSED_ABOUT "elapsed time from entry to exit, summed over the entries"
#define THREADS_ABOUT "threads that took part"
#define IMBALANCE_ABOUT "most work of a thread over the mean, by the sorting event; 1 is even"
#define FEW_ABOUT "samples of that thread that the imbalance rests on"

/* ---- regions --------------------------------------------------------- */

enum {
	REGION_NAME,
	REGION_KIND,
	REGION_PLACE,
	REGION_THREADS = REGION_PLACE + CSV_PLACES,
	REGION_TEAM_LEAST,
	REGION_TEAM_MOST,
	REGION_IMBALANCE,
	REGION_FEW,
	REGION_ENTRIES,
	REGION_SAMPLED,
	REGION_ELAPSED,
	REGION_THREAD_NS,
	REGION_GAIN,
	REGION_BETWEEN,
	REGION_WITHIN,
	REGION_SLOWEST,
	REGION_COLUMNS
};

static const struct csv_column region_columns[REGION_COLUMNS] = {
	[REGION_NAME] = { "region", "the parallel region, as text has it" },
	[REGION_KIND] = { "kind", "region; serial, idle, outside, unknown: outside of regions" },
	[REGION_THREADS] = { "threads", THREADS_ABOUT },
	[REGION_TEAM_LEAST] = { "team_least", "threads of the smallest team" },
	[REGION_TEAM_MOST] = { "team_most", "threads of the largest team" },
	[REGION_IMBALANCE] = { "imbalance", IMBALANCE_ABOUT },
	[REGION_FEW] = { "imbalance_samples", FEW_ABOUT },
	[REGION_ENTRIES] = { "entries", ENTRIES_ABOUT },
	[REGION_SAMPLED] = { "by_samples", SAMPLED_ABOUT },
	[REGION_ELAPSED] = { "elapsed_ns", ELAPSED_ABOUT },
	[REGION_THREAD_NS] = { "thread_ns", "elapsed time times threads, summed over the entries" },
	[REGION_GAIN] = { "gain_ns",
			  "what the run would be shorter by if its threads only worked" },
	[REGION_BETWEEN] = { "imbalance_between_ranks",
			     "busiest thread of the slowest rank over the ranks' mean; 1 is even" },
	[REGION_WITHIN] = { "imbalance_within_ranks",
			    "work of the ranks' busiest threads over the ranks' means; 1 is even" },
	[REGION_SLOWEST] = { "slowest_rank", "its number, as the launcher gave it" },
};

static const char *region_kind(uint32_t special)
{
	static const char *const kinds[] = {
		[REGION_SERIAL] = "serial",   [REGION_IDLE] = "idle", [REGION_UNKNOWN] = "unknown",
		[REGION_OUTSIDE] = "outside", [REGION_MPI] = "mpi",   [REGION_SPECIALS] = "region",
	};

	return kinds[special];
}

static void region_team(struct csv *c, const struct region *g)
{
	const size_t event = c->report->event;
	const struct spread_work w = spread_work(g->threads, g->nthreads, g->team_most, event);
	uint32_t slowest;
	const double imbalance = region_imbalance(g, event, &slowest);

	csv_number(c, REGION_THREADS, region_threads(c->report->view, g));
	csv_number_if(c, REGION_TEAM_LEAST, g->team_least != 0, g->team_least);
	csv_number_if(c, REGION_TEAM_MOST, g->team_most != 0, g->team_most);
	if (g->special != REGION_SPECIALS || imbalance <= 0)
		return;
	csv_real(c, REGION_IMBALANCE, imbalance);
	csv_number(c, REGION_FEW, w.samples);
}

static void region_time(struct csv *c, const struct region *g)
{
	const struct losses *l = c->report->losses;
	struct time_split split;

	csv_number_if(c, REGION_ENTRIES, g->entries != 0, g->entries);
	csv_number_if(c, REGION_SAMPLED, g->sampled, 1);
	csv_number_if(c, REGION_ELAPSED, g->entries && g->elapsed_known, g->elapsed_ns);
	if (!l || l->unknown)
		return;
	losses_of_region(l, g, &split);
	csv_number(c, REGION_THREAD_NS, format_whole(split.all));
	if (l->parallel && !losses_is_outside(g->special) && g->special != REGION_UNKNOWN)
		csv_number(c, REGION_GAIN, format_whole(losses_gain(l, g, NULL)));
}

/* times has room for each rank's. */
static void region_ranks(struct csv *c, const struct ranks *ranks, const struct region *g,
			 double *times)
{
	const double within = ranks_within(ranks, g);
	struct rank_spread s;

	ranks_in_region(ranks, g, times);
	if (ranks_spread(ranks, times, &s))
		return;
	csv_real(c, REGION_BETWEEN, ranks_between(&s));
	if (within > 0)
		csv_real(c, REGION_WITHIN, within);
	csv_text(c, REGION_SLOWEST, ranks->all[s.slowest].name);
}

static void region_row(struct csv *c, const struct ranks *ranks, const struct region *g,
		       double *times)
{
	const struct view *v = c->report->view;

	csv_take(c, REGION_NAME, region_label(v, g->special, g->line));
	csv_text(c, REGION_KIND, region_kind(g->special));
	if (g->special == REGION_SPECIALS)
		csv_place(c, REGION_PLACE, v, g->line);
	region_team(c, g);
	region_time(c, g);
	if (ranks->n)
		region_ranks(c, ranks, g, times);
	csv_self(c, g->self);
	csv_row(c);
}

static int region_rows(FILE *out, const struct report *r, const struct regions *regions)
{
	struct ranks ranks;
	double *times = NULL;
	struct csv c;
	int err = 0;

	ranks_build(r->view, r->event, &ranks);
	times = alloc_zeroed(ranks.n + 1, sizeof(*times));
	err = csv_begin(&c, out, r, region_columns, REGION_COLUMNS, CSV_SELF);
	for (size_t i = 0; i < regions->n && !err; i++)
		region_row(&c, &ranks, &regions->all[i], times);
	err = csv_end(&c, err);
	free(times);
	ranks_fini(&ranks);
	return err;
}

int csv_regions(FILE *out, const struct report *r)
{
	const bool timed = r->losses && !r->losses->unknown;
	struct regions regions;
	int err = 0;

	regions_build(r->view, r->event, timed, &regions);
	err = region_rows(out, r, &regions);
	regions_fini(&regions);
	return err;
}

/* ---- constructs ------------------------------------------------------ */

enum {
	CONSTRUCT_TITLE,
	CONSTRUCT_KIND,
	CONSTRUCT_OBJECT,
	CONSTRUCT_PLACE,
	CONSTRUCT_FIRST = CONSTRUCT_PLACE + CSV_PLACES,
	CONSTRUCT_LAST,
	CONSTRUCT_THREADS,
	CONSTRUCT_IMBALANCE,
	CONSTRUCT_FEW,
	CONSTRUCT_ENTRIES,
	CONSTRUCT_ENDED,
	CONSTRUCT_ELAPSED,
	CONSTRUCT_LONGEST,
	CONSTRUCT_COUNT_LEAST,
	CONSTRUCT_COUNT_MOST,
	CONSTRUCT_COLUMNS
};

static const struct csv_column construct_columns[CONSTRUCT_COLUMNS] = {
	[CONSTRUCT_TITLE] = { "construct", "the construct, as text has it" },
	[CONSTRUCT_KIND] = { "kind", "what it is" },
	[CONSTRUCT_OBJECT] = { "object", "name of the critical section or lock" },
	[CONSTRUCT_FIRST] = { "first_line", "its first line" },
	[CONSTRUCT_LAST] = { "last_line", "its last line" },
	[CONSTRUCT_THREADS] = { "threads", THREADS_ABOUT },
	[CONSTRUCT_IMBALANCE] = { "imbalance", IMBALANCE_ABOUT },
	[CONSTRUCT_FEW] = { "imbalance_samples", FEW_ABOUT },
	[CONSTRUCT_ENTRIES] = { "entries", ENTRIES_ABOUT },
	[CONSTRUCT_ENDED] = { "ended", "entries whose end was reported" },
	[CONSTRUCT_ELAPSED] = { "elapsed_ns", ELAPSED_ABOUT },
	[CONSTRUCT_LONGEST] = { "longest_ns", "the longest entry" },
	[CONSTRUCT_COUNT_LEAST] = { "count_least", "least iterations or sections of an entry" },
	[CONSTRUCT_COUNT_MOST] = { "count_most", "most iterations or sections of an entry" },
};

static void construct_work_cells(struct csv *c, const struct construct *of)
{
	const struct spread_work w = construct_work(of, c->report->event);

	csv_number(c, CONSTRUCT_THREADS, w.nthreads);
	if (of->what->kind < CONSTRUCT_SPECIALS || w.mean <= 0)
		return;
	csv_real(c, CONSTRUCT_IMBALANCE, (double)w.most / w.mean);
	csv_number(c, CONSTRUCT_FEW, w.samples);
}

static void construct_time_cells(struct csv *c, const struct view_construct *w)
{
	const bool timed = w->entries && w->elapsed_known;
	const bool ends = w->entries && construct_synchronises((enum construct_kind)w->kind);

	csv_number_if(c, CONSTRUCT_ENTRIES, w->entries != 0, w->entries);
	csv_number_if(c, CONSTRUCT_ENDED, ends, w->ended);
	csv_number_if(c, CONSTRUCT_ELAPSED, timed, w->elapsed_ns);
	csv_number_if(c, CONSTRUCT_LONGEST, ends && timed, w->longest_ns);
	csv_number_if(c, CONSTRUCT_COUNT_LEAST, w->count_least != 0, w->count_least);
	csv_number_if(c, CONSTRUCT_COUNT_MOST, w->count_least != 0, w->count_most);
}

static void construct_row(struct csv *c, const struct construct *of)
{
	const struct view_construct *w = of->what;

	csv_take(c, CONSTRUCT_TITLE, construct_label(c->report->view, w));
	csv_text(c, CONSTRUCT_KIND, construct_said(w));
	csv_text(c, CONSTRUCT_OBJECT, w->object);
	if (w->kind >= CONSTRUCT_SPECIALS)
		csv_place(c, CONSTRUCT_PLACE, c->report->view, w->line);
	csv_number_if(c, CONSTRUCT_FIRST, w->last_line != 0, w->first_line);
	csv_number_if(c, CONSTRUCT_LAST, w->last_line != 0, w->last_line);
	construct_work_cells(c, of);
	construct_time_cells(c, w);
	csv_self(c, of->self);
	csv_row(c);
}

int csv_constructs(FILE *out, const struct report *r)
{
	struct constructs constructs;
	struct csv c;
	int err = 0;

	constructs_build(r->view, r->event, &constructs);
	err = csv_begin(&c, out, r, construct_columns, CONSTRUCT_COLUMNS, CSV_SELF);
	for (size_t i = 0; i < constructs.n && !err; i++)
		construct_row(&c, &constructs.all[i]);
	constructs_fini(&constructs);
	return csv_end(&c, err);
}

/* ---- tasks ----------------------------------------------------------- */

enum {
	TASK_KIND,
	TASK_PLACE,
	TASK_NODE = TASK_PLACE + CSV_PLACES,
	TASK_CREATED,
	TASK_RUN,
	TASK_STOLEN,
	TASK_CANCELLED,
	TASK_BODY,
	TASK_SAMPLED,
	TASK_COLUMNS
};

static const struct csv_column task_columns[TASK_COLUMNS] = {
	[TASK_KIND] = { "kind", "task or taskloop" },
	[TASK_NODE] = { "node", "the path that created it: a node of --by path" },
	[TASK_CREATED] = { "created", "tasks created" },
	[TASK_RUN] = { "run", "tasks run" },
	[TASK_STOLEN] = { "stolen", "tasks run by another thread than the creator" },
	[TASK_CANCELLED] = { "cancelled", "tasks cancelled before they ran" },
	[TASK_BODY] = { "body_ns", "time in the tasks' bodies, without tasks that ran meanwhile" },
	[TASK_SAMPLED] = { "by_samples", SAMPLED_ABOUT },
};

static void task_row(struct csv *c, const struct task_site *s)
{
	const struct view *v = c->report->view;
	const struct view_task *t = s->what;
	const struct {
		size_t column;
		uint64_t number, callbacks;
	} counts[] = {
		{ TASK_CREATED, t->created, UNREPORTED_TASK_CREATE },
		{ TASK_RUN, t->run, UNREPORTED_TASK_SCHEDULE },
		{ TASK_STOLEN, t->stolen, UNREPORTED_TASK_SCHEDULE },
		{ TASK_CANCELLED, t->cancelled, UNREPORTED_TASK_SCHEDULE | UNREPORTED_CANCEL },
	};

	csv_text(c, TASK_KIND, construct_name((enum construct_kind)t->kind));
	csv_place(c, TASK_PLACE, v, t->line);
	csv_number(c, TASK_NODE, t->node);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		csv_number_if(c, counts[i].column,
			      view_counted(v, counts[i].number, counts[i].callbacks),
			      counts[i].number);
	csv_number_if(c, TASK_BODY, t->body_known && t->body_ns, t->body_ns);
	csv_number_if(c, TASK_SAMPLED, t->sampled, 1);
	csv_self(c, s->self);
	csv_row(c);
}

int csv_tasks(FILE *out, const struct report *r)
{
	struct tasks tasks;
	struct csv c;
	int err = 0;

	tasks_build(r->view, r->event, &tasks);
	err = csv_begin(&c, out, r, task_columns, TASK_COLUMNS, CSV_SELF);
	for (size_t i = 0; i < tasks.n && !err; i++)
		task_row(&c, &tasks.all[i]);
	tasks_fini(&tasks);
	return csv_end(&c, err);
}
