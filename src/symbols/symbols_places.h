/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_places.h - files and lines from DWARF.
 *
 * Addresses are those in DWARF; strings live as long as it is open.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_PLACES_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_PLACES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols_place {
	const char *file; /* NULL: unknown */
	unsigned line;	  /* 0: unknown */
};

/* The index of the last row not after address; -1: none. */
ptrdiff_t symbols_row_before(Dwarf_Lines *lines, size_t count, uint64_t address);

/* The line of address according to the line table.  A row without a line (code from no line)
   is replaced by an earlier one, not before lo. */
struct symbols_place symbols_unit_place(Dwarf_Die *unit, uint64_t lo, uint64_t address);

/* The line of a function's first instruction: that of the first row at entry, because code
   from other lines may have been moved there.  None without a row there: the row that contains
   entry is another function's.  before: where a function begins that ends at entry, whose last
   rows may be at entry, too; 0: there is none. */
struct symbols_place symbols_unit_entry_place(Dwarf_Die *unit, uint64_t entry, uint64_t before);

/* The position of the call that was inlined. */
struct symbols_place symbols_call_place(Dwarf_Die *inlined);

/* The position of a function's declaration. */
/* Whether it is a class without a name, as that of a lambda. */
bool symbols_is_closure(Dwarf_Die *type);

struct symbols_place symbols_declared_place(Dwarf_Die *root);

#endif
