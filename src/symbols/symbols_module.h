/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_module.h - an object of a profile with all sources of names for its code.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_MODULE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/symbols/symbols_file.h"
#include "src/symbols/symbols_frames.h"
#include "src/symbols/symbols_table.h"
#include "src/symbols/symbols_unit.h"

struct prof_rmodule;

struct symbols_module {
	char *path;	  /* as in the profile */
	const char *name; /* last component of path */
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	struct symbols_file file;
	struct symbols_table table;
	struct symbols_frames frames;
	struct symbols_units units;
	uint64_t dwarf_bias; /* ELF address = address in DWARF + dwarf_bias */
	struct map by_die;   /* struct sym_function by the address of its root DIE */
	bool stripped;	     /* has only names of exported functions */
	bool nameless;	     /* a location without a name was requested */
};

/* Opens m's file; folder and sysroot as in symbols_file.h.  Without a file the module has no
   names. */
struct symbols_module *symbols_module_new(const struct prof_rmodule *m, const char *folder,
					  const char *sysroot);
void symbols_module_free(struct symbols_module *m);

/* Whether m is the object described by p. */
bool symbols_module_is(const struct symbols_module *m, const struct prof_rmodule *p);

/* Why names or lines were missing so far, for people; NULL: none were. */
const char *symbols_module_trouble(const struct symbols_module *m);

#endif
