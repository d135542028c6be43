/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_table.h - a table in CSV: columns, cells and rows.
 *
 * A table has columns of its own, followed by those of its costs: some for each event that was
 * sampled, with the event and the unit in their names.  Numbers are integers where they were
 * counted, and never rounded; an unknown value is an empty cell.  --columns selects columns
 * and their order.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_CSV_CSV_TABLE_H
#define OMPHWC_SRC_OUTPUT_CSV_CSV_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cost;
struct report;
struct view;

struct csv_column {
	const char *name;
	const char *about; /* for --columns help */
};

/* Columns of costs; several are combined. */
enum csv_costs {
	CSV_SELF = 1,	   /* of each event: samples, weight, and the weight's work, wait and
			      overhead */
	CSV_SUMS = 2,	   /* samples and weight */
	CSV_INCLUSIVE = 4, /* the weight with that of called functions */
};

struct csv {
	FILE *out;
	const struct report *report;
	/* private */
	struct csv_name *names; /* of all columns */
	struct csv_cell *cells; /* of one row */
	size_t own, n, room;	/* columns of the table's own, and all */
	size_t *shown;		/* numbers of the selected columns */
	size_t nshown, shown_room;
	size_t self, inclusive; /* first column of these costs */
	bool silent;		/* the columns were asked for, not the rows */
};

/* Writes the header row.  0; -EINVAL: no such column, and the report's trouble says
   so.  csv_end() is required in any case. */
int csv_begin(struct csv *c, FILE *out, const struct report *r, const struct csv_column *own,
	      size_t n, unsigned costs);

/* Releases the table.  Returns err. */
int csv_end(struct csv *c, int err);

/* Set a cell of the row; a text is borrowed until csv_row(), NULL: unknown.  csv_take() frees
   a malloc'ed text. */
void csv_text(struct csv *c, size_t column, const char *s);
void csv_take(struct csv *c, size_t column, char *s);
void csv_number(struct csv *c, size_t column, uint64_t n);
void csv_number_if(struct csv *c, size_t column, bool known, uint64_t n);
void csv_real(struct csv *c, size_t column, double n);

/* Sets the columns of costs: from a block (tables.h), or one struct cost for each event. */
void csv_self(struct csv *c, const struct cost *block);
void csv_inclusive(struct csv *c, const struct cost *block);
void csv_sums(struct csv *c, const struct cost *sums);

/* The columns of a place: four that follow each other from column number `first` on.  In the
   table of columns they are left empty. */
enum csv_place { CSV_FUNCTION, CSV_FILE, CSV_LINE, CSV_WHERE, CSV_PLACES };
void csv_place(struct csv *c, size_t first, const struct view *v, uint32_t line);

/* The same for the key of a line table, which may stand for a function only, with the function that
   is called there. */
void csv_line_key(struct csv *c, size_t first, size_t called, const struct view *v, uint64_t key);

/* Writes the row, and empties its cells. */
void csv_row(struct csv *c);

/* "ns" or "events". */
const char *csv_unit(uint32_t unit);

#endif
