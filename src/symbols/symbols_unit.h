/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_unit.h - DWARF's compilation units: finds the function at an address, and the
 * functions inlined there.
 *
 * Everything is read at the first use and kept.  Addresses are those in DWARF
 * (symbols_file_dwarf() gives the bias).
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_UNIT_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/intervals.h"

struct sym_function;
struct symbols_extents;

#define SYMBOLS_NONE UINT32_MAX

/* An inlined instance of a function. */
struct symbols_inlined {
	Dwarf_Die die;
	uint32_t outer;			     /* index of the instance that it is inlined into;
				   SYMBOLS_NONE: the body itself */
	const struct sym_function *function; /* as displayed; NULL at first */
};

/* A function's code. */
struct symbols_body {
	Dwarf_Die die;
	uint32_t enclosing; /* index into subprograms of the one that it is declared in,
				   or SYMBOLS_NONE */
	const struct sym_function *function; /* as displayed; NULL at first */
	/* private */
	bool scoped;
	struct symbols_inlined *inlined;
	size_t ninlined, room;
	struct intervals scopes;
};

/* A function's definition, with or without code. */
struct symbols_subprogram {
	Dwarf_Die die;
	uint32_t enclosing; /* see struct symbols_body */
};

enum symbols_language {
	SYMBOLS_C,
	SYMBOLS_CPLUSPLUS,
	SYMBOLS_FORTRAN,
	SYMBOLS_OTHER,
};

struct symbols_unit {
	Dwarf_Die die;
	enum symbols_language language;
	struct symbols_body *bodies;
	size_t nbodies;
	struct symbols_subprogram *subprograms;
	size_t nsubprograms;
	struct intervals code;		 /* values: indices of bodies */
	struct symbols_extents *extents; /* symbols_extents.h; NULL at first */
	/* private */
	bool loaded;
	size_t bodies_room, subprograms_room;
};

struct symbols_units {
	struct symbols_unit *units;
	size_t count;
	/* private */
	size_t room;
	struct intervals code;
};

/* Loads all units of dwarf (NULL: none), which must stay open. */
void symbols_units_load(struct symbols_units *u, Dwarf *dwarf);
void symbols_units_free(struct symbols_units *u);

/* The unit that contains address, with its functions loaded, or NULL. */
struct symbols_unit *symbols_units_find(struct symbols_units *u, uint64_t address);

/* Loads the functions of a unit that was found in another way. */
void symbols_unit_load(struct symbols_unit *u);

/* The function whose code contains address, or NULL; *lo is the beginning of that piece of it. */
struct symbols_body *symbols_unit_body(struct symbols_unit *u, uint64_t address, uint64_t *lo);

/* The innermost function inlined into b at address, as an index into b->inlined; *lo becomes
   the beginning of that piece of it.  SYMBOLS_NONE: none, and *lo is unchanged. */
uint32_t symbols_body_inlined(struct symbols_body *b, uint64_t address, uint64_t *lo);

/* The function's first DIE, which all copies refer to. */
Dwarf_Die symbols_die_root(const Dwarf_Die *die);

#endif
