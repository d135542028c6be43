/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_regions.c - parallel regions, constructs and explicit tasks. */
#include "config.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/construct_kind.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/profile/format.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/tables/tasks.h"
#include "src/view/view.h"

#define ENTRIES_ABOUT "how often it was entered"
#define SAMPLED_ABOUT \
	"1: identified by samples alone: others that the call begins may be counted here"
#define ELAPSED_ABOUT "elapsed time from entry to exit, summed over the entries"
#define THREADS_ABOUT "threads that took part"
#define IMBALANCE_ABOUT "most work of a thread over the mean, by the sorting event; 1 is even"
#define FEW_ABOUT "samples of that thread that the imbalance rests on"

void entries_cells(const struct cells *c, uint64_t entries, uint64_t elapsed_ns, bool elapsed_known)
{
	cells_number_if(c, "entries", entries != 0, entries);
	cells_number_if(c, "elapsed_ns", entries != 0 && elapsed_known, elapsed_ns);
}

/* ---- regions --------------------------------------------------------- */

static const struct column region_columns[] = {
	{ "region", "the parallel region, as text has it" },
	{ "kind", "region; serial, idle, outside, unknown: outside of regions" },
	{ "place", NULL },
	{ "threads", THREADS_ABOUT },
	{ "team_least", "threads of the smallest team" },
	{ "team_most", "threads of the largest team" },
	{ "team_sum", JSON_ALONE },
	{ "imbalance", IMBALANCE_ABOUT },
	{ "imbalance_samples", FEW_ABOUT },
	{ "entries", ENTRIES_ABOUT },
	{ "by_samples", SAMPLED_ABOUT },
	{ "elapsed_ns", ELAPSED_ABOUT },
	{ "thread_ns", "elapsed time times threads, summed over the entries" },
	{ "gain_ns", "what the run would be shorter by if its threads only worked" },
	{ "imbalance_between_ranks",
	  "busiest thread of the slowest rank over the ranks' mean; 1 is even" },
	{ "imbalance_within_ranks",
	  "work of the ranks' busiest threads over the ranks' means; 1 is even" },
	{ "slowest_rank", "its number, as the launcher gave it" },
	{ NULL, NULL },
};

void team_cells(const struct cells *c, uint32_t least, uint32_t most, uint64_t sum)
{
	cells_number_if(c, "team_least", least != 0, least);
	cells_number_if(c, "team_most", most != 0, most);
	cells_number_if(c, "team_sum", sum != 0, sum);
}

void region_cells(const struct cells *c, const struct region_row *g)
{
	entries_cells(c, g->counts.entries, g->counts.elapsed_ns, !g->counts.elapsed_unknown);
	cells_flag(c, "by_samples", g->counts.sampled);
	team_cells(c, g->counts.team_least, g->counts.team_most, g->counts.team_sum);
}

/* times has room for each rank's. */
static void region_ranks(const struct cells *c, const struct ranks *ranks,
			 const struct region_row *g, double *times)
{
	const double within = ranks_within(ranks, g);
	struct rank_spread s;

	ranks_in_region(ranks, g, times);
	if (!ranks_spread(ranks, times, &s))
		return;
	cells_real_if(c, "imbalance_between_ranks", true, ranks_between(&s));
	cells_real_if(c, "imbalance_within_ranks", within > 0, within);
	cells_text(c, "slowest_rank", ranks->all[s.slowest].name);
}

static void columns_regions_region_rows(const struct cells *c)
{
	const struct report *r = c->report;
	struct regions regions;
	struct ranks ranks;
	double *times;

	regions_build(r->view, r->event, r->losses && !r->losses->unknown, &regions);
	ranks_build(r->view, r->event, &ranks);
	times = alloc_zeroed(ranks.n + 1, sizeof(*times));
	for (size_t i = 0; i < regions.n; i++) {
		const struct region_row *g = &regions.all[i];
		uint32_t slowest;
		struct time_split split;

		cells_take(c, "region", region_label(r->view, g->special, g->line));
		cells_text(c, "kind", region_kind(g->special));
		if (g->special == REGION_SPECIALS)
			cells_place(c, g->line);
		region_cells(c, g);

		const size_t event = c->report->event;
		const struct spread_work w =
			spread_work(g->threads, g->nthreads, g->counts.team_most, event);
		const double imbalance = region_imbalance(g, event, &slowest);
		const bool known = g->special == REGION_SPECIALS && imbalance > 0;

		cells_number(c, "threads", region_threads(c->report->view, g));
		cells_real_if(c, "imbalance", known, imbalance);
		cells_number_if(c, "imbalance_samples", known, w.samples);

		const struct losses *l = c->report->losses;

		if (l && !l->unknown) {
			losses_of_region(l, g, &split);
			cells_number(c, "thread_ns", format_whole(split.all));
			if (l->parallel && !losses_is_outside(g->special) &&
			    g->special != REGION_UNKNOWN)
				cells_number(c, "gain_ns", format_whole(losses_gain(l, g, NULL)));
		}
		if (ranks.n)
			region_ranks(c, &ranks, g, times);
		cells_end(c, COSTS_SELF, g->self);
	}
	free(times);
	ranks_fini(&ranks);
	regions_fini(&regions);
}

