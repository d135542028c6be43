/*
 * symbols_plt.h - the procedure linkage table: stubs without symbols, by which an object
 * calls functions of other objects.
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

/* Visits each stub.  0, or the first result of visit that is not 0, or -ENOMEM. */
int symbols_plt_each(Elf *elf, int (*visit)(const struct symbols_stub *stub, void *arg), void *arg);

#endif
