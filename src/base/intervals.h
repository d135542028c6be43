/*
 * intervals.h - which of many address ranges, nested ones among them, an
 * address lies in.
 */
#ifndef OMPHWC_SRC_BASE_INTERVALS_H
#define OMPHWC_SRC_BASE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#define INTERVALS_NONE UINT32_MAX

struct interval {
	uint64_t lo, hi;	/* lo <= address < hi */
	uint32_t value;
	uint32_t up;		/* index of the next one outward */
};

/* One of zeros is empty and ready to be added to. */
struct intervals {
	struct interval *at;
	size_t count, room;
};

void intervals_free(struct intervals *v);

/* An empty one (lo >= hi) is left out.  0 or -ENOMEM. */
int intervals_add(struct intervals *v, uint64_t lo, uint64_t hi, uint32_t value);

/* Due after the last add, before the first find.  Of two equal ranges the one
   with the larger value is taken to be the inner one. */
void intervals_sort(struct intervals *v);

/* The innermost that holds address, or NULL. */
const struct interval *intervals_find(const struct intervals *v, uint64_t address);

/* The next one outward from i that holds address, or NULL. */
const struct interval *intervals_outward(const struct intervals *v, const struct interval *i,
					 uint64_t address);

#endif
