#include "config.h"

#include "src/analysis/symbols_extents.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "src/analysis/outlined.h"
#include "src/analysis/symbols_places.h"
#include "src/analysis/symbols_unit.h"

static bool same_file(const char *a, const char *b)
{
	return a && b && (a == b || !strcmp(a, b));
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_diename(die);

	if (!name && dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name;
}

static int compare(const void *a, const void *b)
{
	const struct symbols_extent *x = a, *y = b;

	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static void describe(struct symbols_extent *x)
{
	const char *name = name_of(&x->die);
	struct symbols_place p = symbols_declared_place(&x->die);
	struct outlined o;

	x->file = p.file;
	x->declared = p.line;
	if (name && outlined_parse(name, &o)) {
		x->outlined = true;
		/* Helpers wrap nothing. */
		x->debug = o.debug || o.kind == SYM_OUTLINED_HELPER;
	}
}

/* One for each function of the unit. */
static bool list_functions(struct symbols_extents *e, const struct symbols_unit *u)
{
	size_t n = 0;

	e->at = calloc(u->nsubprograms ? u->nsubprograms : 1, sizeof(*e->at));
	if (!e->at)
		return false;
	for (size_t i = 0; i < u->nsubprograms; i++)
		e->at[i].die = symbols_die_root(&u->subprograms[i].die);
	if (u->nsubprograms)
		qsort(e->at, u->nsubprograms, sizeof(*e->at), compare);
	for (size_t i = 0; i < u->nsubprograms; i++)
		if (!n || e->at[n - 1].die.addr != e->at[i].die.addr)
			e->at[n++] = e->at[i];
	e->count = n;
	for (size_t i = 0; i < n; i++)
		describe(&e->at[i]);
	return true;
}

/* What a row of the line table says about the function that it is in. */
static void take_row(struct symbols_extents *e, struct symbols_unit *u, Dwarf_Line *row,
		     uint64_t address, unsigned line)
{
	uint64_t lo;
	struct symbols_body *b = symbols_unit_body(u, address, &lo);
	uint32_t inlined = b ? symbols_body_inlined(b, address, &lo) : SYMBOLS_NONE;
	struct symbols_extent *x;
	Dwarf_Die root;
	const char *file;

	if (!b)
		return;
	root = symbols_die_root(inlined == SYMBOLS_NONE ? &b->die : &b->inlined[inlined].die);
	x = (struct symbols_extent *)symbols_extents_find(e, &root);
	file = x ? dwarf_linesrc(row, NULL, NULL) : NULL;
	if (!file)
		return;
	if (!x->file)	/* gcc's outlined functions are declared nowhere */
		x->file = file;
	if (!same_file(file, x->file))
		return;
	if (!x->first || line < x->first)
		x->first = line;
	if (line > x->last)
		x->last = line;
}

static void take_rows(struct symbols_extents *e, struct symbols_unit *u)
{
	Dwarf_Lines *lines;
	size_t count;

	if (dwarf_getsrclines(&u->die, &lines, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		bool end = true;
		Dwarf_Addr at;
		int line;

		if (!dwarf_lineendsequence(row, &end) && !end && !dwarf_lineaddr(row, &at) &&
		    !dwarf_lineno(row, &line) && line > 0)
			take_row(e, u, row, at, (unsigned)line);
	}
}

const struct symbols_extents *symbols_extents_of(struct symbols_unit *u)
{
	struct symbols_extents *e;

	if (u->extents)
		return u->extents;
	if (symbols_unit_load(u))
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e || !list_functions(e, u)) {
		free(e);
		return NULL;
	}
	take_rows(e, u);
	u->extents = e;
	return e;
}

void symbols_extents_free(struct symbols_extents *e)
{
	if (e)
		free(e->at);
	free(e);
}

const struct symbols_extent *symbols_extents_find(const struct symbols_extents *e,
						  const Dwarf_Die *root)
{
	const struct symbols_extent key = { .die = *root };

	return e->count ? bsearch(&key, e->at, e->count, sizeof(*e->at), compare) : NULL;
}

/* ---- by line ----------------------------------------------------------------------- */

/*
 * Functions don't overlap but for lambdas and local classes: the one that
 * begins last before the line, of those that end after it.  Where no end is
 * known to be after it (the code that follows the construct is gone), the one
 * that begins last.
 */
const struct symbols_extent *symbols_extents_around(const struct symbols_extents *e,
						    const char *file, unsigned line,
						    bool *several)
{
	const struct symbols_extent *best = NULL;
	bool best_ends = false;

	*several = false;
	for (size_t i = 0; i < e->count; i++) {
		const struct symbols_extent *x = &e->at[i];
		bool ends = x->last >= line;

		if (x->outlined || !x->declared || x->declared > line ||
		    !same_file(file, x->file) || (best_ends && !ends))
			continue;
		if (best && best_ends == ends && x->declared == best->declared) {
			*several = true;
		} else if (!best || (ends && !best_ends) || x->declared > best->declared) {
			best = x;
			best_ends = ends;
			*several = false;
		}
	}
	return best;
}

const struct symbols_extent *symbols_extents_wrapper(const struct symbols_extents *e,
						     const char *file, unsigned line)
{
	const struct symbols_extent *best = NULL;

	for (size_t i = 0; i < e->count; i++) {
		const struct symbols_extent *x = &e->at[i];

		if (x->outlined && !x->debug && x->declared && x->declared <= line &&
		    same_file(file, x->file) && (!best || x->declared > best->declared))
			best = x;
	}
	return best;
}
