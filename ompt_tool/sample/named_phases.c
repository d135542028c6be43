/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/sample/thread.h"

#include <stddef.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/tree/process.h"

enum { OF_PROCESS = 0, OF_THREAD = PROF_PHASE_THREAD };

/* Owned by this file. */
static struct phases of_process;
_Atomic uint32_t phases_number;

/* The node beneath `at' of the first n of them; 0 without room. */
static uint32_t beneath(struct thread *t, uint32_t at, const struct phase *phase, uint32_t n,
			uint32_t flags)
{
	for (uint32_t i = 0; i < n && i < PHASES_DEEP && at != 0; i++)
		at = cct_child(&t->omp.cct, at, PROF_NODE_INFO(PROF_NODE_PHASE, 0, 0, flags),
			       phase[i].name);
	return at;
}

void phases_find(struct thread *t)
{
	const uint32_t number = atomic_load_explicit(&phases_number, memory_order_acquire);
	const struct phases *const own = &t->phases.own;
	const uint32_t n = of_process.n;
	struct phase copy[PHASES_DEEP] = { 0 };

	if (number & 1)
		return;
	for (uint32_t i = 0; i < n && i < PHASES_DEEP; i++)
		copy[i].name = of_process.phase[i].name;
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load_explicit(&phases_number, memory_order_relaxed) != number)
		return;
	t->phases.node = n + own->n == 0 ?
				 0 :
				 beneath(t, beneath(t, cct_root(&t->omp.cct), copy, n, OF_PROCESS),
					 own->phase, own->n, OF_THREAD);
	t->phases.seen = number;
}

/* The handler, which may interrupt this, finds the number odd, or the thread's own list complete
   up to its count. */
static void changes(struct thread *t, bool initial)
{
	if (initial)
		atomic_fetch_add(&phases_number, 1);
	else
		t->phases.seen = PHASES_STALE;
	atomic_signal_fence(memory_order_seq_cst);
}

static void changed(struct thread *t, bool initial)
{
	atomic_signal_fence(memory_order_seq_cst);
	changes(t, initial);
}

/* The node that counts the innermost one. */
static uint32_t stats_of(struct thread *t, bool initial)
{
	const struct phases *const p = initial ? &of_process : &t->phases.own;
	uint32_t at = beneath(t, cct_root(&t->omp.cct), of_process.phase, of_process.n, OF_PROCESS);

	if (p->n > PHASES_DEEP)
		return 0;
	if (!initial)
		at = beneath(t, at, p->phase, p->n, OF_THREAD);
	return cct_child(&t->omp.cct, at, PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_PHASE),
			 0);
}

/* Those from number `from' on end now. */
static void count_ends(struct phases *p, uint32_t from)
{
	const uint64_t now = ticks_now();

	for (uint32_t i = from; i < p->n && process.writer.base; i++) {
		struct phase *const phase = &p->phase[i];

		if (phase->stats == 0)
			continue;
		struct prof_node *const stats = cct_node(&process.writer, phase->stats);

		stats->a += UINT64_C(1) << 32;
		stats->b += now - phase->ticks;
		phase->stats = 0;
	}
}

void phases_begin(struct thread *t, bool initial, uint64_t name)
{
	struct phases *const p = initial ? &of_process : &t->phases.own;

	if (p->n == PHASES_KNOWN) {
		p->deeper++;
		return;
	}
	struct phase *const phase = &p->phase[p->n];

	changes(t, initial);
	*phase = (struct phase){ .name = name, .ticks = ticks_now() };
	atomic_signal_fence(memory_order_seq_cst);
	p->n++;
	changed(t, initial);
	phase->stats = stats_of(t, initial);
	if (phase->stats != 0)
		cct_node(&process.writer, phase->stats)->a++;
}

void phases_end(struct thread *t, bool initial, uint64_t name)
{
	struct phases *const p = initial ? &of_process : &t->phases.own;
	uint32_t to = p->n;

	if (p->deeper != 0) {
		p->deeper--;
		return;
	}
	while (to > 0 && name != 0 && p->phase[to - 1].name != name)
		to--;
	if (to == 0)
		return;
	count_ends(p, to - 1);
	changes(t, initial);
	p->n = to - 1;
	changed(t, initial);
}

void phases_lived(struct thread *t)
{
	/* In a fork's child they are the parent's. */
	if (t->omp.record)
		count_ends(&t->phases.own, 0);
}

void phases_end_process(void)
{
	count_ends(&of_process, 0);
}

void phases_forget(struct phases_thread *p)
{
	p->own.n = p->own.deeper = 0;
	p->node = 0;
	p->seen = phases_number != 0 ? PHASES_STALE : 0;
}

void phases_fork_child(void)
{
	of_process.n = of_process.deeper = 0;
	atomic_store(&phases_number, 0);
}
