/* SPDX-License-Identifier: BSD-3-Clause */
/* live_print.c - the texts of a live view: see live.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/output/printable.h"
#include "src/screen/cpu_time.h"
#include "src/screen/live.h"

#include "src/base/alloc.h"
#include "src/base/map.h"

enum {
	SHARE_WIDTH = 7,
	AMOUNT_WIDTH = 10,
	NAME_LEAST = 20,
	NAME_ROOM = 24,
	BETWEEN = 6,
	LEAST_PART = 1000
};

static const enum paint paints[OMP_CLASSES] = {
	[OMP_WORK] = PAINT_WORK, [OMP_WAIT] = PAINT_WAIT,	[OMP_OVERHEAD] = PAINT_OVERHEAD,
	[OMP_MPI] = PAINT_MPI,	 [OMP_BLOCKED] = PAINT_BLOCKED,
};

static uint64_t sum_of(const uint64_t by[OMP_CLASSES])
{
	uint64_t sum = 0;

	for (unsigned c = 0; c < OMP_CLASSES; c++)
		sum += by[c];
	return sum;
}

static void paint(FILE *out, const struct live_style *s, enum paint p)
{
	if (s->colour)
		fputs(paint_code(p), out);
}

static void live_share(FILE *out, const struct live_style *s, uint64_t part, uint64_t all,
		       enum paint p)
{
	const char *number = format_percent(part, all).s;

	paint(out, s, number[strspn(number, "0.-")] ? p : PAINT_FAINT);
	fprintf(out, "%*s", SHARE_WIDTH, number);
	paint(out, s, PAINT_PLAIN);
}

const char *live_sort_name(enum live_sort sort)
{
	static const char *const names[LIVE_SORTS] = {
		[LIVE_NOW] = "now",   [LIVE_TOTAL] = "since the start", [LIVE_WORK] = "work",
		[LIVE_WAIT] = "wait", [LIVE_OVERHEAD] = "overhead",
	};

	return names[sort];
}

/* With nothing in MPI or blocked, these have no column. */
static unsigned classes_of(const uint64_t by[OMP_CLASSES])
{
	unsigned set = OMP_CLASSES_ALWAYS;

	for (unsigned c = 0; c < OMP_CLASSES; c++)
		set |= by[c] ? OMP_CLASS(c) : 0;
	return set;
}

/* "work 60.1 %, wait 38.2 %, overhead 1.7 %" */
static void classes(FILE *out, const struct live_style *s, const uint64_t by[OMP_CLASSES])
{
	const uint64_t all = sum_of(by);

	for (unsigned c = 0; c < OMP_CLASSES; c++) {
		if (!omp_has_class(classes_of(by), c))
			continue;
		fputs(c ? ", " : "", out);
		paint(out, s, paints[c]);
		fprintf(out, "%s %s %%", omp_class_name((enum omp_class)c),
			format_percent(by[c], all).s);
		paint(out, s, PAINT_PLAIN);
	}
}

/* "CPUs: 1.93 had by 2 threads, and 0.05 more waited for" */
static void cpus(FILE *out, const struct live *l)
{
	double had, waited;
	const size_t n = live_cpus(l, &had, &waited);

	if (!n)
		return;
	fprintf(out, "CPUs: %.2f had by %zu thread%s", had, n, n == 1 ? "" : "s");
	if (l->cpus[0].waits)
		fprintf(out, ", and %.2f more waited for", waited);
	putc('\n', out);
}

void live_print_head(FILE *out, const struct live *l, const struct live_style *s)
{
	fprintf(out, "%s%s%s\n", l->about ? l->about : "", l->ended ? ": " : "",
		l->ended ? l->ended : "");
	if (l->trouble[0])
		fprintf(out, "the profile can't be read now: %s\n", l->trouble);
	if (l->seconds > 0) {
		fprintf(out, "last %.1f s: ", l->seconds);
		classes(out, s, l->sum.last);
		fprintf(out, " of %s in %s sample%s\n",
			format_amount(sum_of(l->sum.last), l->unit).s,
			format_count(l->last_samples).s, l->last_samples == 1 ? "" : "s");
	}
	cpus(out, l);
	fputs("since start: ", out);
	classes(out, s, l->sum.all);
	fprintf(out, " of %s ", format_amount(sum_of(l->sum.all), l->unit).s);
	format_text(out, l->sum.label ? l->sum.label : "", 0);
	putc('\n', out);
}

/* ---- a table --------------------------------------------------------------- */

static uint64_t live_key_of(const struct live_row *r, enum live_sort sort)
{
	switch (sort) {
	case LIVE_TOTAL: return sum_of(r->all);
	case LIVE_WORK: return r->last[OMP_WORK];
	case LIVE_WAIT: return r->last[OMP_WAIT];
	case LIVE_OVERHEAD: return r->last[OMP_OVERHEAD];
	default: return sum_of(r->last);
	}
}

