/*
 * symbols_kernel.h - names of the running kernel's functions.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_KERNEL_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"

struct prof_file;

struct symbols_kernel {
	struct symbols_kernel_entry *entries;	/* by address */
	size_t n;
	struct arena names;
	char boot[64];		/* of this machine */
	int loaded;		/* looked at, with or without success */
};

/* Another root of /proc, for tests; NULL: the machine's. */
extern const char *symbols_kernel_proc;

/* The function that holds address, where f was made under the kernel that runs
   here now, and the kernel tells this user its addresses; else NULL. */
const char *symbols_kernel_find(struct symbols_kernel *k, const struct prof_file *f,
				uint64_t address);

void symbols_kernel_free(struct symbols_kernel *k);

#endif
