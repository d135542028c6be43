/* SPDX-License-Identifier: BSD-3-Clause */
/* text_time.c - what a program did when: lanes, phases, and each region's longest entry. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/parallelism.h"
#include "src/tables/phases.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

enum {
	LANE_COLUMNS = 64,
	LANES_MAX = 16, /* threads */
	NAME_WIDTH = 14,
	WHEN_WIDTH = 10,
	ENTRIES_WIDTH = 11,
	INSTANCES_MAX = 12,
};

/* Below this part of the widest column a thread did nothing worth a mark. */
#define LANE_LEAST 0.05

static const char marks[OMP_CLASSES] = {
	[OMP_WORK] = '#', [OMP_WAIT] = '.',    [OMP_OVERHEAD] = '+',
	[OMP_MPI] = '~',  [OMP_BLOCKED] = 'z',
};

/* ---- lanes ------------------------------------------------------------- */

struct columns {
	uint64_t weight[LANE_COLUMNS][OMP_CLASSES];
	uint32_t nbuckets[LANE_COLUMNS];
	size_t n;
};

static size_t column_of(const struct lanes *l, size_t columns, uint32_t bucket)
{
	return (size_t)((uint64_t)bucket * columns / l->nbuckets);
}

/* The cells from number i on that are of one thread; returns the number after them. */
static size_t columns_fill(const struct lanes *l, size_t i, struct columns *c)
{
	const uint32_t thread = l->cells[i].thread;

	memset(c, 0, sizeof(*c));
	c->n = l->nbuckets < LANE_COLUMNS ? l->nbuckets : LANE_COLUMNS;
	for (uint32_t b = 0; b < l->nbuckets; b++)
		c->nbuckets[column_of(l, c->n, b)]++;
	for (; i < l->ncells && l->cells[i].thread == thread; i++)
		c->weight[column_of(l, c->n, l->cells[i].bucket)][l->cells[i].class] +=
			l->cells[i].weight;
	return i;
}

/* A column's weight for each of its buckets. */
static double column_rate(const struct columns *c, size_t i)
{
	double sum = 0;

	for (unsigned k = 0; k < OMP_CLASSES; k++)
		sum += (double)c->weight[i][k];
	return c->nbuckets[i] ? sum / c->nbuckets[i] : 0;
}

static char column_mark(const struct columns *c, size_t i, double most)
{
	unsigned best = 0;

	if (column_rate(c, i) <= most * LANE_LEAST)
		return ' ';
	for (unsigned k = 1; k < OMP_CLASSES; k++)
		if (c->weight[i][k] > c->weight[i][best])
			best = k;
	return marks[best];
}

static double columns_most(const struct columns *c)
{
	double most = 0;

	for (size_t i = 0; i < c->n; i++)
		if (column_rate(c, i) > most)
			most = column_rate(c, i);
	return most;
}

/* One line for each thread, in one measure. */
static void lanes_print(const struct text *t, const struct lanes *l)
{
	struct columns c;
	double most = 0;
	size_t n = 0;

	for (size_t i = 0; i < l->ncells;) {
		i = columns_fill(l, i, &c);
		most = columns_most(&c) > most ? columns_most(&c) : most;
	}
	fprintf(t->out, "%-*s", NAME_WIDTH, "thread");
	for (unsigned k = 0; k < OMP_CLASSES; k++)
		if (omp_has_class(t->report->view->classes, k))
			fprintf(t->out, "  %c %s", marks[k], omp_class_name((enum omp_class)k));
	fputs(", whichever has most\n", t->out);
	for (size_t i = 0; i < l->ncells; n++) {
		const uint32_t thread = l->cells[i].thread;

		i = columns_fill(l, i, &c);
		if (n < LANES_MAX || t->report->limit_percent <= 0) {
			char *name = thread_text(t->report->model, thread);

			fprintf(t->out, "%-*s |", NAME_WIDTH, name);
			free(name);
			for (size_t j = 0; j < c.n; j++)
				putc(column_mark(&c, j, most), t->out);
			fputs("|\n", t->out);
		}
	}
	if (n > LANES_MAX && t->report->limit_percent > 0)
		fprintf(t->out, "... and %zu more threads\n", n - LANES_MAX);
}

/* ---- phases ------------------------------------------------------------ */

