/*
 * symbols_module.h - one object of a profile with all that names its code.
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
	char *path;		/* as in the profile */
	const char *name;	/* its last part */
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	struct symbols_file file;
	struct symbols_table table;
	struct symbols_frames frames;
	struct symbols_units units;
	uint64_t dwarf_bias;	/* address in DWARF + this = ELF address */
	struct map by_die;	/* struct sym_function by its root's place */
	bool stripped;		/* only exported names are there */
	bool nameless;		/* a place without a name was asked for */
};

/* Opens m's file; folder and sysroot as in symbols_file.h.  NULL without
   memory; without a file it has no names to give. */
struct symbols_module *symbols_module_new(const struct prof_rmodule *m, const char *folder,
					  const char *sysroot);
void symbols_module_free(struct symbols_module *m);

/* Is it the object that p stands for? */
bool symbols_module_is(const struct symbols_module *m, const struct prof_rmodule *p);

/* Why it has given module+offset, or no lines, for people; NULL: it has not. */
const char *symbols_module_trouble(const struct symbols_module *m);

#endif
