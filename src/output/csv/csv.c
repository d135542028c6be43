/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - the tables of a report, one at a time, as comma-separated values. */
#include "config.h"

#include "src/output/columns/cells.h"
#include "src/output/csv/csv_table.h"
#include "src/output/formats.h"

int csv_write(FILE *out, const struct report *r)
{
	return csv_table(out, r, flat_table_of(r->by), NULL);
}
