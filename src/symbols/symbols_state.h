/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_state.h - the contents of a struct symbols, private to src/symbols.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_STATE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"
#include "src/base/interner.h"
#include "src/base/map.h"
#include "src/symbols/symbols_functions.h"
#include "src/symbols/symbols_kernel.h"
#include "src/symbols/symbols_made.h"

struct prof_file;
struct symbols_module;

/* The modules of one profile, by their index; NULL: not opened yet. */
struct symbols_profile {
	const struct prof_file *file;
	struct symbols_module **modules;
	struct symbols_profile *next;
};

struct symbols {
	char *sysroot;
	struct arena arena;
	struct interner strings;
	struct symbols_functions functions;
	struct symbols_profile *profiles; /* the last used one is first */
	struct symbols_module **modules;  /* of all profiles, each once */
	size_t nmodules, modules_room;
	struct map locations; /* by module and address */
	struct map objects;
	struct symbols_kernel kernel;
	struct symbols_made made;
};

/* The module with that id in f, which is opened at the first call; NULL: there is none. */
struct symbols_module *symbols_module_of(struct symbols *s, const struct prof_file *f, uint32_t id);

#endif
