/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_places.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

ptrdiff_t symbols_row_before(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		Dwarf_Addr at = 0;

		dwarf_lineaddr(dwarf_onesrcline(lines, mid), &at);
		if (at <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (ptrdiff_t)lo - 1;
}

/* Reads one row of the line table; false: it is not one of code. */
static bool symbols_places_read_row(Dwarf_Line *row, uint64_t *address, struct symbols_place *p)
{
	bool end = true;
	Dwarf_Addr at;
	int line;

	if (dwarf_lineendsequence(row, &end) || end || dwarf_lineaddr(row, &at) ||
	    dwarf_lineno(row, &line))
		return false;
	*address = at;
	*p = (struct symbols_place){ NULL, 0 };
	if (line > 0)
		*p = (struct symbols_place){ dwarf_linesrc(row, NULL, NULL), (unsigned)line };
	return true;
}

struct symbols_place symbols_unit_place(Dwarf_Die *unit, uint64_t lo, uint64_t address)
{
	const struct symbols_place none = { NULL, 0 };
	struct symbols_place row;
	Dwarf_Lines *lines;
	bool first = true; /* the row that contains address is used even if it begins
				   before lo */
	uint64_t at;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count))
		return none;
	for (ptrdiff_t i = symbols_row_before(lines, count, address); i >= 0; i--) {
		if (!symbols_places_read_row(dwarf_onesrcline(lines, (size_t)i), &at, &row))
			break;
		if (row.line && (at >= lo || first))
			return row;
		if (at <= lo)
			break;
		first = false;
	}
	return none;
}

/* Whether a row before row i, of an address from lo on, has that line. */
static bool has_line(Dwarf_Lines *lines, ptrdiff_t i, uint64_t lo, unsigned line)
{
	struct symbols_place row;
	uint64_t at;

	while (i-- > 0 && symbols_places_read_row(dwarf_onesrcline(lines, (size_t)i), &at, &row) &&
	       at >= lo)
		if (row.line == line)
			return true;
	return false;
}

struct symbols_place symbols_unit_entry_place(Dwarf_Die *unit, uint64_t entry, uint64_t before)
{
	struct symbols_place p = { NULL, 0 }, row;
	Dwarf_Lines *lines;
	uint64_t at;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count))
		return p;
	for (ptrdiff_t i = symbols_row_before(lines, count, entry); i >= 0; i--) {
		if (!symbols_places_read_row(dwarf_onesrcline(lines, (size_t)i), &at, &row) ||
		    at != entry)
			break;
		if (!row.line)
			continue;
		if (before && p.line && has_line(lines, i, before, row.line))
			break;
		p = row;
	}
	return p;
}

bool symbols_is_closure(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);

	return (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) && !dwarf_diename(type);
}

/* The value of a file attribute; dwarf_decl_file() rejects DWARF 5's file 0. */
static const char *attr_file(Dwarf_Attribute *attr)
{
	Dwarf_Word index;
	Dwarf_Files *files;
	Dwarf_Die cu;
	Dwarf_Half version;

	if (dwarf_formudata(attr, &index) ||
	    !dwarf_cu_die(attr->cu, &cu, &version, NULL, NULL, NULL, NULL, NULL) ||
	    (!index && version < 5) || dwarf_getsrcfiles(&cu, &files, NULL))
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

static unsigned attr_line(Dwarf_Attribute *attr)
{
	Dwarf_Word line;

	return dwarf_formudata(attr, &line) || line > UINT32_MAX ? 0 : (unsigned)line;
}

static struct symbols_place place_of(Dwarf_Die *die, unsigned line, unsigned file)
{
	struct symbols_place p = { NULL, 0 };
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, line, &attr))
		p.line = attr_line(&attr);
	if (dwarf_attr_integrate(die, file, &attr))
		p.file = attr_file(&attr);
	return p;
}

struct symbols_place symbols_call_place(Dwarf_Die *inlined)
{
	return place_of(inlined, DW_AT_call_line, DW_AT_call_file);
}

static struct symbols_place declared_place(Dwarf_Die *die)
{
	return place_of(die, DW_AT_decl_line, DW_AT_decl_file);
}

/* gcc gives a lambda's function no place: its closure type has one. */
struct symbols_place symbols_declared_place(Dwarf_Die *root)
{
	struct symbols_place p = declared_place(root);
	Dwarf_Die *scopes = NULL;

	if (p.line || dwarf_getscopes_die(root, &scopes) < 2)
		return p;
	if (symbols_is_closure(&scopes[1]))
		p = declared_place(&scopes[1]);
	free(scopes);
	return p;
}
