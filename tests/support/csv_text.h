/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_text.h - reads CSV.
 */
#ifndef OMPHWC_TESTS_CSV_TEXT_H
#define OMPHWC_TESTS_CSV_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct csv_text {
	char ***rows; /* the first one has the names of the columns */
	size_t nrows, ncolumns;
};

/* Fails the test unless all rows have as many cells. */
void csv_text_read(struct csv_text *t, const char *text);
void csv_text_free(struct csv_text *t);

/* The number of a column; fails the test if there is none. */
size_t csv_text_column(const struct csv_text *t, const char *name);

/* The sum of a column. */
uint64_t csv_text_sum(const struct csv_text *t, const char *name);

#endif
