/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/losses.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum {
	CONTEXTS_MAX = 4,  /* calling contexts shown of each region */
	LINES_MAX = 3,	   /* of the slowest thread */
	DETAILED_MAX = 16, /* regions with details */
};

#define WORTH_SAYING 1.1 /* an imbalance that is mentioned */
#define SIGMAS 2	 /* and that exceeds so many standard deviations */
#define LINE_LEADS 0.1	 /* of the thread's work in the region */

static bool text_has_gain(const struct text *t)
{
	return t->report->losses && !t->report->losses->unknown && t->report->losses->parallel;
}

void text_by_samples(const struct text *t)
{
	fprintf(t->out,
		"%*sidentified by samples alone: the counts include any other regions that the "
		"same call begins\n",
		TEXT_BENEATH, "");
}

/* ---- beneath a region's row ------------------------------------------ */

/* Where the path of a row's context parts from those of other rows. */
static size_t text_parts_at(const struct view *v, const struct table *t, size_t row)
{
	uint32_t others[CONTEXTS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < t->n && i < CONTEXTS_MAX; i++)
		if (i != row)
			others[n++] = v->regions[t->rows[i].key].node;
	return text_parting(v, v->regions[t->rows[row].key].node, others, n);
}

/* Prints the calling contexts, if there are several. */
static void text_region_contexts(const struct text *t, const struct region_row *r)
{
	const struct view *v = t->report->view;
	const size_t width = text_used(t) - text_cells_width(t);
	struct table table;

	if (r->special != REGION_SPECIALS || r->ncontexts < 2)
		return;
	region_contexts(v, r, t->report->event, &table);
	for (size_t i = 0; i < table.n && table.n > 1 && i < CONTEXTS_MAX; i++) {
		char *path, *name;

		if (!text_shows(t, table.rows[i].self, 0))
			break;
		path = v->regions[table.rows[i].key].node ?
			       text_tail_with(v, v->regions[table.rows[i].key].node,
					      text_parts_at(v, &table, i)) :
			       alloc_text("(creation not known)");
		name = alloc_printf("    from %s", path);
		text_cells(t, table.rows[i].self);
		fprintf(t->out, "%*s", (int)width, "");
		text_last(t, name);
		free(path);
		free(name);
	}
	table_fini(&table);
}

/* "most of it in main > solve > kernel (99.0 %): 61.0 % at kernel (app.c:5), …" */
static void text_region_hot(const struct text *t, const struct region_row *r, uint32_t thread)
{
	const struct view *v = t->report->view;
	const size_t event = t->report->event;
	struct table lines;
	uint64_t weight, all;
	char *path, *place;
	const char *before = ": ";
	uint32_t node;

	region_hot_node(v, r, thread, event, &node, &weight);
	region_lines(v, r, thread, event, &lines);
	all = cost_sum(lines.total, event).weight;
	path = text_tail_with(v, node, 0);
	fprintf(t->out, "%*s%s %% of that in ", TEXT_BENEATH + 2, "",
		format_percent(weight, all).s);
	format_short(t->out, path);
	for (size_t i = 0; i < lines.n && i < LINES_MAX; i++) {
		const uint64_t line = cost_sum(lines.rows[i].self, event).weight;

		if (i && (double)line < LINE_LEADS * (double)all)
			break;
		place = table_line_label(v, lines.rows[i].key);
		fprintf(t->out, "%s%s %% %s ", before, format_percent(line, all).s,
			table_line_at(lines.rows[i].key));
		format_short(t->out, place);
		free(place);
		before = ", ";
	}
	putc('\n', t->out);
	free(path);
	table_fini(&lines);
}

/* Whether the difference is within what chance explains for that many samples. */
static bool text_by_chance(const struct region_row *r, size_t event, uint32_t thread, double mean,
			   uint64_t most)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < r->nthreads; i++)
		if (r->threads[i].thread == thread)
			samples = cost_at(r->threads[i].self, event, OMP_WORK)->samples;
	const double beyond = (double)samples * (1 - mean / (double)most);

	return beyond * beyond < SIGMAS * SIGMAS * (double)samples;
}

/* Prints the thread that others wait for, and where it worked longest. */
static void text_region_slowest(const struct text *t, const struct region_row *r)
{
	const size_t event = t->report->event;
	const uint32_t unit = t->report->model->events[event].unit;
	uint32_t slowest;
	double imbalance = region_imbalance(r, event, &slowest);
	const struct spread_work w =
		spread_work(r->threads, r->nthreads, r->counts.team_most, event);

	if (r->special != REGION_SPECIALS || imbalance < WORTH_SAYING || r->nthreads < 2 ||
	    text_by_chance(r, event, slowest, w.mean, w.most))
		return;
	fprintf(t->out, "%*s", TEXT_BENEATH, "");
	thread_name(t->out, t->report->model, slowest);
	fprintf(t->out, " works longest, %s of %s on average; the others wait %s\n",
		format_amount(w.most, unit).s, format_real(w.mean, unit).s,
		format_amount(region_others_wait(r, slowest, event), unit).s);
	text_region_hot(t, r, slowest);
}

