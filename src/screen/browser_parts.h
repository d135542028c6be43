/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * browser_parts.h - what the browser's panes and keys share.
 */
#ifndef OMPHWC_SRC_SCREEN_BROWSER_PARTS_H
#define OMPHWC_SRC_SCREEN_BROWSER_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/output/output.h"
#include "src/screen/call_tree.h"
#include "src/screen/lines.h"
#include "src/tables/tables.h"

struct shown;
struct text;
struct view;

enum pane_kind {
	PANE_FACTS,
	PANE_TREE,
	PANE_REGIONS,
	PANE_CONSTRUCTS,
	PANE_FUNCTIONS,
	PANE_LINES,
	PANE_THREADS,
	PANE_SOURCE,
	PANE_HELP,
	PANES
};

/* What a pane shows, and the key for it. */
struct pane {
	const char *title;
	const char *enter; /* what can be done with a row */
	int key;
	void (*print)(const struct text *t); /* NULL: not a table */
};
extern const struct pane panes[PANES];

enum {
	BARS = 4,
	TABS_WIDTH = 80, /* columns of all titles */
	SEARCH_BYTES = 64,
	STATUS_BYTES = 256,
	SIDEWAYS = 8,
};

struct browser {
	struct shown *l;
	const char *sources;
	struct report report;
	struct table total;
	struct call_tree tree;
	struct view *by_line; /* a view for sources; NULL: not yet needed */
	struct lines lines[PANES];
	bool made[PANES];
	enum pane_kind kind, before; /* where ESC leads from the source or help */
	size_t sideways;
	char *annotated; /* what the source pane shows */
	char search[SEARCH_BYTES];
	char status[STATUS_BYTES];
	bool left;
};

/* The lines of a pane that are seen. */
size_t browser_rows(void);

/* Makes a pane's text where it is not there, or old.  false: there is no source. */
bool pane_make(struct browser *b, enum pane_kind kind);
void panes_forget(struct browser *b);

/* Prints text as that of a pane; the caller frees it. */
char *pane_print(struct browser *b, void (*print)(const struct text *));

#endif
