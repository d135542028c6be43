/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * browser.c - see browser.h.
 *
 * A pane is a text with a line of titles; the selected line's text says which function is meant,
 * as --annotate takes what a report shows.
 */
#include "config.h"

#include "src/screen/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/message.h"
#include "src/base/shorten.h"
#include "src/filter/find.h"
#include "src/model/model.h"
#include "src/output/text/text.h"
#include "src/screen/browser_parts.h"
#include "src/screen/screen.h"
#include "src/screen/shown.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* ---- drawing --------------------------------------------------------------- */

/* A narrow screen has room for the keys of the other panes, not for their titles. */
static void draw_tabs(const struct browser *b, size_t row)
{
	const bool narrow = screen_columns() < TABS_WIDTH;
	char text[512];
	size_t at = (size_t)snprintf(text, sizeof(text), " ");

	for (unsigned i = 0; i < PANE_SOURCE && at < sizeof(text); i++) {
		const char *title = narrow && i != b->kind ? "" : panes[i].title;

		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%c%s%s%s",
				       i == b->kind ? "[" : " ", panes[i].key, *title ? ":" : "",
				       title, i == b->kind ? "]" : " ");
	}
	if (b->kind >= PANE_SOURCE && at < sizeof(text))
		snprintf(text + at, sizeof(text) - at, "[%s]", panes[b->kind].title);
	screen_line(row, text, 0, SCREEN_BAR);
}

static void draw_sums(struct browser *b, size_t row)
{
	char *text = pane_print(b, text_sums);

	text[strcspn(text, "\n")] = '\0';
	screen_line(row, text, 0, SCREEN_PLAIN);
	free(text);
}

static void draw(struct browser *b)
{
	struct lines *l = &b->lines[b->kind];
	const size_t rows = browser_rows();
	char status[STATUS_BYTES + 1];

	screen_clear();
	draw_tabs(b, 0);
	draw_sums(b, 1);
	screen_line(2, l->n ? l->line[0] : "", b->sideways, SCREEN_PLAIN);
	lines_move(l, 0, rows);
	if (l->top == 0 && l->n > 1)
		l->top = 1;
	for (size_t i = 0; i < rows && l->top + i < l->n; i++)
		screen_line(3 + i, l->line[l->top + i], b->sideways,
			    l->top + i == l->selected ? SCREEN_SELECTED : SCREEN_PLAIN);
	snprintf(status, sizeof(status), " %s",
		 b->status[0] ? b->status :
				"enter: open  a: annotate  /: search  s: sort  h: help  q: quit");
	screen_line(screen_rows() - 1, status, 0, SCREEN_BAR);
	screen_show();
}

/* ---- what keys do ------------------------------------------------------------ */

static void say(struct browser *b, const char *what, const char *why)
{
	snprintf(b->status, sizeof(b->status), "%.100s%s%.140s", what, why ? ": " : "",
		 why ? why : "");
}

/* The text of a line without colours; malloc'ed. */
static char *line_plain(const char *line)
{
	char *plain = alloc_bytes(strlen(line) + 1), *to = plain;

	for (; *line; line++) {
		if (*line != '\033')
			*to++ = *line;
		else
			line += strcspn(line, "m");
	}
	*to = '\0';
	return plain;
}

/* The last column; malloc'ed. */
static char *line_label(const char *line)
{
	char *plain = line_plain(line), *label = plain, *to;

	while ((to = strstr(label, "  ")))
		label = to + strspn(to, " ");
	memmove(plain, label, strlen(label) + 1);
	return plain;
}

/* The function that the selected line shows; malloc'ed. */
static char *selected_name(struct browser *b)
{
	const struct lines *l = &b->lines[b->kind];
	const struct view *v = b->report.view;
	uint32_t node;

	if (!l->n)
		return NULL;
	if (b->kind != PANE_TREE || !l->what)
		return line_label(l->line[l->selected]);
	node = l->what[l->selected];
	if (view_called(v, node))
		node = v->tree.nodes[node].parent;
	return label_function(&v->names.functions[v->tree.nodes[node].function]);
}

/* A line of a region or of code has a function, with its place behind it. */
static int find_source(struct browser *b, char *name, struct found *found, struct trouble *t)
{
	int err;

	*found = (struct found){ 0 };
	err = find_target(b->report.view, name, FIND_SOURCE, found, t);
	if (err != -ENOENT)
		return err;
	found_fini(found);
	name[shorten_place(name) - name] = '\0';
	return find_target(b->report.view, name, FIND_SOURCE, found, t);
}

/* Selects the line that costs most: its share is behind the amount. */
static void select_hottest(struct lines *l)
{
	double most = 0;

	for (size_t i = 1; i < l->n; i++) {
		char *plain = line_plain(l->line[i]), share[SHARE_WIDTH + 1] = "";

		if (strlen(plain) > AMOUNT_WIDTH)
			memccpy(share, plain + AMOUNT_WIDTH, '\0', SHARE_WIDTH);
		if (strtod(share, NULL) > most) {
			most = strtod(share, NULL);
			l->selected = i;
		}
		free(plain);
	}
}

