/* SPDX-License-Identifier: BSD-3-Clause */
/* text_findings.c - the largest losses, and what helps. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/finding_words.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/view/view.h"

/* The others are in the page, in JSON and in report --by finding. */
enum { SHOWN = 3 };

static void text_finding_gain(const struct text *t, const struct finding *f)
{
	const double elapsed = t->report->losses->elapsed_ns;

	if (f->gain_ns > 0)
		fprintf(t->out, "%s (%.1f %%): ", format_ns(f->gain_ns).s,
			100 * f->gain_ns / elapsed);
}

/* Where it is: its construct, region, call, or what others wait for. */
static uint32_t text_finding_line(const struct view *v, const struct finding *f)
{
	const struct view_construct *c = &v->constructs[f->construct];

	if (c->kind >= CONSTRUCT_SPECIALS && c->line)
		return c->line;
	if (f->special == REGION_SPECIALS)
		return f->line;
	return f->call_line ? f->call_line : (uint32_t)f->work_line;
}

/* The n-th of those that are shown. */
static void text_finding(const struct text *t, const struct finding *f, const char *before,
			 size_t n)
{
	struct finding_words w;
	char *what = NULL;
	size_t size;
	FILE *out = alloc_stream(&what, &size);
	struct text some = *t;

	finding_words(t->report->view, f, &w);
	some.out = out;
	text_row_line(t, text_finding_line(t->report->view, f));
	fputs(before, out);
	text_finding_gain(&some, f);
	fputs(w.what, out);
	alloc_stream_end(out);
	format_name(t->out, what, t->detail && t->detail->short_lines ? t->report->columns : 0);
	putc('\n', t->out);
	free(what);
	if (!t->detail || n < t->detail->whys)
		fprintf(t->out, "     why:   %s\n", w.why);
	if (!t->detail || n < t->detail->helps)
		fprintf(t->out, "     helps: %s\n", w.helps);
	finding_words_fini(&w);
}

void text_findings(const struct text *t)
{
	const struct findings *all = t->report->findings;
	const bool asked = t->report->by == BY_FINDING;
	const size_t most = t->detail ? t->detail->findings : SHOWN;
	size_t conditions = 0, shown;

	if (asked && (!all || !all->n))
		fputs("\nnothing was found that would make the run shorter\n", t->out);
	if (!all || !all->n)
		return;
	while (conditions < all->n && finding_is_condition(all->all[conditions].rule))
		conditions++;
	if (t->detail)
		putc('\n', t->out);
	else if (conditions)
		fputs("\ncondition of the run, which holds for all that is below\n", t->out);
	for (size_t i = 0; i < conditions; i++)
		text_finding(t, &all->all[i], "  !  ", i);
	if (conditions < all->n)
		fprintf(t->out, "%sfindings, with the estimated time saved\n",
			t->detail && (!conditions || t->detail->tight) ? "" : "\n");
	shown = asked || all->n < conditions + most ? all->n : conditions + most;
	for (size_t i = conditions; i < shown; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%3zu. ", i + 1 - conditions);
		text_finding(t, &all->all[i], number, i - conditions);
	}
	if (all->n > shown)
		fprintf(t->out, "  and %zu more: ompcount report --by finding\n", all->n - shown);
}
