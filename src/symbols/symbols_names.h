/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_names.h - converts functions of DWARF and of symbol tables to those that are
 * displayed.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_NAMES_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_NAMES_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct sym_function;
struct symbols_entry;
struct symbols_functions;
struct symbols_module;
struct symbols_unit;

struct symbols_namer {
	struct symbols_functions *functions;
	struct symbols_module *module;
	struct symbols_unit *unit; /* the unit that contains the DIE */
};

/*
 * The function of die, a subprogram or inlined subroutine.  enclosing is the subprogram of
 * the unit that die is declared in (SYMBOLS_NONE: none), outer the function that it is
 * inlined into, or NULL.  NULL: it has no name.
 */
const struct sym_function *symbols_name_die(struct symbols_namer *n, Dwarf_Die *die,
					    uint32_t enclosing, const struct sym_function *outer);

/* The function of a symbol without DWARF. */
const struct sym_function *symbols_name_entry(struct symbols_namer *n,
					      const struct symbols_entry *e);

/* A location of the module without a name: "libfoo.so+0x1234". */
const struct sym_function *symbols_name_offset(struct symbols_namer *n, uint64_t address);

#endif
