/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "src/base/grow.h"
#include "src/symbols/symbols_extents.h"

enum { DEPTH_MAX = 200, ORIGINS_MAX = 16 };

/* Adds the address ranges of die with that value.  Returns their number. */
static int add_ranges(struct intervals *v, Dwarf_Die *die, uint32_t value)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	int n = 0;

	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (lo >= hi)
			continue;
		intervals_add(v, lo, hi, value);
		n++;
	}
	return n;
}

Dwarf_Die symbols_die_root(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (int i = 0; i < ORIGINS_MAX; i++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attr) ||
		    !dwarf_formref_die(&attr, &next))
			break;
		at = next;
	}
	return at;
}

/* ---- a unit's functions ---------------------------------------------------- */

static bool is_declaration(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool flag = false;

	return dwarf_attr(die, DW_AT_declaration, &attr) && !dwarf_formflag(&attr, &flag) && flag;
}

static void add_subprogram(struct symbols_unit *u, Dwarf_Die *die, uint32_t enclosing)
{
	u->subprograms = grow(u->subprograms, u->nsubprograms, &u->subprograms_room,
			      sizeof(*u->subprograms));
	u->subprograms[u->nsubprograms++] = (struct symbols_subprogram){ *die, enclosing };
	if (!add_ranges(&u->code, die, (uint32_t)u->nbodies))
		return;
	u->bodies = grow(u->bodies, u->nbodies, &u->bodies_room, sizeof(*u->bodies));
	u->bodies[u->nbodies++] = (struct symbols_body){ .die = *die, .enclosing = enclosing };
}

/* Whether a DIE may contain functions: gcc puts outlined functions into the function that
   contains the construct, and lambdas into a class that it generates there. */
static bool may_hold(int tag, bool in_function)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module: return true;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type: return in_function;
	default: return false;
	}
}

static void symbols_unit_walk(struct symbols_unit *u, Dwarf_Die *parent, uint32_t enclosing,
			      int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !is_declaration(&die)) {
			add_subprogram(u, &die, enclosing);
			symbols_unit_walk(u, &die, (uint32_t)u->nsubprograms - 1, depth + 1);
		} else if (may_hold(tag, enclosing != SYMBOLS_NONE)) {
			symbols_unit_walk(u, &die, enclosing, depth + 1);
		}
	} while (!dwarf_siblingof(&die, &die));
}

void symbols_unit_load(struct symbols_unit *u)
{
	if (u->loaded)
		return;
	u->loaded = true;
	symbols_unit_walk(u, &u->die, SYMBOLS_NONE, 0);
	intervals_sort(&u->code);
}

struct symbols_body *symbols_unit_body(struct symbols_unit *u, uint64_t address, uint64_t *lo)
{
	const struct interval *i = intervals_find(&u->code, address);

	if (!i || i->value >= u->nbodies)
		return NULL;
	*lo = i->lo;
	return &u->bodies[i->value];
}

/* ---- what is inlined into a function ----------------------------------------- */

static void walk_inlined(struct symbols_body *b, Dwarf_Die *parent, uint32_t outer, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);
		uint32_t here = outer;

		if (tag == DW_TAG_inlined_subroutine) {
			b->inlined = grow(b->inlined, b->ninlined, &b->room, sizeof(*b->inlined));
			here = (uint32_t)b->ninlined++;
			b->inlined[here] = (struct symbols_inlined){ .die = die, .outer = outer };
			add_ranges(&b->scopes, &die, here);
		} else if (!may_hold(tag, true)) {
			continue;
		}
		walk_inlined(b, &die, here, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

uint32_t symbols_body_inlined(struct symbols_body *b, uint64_t address, uint64_t *lo)
{
	const struct interval *i;

	if (!b->scoped) {
		b->scoped = true;
		walk_inlined(b, &b->die, SYMBOLS_NONE, 0);
		intervals_sort(&b->scopes);
	}
	i = intervals_find(&b->scopes, address);
	if (!i)
		return SYMBOLS_NONE;
	*lo = i->lo;
	return i->value;
}

/* ---- all units ---------------------------------------------------------------- */

static enum symbols_language language_of(Dwarf_Die *die)
{
	switch (dwarf_srclang(die)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17 */ return SYMBOLS_C;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2a: /* DW_LANG_C_plus_plus_17, _20 */
	case 0x2b: return SYMBOLS_CPLUSPLUS;
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case 0x2d: /* DW_LANG_Fortran18 */ return SYMBOLS_FORTRAN;
	default: return SYMBOLS_OTHER;
	}
}

static void add_unit(struct symbols_units *all, Dwarf_Die *die, Dwarf_Die *contents)
{
	uint32_t value = (uint32_t)all->count;
	struct symbols_unit *u;

	all->units = grow(all->units, all->count, &all->room, sizeof(*all->units));
	u = &all->units[all->count++];
	*u = (struct symbols_unit){ .die = *contents, .language = language_of(contents) };
	if (add_ranges(&all->code, die, value))
		return;
	/* For a unit without ranges: uses those of its functions. */
	symbols_unit_load(u);
	for (size_t i = 0; i < u->code.count; i++)
		intervals_add(&all->code, u->code.at[i].lo, u->code.at[i].hi, value);
}

void symbols_units_load(struct symbols_units *u, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, contents;
	uint8_t type;

	*u = (struct symbols_units){ 0 };
	while (dwarf && !dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &contents)) {
		if (dwarf_tag(&die) == DW_TAG_partial_unit || type == DW_UT_type ||
		    type == DW_UT_split_type)
			continue;
		/* A skeleton unit has the ranges, its .dwo file (if found) the contents. */
		add_unit(u, &die,
			 type == DW_UT_skeleton && dwarf_tag(&contents) > 0 ? &contents : &die);
	}
	intervals_sort(&u->code);
}

void symbols_units_free(struct symbols_units *u)
{
	for (size_t i = 0; i < u->count; i++) {
		struct symbols_unit *unit = &u->units[i];

		for (size_t k = 0; k < unit->nbodies; k++) {
			free(unit->bodies[k].inlined);
			intervals_free(&unit->bodies[k].scopes);
		}
		free(unit->bodies);
		free(unit->subprograms);
		intervals_free(&unit->code);
		symbols_extents_free(unit->extents);
	}
	free(u->units);
	intervals_free(&u->code);
	*u = (struct symbols_units){ 0 };
}

struct symbols_unit *symbols_units_find(struct symbols_units *u, uint64_t address)
{
	const struct interval *i = intervals_find(&u->code, address);

	if (!i)
		return NULL;
	symbols_unit_load(&u->units[i->value]);
	return &u->units[i->value];
}
