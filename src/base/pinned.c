/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned.c - a table has a range of addresses to itself, of which it uses more and more.
 *
 * The range is as large as half of the machine's memory.  Addresses take no memory until
 * they are used.  But a limit of the address space (ulimit -v) counts them: under one,
 * nothing is reserved, tables begin far from each other and from all else, and each takes
 * the addresses behind its end when it needs them.  Where these are in use, there is no more
 * memory for the table; it is never moved.
 */
#include "config.h"

#include "src/base/pinned.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "src/base/alloc.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17; before, the address is a hint */
#endif

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

enum { FIRST_BYTES = 1 << 16, ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

#define RESERVE_MOST (UINT64_C(1) << 36)

/* At the begin of a table's range; its elements follow. */
struct pinned {
	size_t used, reserved; /* bytes from here on */
	_Alignas(64) unsigned char elements[];
};

static struct pinned *pinned_of(void *table)
{
	void *head = (unsigned char *)table - sizeof(struct pinned);

	return head;
}

/* ---- addresses --------------------------------------------------------- */

static bool address_space_is_limited(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* NULL: these addresses are not free. */
static void *map_at(void *address, size_t bytes)
{
	void *p = mmap(address, bytes, PROT_READ | PROT_WRITE, ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		       0);

	if (p != MAP_FAILED && p != address)
		munmap(p, bytes);
	return p == address ? p : NULL;
}

/*
 * A range that nothing is near to.  The kernel places libraries, the heap and the stack near the
 * end of the address space and near two thirds and one third of it, and programs without PIE at its
 * begin: here is what lies from one eighth to five sixteenths.
 */
static struct pinned *begin_apart(void)
{
	enum { PLACES = 1 << 13, FIRST = PLACES / 8, END = PLACES / 16 * 5 };
	static atomic_uint next;
	const int local = 0;
	/* The stack is at the end. */
	const uint64_t space = UINT64_C(1) << (64 - __builtin_clzll((uintptr_t)&local));

	for (unsigned tried = FIRST; tried < END; tried++) {
		const unsigned place = FIRST + atomic_fetch_add(&next, 1) % (END - FIRST);
		struct pinned *s = map_at((void *)(uintptr_t)(space / PLACES * place), FIRST_BYTES);

		if (s)
			return s;
	}
	return NULL;
}

static struct pinned *begin_reserved(size_t bytes)
{
	void *p;

	/* By much less each time, to leave some. */
	for (; bytes >= FIRST_BYTES; bytes = bytes / 16 / FIRST_BYTES * FIRST_BYTES) {
		p = mmap(NULL, bytes, PROT_NONE, ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			continue;
		if (mprotect(p, FIRST_BYTES, PROT_READ | PROT_WRITE) == 0) {
			((struct pinned *)p)->reserved = bytes;
			return p;
		}
		munmap(p, bytes);
		break;
	}
	return NULL;
}

static struct pinned *pinned_begin(void)
{
	struct pinned *s = NULL;

	if (!address_space_is_limited()) {
		/* Whole pages of any machine. */
		struct sysinfo machine;
		uint64_t bytes = RESERVE_MOST;

		if (sysinfo(&machine) == 0 &&
		    (uint64_t)machine.totalram * machine.mem_unit / 2 < bytes)
			bytes = (uint64_t)machine.totalram * machine.mem_unit / 2;
		s = begin_reserved((size_t)(bytes / FIRST_BYTES * FIRST_BYTES));
	}
	if (!s)
		s = begin_apart();
	if (!s)
		alloc_failed();
	s->used = FIRST_BYTES;
	if (s->reserved < s->used)
		s->reserved = s->used;
	return s;
}

/* Uses that many bytes, or as many as are reserved. */
static bool use(struct pinned *s, size_t bytes)
{
	unsigned char *const end = (unsigned char *)s + s->used;

	if (s->used < s->reserved) {
		bytes = bytes < s->reserved ? bytes : s->reserved;
		if (mprotect(end, bytes - s->used, PROT_READ | PROT_WRITE) != 0)
			return false;
	} else if (!map_at(end, bytes - s->used)) {
		return false;
	} else {
		s->reserved = bytes;
	}
	s->used = bytes;
	return true;
}

/* ---- elements ---------------------------------------------------------- */

/* How many elements may be used of those that there is memory for, when one more than n is
   wanted.  The address sanitizer reports each use of another. */
static size_t room_of(struct pinned *s, size_t n, size_t element_bytes)
{
#ifdef __SANITIZE_ADDRESS__
	__asan_poison_memory_region(s->elements, s->used - sizeof(*s));
	__asan_unpoison_memory_region(s->elements, (n + 1) * element_bytes);
	return n + 1;
#else
	(void)n;
	return (s->used - sizeof(*s)) / element_bytes;
#endif
}

void *pinned_grow(void *table, size_t n, size_t *room, size_t element_bytes)
{
	struct pinned *s;

	if (n < *room)
		return table;
	s = table ? pinned_of(table) : pinned_begin();
	while ((s->used - sizeof(*s)) / element_bytes <= n)
		if (s->used > SIZE_MAX / 2 || !use(s, s->used * 2))
			alloc_failed();
	*room = room_of(s, n, element_bytes);
	return s->elements;
}

void pinned_free(void *table)
{
	struct pinned *s;

	if (!table)
		return;
	s = pinned_of(table);
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(s->elements, s->used - sizeof(*s));
#endif
	munmap(s, s->reserved);
}
