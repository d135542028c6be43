/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.h - numbers and bytes in little room, and how they are read again without trust.
 *
 * A number takes seven bits a byte, the lowest first.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_PACK_H
#define OMPHWC_SRC_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct is empty and ready. */
struct pack {
	unsigned char *bytes;
	size_t n, room;
};

void pack_free(struct pack *p);

void pack_number(struct pack *p, uint64_t number);
void pack_bytes(struct pack *p, const void *bytes, size_t n);

/* A string with its length. */
void pack_text(struct pack *p, const void *text, size_t n);

/* Where now differs from before; both have n bytes. */
void pack_difference(struct pack *p, const void *before, const void *now, size_t n);

struct unpack {
	const unsigned char *at, *end;
	bool damaged; /* what was read since then is 0 or empty */
};

uint64_t unpack_long_number(struct unpack *u);

static inline uint64_t unpack_number(struct unpack *u)
{
	if (u->at < u->end && *u->at < 0x80)
		return *u->at++;
	return unpack_long_number(u);
}

/* What was read is damaged unless this holds. */
void unpack_require(struct unpack *u, bool holds);

/* A number of at most max. */
uint64_t unpack_up_to(struct unpack *u, uint64_t max);

/* The next n bytes; NULL: there are fewer. */
const unsigned char *unpack_bytes(struct unpack *u, size_t n);

/* What pack_text() packed, which is not NUL-terminated. */
const unsigned char *unpack_text(struct unpack *u, size_t *n);

/* Changes the n bytes of before to those that pack_difference() got. */
void unpack_difference(struct unpack *u, void *before, size_t n);

#endif
