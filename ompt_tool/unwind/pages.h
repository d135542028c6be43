/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h - which pages of a thread's stack can be read.
 *
 * A program may make a part of its own stack unreadable while it runs further in.
 * Each page is tested by a system call when a walk first needs a word of it, and
 * the result is remembered: most walks need a comparison only.
 *
 * Guaranteed: a page that could not be read when it was first needed is never read,
 * and neither is one for which the stack's own thread called pages_changed() before
 * the change. Not guaranteed: a page that was found readable and is made unreadable
 * by a bare system call, or otherwise without that call.
 *
 * Each record is used by one thread, in one mode (its handler, or its callbacks).
 * Async-signal-safe throughout.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_PAGES_H
#define OMPHWC_OMPT_TOOL_UNWIND_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PAGES_BYTES = 4096, /* the smallest page size */
	PAGES_KNOWN = 64,   /* a power of two */
};

struct pages {			      /* all zero at first */
	uintptr_t lo, hi;	      /* the stack */
	uintptr_t known_lo, known_hi; /* a range of pages, all readable */
	uintptr_t page[PAGES_KNOWN];  /* other readable pages, by page number; 0: none */
	uint64_t seen;		      /* number of the last change that was taken into account */
	volatile uintptr_t never_lo, never_hi; /* pages that the thread itself changed: tested at
						  each use */
};

/* The number of changes reported; owned by pages.c. */
extern _Atomic uint64_t pages_changes;

/*
 * Begins a walk from sp within the stack lo … hi. Returns whether what earlier
 * walks read may be read again. Afterwards known_lo <= sp < known_hi if sp's page
 * can be read, or both are 0.
 */
bool pages_begin_anew(struct pages *p, uintptr_t lo, uintptr_t hi, uintptr_t sp);

/* Whether no change was reported since, and all of from … to is known to be readable. */
static inline bool pages_known(const struct pages *p, uintptr_t lo, uintptr_t hi, uintptr_t from,
			       uintptr_t to)
{
	return p->lo == lo && p->hi == hi && from >= p->known_lo && to < p->known_hi &&
	       p->seen == atomic_load_explicit(&pages_changes, memory_order_relaxed);
}

static inline bool pages_begin(struct pages *p, uintptr_t lo, uintptr_t hi, uintptr_t sp)
{
	return pages_known(p, lo, hi, sp, sp) || pages_begin_anew(p, lo, hi, sp);
}

/* Whether these bytes of the stack can be read. Tests the pages that are not known. */
bool pages_have(struct pages *p, uintptr_t at, uintptr_t bytes);

/* Tests whether the page at address can be read now, by a system call. Keeps errno. */
bool pages_readable(uintptr_t address);

/* Copies memory that another thread may unmap meanwhile, by a system call. Returns how many bytes
   could be read. Keeps errno. */
size_t pages_copy(void *to, uintptr_t from, size_t bytes);

/*
 * Notes that the memory lo … hi-1 gets another protection, or is unmapped. To be
 * called before mprotect(2), pkey_mprotect(2), munmap(2) and mremap(2), and again
 * after them for the sake of other threads' stacks. handler and callbacks are the
 * calling thread's records, or NULL. Where the range is in the thread's own stack,
 * the first call is enough: these pages are tested at each use from then on.
 * Ordinary code or handlers, any thread; lock-free, some ten nanoseconds.
 */
void pages_changed(uintptr_t lo, uintptr_t hi, struct pages *handler, struct pages *callbacks);

#endif
