/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * annotate.h - the cost of each line of a function or file.
 *
 * The view's tree must distinguish lines (view_options.lines).  A line's own cost is that
 * of code at the line, including waits that began there; its inclusive cost adds the
 * functions called there, each sample once.
 */
#ifndef OMPHWC_SRC_TABLES_ANNOTATE_H
#define OMPHWC_SRC_TABLES_ANNOTATE_H

#include <stddef.h>

#include "src/tables/tables.h"

struct resolver;
struct view;

struct annotate_line {
	const char *file; /* interned: compare pointers */
	unsigned line;
	struct cost *self; /* blocks */
	struct cost *inclusive;
};

/* A range of source lines to be shown. */
struct annotate_span {
	const char *file;
	unsigned first, last;
};

struct annotate {
	struct annotate_line *lines; /* by file, then line */
	size_t nlines;
	struct annotate_span *spans; /* one per file: that of the function, or of its lines */
	size_t nspans;
	/* private */
	struct cost *self, *inclusive;
};

/* name is that of a function or file (match.h).  0; -ENOENT: neither has lines. */
int annotate_build(const struct view *v, const struct resolver *r, const char *name,
		   struct annotate *a);
void annotate_fini(struct annotate *a);

#endif
