/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols_lines.c - the extent of a function's code, and its part of the line table. */
#include "config.h"

#include <stdlib.h>

#include "src/base/grow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_module.h"
#include "src/symbols/symbols_places.h"
#include "src/symbols/symbols_state.h"

static bool lines_in_dwarf(struct symbols_module *m, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	struct symbols_unit *u = symbols_units_find(&m->units, address - m->dwarf_bias);
	const struct interval *v = u ? intervals_find(&u->code, address - m->dwarf_bias) : NULL;

	if (!v)
		return false;
	*lo = v->lo + m->dwarf_bias;
	*hi = v->hi + m->dwarf_bias;
	return true;
}

bool symbols_code_around(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t *lo,
			 uint64_t *hi)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	const uint64_t address = PROF_LOC_ADDRESS(loc);
	const struct symbols_entry *e;

	if (!m)
		return false;
	if (lines_in_dwarf(m, address, lo, hi))
		return true;
	e = symbols_table_code(&m->table, address);
	if (!e)
		return symbols_frames_find(&m->frames, address, lo, hi);
	*lo = e->lo;
	*hi = e->hi;
	return *lo < *hi;
}

const char *symbols_code_symbol(struct symbols *s, const struct prof_file *f, uint64_t loc)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	const uint64_t address = PROF_LOC_ADDRESS(loc);
	const struct symbols_entry *e = m ? symbols_table_code(&m->table, address) : NULL;

	if (m && !e)
		e = symbols_table_slot(&m->table, address);
	return e && e->lo == address ? e->name : NULL;
}

/* Appends the code of one row that lies in [lo, hi), in DWARF's addresses.  False: no
   memory. */
static void lines_add(Dwarf_Lines *lines, size_t i, uint64_t lo, uint64_t hi, struct sym_row **rows,
		      size_t *n, size_t *room)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, i);
	struct sym_row row = { .file = NULL };
	int number = 0, column = 0;
	Dwarf_Addr from, to;
	struct sym_row *at;
	bool end = true;

	if (dwarf_lineendsequence(line, &end) || end || dwarf_lineaddr(line, &from) ||
	    dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &to))
		return;
	row.lo = from > lo ? from : lo;
	row.hi = to < hi ? to : hi;
	if (row.lo > row.hi || (row.lo == row.hi && from < lo))
		return;
	at = grow(*rows, *n, room, sizeof(*at));
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	dwarf_linebeginstatement(line, &row.statement);
	row.file = dwarf_linesrc(line, NULL, NULL);
	row.line = number > 0 ? (unsigned)number : 0;
	row.column = column > 0 ? (unsigned)column : 0;
	*rows = at;
	at[(*n)++] = row;
}

size_t symbols_rows_of(struct symbols *s, const struct prof_file *f, uint64_t loc, uint64_t hi,
		       struct sym_row **rows)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(loc));
	const uint64_t bias = m ? m->dwarf_bias : 0, lo = PROF_LOC_ADDRESS(loc) - bias;
	struct symbols_unit *u = m ? symbols_units_find(&m->units, lo) : NULL;
	size_t count, n = 0, room = 0;
	Dwarf_Addr before;
	Dwarf_Lines *lines;
	ptrdiff_t i;

	*rows = NULL;
	if (!u || dwarf_getsrclines(&u->die, &lines, &count))
		return 0;
	/* Of several rows of one address the first ones, too: markers of statements. */
	i = symbols_row_before(lines, count, lo);
	while (i > 0 && !dwarf_lineaddr(dwarf_onesrcline(lines, (size_t)i - 1), &before) &&
	       before == lo)
		i--;
	for (size_t k = i < 0 ? 0 : (size_t)i; k + 1 < count; k++) {
		Dwarf_Addr at = UINT64_MAX;

		dwarf_lineaddr(dwarf_onesrcline(lines, k), &at);
		if (at >= hi - bias)
			break;
		lines_add(lines, k, lo, hi - bias, rows, &n, &room);
	}
	for (size_t k = 0; k < n; k++) {
		(*rows)[k].module = PROF_LOC_MODULE(loc);
		(*rows)[k].lo += bias;
		(*rows)[k].hi += bias;
	}
	return n;
}
