/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tree/latest.h"

#include <stdatomic.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"

enum { NS_A_READING = 1000000 };

_Atomic uint64_t latest_due_ticks;
static uint64_t nlatest; /* the header's nlatest */
/* A thread is storing a reading: others leave it to that thread, so no one waits. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

void latest_begin(void)
{
	atomic_store(&latest_due_ticks, 0);
	nlatest = 0;
	/* In a fork's child the thread that was storing one may not exist. */
	atomic_flag_clear(&busy);
}

/* Ticks between two readings, by the rate up to this one; 0: too early to say. */
static uint64_t interval(const struct prof_header *h, const struct prof_reading *r)
{
	const uint64_t readings = (r->monotonic_ns - h->start_monotonic_ns) / NS_A_READING;

	return readings != 0 ? (r->ticks - h->ticks_start) / readings : 0;
}

void latest_store(void)
{
	struct prof_header *h = prof_header(&process.writer);

	if (!h || atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		return;
	/* The process may be killed at any instruction: the last complete reading stays as it
	   is. Another number of them is not this process's: its file was overwritten, by an
	   older copy for instance. */
	const uint64_t n = nlatest++;
	struct prof_reading *const r = &h->latest[n % 2];

	if (h->nlatest != n && !atomic_load(&process.writer.dead))
		prof_mark_overwritten(&process.writer);

	r->monotonic_ns = clock_ns(CLOCK_MONOTONIC);
	r->ticks = ticks_now();
	__atomic_store_n(&h->nlatest, n + 1, __ATOMIC_RELEASE);
	atomic_store_explicit(&latest_due_ticks, r->ticks + interval(h, r), memory_order_relaxed);
	atomic_flag_clear_explicit(&busy, memory_order_release);
}
