/*
 * symbols_places.h - files and lines, as DWARF gives them.
 *
 * Addresses are DWARF's own; strings live as long as it is open.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_PLACES_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_PLACES_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct symbols_place {
	const char *file;	/* NULL: not known */
	unsigned line;		/* 0: not known */
};

/* Where the line table puts address; a row without a line (code that belongs
   to none) is passed over for the one before, down to lo. */
struct symbols_place symbols_unit_place(Dwarf_Die *unit, uint64_t lo, uint64_t address);

/* Where the line table puts the very first instruction of a function: the
   first of the rows that begin there, for others may have moved up to it. */
struct symbols_place symbols_unit_entry_place(Dwarf_Die *unit, uint64_t entry);

/* From where the function at this place of the code was inlined. */
struct symbols_place symbols_call_place(Dwarf_Die *inlined);

/* Where a function is declared. */
struct symbols_place symbols_declared_place(Dwarf_Die *root);

#endif
