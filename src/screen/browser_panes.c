/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * browser_panes.c - the texts of the browser's panes, made by the functions that print reports.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/output/formats.h"
#include "src/output/text/text.h"
#include "src/screen/browser_parts.h"
#include "src/screen/screen.h"
#include "src/screen/shown.h"
#include "src/view/view.h"

#include "src/base/alloc.h"
#include "src/base/map.h"

const struct pane panes[PANES] = {
	[PANE_FACTS] = { "summary", "enter: its source  ", 'i', text_summary },
	[PANE_TREE] = { "tree", "enter: open  a: annotate  ", 'p', NULL },
	[PANE_REGIONS] = { "regions", "enter: its source  ", 'r', text_regions },
	[PANE_CONSTRUCTS] = { "constructs", "enter: its source  ", 'c', text_constructs },
	[PANE_FUNCTIONS] = { "functions", "enter: its source  ", 'f', text_functions },
	[PANE_LINES] = { "lines", "enter: its source  ", 'l', text_lines },
	[PANE_THREADS] = { "threads", "", 't', text_threads },
	[PANE_SOURCE] = { "source", "", 0, NULL },
	[PANE_HELP] = { "help", "", 0, NULL },
};

size_t browser_rows(void)
{
	return screen_rows() > BARS + 1 ? screen_rows() - BARS : 1;
}

static const char help[] =
	"keys\n"
	"  up down pgup pgdn home end, j k    move from row to row\n"
	"  left right        close and open a node of the tree; else sideways\n"
	"  enter + e         open or close the node; elsewhere enter annotates\n"
	"  E C               open, close all\n"
	"  a                 annotate: the source of the selected row\n"
	"  i p r c f l t     summary with findings, tree (paths), regions,\n"
	"                    constructs, functions, lines, threads; also tab, 1 to 7\n"
	"  / n N             search, next, previous\n"
	"  s                 sort by the next column: total, work, wait, overhead, mpi,\n"
	"                    blocked\n"
	"  >                 the next event\n"
	"  h ?               show this help\n"
	"  esc q             back; leave\n"
	"\n"
	"columns\n"
	"  % is of the event's total; work (blue), wait (amber), ovhd (red), mpi\n"
	"  (purple) and block (teal: asleep in system calls that are not OpenMP's,\n"
	"  or without a CPU) add up to it.  imbal: the most that one thread worked over\n"
	"  the mean.  gain: what the run would be shorter by, in percent, if the\n"
	"  threads only worked there.  ~: from few samples.\n";

char *pane_print(struct browser *b, void (*print)(const struct text *))
{
	bool few = false;
	struct map shown = { 0 };
	char *text = NULL;
	size_t size;
	struct text t = {
		.report = &b->report,
		.total = b->total.total,
		.few = &few,
		.shown = &shown,
		.marked = true,
	};

	t.out = alloc_stream(&text, &size);
	text_folded(&t, print);
	alloc_stream_end(t.out);
	map_free(&shown);
	return text;
}

static bool panes_source_text(struct browser *b, char **text)
{
	const struct detail_target target = {
		.name = b->annotated,
		.lookup = &b->l->lookup,
		.sources = b->sources,
		.bare = true,
	};
	struct report r = b->report;
	const struct view_options o = {
		.kind = b->report.view->kind,
		.resolver = &b->l->lookup.resolver,
		.lines = true,
	};
	size_t size;
	FILE *out;
	bool any;

	if (!b->by_line)
		b->by_line = view_build(b->report.model, &o);
	*text = NULL;
	r.view = b->by_line;
	out = alloc_stream(text, &size);
	any = !detail_annotate(out, &r, &target);
	alloc_stream_end(out);
	/* The first line is to show the file. */
	memmove(*text, *text + strspn(*text, "\n"), strlen(*text + strspn(*text, "\n")) + 1);
	return any;
}

static bool pane_text(struct browser *b, enum pane_kind kind, char **text)
{
	const struct text like = {
		.report = &b->report,
		.total = b->total.total,
		.marked = true,
	};

	switch (kind) {
	case PANE_TREE: *text = call_tree_text(&b->tree, &like); return true;
	case PANE_SOURCE: return panes_source_text(b, text);
	case PANE_HELP: *text = alloc_text(help); return true;
	default: *text = pane_print(b, panes[kind].print); return true;
	}
}

bool pane_make(struct browser *b, enum pane_kind kind)
{
	struct lines *l = &b->lines[kind];
	char *text = NULL;

	if (b->made[kind])
		return true;
	if (!pane_text(b, kind, &text)) {
		free(text);
		return false;
	}
	b->made[kind] = true;
	lines_set(l, text);
	lines_select(l, l->selected, browser_rows());
	return true;
}

void panes_forget(struct browser *b)
{
	memset(b->made, 0, sizeof(b->made));
}