static int annotate(struct browser *b)
{
	char *name = selected_name(b);
	struct found found = { 0 };
	struct trouble t;
	int err;

	if (!name || !*name || b->kind == PANE_SOURCE) {
		free(name);
		return 0;
	}
	err = find_source(b, name, &found, &t);
	free(name);
	if (err == -ENOENT || err == -EINVAL) {
		say(b, t.what, t.why);
		found_fini(&found);
		return 0;
	}
	if (!err) {
		free(b->annotated);
		b->annotated = found.name;
		found.name = NULL;
		b->made[PANE_SOURCE] = false;
		b->lines[PANE_SOURCE].selected = 0;
		err = pane_make(b, PANE_SOURCE);
		select_hottest(&b->lines[PANE_SOURCE]);
	}
	found_fini(&found);
	if (err == -ENOENT) {
		say(b, b->annotated, "no source line is known of it");
		return 0;
	}
	if (!err && b->kind < PANE_SOURCE)
		b->before = b->kind;
	if (!err)
		b->kind = PANE_SOURCE;
	return err;
}

static void tree_toggle(struct browser *b, int open)
{
	const struct lines *l = &b->lines[PANE_TREE];
	uint32_t node;

	if (b->kind != PANE_TREE || !l->n || !l->what)
		return;
	node = l->what[l->selected];
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

		say(b, "/", NULL);
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

static void search(struct browser *b, bool backwards)
{
	if (b->search[0] && !lines_search(&b->lines[b->kind], b->search, backwards, browser_rows()))
		say(b, b->search, "not found");
}

static int sort_next(struct browser *b)
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
	say(b, "sorted by", names[b->report.sort]);
	call_tree_sort(&b->tree);
	panes_forget(b);
	return 0;
}

static void event_next(struct browser *b)
{
	const struct model *m = b->report.model;

	for (size_t i = 1; i <= m->nevents; i++) {
		const size_t e = (b->report.event + i) % m->nevents;

		if (m->events[e].flags & PROF_EVENT_COUNT_ONLY)
			continue;
		b->report.event = e;
		break;
	}
	say(b, "event", m->nevents ? m->events[b->report.event].label : "none");
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
	const long page = (long)browser_rows();

	switch (key) {
	case SCREEN_UP:
	case 'k': lines_move(l, l->selected > 1 ? -1 : 0, browser_rows()); return true;
	case SCREEN_DOWN:
	case 'j': lines_move(l, 1, browser_rows()); return true;
	case SCREEN_PAGE_UP: lines_move(l, -page, browser_rows()); break;
	case SCREEN_PAGE_DOWN:
	case ' ': lines_move(l, page, browser_rows()); return true;
	case SCREEN_HOME: lines_move(l, -(long)l->n, browser_rows()); break;
	case SCREEN_END: lines_move(l, (long)l->n, browser_rows()); return true;
	default: return false;
	}
	lines_move(l, !l->selected && l->n > 1, browser_rows());
	return true;
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

static int pressed(struct browser *b, int key)
{
	if (moves(b, key))
		return 0;
	for (unsigned i = 0; i < PANE_SOURCE; i++)
		if (key == panes[i].key || key == (int)('1' + i)) {
			go(b, (enum pane_kind)i);
			return 0;
		}
	switch (key) {
	case 'q':
	case SCREEN_ESCAPE: back(b); break;
	case SCREEN_LEFT: aside(b, false); break;
	case SCREEN_RIGHT: aside(b, true); break;
	case SCREEN_ENTER:
		if (b->kind != PANE_TREE)
			return annotate(b);
		tree_toggle(b, -1);
		break;
	case '+':
	case 'e': tree_toggle(b, -1); break;
	case 'E':
	case 'C':
		call_tree_open_all(&b->tree, key == 'E');
		b->made[PANE_TREE] = false;
		break;
	case 'a': return annotate(b);
	case '\t': go(b, (b->kind + 1) % PANE_SOURCE); break;
	case '/':
		if (prompt(b, b->search))
			search(b, false);
		break;
	case 'n': search(b, false); break;
	case 'N': search(b, true); break;
	case 's': return sort_next(b);
	case '>': event_next(b); break;
	case 'h':
	case '?':
	case SCREEN_HELP: go(b, PANE_HELP); break;
	case SCREEN_RESIZED:
		b->report.columns = screen_columns();
		panes_forget(b);
		break;
	}
	return 0;
}

static int browse(struct browser *b)
{
	int err = pane_make(b, b->kind);

	while (!err && !b->left) {
		draw(b);
		b->status[0] = '\0';
		err = pressed(b, screen_key(-1));
		if (!err)
			err = pane_make(b, b->kind);
	}
	return err;
}

int browser_run(struct shown *l, const char *sources)
{
	struct browser b = { .l = l, .sources = sources, .report = l->report };
	int err = 0;

	table_build(l->view, TABLE_STATE, &b.total);
	b.report.columns = screen_columns();
	b.report.colour = screen_colours();
	call_tree_init(&b.tree, &b.report);
	err = browse(&b);
	call_tree_fini(&b.tree);
	for (unsigned i = 0; i < PANES; i++)
		lines_fini(&b.lines[i]);
	table_fini(&b.total);
	view_free(b.by_line);
	free(b.annotated);
	return err;
}
