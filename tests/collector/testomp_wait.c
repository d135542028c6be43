/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_wait.c - where libtestomp's threads wait: words in the program's or in a team's
 * memory, on which the kernel lets them sleep after some spinning.
 */
#include "config.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/collector/testomp.h"

enum { FREE, TAKEN, AWAITED, SPINS = 2000 };

static void signal_fence(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* While the two differ, the state is one without a wait_id. */
static void set_state(int state, uint64_t wait_id)
{
	if (fault(FAULT_WAIT_ID_LATE))
		self.state = state;
	else
		self.state = self.at ? THR_OVHD_STATE : self.state;
	signal_fence();
	self.wait_id = wait_id;
	signal_fence();
	self.state = state;
	signal_fence();
}

struct wait wait_begin(int state, uint64_t wait_id)
{
	const struct wait before = { self.state, self.wait_id };
	const enum fault blind = state == THR_WORK_STATE ? FAULT_IN_REGION_BLIND : FAULT_LATE_BLIND;

	if (!fault(blind) || session_is_on())
		set_state(state, wait_id);
	return before;
}

void wait_end(struct wait before)
{
	if (fault(FAULT_STATE_STAYS) && self.state == THR_LKWT_STATE)
		return;
	set_state(before.state, before.wait_id);
}

struct wait overhead_begin(void)
{
	if (!self.at)
		return (struct wait){ self.state, self.wait_id };
	return wait_begin(THR_OVHD_STATE, 0);
}

void futex_wait(atomic_uint *word, unsigned value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void futex_wake(atomic_uint *word, int threads)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

void word_wait(atomic_uint *word, unsigned value)
{
	int i;

	for (i = 0; i < SPINS && atomic_load(word) == value; i++)
		;
	while (atomic_load(word) == value)
		futex_wait(word, value);
}

bool word_try(atomic_uint *word)
{
	unsigned is_free = FREE;

	return atomic_compare_exchange_strong(word, &is_free, TAKEN);
}

static uint64_t id_of(const void *waited_for)
{
	return (uint64_t)(uintptr_t)waited_for;
}

void word_lock(atomic_uint *word, int state, OMP_COLLECTORAPI_EVENT begin)
{
	struct wait before;

	if (word_try(word))
		return;
	before = wait_begin(state, id_of(word));
	tell(begin);
	while (atomic_exchange(word, AWAITED) != FREE)
		futex_wait(word, AWAITED);
	tell(begin + 1);
	wait_end(before);
}

void word_unlock(atomic_uint *word)
{
	if (atomic_exchange(word, FREE) == AWAITED)
		futex_wake(word, 1);
}

static void barrier_pass(struct barrier *b, unsigned size)
{
	const unsigned before = atomic_load(&b->passed);

	if (atomic_fetch_add(&b->arrived, 1) + 1 < size) {
		word_wait(&b->passed, before);
		return;
	}
	atomic_store(&b->arrived, 0);
	atomic_fetch_add(&b->passed, 1);
	futex_wake(&b->passed, INT_MAX);
}

void team_barrier(struct member *m, int state)
{
	const OMP_COLLECTORAPI_EVENT begin = state == THR_EBAR_STATE ? OMP_EVENT_THR_BEGIN_EBAR :
								       OMP_EVENT_THR_BEGIN_IBAR;
	struct barrier *b = &m->team->barrier;
	struct wait before;

	if (m->team->id == 0)
		return;
	before = wait_begin(state, id_of(fault(FAULT_OWN_BARRIER) ? (void *)m : (void *)b));
	tell(begin);
	barrier_pass(b, m->team->size);
	tell(begin + 1);
	wait_end(before);
}