const struct flat_table columns_region = { region_columns, COSTS_SELF,
					   columns_regions_region_rows };

/* ---- constructs ------------------------------------------------------ */

static const struct column construct_columns[] = {
	{ "construct", "the construct, as text has it" },
	{ "kind", "what it is" },
	{ "object", "name of the critical section or lock" },
	{ "place", NULL },
	{ "first_line", "its first line" },
	{ "last_line", "its last line" },
	{ "threads", THREADS_ABOUT },
	{ "imbalance", IMBALANCE_ABOUT },
	{ "imbalance_samples", FEW_ABOUT },
	{ "entries", ENTRIES_ABOUT },
	{ "ended", "entries whose end was reported" },
	{ "elapsed_ns", ELAPSED_ABOUT },
	{ "longest_ns", "the longest entry" },
	{ "count_least", "least iterations or sections of an entry" },
	{ "count_most", "most iterations or sections of an entry" },
	{ "chunks", "chunks of iterations that the runtime gave to threads, if it reported all" },
	{ "chunk_least", "least iterations of a chunk" },
	{ "chunk_mean", "the mean of all chunks" },
	{ "chunk_most", "most iterations of a chunk" },
	{ "chunk_longest_ns", "the longest chunk, with what the runtime did until the next" },
	{ NULL, NULL },
};

void construct_lines_cells(const struct cells *c, const struct view_construct *w)
{
	cells_number_if(c, "first_line", w->last_line != 0, w->first_line);
	cells_number_if(c, "last_line", w->last_line != 0, w->last_line);
}

void construct_entries_cells(const struct cells *c, const struct view_construct *w)
{
	const bool ends = w->entries && construct_synchronises((enum construct_kind)w->kind);

	entries_cells(c, w->entries, w->elapsed_ns, w->elapsed_known);
	cells_number_if(c, "ended", ends, w->ended);
	cells_number_if(c, "longest_ns", ends && w->elapsed_known, w->longest_ns);
}

void construct_chunks_cells(const struct cells *c, const struct view_construct *w)
{
	const bool known = w->chunks != 0;

	cells_number_if(c, "chunks", known, w->chunks);
	cells_number_if(c, "chunk_least", known, w->chunk_least);
	cells_real_if(c, "chunk_mean", known,
		      known ? (double)w->chunks_sum / (double)w->chunks : 0);
	cells_number_if(c, "chunk_most", known, w->chunk_most);
	cells_number_if(c, "chunk_longest_ns", known, w->chunk_longest_ns);
}

static void construct_rows(const struct cells *c)
{
	struct constructs constructs;

	constructs_build(c->report->view, c->report->event, &constructs);
	for (size_t i = 0; i < constructs.n; i++) {
		const struct construct_row *of = &constructs.all[i];
		const struct view_construct *w = of->what;
		const struct spread_work work = construct_work(of, c->report->event);
		const bool known = w->kind >= CONSTRUCT_SPECIALS && work.mean > 0;

		cells_take(c, "construct", construct_label(c->report->view, w));
		cells_text(c, "kind", construct_said(w));
		cells_text(c, "object", w->object);
		if (w->kind >= CONSTRUCT_SPECIALS)
			cells_place(c, w->line);
		construct_lines_cells(c, w);
		cells_number(c, "threads", work.nthreads);
		cells_real_if(c, "imbalance", known, known ? (double)work.most / work.mean : 0);
		cells_number_if(c, "imbalance_samples", known, work.samples);
		construct_entries_cells(c, w);
		cells_number_if(c, "count_least", w->count_least != 0, w->count_least);
		cells_number_if(c, "count_most", w->count_least != 0, w->count_most);
		construct_chunks_cells(c, w);
		cells_end(c, COSTS_SELF, of->self);
	}
	constructs_fini(&constructs);
}

