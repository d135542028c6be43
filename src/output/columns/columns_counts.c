/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_counts.c - exact counts, by region, thread, event and part; findings. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/finding_words.h"
#include "src/output/printable.h"
#include "src/tables/counted.h"
#include "src/tables/findings.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

static const struct column count_columns[] = {
	{ "region", "the parallel region, as text has it" },
	{ "place", NULL },
	{ "process", "number of the profile, from 0" },
	{ "thread", "number of the thread in its process" },
	{ "event", "the event" },
	{ "unit", "ns or events" },
	{ "part", "what the thread did meanwhile" },
	{ "state", JSON_ALONE },
	{ "value", "what the counter counted" },
	{ "scaled", "the same for all of enabled_ns" },
	{ "enabled_ns", "time in which the event was to be counted" },
	{ "running_ns", "time of that in which it had a counter" },
	{ "elapsed_ns", "elapsed time" },
	{ NULL, NULL },
};

void count_cells(const struct cells *c, const struct count *n)
{
	static const char *const states[] = {
		[COUNT_NONE] = "none",
		[COUNT_NEVER] = "never",
		[COUNT_SCALED] = "scaled",
		[COUNT_EXACT] = "exact",
	};
	const enum counts_state state = count_state(n);
	const bool counted = state == COUNT_SCALED || state == COUNT_EXACT;

	cells_text(c, "state", states[state]);
	cells_number_if(c, "value", counted, n->value);
	cells_number_if(c, "scaled", counted, format_whole(count_scaled(n)));
	cells_number(c, "enabled_ns", n->enabled_ns);
	cells_number(c, "running_ns", n->running_ns);
}

void count_time_cell(const struct cells *c, const struct count *n)
{
	cells_number_if(c, "elapsed_ns", n->ticks_ns != 0, n->ticks_ns);
}

static void count_thread(const struct cells *c, const struct counts *counts,
			 const struct counts_region *g, const struct counts_thread *t)
{
	const struct model_thread *thread = &c->report->model->threads[t->thread];

	for (size_t i = 0; i < counts->nevents * PROF_PARTS; i++) {
		if (count_state(&t->cells[i]) == COUNT_NONE)
			continue;
		if (g->special == COUNTS_SPECIALS) {
			cells_take(c, "region",
				   region_label(c->report->view, REGION_SPECIALS, g->line));
			cells_place(c, g->line);
		} else {
			cells_text(c, "region", counts_special_name(g->special));
		}
		cells_number(c, "process", thread->process);
		cells_number(c, "thread", thread->number);
		cells_event(c, counts->events[i / PROF_PARTS]);
		cells_text(c, "part", counts_part_name((enum prof_part)(i % PROF_PARTS)));
		count_cells(c, &t->cells[i]);
		count_time_cell(c, &t->cells[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

static void count_rows(const struct cells *c)
{
	struct counts counts;

	counts_build(c->report->view, &counts);
	for (size_t i = 0; i < counts.n; i++)
		for (size_t t = 0; t < counts.regions[i].nthreads; t++)
			count_thread(c, &counts, &counts.regions[i], &counts.regions[i].threads[t]);
	counts_fini(&counts);
}

const struct flat_table columns_count = { count_columns, COSTS_NONE, count_rows };

/* ---- findings --------------------------------------------------------------- */

static const struct column finding_columns[] = {
	{ "rule", "the rule's name, as in json" },
	{ "condition", "1: it holds for the whole run; 0" },
	{ "gain_ns", "what the run would be shorter by; empty: not known" },
	{ "what", "what was found, and where" },
	{ "why", "the evidence" },
	{ "helps", "what may help" },
	{ NULL, NULL },
};

static void finding_rows(const struct cells *c)
{
	const struct findings *all = c->report->findings;

	for (size_t i = 0; all && i < all->n; i++) {
		const struct finding *f = &all->all[i];
		struct finding_words w;

		finding_words(c->report->view, f, &w);
		cells_text(c, "rule", finding_key(f->rule));
		cells_number(c, "condition", finding_is_condition(f->rule));
		cells_number_if(c, "gain_ns", f->gain_ns > 0, format_whole(f->gain_ns));
		cells_text(c, "what", w.what);
		cells_text(c, "why", w.why);
		cells_text(c, "helps", w.helps);
		cells_end(c, COSTS_NONE, NULL);
		finding_words_fini(&w);
	}
}

const struct flat_table columns_finding = { finding_columns, COSTS_NONE, finding_rows };
