/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * browser.c - see browser.h.
 *
 * A pane is a text with a line of titles; its rows are marked with the function that they are of,
 * which is annotated by its name, as by report --annotate.
 */
#include "config.h"

#include "src/screen/browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/filter/find.h"
#include "src/model/model.h"
#include "src/output/text/text.h"
#include "src/screen/browser_parts.h"
#include "src/screen/screen.h"
#include "src/screen/shown.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* ---- drawing --------------------------------------------------------------- */

/* " i:summary [p:tree] r:regions"; the narrowest screens have room for the keys of the other panes,
   not for their titles. */
static void draw_tabs(const struct browser *b, size_t row)
{
	const bool narrow = screen_columns() < TABS_WIDTH;
	char text[512], before = ' ';
	size_t at = 0;

	for (unsigned i = 0; i < PANES && at < sizeof(text); i++) {
		const bool shown = i == b->kind;
		char key[] = { (char)panes[i].key, ':', '\0' };

		if (i >= PANE_SOURCE && !shown)
			continue;
		key[1] = narrow && !shown ? '\0' : ':';
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%s%s", shown ? '[' : before,
				       key, narrow && !shown ? "" : panes[i].title);
		before = shown ? ']' : ' ';
	}
	if (at < sizeof(text))
		snprintf(text + at, sizeof(text) - at, "%c", before);
	screen_line(row, text, 0, SCREEN_BAR);
}

static void draw(struct browser *b)
{
	struct lines *l = &b->lines[b->kind];
	const size_t rows = browser_rows();
	char status[STATUS_BYTES + 1];

	screen_clear();
	draw_tabs(b, 0);

	char *text = pane_print(b, text_sums);

	text[strcspn(text, "\n")] = '\0';
	screen_line(1, text, 0, SCREEN_PLAIN);
	free(text);
	screen_line(2, l->n ? l->line[0] : "", b->sideways, SCREEN_PLAIN);
	for (size_t i = 0; i < rows && l->top + i < l->n; i++)
		screen_line(3 + i, l->line[l->top + i], b->sideways,
			    l->top + i == l->selected && l->row[l->selected].is ? SCREEN_SELECTED :
										  SCREEN_PLAIN);
	snprintf(status, sizeof(status), " %s/: search  s: sort  h: help  q: %s",
		 panes[b->kind].enter, b->kind < PANE_SOURCE ? "quit" : "back");
	if (b->status[0])
		snprintf(status, sizeof(status), " %s", b->status);
	screen_line(screen_rows() - 1, status, 0, SCREEN_BAR);
	screen_show();
}

/* ---- what keys do ------------------------------------------------------------ */

static void browser_say(struct browser *b, const char *what, const char *why)
{
	snprintf(b->status, sizeof(b->status), "%.100s%s%.140s", what, why ? ": " : "",
		 why ? why : "");
}

/* The function that the selected row is of; malloc'ed, or NULL.  *line: where in the source. */
static char *selected_name(const struct browser *b, unsigned *line)
{
	const struct lines *l = &b->lines[b->kind];
	const struct view *v = b->report.view;
	struct lines_row row;
	uint32_t node;

	if (!l->n || !l->row[l->selected].is)
		return NULL;
	row = l->row[l->selected];
	*line = row.line;
	if (b->kind == PANE_TREE) {
		node = view_called(v, row.number) ? v->tree.nodes[row.number].parent : row.number;
		row.number = v->tree.nodes[node].function;
	}
	return row.number ? label_function(&v->names.functions[row.number]) : NULL;
}

static void annotate(struct browser *b)
{
	unsigned line = 0;
	char *name = b->kind < PANE_SOURCE ? selected_name(b, &line) : NULL;
	struct found found = { 0 };
	struct trouble t;

	if (!name) {
		if (b->kind < PANE_SOURCE)
			browser_say(b, "no source is known of it", NULL);
		return;
	}
	if (find_target(b->report.view, name, FIND_SOURCE, &found, &t)) {
		browser_say(b, t.what, t.why);
	} else {
		free(b->annotated);
		b->annotated = found.name;
		found.name = NULL;
		b->made[PANE_SOURCE] = false;
		if (pane_make(b, PANE_SOURCE)) {
			struct lines *l = &b->lines[PANE_SOURCE];
			/* Selects that line, or the one that costs most. */
			size_t select = 0;

			for (size_t i = 0; i < l->n; i++)
				if (l->row[i].number > l->row[select].number)
					select = i;
			for (size_t i = l->n; line && i-- > 0;)
				if (l->row[i].line == line)
					select = i;
			lines_select(l, select, browser_rows());
			b->before = b->kind;
			b->kind = PANE_SOURCE;
		} else {
			browser_say(b, b->annotated, "no source line is known of it");
		}
	}
	free(name);
	found_fini(&found);
}

static void tree_toggle(struct browser *b, int open)
{
	const struct lines *l = &b->lines[PANE_TREE];
	uint32_t node;

	if (b->kind != PANE_TREE || !l->n)
		return;
	node = l->row[l->selected].number;
	if (!node || !call_tree_has_more(&b->tree, node))
		return;
	b->tree.open[node] = open < 0 ? !b->tree.open[node] : open;
	b->made[PANE_TREE] = false;
}

