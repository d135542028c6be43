/*
 * symbols_plt.h - the procedure linkage table: stubs through which an object
 * calls functions of others, which have no symbols of their own.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_PLT_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_PLT_H

#include <libelf.h>
#include <stdint.h>

struct symbols_stub {
	uint64_t lo, hi;
	const char *name;	/* of the function that it leads to; NULL: */
	uint64_t resolver;	/* address of what chooses it when the object is
				   loaded (an ifunc's resolver) */
};

/* Visits each stub.  0, or the first result of visit that is not 0, or -ENOMEM. */
int symbols_plt_each(Elf *elf, int (*visit)(const struct symbols_stub *stub, void *arg),
		     void *arg);

#endif
