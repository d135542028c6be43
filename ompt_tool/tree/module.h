/*
 * module.h - which loaded object a PC lies in, by a number that outlives it.
 *
 * Objects get their number when first met in a sample, and a MODULE record in
 * the profile with it.  The same file loaded again, there or elsewhere, keeps
 * its number; another file at the same address gets another.
 * module_locate() is async-signal-safe and lock-free.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_MODULE_H
#define OMPHWC_OMPT_TOOL_TREE_MODULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/unwind/object.h"
#include "src/profile/format.h"

struct prof_writer;

/* An object's word: enum prof_module_flag << 32 | what is known of its number. */
enum {
	MODULE_ID = 0xffff,	/* the module's number; 0: not known yet */
	MODULE_REFUSED = 1 << 16, /* no room for its record, or too many */
	MODULE_FLAGS_SHIFT = 32,
};

/*
 * Where records go; exe is the executable's own path (its link map has none).
 * Called once before any sample, and again in a fork's child, which forgets all
 * numbers: with NULL as soon as the parent's records are gone, and with its own
 * writer when it has one.
 */
void module_init(struct prof_writer *w, const char *exe);

/*
 * Records every object that is loaded now.  Takes the loader's lock.  real
 * makes of the path that an object was loaded by one that will still be there
 * later (no symbolic link in a temporary folder, say); what it returns must
 * live on; NULL: the path is good as it is.
 */
void module_scan(const char *(*real)(const char *path));

/* pc as a location of the profile (PROF_LOC), with *flags set to the module's
   enum prof_module_flag.  With no module known: PROF_LOC(0, pc). */
uint64_t module_locate(uintptr_t pc, uint32_t *flags);

/* Gives o its number, if that can be.  Returns its word. */
uint64_t module_enroll(struct object *o);

/* The same where the object is known already (object.h), as after a step of
   the unwinder; NULL: in none. */
static inline uint64_t module_locate_in(struct object *o, uintptr_t pc, uint32_t *flags)
{
	*flags = 0;
	if (o == NULL)
		return PROF_LOC(0, pc);
	uint64_t word = atomic_load_explicit(&o->module, memory_order_relaxed);

	if ((word & (MODULE_ID | MODULE_REFUSED)) == 0)
		word = module_enroll(o);
	*flags = (uint32_t)(word >> MODULE_FLAGS_SHIFT);
	return (word & MODULE_ID) == 0 ? PROF_LOC(0, pc) : PROF_LOC(word & MODULE_ID, pc - o->bias);
}

/* Marks the object that holds address as the OpenMP runtime (or as the tool);
   flag is an enum prof_module_flag.  Before the first sample, or from a
   handler; fork's children keep it. */
void module_mark(const void *address, uint32_t flag);

#endif