static void phases_print(const struct text *whole, const struct lanes *l)
{
	static const struct text_own own[] = { { "from", WHEN_WIDTH, COLUMN_OWN },
					       { "to", WHEN_WIDTH, COLUMN_OWN },
					       { "has", 7, COLUMN_OWN },
					       { 0 } };
	struct text here = *whole, *t = &here;
	struct phase *phases;
	size_t n;

	phases_build(l, &phases, &n);
	putc('\n', t->out);
	here.own = own;
	text_titles(t, "region that has most of this phase");
	for (size_t i = 0; i < n; i++) {
		const struct phase *p = &phases[i];
		const double end = p->end * l->bucket_ns;
		const size_t nevents = t->report->model->nevents;
		struct cost *block = alloc_zeroed(nevents * OMP_CLASSES + 1, sizeof(*block));
		char *name = region_label_of(t->report->view, p->region);

		memcpy(&block[l->event * OMP_CLASSES], p->cost, sizeof(p->cost));
		text_cells(t, block);
		text_cell(t, 0, format_ns(p->first * l->bucket_ns).s);
		text_cell(t, 1, format_ns(end < l->end_ns ? end : l->end_ns).s);
		text_cell(t, 2,
			  format_percent(p->region_weight, cost_sum(block, l->event).weight).s);
		text_last(t, name);
		free(block);
		free(name);
	}
	free(phases);
}

/* ---- longest entries --------------------------------------------------- */

static void instances_print(const struct text *t)
{
	struct instance *all;
	size_t n;

	instances_build(t->report->view, &all, &n);
	if (n)
		fprintf(t->out, "\n%*s%*s%*s%*s%*s  region, and its longest entry\n", WHEN_WIDTH,
			"longest", WHEN_WIDTH, "mean", WHEN_WIDTH, "began at", ENTRIES_WIDTH,
			"number", ENTRIES_WIDTH, "of");
	for (size_t i = 0; i < n; i++) {
		char *name;

		if (i >= INSTANCES_MAX && t->report->limit_percent > 0) {
			fprintf(t->out, "... and %zu more\n", n - i);
			break;
		}
		name = region_label_of(t->report->view, all[i].region);
		fprintf(t->out, "%*s", WHEN_WIDTH, format_ns((double)all[i].ns).s);
		fprintf(t->out, "%*s", WHEN_WIDTH,
			all[i].entries ?
				format_ns((double)all[i].whole_ns / (double)all[i].entries).s :
				"-");
		fprintf(t->out, "%*s", WHEN_WIDTH, format_ns(all[i].begin_ns).s);
		fprintf(t->out, "%*s", ENTRIES_WIDTH,
			all[i].number ? format_count(all[i].number).s : "-");
		fprintf(t->out, "%*s", ENTRIES_WIDTH,
			all[i].entries ? format_count(all[i].entries).s : "-");
		text_last_behind(t, 3 * WHEN_WIDTH + 2 * ENTRIES_WIDTH, name);
		free(name);
	}
	free(all);
}

void text_time(const struct text *t)
{
	struct lanes l;

	lanes_build(t->report->view, t->report->event, &l);
	if (l.unknown) {
		fprintf(t->out, "no timeline: %s\n", l.unknown);
	} else {
		fprintf(t->out, "%s in %zu buckets of %s\n\n", format_ns(l.end_ns).s, l.nbuckets,
			format_ns(l.bucket_ns).s);
		lanes_print(t, &l);
		phases_print(t, &l);
		/* Samples whose time was not kept: taken before there was room for it. */
		uint64_t all = 0, placed = 0;

		for (unsigned c = 0; c < OMP_CLASSES; c++) {
			all = prof_add(all, l.all[c].weight);
			placed = prof_add(placed, l.placed[c].weight);
		}
		if (placed < all && t->report->view->to_ns <= 0)
			fprintf(t->out, "%s %% of it was sampled at times that are not known\n",
				format_percent(all - placed, all).s);
	}
	instances_print(t);
	/* Which events are kept beside the samples. */
	const struct model *m = t->report->model;
	uint64_t events = 0, older = 0;

	for (size_t p = 0; p < m->nprocesses; p++)
		for (size_t i = 0; i < m->processes[p].file->ntraces; i++) {
			events += m->processes[p].file->traces[i].n;
			older = prof_add(older, m->processes[p].file->traces[i].lost);
		}
	if (events)
		fprintf(t->out,
			"\n%s events of regions, tasks, constructs and waits; %s older ones were "
			"overwritten: --format trace shows them\n",
			format_count(events).s, format_count(older).s);
	lanes_fini(&l);
}

