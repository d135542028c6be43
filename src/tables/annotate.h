/*
 * annotate.h - what each line of a function or file cost.
 *
 * Needs a view whose tree tells lines apart (view_options.lines).  A line's own
 * cost is what ran there, waits that began there among it; its inclusive cost
 * has what it called, each sample once.  For ordinary code, one thread at a
 * time.
 */
#ifndef OMPHWC_SRC_TABLES_ANNOTATE_H
#define OMPHWC_SRC_TABLES_ANNOTATE_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct resolver;
struct view;

struct annotate_line {
	const char *file;	/* interned: compare the pointer */
	unsigned line;
	struct cost *self;	/* blocks */
	struct cost *inclusive;
};

/* Stretches of source that are worth showing. */
struct annotate_span {
	const char *file;
	unsigned first, last;
};

struct annotate {
	struct annotate_line *lines; /* by file, then line */
	size_t nlines;
	struct annotate_span *spans; /* one a file: of the function, or of its lines */
	size_t nspans;
	/* private */
	struct cost *self, *inclusive;
};

/* name is a function's or a file's (match.h).  0; -ENOENT: neither has any
   line; -ENOMEM. */
int annotate_build(const struct view *v, const struct resolver *r, const char *name,
		   struct annotate *a);
void annotate_fini(struct annotate *a);

#endif
