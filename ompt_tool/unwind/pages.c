/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes are noted in a small ring. Each record reads the changes noted since its
 * last look. Where the ring no longer holds all of them, or an entry is being
 * written, the record forgets all pages. That costs a few system calls in the next
 * walk, so frequent calls of mprotect(2) stay cheap.
 */
#include "config.h"

#include "ompt_tool/unwind/pages.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CHANGES = 16 }; /* a power of two */

_Atomic uint64_t pages_changes;

static struct {
	_Atomic uint64_t number; /* of the change, from 1; 0: being written */
	_Atomic uintptr_t lo, hi;
} change[CHANGES];

/* The kernel copies the mask from address before it checks `how', which is invalid:
   EINVAL means readable, EFAULT not. */
bool pages_readable(uintptr_t address)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigprocmask, ~0L, address, NULL, 8L) != 0 && errno == EINVAL;

	errno = saved;
	return good;
}

size_t pages_copy(void *to, uintptr_t from, size_t bytes)
{
	const size_t left = PAGES_BYTES - from % PAGES_BYTES;
	const size_t first = bytes < left ? bytes : left;
	const struct iovec local = { to, bytes };
	/* What is copied of a part that can't be read whole is not reported. */
	const struct iovec remote[] = { { (void *)from, first },
					{ (void *)(from + first), bytes - first } };
	int saved = errno;
	long n = syscall(SYS_process_vm_readv, (long)getpid(), &local, 1L, remote, 2L, 0L);

	errno = saved;
	return n < 0 ? 0 : (size_t)n;
}

static bool is_known(const struct pages *p, uintptr_t page)
{
	return (page >= p->known_lo && page < p->known_hi) ||
	       p->page[page / PAGES_BYTES % PAGES_KNOWN] == page / PAGES_BYTES;
}

static bool has_page(struct pages *p, uintptr_t page)
{
	if (page + PAGES_BYTES > p->never_lo && page < p->never_hi)
		return pages_readable(page);
	if (!is_known(p, page)) {
		if (!pages_readable(page))
			return false;
		p->page[page / PAGES_BYTES % PAGES_KNOWN] = page / PAGES_BYTES;
	}
	if (p->never_hi != 0)
		return true;
	if (page == p->known_hi)
		p->known_hi += PAGES_BYTES;
	else if (page + PAGES_BYTES == p->known_lo)
		p->known_lo = page;
	return true;
}

bool pages_have(struct pages *p, uintptr_t at, uintptr_t bytes)
{
	if (at < p->lo || at >= p->hi || p->hi - at < bytes)
		return false;
	for (uintptr_t page = at & ~(uintptr_t)(PAGES_BYTES - 1); page < at + bytes;
	     page += PAGES_BYTES)
		if (!has_page(p, page))
			return false;
	return true;
}

/* Whether change n may concern this stack. */
static bool concerns(const struct pages *p, uint64_t n)
{
	const uint64_t i = n % CHANGES;

	if (atomic_load_explicit(&change[i].number, memory_order_acquire) != n)
		return true;
	const uintptr_t lo = atomic_load_explicit(&change[i].lo, memory_order_relaxed);
	const uintptr_t hi = atomic_load_explicit(&change[i].hi, memory_order_relaxed);

	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&change[i].number, memory_order_relaxed) != n ||
	       (lo < p->hi && hi > p->lo);
}

/* Whether all known pages are still readable. */
static bool look_at_changes(struct pages *p)
{
	const uint64_t now = atomic_load_explicit(&pages_changes, memory_order_acquire);
	bool same = now - p->seen <= CHANGES;

	for (uint64_t n = p->seen + 1; same && n <= now; n++)
		same = !concerns(p, n);
	p->seen = now;
	return same;
}

bool pages_begin_anew(struct pages *p, uintptr_t lo, uintptr_t hi, uintptr_t sp)
{
	const uintptr_t page = sp & ~(uintptr_t)(PAGES_BYTES - 1);
	bool same = p->lo == lo && p->hi == hi;

	if (!same) { /* another thread's stack, or the first time */
		p->lo = lo;
		p->hi = hi;
		p->never_lo = p->never_hi = 0;
	}
	same = look_at_changes(p) && same;
	if (!same) {
		p->known_lo = p->known_hi = 0;
		for (int i = 0; i < PAGES_KNOWN; i++)
			((volatile uintptr_t *)p->page)[i] = 0;
	}
	if (!has_page(p, page) || p->never_hi != 0) {
		p->known_lo = p->known_hi = 0;
	} else if (page < p->known_lo || page >= p->known_hi) {
		p->known_lo = page;
		p->known_hi = page + PAGES_BYTES;
	}
	return same && p->never_hi == 0;
}

/* Adds to the record's never_lo … never_hi. The thread's own handler may interrupt this
   at any instruction: a half-written range covers more, not less. */
static void note_own(struct pages *p, uintptr_t lo, uintptr_t hi)
{
	if (!p || lo >= p->hi || hi <= p->lo)
		return;
	if (p->never_hi == 0)
		p->never_lo = lo;
	else if (lo < p->never_lo)
		p->never_lo = lo;
	atomic_signal_fence(memory_order_seq_cst);
	if (hi > p->never_hi)
		p->never_hi = hi;
	atomic_signal_fence(memory_order_seq_cst);
	p->known_lo = p->known_hi = 0;
}

void pages_changed(uintptr_t lo, uintptr_t hi, struct pages *handler, struct pages *callbacks)
{
	note_own(handler, lo, hi);
	note_own(callbacks, lo, hi);

	const uint64_t n = atomic_fetch_add(&pages_changes, 1) + 1, i = n % CHANGES;

	atomic_store(&change[i].number, 0);
	atomic_store(&change[i].lo, lo);
	atomic_store(&change[i].hi, hi);
	atomic_store(&change[i].number, n);
}
