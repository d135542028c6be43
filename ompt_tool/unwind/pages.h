/*
 * pages.h - which pages of a thread's stack can be read.
 *
 * A program may make a part of its own stack unreadable while it runs further in.
 * Pages are asked for when a walk first needs a word of them, by a system call each,
 * and remembered: for nearly all walks that is a comparison.
 *
 * What is guaranteed: a page that could not be read when it was first needed is never
 * read; nor is one that pages_changed() told of, which the thread whose stack it is
 * called before it made the change.  What is not: a page that was found readable and is
 * made unreadable by a bare system call, or by somebody who tells nobody.
 *
 * Each record is used by one thread, in one mode (its handler, or its callbacks).
 * Async-signal-safe throughout.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_PAGES_H
#define OMPHWC_OMPT_TOOL_UNWIND_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PAGES_BYTES = 4096,	/* the least that a page can be */
	PAGES_KNOWN = 64,	/* a power of two */
};

struct pages {			/* all zero at first */
	uintptr_t lo, hi;	/* the stack */
	uintptr_t known_lo, known_hi; /* pages in a row, all readable */
	uintptr_t page[PAGES_KNOWN]; /* others, by number; 0: none */
	uint64_t seen;		/* changes that were told until now */
	volatile uintptr_t never_lo, never_hi; /* what the thread itself changed: asked for
				   at each use */
};

/* How many changes were told; owned by pages.c. */
extern _Atomic uint64_t pages_changes;

/*
 * Before a walk from sp within the stack lo … hi: whether what earlier walks read may be
 * read again.  Afterwards known_lo <= sp < known_hi if sp's page can be read, or both
 * are 0.
 */
bool pages_begin_anew(struct pages *p, uintptr_t lo, uintptr_t hi, uintptr_t sp);

/* Whether nothing has changed since, and all of from … to is known to be readable. */
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

/* Whether these bytes of the stack can be read: asks where that is not known. */
bool pages_have(struct pages *p, uintptr_t at, uintptr_t bytes);

/* Whether the page at address can be read now: a system call.  Keeps errno. */
bool pages_readable(uintptr_t address);

/*
 * Tells that the memory lo … hi-1 gets another protection, or goes away: to be called
 * before mprotect(2), pkey_mprotect(2), munmap(2) and mremap(2), and after them too, for
 * the sake of other threads' stacks.  handler and callbacks are the calling thread's
 * records, or NULL: where the range lies in its own stack, the first call is enough, and
 * these pages are asked for at each use from then on.
 * Ordinary code or handlers, any thread; lock-free, some ten nanoseconds.
 */
void pages_changed(uintptr_t lo, uintptr_t hi, struct pages *handler, struct pages *callbacks);

#endif
