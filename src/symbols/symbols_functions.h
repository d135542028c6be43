/*
 * symbols_functions.h - every function once, so that pointers can be compared.
 *
 * Two are the same when module, name and place of definition are: a function
 * inlined here and there, its copies and its parts are one.  Where no place is
 * known, the linkage name (without what marks a copy) and, for local symbols,
 * the source file's number stand in for it.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FUNCTIONS_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/symbols/symbols.h"

struct arena;
struct interner;
struct symbols_unit;

struct symbols_function {
	struct sym_function f;	/* first: a pointer to it is one to this */
	uint32_t source;
	struct symbols_unit *unit; /* DWARF that first told of it, or NULL */
	Dwarf_Die root;
	struct symbols_function *next;
};

struct symbols_functions {
	struct arena *arena;	/* holds the functions */
	struct interner *strings;
	struct map by_key;
};

/*
 * The function like f; its strings are copied when it is new.  unit and root
 * (both or neither) are where DWARF tells of it.  NULL without memory.
 */
const struct sym_function *symbols_functions_get(struct symbols_functions *t,
						 const struct sym_function *f, uint32_t source,
						 struct symbols_unit *unit,
						 const Dwarf_Die *root);

#endif
