/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_text.c - see csv_text.h; after RFC 4180. */
#include "config.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/csv_text.h"

enum { CELLS_MAX = 256, CELL_BYTES = 1 << 16 };

/* One cell; *at moves to the character after it. */
static char *cell_read(const char **at)
{
	static char cell[CELL_BYTES];
	const char *s = *at;
	const bool quoted = *s == '"';
	size_t n = 0;

	for (s += quoted; quoted ? *s != '"' || s[1] == '"' : *s && !strchr(",\n\"", *s); s++) {
		s += quoted && *s == '"';
		ck_assert_int_ne(*s, '\0');
		ck_assert_uint_lt(n, CELL_BYTES - 1);
		cell[n++] = *s;
	}
	s += quoted;
	ck_assert_msg(*s == ',' || *s == '\n', "after a cell: %.20s", s);
	cell[n] = '\0';
	*at = s;
	return strdup(cell);
}

static size_t row_read(const char **at, char *cells[CELLS_MAX])
{
	size_t n = 0;

	for (;; ++*at) {
		ck_assert_uint_lt(n, CELLS_MAX);
		cells[n++] = cell_read(at);
		if (**at == '\n')
			break;
	}
	++*at;
	return n;
}

void csv_text_read(struct csv_text *t, const char *text)
{
	char *cells[CELLS_MAX];

	*t = (struct csv_text){ 0 };
	while (*text) {
		const size_t n = row_read(&text, cells);
		char **row = malloc(n * sizeof(*row));

		if (t->nrows)
			ck_assert_uint_eq(n, t->ncolumns);
		t->ncolumns = n;
		memcpy(row, cells, n * sizeof(*row));
		t->rows = realloc(t->rows, (t->nrows + 1) * sizeof(*t->rows));
		t->rows[t->nrows++] = row;
	}
	ck_assert_uint_gt(t->nrows, 0);
}

void csv_text_free(struct csv_text *t)
{
	for (size_t r = 0; r < t->nrows; r++) {
		for (size_t c = 0; c < t->ncolumns; c++)
			free(t->rows[r][c]);
		free(t->rows[r]);
	}
	free(t->rows);
}

size_t csv_text_column(const struct csv_text *t, const char *name)
{
	for (size_t c = 0; c < t->ncolumns; c++)
		if (!strcmp(t->rows[0][c], name))
			return c;
	ck_abort_msg("no column %s", name);
	return 0;
}

uint64_t csv_text_sum(const struct csv_text *t, const char *name)
{
	const size_t column = csv_text_column(t, name);
	uint64_t sum = 0;

	for (size_t r = 1; r < t->nrows; r++)
		sum += strtoull(t->rows[r][column], NULL, 10);
	return sum;
}
