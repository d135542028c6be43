/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.h - the loaded object that a PC lies in, by a number that outlives the
 * object.
 *
 * An object gets its number, and a MODULE record in the profile, when a sample
 * first meets it. The same file loaded again, at any address, keeps its number;
 * another file at the same address gets another number. module_locate() is
 * async-signal-safe and lock-free.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_MODULE_H
#define OMPHWC_OMPT_TOOL_TREE_MODULE_H

#include <stdatomic.h>
#include <stdint.h>

#include "ompt_tool/unwind/object.h"
#include "src/profile/format.h"

struct prof_writer;

/* An object's word: enum prof_module_flag << 32 | number or MODULE_REFUSED. */
enum {
	MODULE_ID = 0xffff,	  /* the module's number; 0: not known yet */
	MODULE_REFUSED = 1 << 16, /* no room for its record, or too many */
	MODULE_FLAGS_SHIFT = 32,
};

/*
 * Sets the writer for records; exe is the executable's own path (its link map has
 * none). Called once before any sample, and again in a fork's child, where it
 * forgets all numbers: with NULL when the parent's records are gone, and with the
 * child's own writer when there is one.
 */
void module_init(struct prof_writer *w, const char *exe);

/*
 * Records every object that is loaded now. Takes the loader's lock. real() returns
 * a lasting path for the one that an object was loaded by (which may be a symbolic
 * link in a temporary folder), in memory that stays, or NULL where the path is
 * good.
 */
void module_scan(const char *(*real)(const char *path));

/* pc as a location of the profile (PROF_LOC), with *flags set to the module's enum
   prof_module_flag. Where no module is known: PROF_LOC(0, pc). */
uint64_t module_locate(uintptr_t pc, uint32_t *flags);

/* Gives o its number, where possible, and returns its word. */
uint64_t module_enroll(struct object *o);

/* The same where the object is known already (object.h), as after a step of the
   unwinder; NULL: there is none. */
static inline uint64_t module_locate_in(struct object *o, uintptr_t pc, uint32_t *flags)
{
	*flags = 0;
	if (!o)
		return PROF_LOC(0, pc);
	uint64_t word = atomic_load_explicit(&o->module, memory_order_relaxed);

	if ((word & (MODULE_ID | MODULE_REFUSED)) == 0)
		word = module_enroll(o);
	*flags = (uint32_t)(word >> MODULE_FLAGS_SHIFT);
	return (word & MODULE_ID) == 0 ? PROF_LOC(0, pc) : PROF_LOC(word & MODULE_ID, pc - o->bias);
}

/* Marks the object that holds address as the OpenMP runtime or as the tool; flag is an
   enum prof_module_flag. Before the first sample, or in a handler. Marks hold in fork's
   children too. */
void module_mark(const void *address, uint32_t flag);

/* Marks the object in which an OpenMP runtime's code is at that address. */
void module_mark_runtime(const void *address);

#endif