/* ---- how many threads worked ------------------------------------------- */

enum { THREADS_WIDTH = 8, TIME_WIDTH = 10, SHARE_WIDTH = 7, LINES_MAX = 5 };

static void cells_print(const struct text *t, const struct parallelism *p, double ns)
{
	fprintf(t->out, "%*s", TIME_WIDTH, format_ns(ns).s);
	text_number(t, SHARE_WIDTH, format_percent(format_whole(ns), format_whole(p->elapsed_ns)).s,
		    PAINT_PLAIN);
}

static bool is_shown(const struct text *t, const struct parallelism *p, double ns)
{
	return ns * 100 >= t->report->limit_percent * p->elapsed_ns;
}

static void text_parallelism_row_print(const struct text *t, const struct parallelism *p,
				       size_t threads)
{
	const struct parallelism_row *row = &p->rows[threads];
	const bool all = t->report->limit_percent <= 0;

	fprintf(t->out, "%*zu", THREADS_WIDTH, threads);
	cells_print(t, p, p->rows[threads].elapsed_ns);
	fprintf(t->out, "  %s\n",
		threads > 1  ? "threads worked" :
		threads == 1 ? "thread worked" :
			       "none worked: all waited, were blocked or had no CPU");
	for (size_t i = 0; i < row->n && (all || i < LINES_MAX); i++)
		if (is_shown(t, p, p->lines[row->first + i].elapsed_ns)) {
			const struct parallelism_line *line = &p->lines[row->first + i];
			char *name = text_line_in_region(t->report->view, line->line, line->region);

			fprintf(t->out, "%*s", THREADS_WIDTH, "");
			cells_print(t, p, line->elapsed_ns);
			fputs("  ", t->out);
			text_last_behind(t, THREADS_WIDTH + TIME_WIDTH + SHARE_WIDTH + 2, name);
			free(name);
		}
}

static void rows_print(const struct text *t, const struct parallelism *p)
{
	double rest = 0;
	size_t n = 0;

	text_paint(t, PAINT_TITLE);
	fprintf(t->out, "%*s%*s%*s  lines that had most of it", THREADS_WIDTH, "threads",
		TIME_WIDTH, "elapsed", SHARE_WIDTH, "%");
	text_paint(t, PAINT_PLAIN);
	putc('\n', t->out);
	for (size_t i = 0; i < p->nrows; i++) {
		if (p->rows[i].elapsed_ns > 0 && is_shown(t, p, p->rows[i].elapsed_ns)) {
			text_parallelism_row_print(t, p, i);
		} else {
			rest += p->rows[i].elapsed_ns;
			n += p->rows[i].elapsed_ns > 0;
		}
	}
	if (n) {
		fprintf(t->out, "%*s", THREADS_WIDTH, "");
		cells_print(t, p, rest);
		fprintf(t->out, "  ... and %zu more number%s of threads\n", n, n > 1 ? "s" : "");
	}
}

void text_parallelism(const struct text *t)
{
	struct parallelism p;

	parallelism_build(t->report->view, &p);
	if (p.unknown) {
		fprintf(t->out, "How many threads worked is not known: %s\n", p.unknown);
	} else {
		fprintf(t->out, "%s elapsed", format_ns(p.elapsed_ns).s);
		if (p.nprocesses > 1)
			fprintf(t->out, " in %zu processes together, each counted by itself",
				p.nprocesses);
		fprintf(t->out, "; on average %.2f threads worked\n\n", p.work_ns / p.elapsed_ns);
		rows_print(t, &p);
		/* What the numbers are, and what is not known. */
		const struct model_event *e = &t->report->model->events[p.event];

		fprintf(t->out,
			"A thread works in work and overhead, not in waits. Numbers are means over "
			"each region, and over serial code, in %s.\n",
			format_ns(p.bucket_ns).s);
		if (p.untimed_ns > p.work_ns / 1000)
			fprintf(t->out,
				"%s (%s %%) of the work was sampled at times that are not known: "
				"it is in row 0.\n",
				format_ns(p.untimed_ns).s,
				format_percent(format_whole(p.untimed_ns),
					       format_whole(p.work_ns + p.untimed_ns))
					.s);
		if (e->flags & PROF_EVENT_USER_ONLY)
			fputs("Only user mode was sampled: time in the kernel is in row 0.\n",
			      t->out);
	}
	parallelism_fini(&p);
}
