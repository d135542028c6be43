/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.h - a report's flat tables: the columns of each, and what a row has in them.
 *
 * A table is described here once.  csv and --columns come from the description; JSON takes cells
 * of a row as members of an object.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_COLUMNS_CELLS_H
#define OMPHWC_SRC_OUTPUT_COLUMNS_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/output/output.h"

struct annotate;
struct calls;
struct cost;
struct detail_target;
struct function;
struct insns;

/* { "place", NULL } stands for the columns of a place, see cells_place(). */
struct column {
	const char *key;   /* with the unit: "elapsed_ns" */
	const char *about; /* for --columns help; JSON_ALONE: csv has no such column */
};

#define JSON_ALONE ""

enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_REAL, CELL_FLAG };

struct cell {
	enum cell_kind kind;
	const char *text; /* borrowed until the row's end */
	char *owned;	  /* the same, where the taker frees it; else NULL */
	uint64_t number;
	double real;
};

/* Columns of costs, which follow a table's own: some for each event that was sampled, with the
   event and the unit in their names. */
enum cells_costs {
	COSTS_NONE,
	COSTS_SELF = 1,	     /* samples, weight, and the weight's work, wait and overhead */
	COSTS_SUMS = 2,	     /* samples and weight */
	COSTS_INCLUSIVE = 4, /* the weight with that of called functions */
};

/* A function or file in detail, and the table that was built of it. */
struct cells_of {
	const struct detail_target *target;
	struct calls *calls;
	const struct annotate *annotate;
	const struct insns *insns;
};

/* Takes the cells of rows.  A cell that is not put is empty: its value is not known. */
struct cells {
	const struct report *report;
	const struct cells_of *of; /* of a table of one function or file */
	void *to;
	/* A cell that the table has no column for is csv's failure. */
	void (*put)(void *to, const char *key, const struct cell *cell);
	/* block: as tables.h has it; of COSTS_SUMS one struct cost for each event. */
	void (*costs)(void *to, enum cells_costs costs, const struct cost *block);
	void (*end)(void *to); /* of the row */
};

struct flat_table {
	const struct column *columns; /* ended by an empty one */
	unsigned costs;		      /* of enum cells_costs */
	void (*rows)(const struct cells *c);
};

/* The table of a report. */
const struct flat_table *flat_table_of(enum output_by by);

/* Put one cell; a NULL text is empty, and cells_take() takes a malloc'ed one. */
void cells_text(const struct cells *c, const char *key, const char *s);
void cells_take(const struct cells *c, const char *key, char *s);
void cells_number(const struct cells *c, const char *key, uint64_t n);
void cells_number_if(const struct cells *c, const char *key, bool known, uint64_t n);
void cells_real_if(const struct cells *c, const char *key, bool known, double n);
void cells_flag(const struct cells *c, const char *key, bool is);

/* The columns of a place: "function", "file", "line" and "place". */
void cells_place(const struct cells *c, uint32_t line);

/* The same for the key of a line table, which may stand for a function only, and "called": the
   function that is called there. */
void cells_line(const struct cells *c, uint64_t key);

/* "module", "file" and "line" of a definition. */
void cells_definition(const struct cells *c, const struct function *f);

/* "event" and "unit". */
void cells_event(const struct cells *c, size_t event);

/* "region", of a region of the view. */
void cells_region(const struct cells *c, uint32_t region);

/* Ends a row, with its costs. */
void cells_end(const struct cells *c, enum cells_costs costs, const struct cost *block);

#endif
