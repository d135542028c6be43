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

static int add_subprogram(struct symbols_unit *u, Dwarf_Die *die, uint32_t enclosing)
{
	int n;

	u->subprograms = grow(u->subprograms, u->nsubprograms, &u->subprograms_room,
			      sizeof(*u->subprograms));
	u->subprograms[u->nsubprograms++] = (struct symbols_subprogram){ *die, enclosing };
	n = add_ranges(&u->code, die, (uint32_t)u->nbodies);
	if (n <= 0)
		return n;
	u->bodies = grow(u->bodies, u->nbodies, &u->bodies_room, sizeof(*u->bodies));
	u->bodies[u->nbodies++] = (struct symbols_body){ .die = *die, .enclosing = enclosing };
	return 0;
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

static int symbols_unit_walk(struct symbols_unit *u, Dwarf_Die *parent, uint32_t enclosing,
			     int depth)
{
	Dwarf_Die die;
	int err = 0;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return 0;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !is_declaration(&die)) {
			err = add_subprogram(u, &die, enclosing);
			if (!err)
				err = symbols_unit_walk(u, &die, (uint32_t)u->nsubprograms - 1,
							depth + 1);
		} else if (may_hold(tag, enclosing != SYMBOLS_NONE)) {
			err = symbols_unit_walk(u, &die, enclosing, depth + 1);
		}
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
}

int symbols_unit_load(struct symbols_unit *u)
{
	int err;

	if (u->loaded)
		return 0;
	u->loaded = true;
	err = symbols_unit_walk(u, &u->die, SYMBOLS_NONE, 0);
	intervals_sort(&u->code);
	return err;
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

static int walk_inlined(struct symbols_body *b, Dwarf_Die *parent, uint32_t outer, int depth)
{
	Dwarf_Die die;
	int err = 0;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return 0;
	do {
		int tag = dwarf_tag(&die), n;
		uint32_t here = outer;

		if (tag == DW_TAG_inlined_subroutine) {
			b->inlined = grow(b->inlined, b->ninlined, &b->room, sizeof(*b->inlined));
			here = (uint32_t)b->ninlined++;
			b->inlined[here] = (struct symbols_inlined){ .die = die, .outer = outer };
			n = add_ranges(&b->scopes, &die, here);
			err = n < 0 ? n : 0;
		} else if (!may_hold(tag, true)) {
			continue;
		}
		if (!err)
			err = walk_inlined(b, &die, here, depth + 1);
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
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

static int add_unit(struct symbols_units *all, Dwarf_Die *die, Dwarf_Die *contents)
{
	uint32_t value = (uint32_t)all->count;
	struct symbols_unit *u;
	int n;

	all->units = grow(all->units, all->count, &all->room, sizeof(*all->units));
	u = &all->units[all->count++];
	*u = (struct symbols_unit){ .die = *contents, .language = language_of(contents) };
	n = add_ranges(&all->code, die, value);
	if (!n) {
		/* For a unit without ranges: uses those of its functions. */
		int err = symbols_unit_load(u);

		for (size_t i = 0; i < u->code.count && !err; i++)
			intervals_add(&all->code, u->code.at[i].lo, u->code.at[i].hi, value);
		n = err;
	}
	return n < 0 ? n : 0;
}

int symbols_units_load(struct symbols_units *u, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, contents;
	uint8_t type;
	int err = 0;

	*u = (struct symbols_units){ 0 };
	while (dwarf && !err && !dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &contents)) {
		if (dwarf_tag(&die) == DW_TAG_partial_unit || type == DW_UT_type ||
		    type == DW_UT_split_type)
			continue;
		/* A skeleton unit has the ranges, its .dwo file (if found) the contents. */
		err = add_unit(u, &die,
			       type == DW_UT_skeleton && dwarf_tag(&contents) > 0 ? &contents :
										    &die);
	}
	intervals_sort(&u->code);
	return err;
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
	struct symbols_unit *unit = i ? &u->units[i->value] : NULL;

	return unit && !symbols_unit_load(unit) ? unit : NULL;
}
