/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the code of source lines, for annotated listings.
 */
#include "config.h"

#include "src/symbols/symbols.h"

#include <dwarf.h>
#include <string.h>

#include "src/code/flow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols_extents.h"
#include "src/symbols/symbols_module.h"
#include "src/symbols/symbols_names.h"
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
				      struct symbols_where *where)
{
	struct symbols_module *m = symbols_module_of(s, f, PROF_LOC_MODULE(at));

	if (!m)
		return NULL;
	where->bias = m->dwarf_bias;
	where->call = PROF_LOC_ADDRESS(at) - m->dwarf_bias;
	return symbols_units_find(&m->units, where->call);
}

static bool symbols_source_span(struct symbols *s, const struct prof_file *f, uint64_t at,
				struct symbols_where *where, struct sym_lines *lines)
{
	struct symbols_unit *u = find_unit(s, f, at, where);

	return u && symbols_extents_within(u, where, lines);
}

unsigned symbols_strays(struct symbols *s, const struct prof_file *f, uint64_t at,
			const struct flow_piece *pieces, size_t n)
{
	struct symbols_where where = { .pieces = pieces, .n = n, .unplaced = true };
	struct symbols_unit *u = find_unit(s, f, at, &where);

	return u ? symbols_extents_strays(u, &where) : 0;
}

bool symbols_span(struct symbols *s, const struct prof_file *f, uint64_t begin,
		  const struct flow_piece *pieces, size_t n, struct sym_lines *lines)
{
	struct symbols_where where = { .pieces = pieces, .n = n };

	return symbols_source_span(s, f, begin - 1, &where, lines);
}

bool symbols_lines_in(struct symbols *s, const struct prof_file *f, uint64_t at, unsigned before,
		      const struct flow_piece *pieces, size_t n, struct sym_lines *lines)
{
	struct symbols_where where = { .pieces = pieces, .n = n, .before = before, .own = true };

	return symbols_source_span(s, f, at, &where, lines);
}

bool symbols_lines_behind(struct symbols *s, const struct prof_file *f, uint64_t begin, bool loop,
			  const struct flow_piece *pieces, size_t n, struct sym_lines *lines)
{
	struct symbols_where where = { .pieces = pieces, .n = n, .unplaced = true, .loop = loop };

	return symbols_source_span(s, f, begin - 1, &where, lines);
}

unsigned symbols_strays_between(struct symbols *s, const struct prof_file *f, uint64_t at)
{
	struct flow_piece behind = { .lo = PROF_LOC_ADDRESS(at) + 1 };
	struct symbols_where where = { .pieces = &behind, .n = 1, .unplaced = true, .next = true };
	struct symbols_unit *u = find_unit(s, f, at, &where);
	uint64_t lo;

	return u && symbols_code_around(s, f, at, &lo, &behind.hi) ?
		       symbols_extents_strays(u, &where) :
		       0;
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

static void unit_pieces(struct pieces *p, struct symbols_namer *n)
{
	struct symbols_unit *u = n->unit;

	symbols_unit_load(u);
	for (size_t i = 0; i < u->code.count; i++) {
		const struct interval *v = &u->code.at[i];
		struct symbols_body *b = v->value < u->nbodies ? &u->bodies[v->value] : NULL;

		if (!b)
			continue;
		if (!b->function)
			b->function = symbols_name_die(n, &b->die, b->enclosing, NULL);
		if (is_called(b->function, p->name))
			visit_piece(p, b->function, v->lo + n->module->dwarf_bias,
				    v->hi + n->module->dwarf_bias);
	}
}

/* Pieces that only the symbol table has. */
static void table_pieces(struct pieces *p, struct symbols_namer *n)
{
	struct symbols_module *m = n->module;

	for (size_t i = 0; i < m->table.code.count; i++) {
		const struct interval *v = &m->table.code.at[i];
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
		for (size_t k = 0; n.module && k < n.module->units.count; k++) {
			n.unit = &n.module->units.units[k];
			unit_pieces(&p, &n);
		}
		if (n.module)
			table_pieces(&p, &n);
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
