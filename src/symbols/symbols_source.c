/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the code of source lines, for annotated listings, and the lines of code.
 */
#include "config.h"

#include "src/symbols/symbols.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/code/flow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols_extents.h"
#include "src/symbols/symbols_module.h"
#include "src/symbols/symbols_names.h"
#include "src/symbols/symbols_places.h"
#include "src/symbols/symbols_state.h"

bool symbols_extent(const struct sym_function *fn, unsigned *first, unsigned *last)
{
	const struct symbols_function *own = (const struct symbols_function *)fn;
	const struct symbols_extent *x =
		own->unit ? symbols_extents_find(symbols_extents_of(own->unit), &own->root) : NULL;

	if (!x || !x->first)
		return false;
	*first = x->first;
	*last = x->last;
	return true;
}

/* Completes where; NULL: no debug information is there. */
static struct symbols_unit *find_unit(struct symbols *s, const struct prof_file *f, uint64_t at,
				      struct sym_where *where)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(at));

	if (!m)
		return NULL;
	where->bias = m->dwarf_bias;
	where->call = PROF_LOC_ADDRESS(at) - m->dwarf_bias;
	return symbols_units_find(&m->units, where->call);
}

unsigned symbols_strays(struct symbols *s, const struct prof_file *f, uint64_t at,
			struct sym_where *where)
{
	struct symbols_unit *u = find_unit(s, f, at, where);

	return u ? symbols_extents_strays(u, where) : 0;
}

bool symbols_lines(struct symbols *s, const struct prof_file *f, uint64_t at,
		   struct sym_where *where, struct sym_lines *lines)
{
	struct symbols_unit *u = find_unit(s, f, at, where);

	return u && symbols_extents_within(u, where, lines);
}

/* ---- functions by name --------------------------------------------------------- */

struct pieces {
	const char *name;
	void (*visit)(const struct sym_piece *piece, void *arg);
	void *arg;
	uint32_t module;
	size_t count;
};

static bool is_called(const struct sym_function *fn, const char *name)
{
	return fn && (!strcmp(fn->name, name) || (fn->linkage && !strcmp(fn->linkage, name)));
}

static void visit_piece(struct pieces *p, const struct sym_function *fn, uint64_t lo, uint64_t hi)
{
	const struct sym_piece piece = { fn, p->module, lo, hi };

	p->visit(&piece, p->arg);
	p->count++;
}

/* Visits the pieces of bodies in the units of the namer's module. */
static void pieces_of_units(struct pieces *p, struct symbols_namer *n)
{
	const uint64_t bias = n->module->dwarf_bias;

	for (size_t k = 0; k < n->module->units.count; k++) {
		struct symbols_unit *u = n->unit = &n->module->units.units[k];

		symbols_unit_load(u);
		for (size_t j = 0; j < u->code.count; j++) {
			const struct interval *v = &u->code.at[j];
			struct symbols_body *b = v->value < u->nbodies ? &u->bodies[v->value] :
									 NULL;

			if (!b)
				continue;
			if (!b->function)
				b->function = symbols_name_die(n, &b->die, b->enclosing, NULL);
			if (is_called(b->function, p->name))
				visit_piece(p, b->function, v->lo + bias, v->hi + bias);
		}
	}
}

/* And those that only its symbol table has. */
static void pieces_of_table(struct pieces *p, struct symbols_namer *n)
{
	struct symbols_module *m = n->module;

	for (size_t k = 0; k < m->table.code.count; k++) {
		const struct interval *v = &m->table.code.at[k];
		const struct sym_function *fn;
		uint64_t ignored;

		n->unit = symbols_units_find(&m->units, v->lo - m->dwarf_bias);
		if (n->unit && symbols_unit_body(n->unit, v->lo - m->dwarf_bias, &ignored))
			continue;
		fn = symbols_name_entry(n, &m->table.entries[v->value]);
		if (is_called(fn, p->name))
			visit_piece(p, fn, v->lo, v->hi);
	}
}

size_t symbols_pieces(struct symbols *s, const struct prof_file *f, const char *name,
		      void (*visit)(const struct sym_piece *piece, void *arg), void *arg)
{
	struct pieces p = { .name = name, .visit = visit, .arg = arg };

	for (size_t i = 0; i < f->nmodules; i++) {
		struct symbols_namer n = { .functions = &s->functions };

		p.module = f->modules[i].id;
		n.module = symbols_module_of(s, f, p.module);
		if (!n.module)
			continue;
		pieces_of_units(&p, &n);
		pieces_of_table(&p, &n);
	}
	return p.count;
}

/* Nobody compiled their own program there. */
static bool symbols_source_is_systems(const char *path)
{
	return *path != '/' || strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0;
}

void symbols_folders(struct symbols *s, const struct prof_file *f,
		     void (*visit)(const char *folder, void *arg), void *arg)
{
	for (size_t i = 0; i < f->nmodules; i++) {
		struct symbols_module *m = symbols_source_is_systems(f->modules[i].path) ?
						   NULL :
						   symbols_module_of(s, f, f->modules[i].id);

		for (size_t k = 0; m && k < m->units.count; k++) {
			Dwarf_Attribute attr;
			const char *folder =
				dwarf_formstring(dwarf_attr_integrate(&m->units.units[k].die,
								      DW_AT_comp_dir, &attr));

			if (folder)
				visit(folder, arg);
		}
	}
}

/* ---- the code of a function, and its part of the line table -------------------- */

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

/* Appends the code of one row that lies in [lo, hi), in DWARF's addresses. */
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