const struct flat_table columns_construct = { construct_columns, COSTS_SELF, construct_rows };

/* ---- tasks ----------------------------------------------------------- */

static const struct column task_columns[] = {
	{ "kind", "task or taskloop" },
	{ "place", NULL },
	{ "node", "the path that created it: a node of --by path" },
	{ "created", "tasks created" },
	{ "run", "tasks run" },
	{ "stolen", "tasks run by another thread than the creator" },
	{ "cancelled", "tasks cancelled before they ran" },
	{ "flags", "what the tasks are: depend, detached, exporting, final, importing, mergeable, "
		   "merged, priority, target, undeferred, untied; some-final: others are not" },
	{ "body_ns", "time in the tasks' bodies, without tasks that ran meanwhile" },
	{ "by_samples", SAMPLED_ABOUT },
	{ NULL, NULL },
};

/* Empty if the count is 0 and the runtime does not always make the callbacks. */
static void task_counted(const struct cells *c, const char *key, uint64_t number,
			 uint64_t callbacks)
{
	cells_number_if(c, key, view_counted(c->report->view, number, callbacks), number);
}

void task_cells(const struct cells *c, const struct view_task *t)
{
	task_counted(c, "created", t->created, UNREPORTED_TASK_CREATE);
	task_counted(c, "run", t->run, UNREPORTED_TASK_SCHEDULE);
	task_counted(c, "stolen", t->stolen, UNREPORTED_TASK_SCHEDULE);
	task_counted(c, "cancelled", t->cancelled, UNREPORTED_TASK_SCHEDULE | UNREPORTED_CANCEL);
	cells_take(c, "flags", task_flags(t));
	cells_number_if(c, "body_ns", t->body_known && t->body_ns, t->body_ns);
	cells_flag(c, "by_samples", t->sampled);
}

static void task_rows(const struct cells *c)
{
	struct tasks tasks;

	tasks_build(c->report->view, c->report->event, &tasks);
	for (size_t i = 0; i < tasks.n; i++) {
		const struct view_task *t = tasks.all[i].what;

		cells_text(c, "kind", construct_name((enum construct_kind)t->kind));
		cells_place(c, t->line);
		cells_number(c, "node", t->node);
		task_cells(c, t);
		cells_end(c, COSTS_SELF, tasks.all[i].self);
	}
	tasks_fini(&tasks);
}

const struct flat_table columns_task = { task_columns, COSTS_SELF, task_rows };

/* ---- dependences ------------------------------------------------------- */

static const struct column dependence_columns[] = {
	{ "place", NULL },
	{ "node", "the path that created the tasks: a node of --by path" },
	{ "kind",
	  "how these name the variable: in, out, inout, mutexinoutset, inoutset, omp_all_memory" },
	{ "on_function", "of the tasks on which they depend" },
	{ "on_file", "likewise" },
	{ "on_line", "likewise" },
	{ "on_node", "likewise" },
	{ "on_kind", "how those name the variable" },
	{ "dependences", "how many there were: variables and pairs of tasks" },
	{ NULL, NULL },
};

void dependence_cells(const struct cells *c, const struct view_dependence *d)
{
	const struct view *v = c->report->view;
	const struct view_task *on = &v->tasks[d->on];
	const struct line *l = &v->names.lines[on->line];

	cells_number(c, "node", v->tasks[d->task].node);
	cells_text(c, "kind", task_dependence_name(d->kind));
	cells_text(c, "on_function", v->names.functions[l->function].name);
	cells_text(c, "on_file", l->file);
	cells_number_if(c, "on_line", l->line != 0, l->line);
	cells_number(c, "on_node", on->node);
	cells_text(c, "on_kind", task_dependence_name(d->on_kind));
	cells_number(c, "dependences", d->times);
}