/* Reads a line at the bottom; false: it was given up. */
static bool prompt(struct browser *b, char word[SEARCH_BYTES])
{
	size_t n = 0;

	word[0] = '\0';
	for (;;) {
		int key;

		browser_say(b, "/", NULL);
		snprintf(b->status + 1, sizeof(b->status) - 1, "%s_", word);
		draw(b);
		key = screen_key(-1);
		b->status[0] = '\0';
		if (key == SCREEN_ENTER)
			return n > 0;
		if (key == SCREEN_ESCAPE)
			return false;
		if (key == SCREEN_BACKSPACE && n)
			word[--n] = '\0';
		else if (key >= ' ' && key < 0x100 && n + 1 < SEARCH_BYTES) {
			word[n++] = (char)key;
			word[n] = '\0';
		}
	}
}

static void browser_search(struct browser *b, bool backwards)
{
	if (b->search[0] && !lines_search(&b->lines[b->kind], b->search, backwards, browser_rows()))
		browser_say(b, b->search, "not found");
}

static void sort_next(struct browser *b)
{
	static const char *const names[] = { "the default", "total", "work",   "wait",
					     "overhead",    "mpi",   "blocked" };
	const unsigned classes = b->report.view->classes;
	unsigned sort = b->report.sort + 1;

	if (sort == SORT_MPI && !omp_has_class(classes, OMP_MPI))
		sort++;
	if (sort == SORT_BLOCKED && !omp_has_class(classes, OMP_BLOCKED))
		sort++;
	b->report.sort = sort <= SORT_BLOCKED ? sort : SORT_DEFAULT;
	browser_say(b, "sorted by", names[b->report.sort]);
	call_tree_sort(&b->tree);
	panes_forget(b);
}

static void event_next(struct browser *b)
{
	const struct model *m = b->report.model;

	for (size_t i = 1; i <= m->nevents; i++) {
		const size_t e = (b->report.event + i) % m->nevents;

		if (!model_is_sampled(m, e))
			continue;
		b->report.event = e;
		break;
	}
	browser_say(b, "event", m->nevents ? m->events[b->report.event].label : "none");
	call_tree_sort(&b->tree);
	panes_forget(b);
}

static void go(struct browser *b, enum pane_kind kind)
{
	if (b->kind < PANE_SOURCE)
		b->before = b->kind;
	b->kind = kind;
	b->sideways = 0;
}

static void back(struct browser *b)
{
	if (b->kind >= PANE_SOURCE)
		b->kind = b->before;
	else
		b->left = true;
}

static bool moves(struct browser *b, int key)
{
	struct lines *l = &b->lines[b->kind];
	const size_t rows = browser_rows();
	const long page = (long)rows, all = (long)l->n;

	switch (key) {
	case SCREEN_UP:
	case 'k': lines_move(l, -1, rows); return true;
	case SCREEN_DOWN:
	case 'j': lines_move(l, 1, rows); return true;
	case SCREEN_PAGE_UP: lines_move(l, -page, rows); return true;
	case SCREEN_PAGE_DOWN:
	case ' ': lines_move(l, page, rows); return true;
	case SCREEN_HOME: lines_move(l, -all, rows); return true;
	case SCREEN_END: lines_move(l, all, rows); return true;
	default: return false;
	}
}

/* Left and right are the tree's where the node can be closed or opened. */
static void aside(struct browser *b, bool right)
{
	if (b->kind == PANE_TREE)
		tree_toggle(b, right);
	else if (right)
		b->sideways += SIDEWAYS;
	else
		b->sideways -= b->sideways < SIDEWAYS ? b->sideways : SIDEWAYS;
}

static void pressed(struct browser *b, int key)
{
	if (moves(b, key))
		return;
	for (unsigned i = 0; i < PANE_SOURCE; i++)
		if (key == panes[i].key || key == (int)('1' + i)) {
			go(b, (enum pane_kind)i);
			return;
		}
	switch (key) {
	case 'q':
	case SCREEN_ESCAPE: back(b); break;
	case SCREEN_LEFT: aside(b, false); break;
	case SCREEN_RIGHT: aside(b, true); break;
	case SCREEN_ENTER:
		if (b->kind != PANE_TREE)
			annotate(b);
		else
			tree_toggle(b, -1);
		break;
	case '+':
	case 'e': tree_toggle(b, -1); break;
	case 'E':
	case 'C':
		call_tree_open_all(&b->tree, key == 'E');
		b->made[PANE_TREE] = false;
		break;
	case 'a': annotate(b); break;
	case '\t': go(b, (b->kind + 1) % PANE_SOURCE); break;
	case '/':
		if (prompt(b, b->search))
			browser_search(b, false);
		break;
	case 'n': browser_search(b, false); break;
	case 'N': browser_search(b, true); break;
	case 's': sort_next(b); break;
	case '>': event_next(b); break;
	case 'h':
	case '?':
	case SCREEN_HELP: go(b, PANE_HELP); break;
	case SCREEN_RESIZED:
		b->report.columns = screen_columns();
		panes_forget(b);
		break;
	}
}

void browser_run(struct shown *l, const char *sources)
{
	struct browser b = { .l = l, .sources = sources, .report = l->report };

	table_build(l->view, TABLE_STATE, &b.total);
	b.report.columns = screen_columns();
	b.report.colour = screen_colours();
	call_tree_init(&b.tree, &b.report);
	while (!b.left) {
		pane_make(&b, b.kind);
		draw(&b);
		b.status[0] = '\0';
		pressed(&b, screen_key(-1));
	}
	call_tree_fini(&b.tree);
	for (unsigned i = 0; i < PANES; i++)
		lines_fini(&b.lines[i]);
	table_fini(&b.total);
	view_free(b.by_line);
	free(b.annotated);
}
