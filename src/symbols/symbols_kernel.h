/* SPDX-License-Identifier: BSD-3-Clause */
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
	struct symbols_kernel_entry *entries; /* by address */
	size_t n;
	struct arena names;
	char boot[64]; /* boot id of this machine */
	int loaded;    /* loading was attempted, successfully or not */
};

/* Replaces /proc in tests; NULL: /proc. */
extern const char *symbols_kernel_proc;

/* The kernel function that contains address, if f was recorded since this kernel booted and
   this user may see kernel addresses; otherwise NULL. */
const char *symbols_kernel_find(struct symbols_kernel *k, const struct prof_file *f,
				uint64_t address);

void symbols_kernel_free(struct symbols_kernel *k);

#endif
