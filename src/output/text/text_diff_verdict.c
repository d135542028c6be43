/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/text/text_diff_verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/diff/diff.h"
#include "src/diff/diff_judge.h"
#include "src/output/fold.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { NAMED_MOST = 3, NAME_WIDTH = 24, SHARE_WIDTH = 9 };

static const double LOSS_LEAST = 0.01; /* of a side's time: what is worth a line */

static void verdict_put_change(FILE *out, const struct diff_report *r, const struct diff_judged *j)
{
	const struct diff_row *row = j->row;
	const uint32_t unit = j->elapsed ? PROF_UNIT_NS : r->unit;

	fprintf(out, "%s %s -> %s", j->elapsed ? "elapsed" : r->event,
		format_real(row->side[BEFORE].all.mean, unit).s,
		format_real(row->side[AFTER].all.mean, unit).s);
	if (isfinite(j->percent))
		fprintf(out, " (%+.1f %%)", j->percent);
	if (isnan(row->noise))
		fputs(": one run a side\n  how much runs differ is not known: "
		      "compare folders of three runs or more\n",
		      out);
	else
		fprintf(out, ": %s (%s; %zu and %zu runs)\n",
			diff_within_noise(row) ? "within noise" :
			row->change > 0	       ? "slower, beyond noise" :
						 "faster, beyond noise",
			format_real(row->noise, unit).s, r->diff->side[BEFORE]->nruns,
			r->diff->side[AFTER]->nruns);
}

/* ---- efficiency ------------------------------------------------------- */

static void put_shares(FILE *out, const char *name, double before, double after)
{
	fprintf(out, "  %-*s%*.1f%*.1f%+*.1f\n", NAME_WIDTH, name, SHARE_WIDTH, 100 * before,
		SHARE_WIDTH, 100 * after, SHARE_WIDTH, 100 * (after - before));
}

static void verdict_put_efficiency(FILE *out, const struct diff *d)
{
	const double before = side_efficiency(d->side[BEFORE]);
	const double after = side_efficiency(d->side[AFTER]);

	if (isnan(before) || isnan(after))
		return;
	fprintf(out, "\n  %-*s%*s%*s%*s\n", NAME_WIDTH, "% of the threads' time", SHARE_WIDTH,
		"before", SHARE_WIDTH, "after", SHARE_WIDTH, "change");
	put_shares(out, "parallel efficiency", before, after);
	for (unsigned i = 0; i < LOSSES; i++) {
		const double b = side_lost(d->side[BEFORE], (enum loss)i);
		const double a = side_lost(d->side[AFTER], (enum loss)i);

		if (b >= LOSS_LEAST || a >= LOSS_LEAST)
			put_shares(out, loss_name((enum loss)i), b, a);
	}
}

/* ---- what changed ----------------------------------------------------- */

/* The regions of both sides whose cost changed most, beyond noise. */
static void put_regions(FILE *out, const struct diff_report *r, bool more)
{
	const struct diff_table *t = &r->diff->by[DIFF_REGION];
	const char *before = more ? "\n  more work, wait or overhead in\n" :
				    "\n  less work, wait or overhead in\n";
	size_t named = 0;

	for (size_t i = 0; i < t->n && named < NAMED_MOST; i++) {
		const struct diff_row *row = &t->rows[i];

		if (!row->side[BEFORE].item || !row->side[AFTER].item || isnan(row->noise) ||
		    diff_within_noise(row) || (row->loss > 0) != more)
			continue;
		fprintf(out, "%s  %s%9s  ", before, more ? "+" : "-",
			format_real(fabs(row->loss), r->unit).s);
		format_short(out, diff_item(row)->name);
		putc('\n', out);
		before = "";
		named++;
	}
}

/* ---- what differs ----------------------------------------------------- */

static void verdict_put_differing(FILE *out, const struct diff *d, const char *what,
				  const char *(*of)(const struct side *))
{
	const char *const texts[SIDES] = { of(d->side[BEFORE]), of(d->side[AFTER]) };

	/* Equal texts have one address. */
	if (texts[BEFORE] && texts[BEFORE] == texts[AFTER])
		return;
	fprintf(out, "!  %s differ\n", what);
	for (int side = 0; side < SIDES; side++) {
		fputs(side == BEFORE ? "     before  " : "     after   ", out);
		if (texts[side] && *texts[side])
			format_text(out, texts[side], 60);
		else
			fputs(texts[side] ? "(none)" : "(several)", out);
		putc('\n', out);
	}
}

void text_diff_verdict(FILE *out, const struct diff_report *r)
{
	char *text = NULL;
	size_t size;
	FILE *to = alloc_stream(&text, &size);

	const struct diff_judged j = diff_judge(r->diff);

	verdict_put_change(to, r, &j);
	verdict_put_differing(to, r->diff, "arguments", side_arguments);
	verdict_put_differing(to, r->diff, "machines", side_host);
	if (r->diff->threads[BEFORE] != r->diff->threads[AFTER])
		fprintf(to, "!  threads differ: %u before, %u after\n", r->diff->threads[BEFORE],
			r->diff->threads[AFTER]);
	verdict_put_efficiency(to, r->diff);
	if (!r->diff->scaled) {
		put_regions(to, r, false);
		put_regions(to, r, true);
	}
	putc('\n', to);
	alloc_stream_end(to);
	fold_text(out, text, r->columns);
	free(text);
}
