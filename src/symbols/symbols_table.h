/*
 * symbols_table.h - an object's symbol tables, to be asked by address.
 *
 * Taken together are .symtab (of the separate debug file if it is there), else
 * .dynsym with .gnu_debugdata.  Where several names stand for one place, the
 * one shown is the first by: it has a size; it is a function (for data: an
 * object); it is not local; it begins with fewer underscores; it is not weak;
 * it is shorter; it comes first in the alphabet.  So write is shown, not
 * __write.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_TABLE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/interner.h"
#include "src/base/intervals.h"

struct symbols_entry {
	const char *name;	/* as in the file: mangled, with its version */
	uint64_t lo, hi;	/* ELF addresses */
	uint32_t source;	/* local symbols: which source file, from 1; else 0 */
};

struct symbols_table {
	struct symbols_entry *entries;
	size_t count;
	struct intervals code, data;	/* values: indices of entries */
	struct interner names;	/* those that are not in the file */
};

/* The module's file must stay open.  0 or -ENOMEM; a module without symbols
   gives an empty table. */
int symbols_table_load(struct symbols_table *t, Dwfl_Module *mod);
void symbols_table_free(struct symbols_table *t);

/* What holds address, or NULL. */
const struct symbols_entry *symbols_table_code(const struct symbols_table *t, uint64_t address);
const struct symbols_entry *symbols_table_data(const struct symbols_table *t, uint64_t address);

#endif
