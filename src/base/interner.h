/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interner.h - stores strings once: equal strings have the same address and number.
 *
 * A zeroed struct is empty and ready.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_INTERNER_H
#define OMPHWC_SRC_BASE_INTERNER_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"
#include "src/base/hash.h"

struct interner {
	const char **strings; /* by number; valid until interner_free() */
	size_t count, room;
	struct arena arena;
	struct hash hash;
};

void interner_free(struct interner *in);

/*
 * The number of the string of n bytes at s, which ends at a NUL if there is one before.  A
 * new string is copied.  Numbers count up from 0.
 */
uint32_t interner_number(struct interner *in, const char *s, size_t n);

/* The interned copy of the string. */
const char *intern(struct interner *in, const char *s, size_t n);

#endif
