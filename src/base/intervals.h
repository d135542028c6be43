/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.h - finds the address ranges, possibly nested, that contain an address.
 */
#ifndef OMPHWC_SRC_BASE_INTERVALS_H
#define OMPHWC_SRC_BASE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#define INTERVALS_NONE UINT32_MAX

struct interval {
	uint64_t lo, hi; /* lo <= address < hi */
	uint32_t value;
	uint32_t up; /* index of the next enclosing interval */
};

/* A zeroed struct is empty and ready for use. */
struct intervals {
	struct interval *at;
	size_t count, room;
};

void intervals_free(struct intervals *v);

/* An empty range (lo >= hi) is ignored. */
void intervals_add(struct intervals *v, uint64_t lo, uint64_t hi, uint32_t value);

/* Must be called after the last add and before the first find.  Of two equal ranges the one
   with the larger value is the inner one. */
void intervals_sort(struct intervals *v);

/* The innermost interval that contains address, or NULL. */
const struct interval *intervals_find(const struct intervals *v, uint64_t address);

#endif
