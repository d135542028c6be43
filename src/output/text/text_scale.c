/* SPDX-License-Identifier: BSD-3-Clause */
/* text_scale.c - speed-up and efficiency, and the regions that stop scaling. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "src/diff/runs.h"
#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { TIME_WIDTH = 10, NUMBER_WIDTH = 9, GROWTH_LINES = 5 };

/* Regions below this share of the elapsed time, with any number of threads, are not shown. */
#define SHOWN 0.005

static void text_scale_cell(FILE *out, int width, bool known, double value, int digits)
{
	if (known)
		fprintf(out, "%*.*f", width, digits, value);
	else
		fprintf(out, "%*s", width, "-");
}

static void cell_time(FILE *out, double ns)
{
	fprintf(out, "%*s", TIME_WIDTH, ns > 0 ? format_ns(ns).s : "-");
}

static void put_stop(FILE *out, const struct scaling *s, const struct scaling_row *row)
{
	const size_t i = row->stops;

	if (!i)
		return;
	if (row->mean_ns[i] > row->mean_ns[i - 1])
		fprintf(out, "slower with %" PRIu32 " than with %" PRIu32, s->threads[i],
			s->threads[i - 1]);
	else
		fprintf(out, "stops at %" PRIu32 ": %.2f times as fast as with %" PRIu32,
			s->threads[i], row->mean_ns[i - 1] / row->mean_ns[i], s->threads[i - 1]);
}

/* In Amdahl's terms; of a problem that grows there are none. */
static void serial_print(FILE *out, const struct scaling *s)
{
	const struct scaling_amdahl a = scaling_amdahl(s, &s->total);

	if (s->how.weak)
		fputs("weak scaling: the problem grows with the threads, and speed-up is of what "
		      "is computed in a time\n",
		      out);
	if (!a.known)
		return;
	fprintf(out, "serial part: %.1f %% of the time of one thread", 100 * a.serial);
	if (isfinite(a.limit))
		fprintf(out,
			": with any number of threads at most %.3g times as fast as with %" PRIu32,
			a.limit, s->threads[0]);
	putc('\n', out);
}

/* Shown where the program or the machine gave other numbers of threads than asked for. */
static void threads_print(FILE *out, const struct scaling *s)
{
	bool compared = true;

	for (size_t i = 0; i < s->n; i++) {
		const uint32_t threads = side_threads(&s->sides[i]);

		if (threads != s->threads[i] && threads)
			fprintf(out,
				"asked for %" PRIu32 " threads, the largest team has %" PRIu32 "\n",
				s->threads[i], threads);
		compared = compared && scaling_comparable(s, i);
	}
	if (!compared)
		fputs("not compared: OMP_NUM_THREADS does not set the program's threads: a clause "
		      "num_threads, omp_set_num_threads() or a limit does\n",
		      out);
}

static bool text_scale_shows(const struct scaling *s, const struct scaling_row *row)
{
	for (size_t i = 0; i < s->n; i++)
		if (row->mean_ns[i] > SHOWN * s->total.mean_ns[i])
			return true;
	return false;
}

static void put_place(FILE *out, const struct side_item *item)
{
	if (!item->place || item->ordinal)
		return;
	fputs(" (", out);
	format_text(out, side_item_file(item), 0);
	fprintf(out, ":%" PRId64 ")", item->place);
}

static void region_print(FILE *out, const struct scaling *s, const struct scaling_row *row)
{
	const size_t last = s->n - 1;
	const double speedup = scaling_speedup(s, row, last);

	for (size_t i = 0; i < s->n; i++)
		cell_time(out, row->mean_ns[i]);
	text_scale_cell(out, NUMBER_WIDTH, speedup > 0, speedup, 2);
	text_scale_cell(out, NUMBER_WIDTH, speedup > 0, 100 * scaling_efficiency(s, row, last), 0);
	fputs(" %  ", out);
	format_name(out, row->item->name, 0);
	put_place(out, row->item);
	if (row->stops) {
		fputs(": ", out);
		put_stop(out, s, row);
	}
	putc('\n', out);
}

/* ---- work that grows --------------------------------------------------- */

static void growth_amount(FILE *out, const struct scaling *s, double amount)
{
	fprintf(out, "%*s", TIME_WIDTH, format_real(amount, s->event->unit).s);
}

