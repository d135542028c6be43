/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_screen.c - what is seen first, after a run and by `report' on a terminal: the program, its
 * efficiency, where to begin, and the regions. It is as detailed as the screen has lines for.
 */
#include "config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/losses.h"
#include "src/tables/tables.h"

#include "src/base/alloc.h"

enum {
	LOSSES_SHOWN = 6,
	FUNCTIONS = 8
}; /* lines of the table of functions, which a large screen has room for */

/* From the most detailed on; a screen of 24 lines and 80 columns has room for the last ones. Three
   regions are on all of them. */
static const struct text_detail details[] = {
	{ .losses = 6, .findings = 3, .whys = 3, .helps = 3, .regions = 5, .notes = true },
	{ .losses = 5, .findings = 3, .whys = 1, .helps = 3, .regions = 5, .notes = true },
	{ .losses = 4, .findings = 3, .whys = 1, .helps = 1, .regions = 5, .notes = true },
	{ .losses = 3, .findings = 3, .whys = 0, .helps = 1, .regions = 4, .notes = true },
	{ .losses = 3, .findings = 3, .whys = 0, .helps = 1, .regions = 3 },
	{ .losses = 2, .findings = 2, .whys = 0, .helps = 1, .regions = 3 },
	{ .losses = 3, .findings = 3, .regions = 3, .short_lines = true },
	{ .losses = 2, .findings = 2, .regions = 3, .short_lines = true },
	{ .losses = 2, .findings = 1, .regions = 3, .short_lines = true },
	{ .losses = 2, .findings = 1, .regions = 3, .short_lines = true, .tight = true },
	{ .losses = 2, .findings = 0, .regions = 3, .short_lines = true, .tight = true },
};
enum { DETAILS = sizeof(details) / sizeof(*details) };

static void screen_head(const struct text *t)
{
	text_about(t);
	text_mpi_threads(t);
}

static void screen_losses(const struct text *t)
{
	putc('\n', t->out);
	text_no_regions(t);
	text_efficiency(t);
	text_ranks_of_run(t);
}

void text_summary(const struct text *t)
{
	static const struct text_detail all = {
		.losses = LOSSES_SHOWN,
		.findings = UINT_MAX,
		.whys = UINT_MAX,
		.helps = UINT_MAX,
	};
	struct text some = *t;

	some.detail = &all;
	text_folded(&some, screen_head);
	if (t->report->losses && t->report->losses->nprocesses)
		text_folded(&some, screen_losses);
	text_folded(&some, text_findings);
	text_folded(t, text_counts);
	text_paint(t, PAINT_TITLE);
	fputs("\nall that is known of the run\n", t->out);
	text_paint(t, PAINT_PLAIN);
	text_folded(t, text_facts);
}

/* The number of its lines. */
static size_t screen_lines(const struct text *t, char **text)
{
	struct text to = *t;
	size_t size;

	to.out = alloc_stream(text, &size);

	/* Without samples it is said why no more is known, and what was counted is shown. */
	const bool samples = cost_sum(to.total, to.report->event).samples != 0;
	struct text some = to;

	text_folded(&to, screen_head);
	if (samples || (to.report->losses && to.report->losses->nprocesses))
		text_folded(&to, screen_losses);
	if (samples) {
		text_folded(&to, text_findings);
		some.rows_max = to.detail->regions;
		putc('\n', to.out);
		text_folded(&some, text_regions);
	}
	text_folded(&to, text_counts);
	alloc_stream_end(to.out);
	return fold_lines(*text, t->report->columns);
}

void text_screen(const struct text *t)
{
	struct text some = *t;
	char *text = NULL;
	size_t lines = 0;

	for (size_t i = 0; i < DETAILS; i++) {
		free(text);
		text = NULL;
		some.detail = &details[i];
		lines = screen_lines(&some, &text);
		if (!t->rows || lines <= t->rows)
			break;
	}
	fputs(text, t->out);
	free(text);
	if ((t->rows && t->rows < lines + FUNCTIONS) ||
	    !cost_sum(t->total, t->report->event).samples)
		return;
	some.rows_max = details[0].regions;
	putc('\n', t->out);
	text_functions(&some);
}
