/* SPDX-License-Identifier: BSD-3-Clause */
/* text_parallelism.c - how long how many threads worked, and on what. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/parallelism.h"

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

static void line_print(const struct text *t, const struct parallelism *p,
		       const struct parallelism_line *line)
{
	char *name = text_line_in_region(t->report->view, line->line, line->region);

	fprintf(t->out, "%*s", THREADS_WIDTH, "");
	cells_print(t, p, line->elapsed_ns);
	fputs("  ", t->out);
	text_last_behind(t, THREADS_WIDTH + TIME_WIDTH + SHARE_WIDTH + 2, name);
	free(name);
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
		if (is_shown(t, p, p->lines[row->first + i].elapsed_ns))
			line_print(t, p, &p->lines[row->first + i]);
}

/* What the numbers are, and what is not known. */
static void notes_print(const struct text *t, const struct parallelism *p)
{
	const struct model_event *e = &t->report->model->events[p->event];

	fprintf(t->out,
		"A thread works in work and overhead, not in waits. Numbers are means over each "
		"region, and over serial code, in %s.\n",
		format_ns(p->bucket_ns).s);
	if (p->untimed_ns > p->work_ns / 1000)
		fprintf(t->out,
			"%s (%s %%) of the work was sampled at times that are not known: it is in "
			"row 0.\n",
			format_ns(p->untimed_ns).s,
			format_percent(format_whole(p->untimed_ns),
				       format_whole(p->work_ns + p->untimed_ns))
				.s);
	if (e->flags & PROF_EVENT_USER_ONLY)
		fputs("Only user mode was sampled: time in the kernel is in row 0.\n", t->out);
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
		notes_print(t, &p);
	}
	parallelism_fini(&p);
}