static bool is_team(uint64_t threads)
{
	return threads != PROF_TEAM_UNKNOWN && threads != PROF_TEAM_STALE;
}

/* Says at which team sizes the region's cost arose, where there were several. */
static void text_region_teams(const struct text *t, const struct region_row *r)
{
	const size_t event = t->report->event;
	const double all = (double)cost_sum(r->self, event).weight;
	struct table teams;
	size_t n = 0, said = 0;

	if (r->special != REGION_SPECIALS || all <= 0)
		return;
	region_teams(t->report->view, r, &teams);
	for (size_t i = 0; i < teams.n; i++)
		n += is_team(teams.rows[i].key);
	for (size_t i = 0; i < teams.n && n > 1; i++) {
		const uint64_t threads = teams.rows[i].key;

		if (!is_team(threads))
			continue;
		if (said++ == 0)
			fprintf(t->out, "%*sran with", TEXT_BENEATH, "");
		fprintf(t->out, "%s %" PRIu64 " thread%s for %.1f %%%s", said == 1 ? "" : ",",
			threads, threads == 1 ? "" : "s",
			100 * (double)cost_sum(teams.rows[i].self, event).weight / all,
			said == n ? " of it\n" : "");
	}
	table_fini(&teams);
}

static void text_region_row(const struct text *t, const struct region_row *r, bool detailed)
{
	const size_t threads = region_threads(t->report->view, r);
	const struct spread_work w =
		spread_work(r->threads, r->nthreads, r->counts.team_most, t->report->event);
	char *name = region_label(t->report->view, r->special, r->line);
	uint32_t slowest;
	double imbalance = 0;

	if (r->special == REGION_SPECIALS && threads > 1)
		imbalance = t->ranks ? ranks_within(t->ranks, r) :
				       region_imbalance(r, t->report->event, &slowest);
	text_row_line(t, r->special == REGION_SPECIALS ? r->line : 0);
	text_cells(t, r->self);
	text_spread(t, threads, imbalance, w.samples, r->counts.entries);
	if (text_has(t, COLUMN_GAIN))
		text_region_gain_cell(t, r, t->own[TEXT_GAIN].width);
	text_last(t, name);
	free(name);
	if (r->counts.sampled && r->counts.entries && text_has(t, COLUMN_ENTRIES))
		text_by_samples(t);
	if (t->rows_max || !detailed)
		return;
	if (r->counts.sampled && !r->counts.entries && text_has(t, COLUMN_GAIN))
		fprintf(t->out,
			"%*sits part of the elapsed time is that of its samples: the same call "
			"begins other regions, too\n",
			TEXT_BENEATH, "");
	text_region_gain(t, r);
	text_region_contexts(t, r);
	text_region_teams(t, r);
	if (t->ranks) {
		struct region_row part;

		text_ranks_of_region(t, r);

		/* Of several ranks: the thread that the others of its rank wait for longest. */
		if (ranks_worst(t->ranks, r, &part))
			text_region_slowest(t, &part);
	} else {
		text_region_slowest(t, r);
	}
}

/* Outside of regions there may be time, but no sample. */
static bool text_is_nothing(const struct text *t, const struct region_row *r)
{
	return r->special != REGION_SPECIALS && !cost_sum(r->self, t->report->event).samples;
}

/* What costs little may be worth much. */
static bool text_shows_region(const struct text *t, const struct region_row *r, size_t shown)
{
	if (!t->rows_max && text_has_gain(t) && text_gains(t, r))
		return true;
	if (t->rows_max && r->special == REGION_IDLE)
		return false;
	return !text_is_nothing(t, r) && text_shows(t, r->self, shown);
}

static void text_regions_table(const struct text *whole)
{
	struct text some = *whole;
	struct text_rest rest = { 0 };
	struct regions regions;
	size_t shown = 0;

	if (!text_has_gain(whole))
		some.hidden |= 1u << COLUMN_GAIN;

	const struct text fit = text_fit(&some, text_spread_own), *t = &fit;

	regions_build(t->report->view, t->report->event, text_has_gain(t), &regions);
	text_sort_regions(t, &regions);
	text_titles(t, "parallel region");
	for (size_t i = 0; i < regions.n; i++) {
		const struct region_row *r = &regions.all[i];

		if (text_shows_region(t, r, shown))
			text_region_row(t, r, i < DETAILED_MAX);
		else if (!text_is_nothing(t, r))
			text_rest_add(t, &rest, r->self);
		/* Of few rows none is taken by time outside of regions. */
		shown += !t->rows_max || r->special == REGION_SPECIALS;
	}
	text_rest_print(t, &rest, 0);
	text_few_note(t);
	regions_fini(&regions);
}

void text_regions(const struct text *whole)
{
	struct text t = *whole;
	struct ranks ranks;

	ranks_build(t.report->view, t.report->event, &ranks);
	t.ranks = ranks.n ? &ranks : NULL;
	text_regions_table(&t);
	ranks_fini(&ranks);
}
