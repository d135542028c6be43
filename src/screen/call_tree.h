/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_tree.h - the call tree of a view as text, of which each node is open or closed.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_SCREEN_CALL_TREE_H
#define OMPHWC_SRC_SCREEN_CALL_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/view/tree.h"

struct cost;
struct report;
struct text;

struct call_tree {
	const struct report *report; /* borrowed */
	struct cost *self, *inclusive;
	struct tree_children children; /* the costliest first */
	bool *open;		       /* by node */
};

/* Opens the nodes on costly paths.  call_tree_fini() is required in any case. */
void call_tree_init(struct call_tree *t, const struct report *r);
void call_tree_fini(struct call_tree *t);

/* Sorts by the report's event and column. */
void call_tree_sort(struct call_tree *t);

/* Whether the node has something to open. */
bool call_tree_has_more(const struct call_tree *t, uint32_t node);
void call_tree_open_all(struct call_tree *t, bool open);

/* A line of titles and a line for each node that is seen, a row of the node's number (text.h).  The
   caller frees it. */
char *call_tree_text(const struct call_tree *t, const struct text *like);

#endif
