/* SPDX-License-Identifier: BSD-3-Clause */
/* text_history.c - a history, for reading: the newest point, what changed when, all points. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/alloc.h"
#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { LABEL_WIDTH = 20, AMOUNT_WIDTH = 10, NUMBER_WIDTH = 9, NAMED_MOST = 3 };

/* "3.49 s"; "81.2 %" */
static struct formatted text_history_amount(const struct history_report *r,
					    const struct history_series *s, double value)
{
	struct formatted to = { "-" };

	if (!isnan(value) && !s->share)
		return format_real(value, s->time ? PROF_UNIT_NS : r->points->event.unit);
	if (!isnan(value))
		snprintf(to.s, sizeof(to.s), "%.1f %%", 100 * value);
	return to;
}

static void put_label(FILE *out, const char *label, size_t width)
{
	const size_t has = format_width(label);

	format_text(out, label, width);
	fprintf(out, "%*s", (int)(has < width ? width - has : 0), "");
}

/* ---- the newest point -------------------------------------------------- */

static void put_judgement(FILE *out, const struct history_report *r)
{
	const struct history *h = r->history;
	const struct history_latest *l = &h->latest;

	if (l->unknown)
		fprintf(out, ": not compared: %s\n", l->unknown);
	else if (isnan(l->noise))
		fputs(": how much runs differ is not known: it takes three points, or several "
		      "runs a point\n",
		      out);
	else
		fprintf(out, ": %s (%s; %zu point%s before)\n",
			history_within_noise(h) ? "within noise" :
			l->after > l->before	? "slower, beyond noise" :
						  "faster, beyond noise",
			text_history_amount(r, &h->series[0], l->noise).s, l->points,
			l->points == 1 ? "" : "s");
}

/* ---- what differs ------------------------------------------------------ */

static void text_history_put_differing(FILE *out, const struct history *h)
{
	static const char *const names[] = { "arguments", "machines", "threads" };

	for (unsigned bit = 0; bit < sizeof(names) / sizeof(*names); bit++) {
		size_t n = 0;

		for (size_t i = 0; i < h->n; i++) {
			if (!(h->differs[i] & 1u << bit))
				continue;
			if (!n++)
				fprintf(out, "!  %s differ from the point before: at ", names[bit]);
			else if (n <= NAMED_MOST)
				fputs(", ", out);
			if (n <= NAMED_MOST)
				format_text(out, h->points[i].label, LABEL_WIDTH);
		}
		if (n > NAMED_MOST)
			fprintf(out, " and %zu more", n - NAMED_MOST);
		fputs(n ? "\n" : "", out);
	}
}

/* ---- changes ----------------------------------------------------------- */

struct change_at {
	const struct history_series *series;
	const struct history_change *change;
	size_t number;
};