static void dependence_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndependences && !v->filtered; i++) {
		cells_place(c, v->tasks[v->dependences[i].task].line);
		dependence_cells(c, &v->dependences[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_dependence = { dependence_columns, COSTS_NONE, dependence_rows };

/* ---- what target constructs asked of devices --------------------------- */

static const struct column device_columns[] = {
	{ "construct", "the construct or call that asked, as text has it" },
	{ "kind", "what it is" },
	{ "place", NULL },
	{ "device", "the device's number; empty: not known" },
	{ "operation", "alloc, to, from, delete, associate, disassociate, transfer, memset, "
		       "rectangle; kernel; map: variables" },
	{ "operations", "how many there were" },
	{ "bytes", "their bytes" },
	{ "teams", "of kernels, the teams that were asked for, summed" },
	{ "host_ns", "what threads spent on them" },
	{ "device_ns", "what the device spent on them, as it reports" },
	{ NULL, NULL },
};

void device_cells(const struct cells *c, const struct view_device_op *o)
{
	const bool kernel = o->operation == PROF_DEVICE_KERNEL;

	cells_number_if(c, "device", o->device != PROF_DEVICE_OTHER, o->device);
	cells_text(c, "operation", device_operation_name(o->operation));
	cells_number(c, "operations", o->times);
	cells_number_if(c, "bytes", !kernel, o->n);
	cells_number_if(c, "teams", kernel && o->n, o->n);
	cells_number_if(c, "host_ns", o->timed, o->host_ns);
	cells_number_if(c, "device_ns", o->device_ns != 0, o->device_ns);
}

static void device_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndevice_ops && !v->filtered; i++) {
		const struct view_construct *w = &v->constructs[v->device_ops[i].construct];

		cells_take(c, "construct", construct_label(v, w));
		cells_text(c, "kind", construct_name((enum construct_kind)w->kind));
		cells_place(c, w->line);
		device_cells(c, &v->device_ops[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_device = { device_columns, COSTS_NONE, device_rows };

/* ---- constructs that an instrumentor described ------------------------- */

static const struct column descriptor_columns[] = {
	{ "name", "the construct; region: what the user marked" },
	{ "sub_name", "of a named critical section, or the user's region" },
	{ "num_sections", "of sections" },
	{ "file", "its source file" },
	{ "begin_line1", "the first line of the directive that begins it" },
	{ "begin_lineN", "the last one" },
	{ "end_line1", "the first line of the directive, or statement, that ends it" },
	{ "end_lineN", "the last one" },
	{ "entries", "how often threads entered it, or created it; 0: it never ran" },
	{ "elapsed_ns", "from entry to exit, or fork to join: the sum over threads" },
	{ "executions", "how often threads executed its body" },
	{ "executing_ns", "in its body: the sum over threads" },
	{ "barriers", "how often threads came to the barrier at its end" },
	{ "barrier_ns", "in that barrier: the sum over threads" },
	{ NULL, NULL },
};

static void line_cells(const struct cells *c, const char *first, const char *last,
		       const uint32_t lines[2])
{
	cells_number_if(c, first, lines[0] != 0, lines[0]);
	cells_number_if(c, last, lines[1] != 0, lines[1]);
}

/* A part that a construct has not is empty. */
static void part_cells(const struct cells *c, const struct view_descriptor *d, enum view_part part,
		       const char *number, const char *elapsed)
{
	const struct view_described *p = &d->part[part];
	const bool known = !c->report->view->filtered && (p->n || !d->part[VIEW_WHOLE].n);

	cells_number_if(c, number, known, p->n);
	cells_number_if(c, elapsed, known && d->elapsed_known, p->elapsed_ns);
}

void descriptor_cells(const struct cells *c, const struct view_descriptor *d)
{
	cells_text(c, "name", d->what.name);
	cells_text(c, "sub_name", d->what.sub_name);
	cells_number(c, "num_sections", d->what.sections);
	cells_text(c, "file", d->what.file);
	line_cells(c, "begin_line1", "begin_lineN", d->what.begin);
	line_cells(c, "end_line1", "end_lineN", d->what.end);
	part_cells(c, d, VIEW_WHOLE, "entries", "elapsed_ns");
	part_cells(c, d, VIEW_BODY, "executions", "executing_ns");
	part_cells(c, d, VIEW_BARRIER, "barriers", "barrier_ns");
}

static void descriptor_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndescriptors; i++) {
		descriptor_cells(c, &v->descriptors[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_descriptor = { descriptor_columns, COSTS_NONE, descriptor_rows };