static void growth_row(FILE *out, const struct scaling *s, const struct growth_row *row)
{
	growth_amount(out, s, row->before);
	growth_amount(out, s, row->after);
	text_scale_cell(out, NUMBER_WIDTH, row->factor > 0, row->factor, 2);
	text_scale_cell(out, NUMBER_WIDTH, true, 100 * row->share, 1);
	fprintf(out, "  %s ", row->item->by == DIFF_LINE ? "line in" : "region");
	format_name(out, row->item->name, 0);
	put_place(out, row->item);
	putc('\n', out);
}

/* Nothing where nothing grows. */
static void growth_print(FILE *out, const struct scaling *s)
{
	const uint32_t least = s->threads[0], most = s->threads[s->n - 1];
	const struct growth *g = &s->growth;
	size_t lines = 0;

	if (s->growth_unknown && !s->event->time && !s->how.weak)
		fprintf(out, "\nwhether work grows with the threads is not known: %s\n",
			s->growth_unknown);
	if (!g->n)
		return;
	fprintf(out,
		"\nwork of all threads that grows by more than chance explains, from %" PRIu32
		" to %" PRIu32 " threads\n%*" PRIu32 "%*" PRIu32 "%*s%*s\n",
		least, most, TIME_WIDTH, least, TIME_WIDTH, most, NUMBER_WIDTH, "times",
		NUMBER_WIDTH, "%");
	for (size_t i = 0; i < g->n; i++)
		if (g->rows[i].item->by != DIFF_LINE || lines++ < GROWTH_LINES)
			growth_row(out, s, &g->rows[i]);
	if (lines > GROWTH_LINES)
		fprintf(out, "... and %zu more lines\n", lines - GROWTH_LINES);
	fprintf(out,
		"false sharing, atomics, memory bandwidth%s, loops that wait for another thread, "
		"or work that each thread repeats: cannot be distinguished without counters\n",
		s->event->unit == PROF_UNIT_NS ? ", the clock frequency" : "");
}

void scale_text_write(FILE *out, const struct scaling *s)
{
	size_t hidden = 0;
	const struct scaling_row *t = &s->total;

	fprintf(out, "%7s%*s%*s%*s%*s\n", "threads", TIME_WIDTH, "elapsed", NUMBER_WIDTH, "sd%",
		NUMBER_WIDTH, "speed-up", NUMBER_WIDTH + 2, "efficiency");
	for (size_t i = 0; i < s->n; i++) {
		const double speedup = scaling_speedup(s, t, i);

		fprintf(out, "%7" PRIu32, s->threads[i]);
		cell_time(out, t->mean_ns[i]);
		text_scale_cell(out, NUMBER_WIDTH, t->mean_ns[i] > 0 && !isnan(t->deviation_ns[i]),
				100 * t->deviation_ns[i] / t->mean_ns[i], 1);
		text_scale_cell(out, NUMBER_WIDTH, speedup > 0, speedup, 2);
		text_scale_cell(out, NUMBER_WIDTH, speedup > 0, 100 * scaling_efficiency(s, t, i),
				0);
		fputs(" %", out);
		if (i && i == t->stops) {
			fputs("  ", out);
			put_stop(out, s, t);
		}
		if (scaling_is_beyond(s, i))
			fprintf(out, "  more threads than CPUs (%" PRIu32 ")", s->how.cpus);
		putc('\n', out);
	}
	serial_print(out, s);
	threads_print(out, s);
	fprintf(out, "\ntime from fork to join with so many threads\n");
	for (size_t i = 0; i < s->n; i++)
		fprintf(out, "%*" PRIu32, TIME_WIDTH, s->threads[i]);
	fprintf(out, "%*s%*s  parallel region\n", NUMBER_WIDTH, "speed-up", NUMBER_WIDTH + 2,
		"efficiency");
	for (size_t i = 0; i < s->nregions; i++)
		if (text_scale_shows(s, &s->regions[i]))
			region_print(out, s, &s->regions[i]);
		else
			hidden++;
	if (hidden)
		fprintf(out, "... and %zu more, each below %.1f %% of the elapsed time\n", hidden,
			100 * SHOWN);
	growth_print(out, s);
}
