/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_table.h - an object's symbol tables, searched by address.
 *
 * The table has .symtab (of the separate debug file if there is one), or else .dynsym and
 * .gnu_debugdata.  If several symbols have the same address, the one displayed is the first
 * by these criteria: it has a size; it is a function (for data: an object); it is not
 * local; its name begins with fewer underscores; it is not weak; its name is shorter;
 * alphabetical order.  So write is displayed, and not __write.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_TABLE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_TABLE_H

#include <elfutils/libdwfl.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/interner.h"
#include "src/base/intervals.h"

struct symbols_entry {
	const char *name; /* as in the file: mangled, with its version */
	uint64_t lo, hi;  /* ELF addresses */
	uint32_t source;  /* local symbols: number of the source file, from 1; otherwise
				   0 */
};

struct symbols_table {
	struct symbols_entry *entries;
	size_t count;
	struct intervals code, data; /* values: indices of entries */
	struct symbols_entry *slots; /* of the global offset table, by address */
	size_t nslots, slots_room;
	struct interner names; /* names that are not in the file */
};

/* The module's file must stay open.  A module without symbols has an empty table. */
void symbols_table_load(struct symbols_table *t, Dwfl_Module *mod);
void symbols_table_free(struct symbols_table *t);

/* The symbol that contains address, or NULL. */
const struct symbols_entry *symbols_table_code(const struct symbols_table *t, uint64_t address);
const struct symbols_entry *symbols_table_data(const struct symbols_table *t, uint64_t address);

/* The slot at address, through which code calls a function: named as that function's stub in
   the linkage table would be ("foo@plt"), or NULL. */
const struct symbols_entry *symbols_table_slot(const struct symbols_table *t, uint64_t address);

#endif
