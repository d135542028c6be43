/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_table.h - writes a flat table (see columns/cells.h) in CSV.
 *
 * A table has columns of its own, followed by those of its costs.  Numbers are integers where they
 * were counted, and never rounded; an unknown value is an empty cell.  --columns selects columns
 * and their order.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_CSV_CSV_TABLE_H
#define OMPHWC_SRC_OUTPUT_CSV_CSV_TABLE_H

#include <stdio.h>

struct cells_of;
struct flat_table;
struct report;

/* A cell of text, as it must be quoted. */
void csv_text(FILE *out, const char *s);

/* of: NULL: the report.  0; -EINVAL: no such column, and the report's trouble says so. */
int csv_table(FILE *out, const struct report *r, const struct flat_table *t,
	      const struct cells_of *of);

#endif
