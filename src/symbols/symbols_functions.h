/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_functions.h - stores every function once, so that pointers can be compared.
 *
 * Two functions are the same if module, name and position of definition are equal; so
 * inlined instances, copies and parts are one function.  If the position is unknown, the
 * linkage name (without the suffix of a copy) replaces it, and for local symbols also the
 * source file's number.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FUNCTIONS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/symbols/symbols.h"

struct arena;
struct interner;
struct symbols_unit;

struct symbols_function {
	struct sym_function f; /* first member: pointers to it can be converted */
	uint32_t source;
	struct symbols_unit *unit; /* unit whose DWARF described it first, or NULL */
	Dwarf_Die root;
	struct symbols_function *next;
};

struct symbols_functions {
	struct arena *arena; /* owner of the functions */
	struct interner *strings;
	struct map by_key;
};

/*
 * The function equal to f; the strings of a new one are copied.  unit and root (both or
 * neither) are its DWARF.
 */
const struct sym_function *symbols_functions_get(struct symbols_functions *t,
						 const struct sym_function *f, uint32_t source,
						 struct symbols_unit *unit, const Dwarf_Die *root);

#endif
