/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_object.h - an object file whose code is looked at: its bytes, and the slots of its
 * global offset table.
 *
 * Private to the folder.  Addresses are ELF addresses.
 */
#ifndef OMPHWC_SRC_CALLSITE_CALLSITE_OBJECT_H
#define OMPHWC_SRC_CALLSITE_CALLSITE_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/code/callsite_code.h"

struct callsite_object;
struct prof_rmodule;

/* The object of a module, which is opened at the first call and kept in *all; folder as of
   symbols_file_path(). NULL: it is not there, or is not the one that ran. */
struct callsite_object *callsite_object_of(struct callsite_object **all, const char *sysroot,
					   const char *folder, const struct prof_rmodule *m);
void callsite_objects_free(struct callsite_object *all);

/* Valid as long as the object. */
struct callsite_code callsite_object_code(struct callsite_object *o);

/* Whether it calls what cancel directives are compiled to. */
bool callsite_object_cancels(struct callsite_object *o);

/* Whether it has code there. */
bool callsite_object_is_code(const struct callsite_object *o, uint64_t address);

#endif
