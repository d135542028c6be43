/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_plt.h - how an object calls functions of other objects: by the procedure linkage
 * table's stubs, which have no symbols, or itself through the slots of the global offset table
 * that the stubs jump through (gcc -fno-plt).
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_PLT_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_PLT_H

#include <libelf.h>
#include <stdint.h>

struct symbols_stub {
	uint64_t lo, hi;
	const char *name;  /* of the function that the stub calls; NULL: see resolver */
	uint64_t resolver; /* address of an ifunc's resolver, which selects the function
				   when the object is loaded */
};

/* A word in which the loader stores a function's address. */
struct symbols_slot {
	uint64_t address;
	const char *name;  /* of the function; NULL: see resolver */
	uint64_t resolver; /* as above */
	uint64_t function; /* its address, if the object has a function of that name; or 0 */
};

/* Visits each slot, by address, and then each stub (NULL: no stubs). */
void symbols_plt_each(Elf *elf, void (*slot)(const struct symbols_slot *slot, void *arg),
		      void (*stub)(const struct symbols_stub *stub, void *arg), void *arg);

#endif