static int live_order(const void *a, const void *b, void *arg)
{
	const struct live_row *x = *(struct live_row *const *)a, *y = *(struct live_row *const *)b;
	const enum live_sort sort = *(const enum live_sort *)arg;
	const uint64_t u = live_key_of(x, sort), v = live_key_of(y, sort);
	const uint64_t all_u = sum_of(x->all), all_v = sum_of(y->all);

	if (u != v)
		return u < v ? 1 : -1;
	if (all_u != all_v)
		return all_u < all_v ? 1 : -1;
	return strcmp(x->label ? x->label : "", y->label ? y->label : "");
}

/* A narrow terminal has no room for overhead and amounts. */
static bool is_wide(const struct live_style *s)
{
	return !s->columns || s->columns >= 5 * SHARE_WIDTH + AMOUNT_WIDTH + BETWEEN + NAME_ROOM;
}

static void live_row_print(FILE *out, const struct live *l, const struct live_row *r,
			   const struct live_style *s, struct map *names)
{
	const unsigned shown = classes_of(l->sum.all);
	const unsigned more = omp_classes_count(shown & ~OMP_CLASSES_ALWAYS);
	const size_t used = BETWEEN + (more + (r->tid != 0)) * SHARE_WIDTH +
			    (is_wide(s) ? 5 * SHARE_WIDTH + AMOUNT_WIDTH : 4 * SHARE_WIDTH);
	const uint64_t now = sum_of(l->sum.last);

	if (r->tid && live_cpus_of(l, r->tid) >= 0)
		fprintf(out, "%*.1f", SHARE_WIDTH, 100 * live_cpus_of(l, r->tid));
	else if (r->tid)
		fprintf(out, "%*s", SHARE_WIDTH, "-");
	live_share(out, s, sum_of(r->last), now, PAINT_STRONG);
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (omp_has_class(shown, c) && (c != OMP_OVERHEAD || is_wide(s)))
			live_share(out, s, r->last[c], now, paints[c]);
	fputs("  | ", out);
	live_share(out, s, sum_of(r->all), sum_of(l->sum.all), PAINT_PLAIN);
	if (is_wide(s))
		fprintf(out, "%*s", AMOUNT_WIDTH, format_amount(sum_of(r->all), l->unit).s);
	fputs("  ", out);
	format_name_apart(out, r->label ? r->label : "",
			  !s->columns			 ? 0 :
			  s->columns > used + NAME_LEAST ? s->columns - used :
							   NAME_LEAST,
			  names);
	putc('\n', out);
}

size_t live_print_table(FILE *out, const struct live *l, enum live_kind kind,
			const struct live_style *s)
{
	const struct live_table *t = &l->tables[kind];
	const struct live_row **rows = alloc_zeroed(t->n + 1, sizeof(const struct live_row *));
	enum live_sort sort = s->sort;
	struct map names = { 0 };
	size_t shown = 0;
	const unsigned set = classes_of(l->sum.all);
	static const char *const what[LIVE_KINDS] = { "parallel region", "function", "thread" };

	paint(out, s, PAINT_TITLE);
	if (kind == LIVE_THREADS)
		fprintf(out, "%*s", SHARE_WIDTH, "CPU %");
	fprintf(out, "%*s%*s%*s", SHARE_WIDTH, "now %", SHARE_WIDTH, "work", SHARE_WIDTH, "wait");
	if (is_wide(s))
		fprintf(out, "%*s", SHARE_WIDTH, "ovhd");
	if (omp_has_class(set, OMP_MPI))
		fprintf(out, "%*s", SHARE_WIDTH, "mpi");
	if (omp_has_class(set, OMP_BLOCKED))
		fprintf(out, "%*s", SHARE_WIDTH, "block");
	fprintf(out, "  | %*s", SHARE_WIDTH, "all %");
	if (is_wide(s))
		fprintf(out, "%*s", AMOUNT_WIDTH, "amount");
	fprintf(out, "  %s", what[kind]);
	paint(out, s, PAINT_PLAIN);
	putc('\n', out);
	for (size_t i = 0; i < t->n; i++)
		rows[i] = &t->rows[i];
	qsort_r(rows, t->n, sizeof(struct live_row *), live_order, &sort);
	for (size_t i = 0; i < t->n; i++) {
		const struct live_row *r = rows[i];

		if (sum_of(r->last) <= sum_of(l->sum.last) / LEAST_PART &&
		    sum_of(r->all) <= sum_of(l->sum.all) / LEAST_PART)
			continue;
		if (shown >= s->skipped && (!s->rows || shown < s->skipped + s->rows))
			live_row_print(out, l, r, s, &names);
		shown++;
	}
	map_free(&names);
	free(rows);
	return shown;
}