/* The newest first. */
static int by_point(const void *a, const void *b)
{
	const struct change_at *x = a, *y = b;

	if (x->change->at != y->change->at)
		return x->change->at < y->change->at ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void text_history_put_change(FILE *out, const struct history_report *r,
				    const struct change_at *c)
{
	const struct history_series *s = c->series;
	/* With other threads a cost is neither. */
	const char *is = r->history->differs[c->change->at] & HISTORY_THREADS ? "threads" :
			 c->change->worse				      ? "worse" :
										"better";

	fputs("  ", out);
	put_label(out, r->history->points[c->change->at].label, LABEL_WIDTH);
	fprintf(out, "%*s%*s%+*.1f  %-7s  ", AMOUNT_WIDTH,
		text_history_amount(r, s, c->change->before).s, AMOUNT_WIDTH,
		text_history_amount(r, s, c->change->after).s, NUMBER_WIDTH,
		history_percent(s, c->change->before, c->change->after), is);

	const struct side_item *item = s->item;

	switch (s->measure) {
	case HISTORY_ELAPSED: fputs("elapsed", out); break;
	case HISTORY_TOTAL: format_text(out, r->points->event.label, 0); break;
	case HISTORY_EFFICIENCY: fputs("parallel efficiency", out); break;
	case HISTORY_LOST: fprintf(out, "lost: %s", loss_name(s->loss)); break;
	case HISTORY_REGION:
		format_short(out, item->name);
		if (item->place && !item->ordinal) {
			fputs(" (", out);
			format_text(out, side_item_file(item), 0);
			fprintf(out, ":%" PRId64 ")", item->place);
		}
		break;
	}
	putc('\n', out);
}

static void put_changes(FILE *out, const struct history_report *r)
{
	const struct history *h = r->history;
	struct change_at *all;
	size_t n = 0;

	for (size_t i = 0; i < h->nseries; i++)
		n += h->series[i].nchanges;
	all = alloc_zeroed(n + 1, sizeof(*all));
	n = 0;
	for (size_t i = 0; i < h->nseries; i++)
		for (size_t k = 0; k < h->series[i].nchanges; k++)
			all[n++] = (struct change_at){ &h->series[i], &h->series[i].changes[k], i };
	if (!n && h->n < h->needed)
		fprintf(out,
			"\nlasting changes: not known: they take %zu points or more, "
			"here are %zu\n",
			h->needed, h->n);
	else if (!n)
		fputs("\nlasting changes: none beyond noise\n", out);
	if (n) {
		qsort(all, n, sizeof(*all), by_point);
		fprintf(out, "\nlasting changes, beyond noise\n  %-*s%*s%*s%*s\n", LABEL_WIDTH,
			"from", AMOUNT_WIDTH, "before", AMOUNT_WIDTH, "after", NUMBER_WIDTH, "%");
	}
	for (size_t i = 0; i < n; i++)
		text_history_put_change(out, r, &all[i]);
	free(all);
}

/* ---- points ------------------------------------------------------------ */

static const struct history_series *efficiency_of(const struct history *h)
{
	for (size_t i = 0; i < h->nseries; i++)
		if (h->series[i].measure == HISTORY_EFFICIENCY)
			return &h->series[i];
	return NULL;
}

static void put_point(FILE *out, const struct history_report *r, size_t i,
		      const struct history_series *efficiency)
{
	const struct history *h = r->history;
	const struct point *p = &h->points[i];
	const struct history_series *s = &h->series[0];
	const uint32_t threads = side_threads(&p->side);
	struct tm tm;

	fputs("  ", out);
	put_label(out, p->label, LABEL_WIDTH);

	const uint64_t start_ns = p->start_ns;
	const time_t second = (time_t)(start_ns / 1000000000);
	char text[32] = "-";

	if (start_ns && localtime_r(&second, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	fprintf(out, "  %-16s", text);
	fprintf(out, "%5zu", p->side.nruns);
	if (threads)
		fprintf(out, "%8" PRIu32, threads);
	else
		fputs("       -", out);
	fprintf(out, "%*s", AMOUNT_WIDTH, text_history_amount(r, s, s->mean[i]).s);
	if (isnan(s->deviation[i]))
		fprintf(out, "%*s", NUMBER_WIDTH, "-");
	else
		fprintf(out, "%*.1f", NUMBER_WIDTH, 100 * s->deviation[i] / s->mean[i]);
	if (efficiency)
		fprintf(out, "%*s", NUMBER_WIDTH + 2,
			text_history_amount(r, efficiency, efficiency->mean[i]).s);
	putc('\n', out);
}

void history_text_write(FILE *out, const struct history_report *r)
{
	char *text = NULL;
	size_t size;
	FILE *to = alloc_stream(&text, &size);

	const struct history *h = r->history;
	const struct history_latest *l = &h->latest;
	const struct history_series *s = &h->series[0];

	format_text(to, h->points[h->n - 1].label, 60);
	fprintf(to, ": %s ", s->time ? "elapsed" : r->points->event.label);
	if (!isnan(l->before))
		fprintf(to, "%s -> ", text_history_amount(r, s, l->before).s);
	fputs(text_history_amount(r, s, l->after).s, to);
	if (l->before > 0)
		fprintf(to, " (%+.1f %%)", history_percent(s, l->before, l->after));
	put_judgement(to, r);
	text_history_put_differing(to, r->history);

	const struct points *p = r->points;

	for (size_t i = 0; i < p->nleft && i < NAMED_MOST; i++) {
		fputs("!  left out: ", to);
		format_text(to, p->left[i].path, 0);
		fprintf(to, ": %s\n", p->left[i].why);
	}
	if (p->nleft > NAMED_MOST)
		fprintf(to, "!  and %zu more\n", p->nleft - NAMED_MOST);
	if (p->nearlier)
		fprintf(to, "!  %zu earlier points are not read: --last\n", p->nearlier);
	alloc_stream_end(to);
	fold_text(out, text, r->columns);
	free(text);
	put_changes(out, r);

	const struct history_series *efficiency = efficiency_of(h);

	fprintf(out, "\n  %-*s  %-16s%5s%8s%*s%*s%*s\n", LABEL_WIDTH, "point", "begun", "runs",
		"threads", AMOUNT_WIDTH, h->series[0].time ? "elapsed" : "cost", NUMBER_WIDTH,
		"sd%", NUMBER_WIDTH + 2, efficiency ? "efficiency" : "");
	for (size_t i = h->n; i-- > 0;)
		put_point(out, r, i, efficiency);
}
