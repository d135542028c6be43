/*
 * interner.h - strings, each kept once: equal strings have one address and one number.
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
	const char **strings;	/* by number; the interner's own, until interner_free() */
	size_t count, room;
	struct arena arena;
	struct hash hash;
};

void interner_free(struct interner *in);

/*
 * The number of the string of n bytes at s, or of those before its NUL, which is copied
 * when it is new.  Numbers count up from 0.  0 or -ENOMEM.
 */
int interner_number(struct interner *in, const char *s, size_t n, uint32_t *number);

/* The same string's only copy; NULL without memory. */
const char *intern(struct interner *in, const char *s, size_t n);

#endif
