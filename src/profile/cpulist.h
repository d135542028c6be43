/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpulist.h - sets of CPUs, and the kernel's notation for them: "0-3,8".
 *
 * Takes no lock and allocates nothing.  Async-signal-safe.
 */
#ifndef OMPHWC_SRC_PROFILE_CPULIST_H
#define OMPHWC_SRC_PROFILE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPULIST_MAX = 8192, CPULIST_NONE = UINT32_MAX };

struct cpulist {
	uint64_t bits[CPULIST_MAX / 64];
};

static inline bool cpulist_has(const struct cpulist *l, uint32_t cpu)
{
	return cpu < CPULIST_MAX && (l->bits[cpu / 64] >> cpu % 64 & 1) != 0;
}

static inline void cpulist_add(struct cpulist *l, uint32_t cpu)
{
	if (cpu < CPULIST_MAX)
		l->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

/* The first CPU from `from' on; CPULIST_NONE: there is none. */
uint32_t cpulist_next(const struct cpulist *l, uint32_t from);

uint32_t cpulist_count(const struct cpulist *l);

/* Whether all CPUs of part are in whole. */
bool cpulist_within(const struct cpulist *part, const struct cpulist *whole);

/* Reads a list, which ends at a NUL, a blank or a line's end.  Returns the position there;
   NULL: text is no list, or it has CPUs past CPULIST_MAX. */
const char *cpulist_read(struct cpulist *l, const char *text);

/* Writes the list and a NUL.  Returns its length; 0: it is empty or too long, and to is "". */
size_t cpulist_write(const struct cpulist *l, char *to, size_t bytes);

#endif
