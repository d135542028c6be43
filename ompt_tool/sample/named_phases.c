/* SPDX-License-Identifier: BSD-3-Clause */
/* named_phases.c - see named_phases.h. */
#include "config.h"

#include "ompt_tool/sample/named_phases.h"

#include <stddef.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/process.h"

enum { OF_PROCESS = 0, OF_THREAD = PROF_PHASE_THREAD };

/* Owned by this file. */
static struct phases of_process;
_Atomic uint32_t phases_number;

/* The node beneath `at' of the first n of them; 0 without room. */
static uint32_t beneath(struct thread *t, uint32_t at, const struct phases *p, uint32_t n,
			uint32_t flags)
{
	for (uint32_t i = 0; i < n && i < PHASES_DEEP && at != 0; i++)
		at = cct_child(&t->omp.cct, at, PROF_NODE_INFO(PROF_NODE_PHASE, 0, 0, flags),
			       p->phase[i].name);
	return at;
}

void phases_find(struct thread *t)
{
	const uint32_t number = atomic_load_explicit(&phases_number, memory_order_acquire);
	const struct phases *const own = &t->phases.own;
	struct phases copy = { .n = of_process.n };

	if (number & 1)
		return;
	for (uint32_t i = 0; i < copy.n && i < PHASES_DEEP; i++)
		copy.phase[i].name = of_process.phase[i].name;
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load_explicit(&phases_number, memory_order_relaxed) != number)
		return;
	t->phases.node =
		copy.n + own->n == 0 ?
			0 :
			beneath(t, beneath(t, cct_root(&t->omp.cct), &copy, copy.n, OF_PROCESS),
				own, own->n, OF_THREAD);
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

static struct prof_node *stats_of(struct thread *t, bool initial, uint32_t n)
{
	const uint32_t root = cct_root(&t->omp.cct);
	const uint32_t outer = beneath(t, root, &of_process, of_process.n, OF_PROCESS);
	const uint32_t node = initial ? outer : beneath(t, outer, &t->phases.own, n, OF_THREAD);
	struct phase *const p = &(initial ? &of_process : &t->phases.own)->phase[n - 1];

	p->stats = cct_child(&t->omp.cct, node,
			     PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_PHASE), 0);
	return p->stats != 0 ? cct_node(&process.writer, p->stats) : NULL;
}

void phases_begin(struct thread *t, bool initial, uint64_t name)
{
	struct phases *const p = initial ? &of_process : &t->phases.own;

	if (p->n == PHASES_DEEP) {
		p->deeper++;
		return;
	}
	changes(t, initial);
	p->phase[p->n] = (struct phase){ .name = name, .ticks = ticks_now() };
	atomic_signal_fence(memory_order_seq_cst);
	p->n++;
	changed(t, initial);
	struct prof_node *const stats = stats_of(t, initial, p->n);

	if (stats)
		stats->a++;
}

void phases_end(struct thread *t, bool initial, uint64_t name)
{
	struct phases *const p = initial ? &of_process : &t->phases.own;
	const uint64_t now = ticks_now();
	uint32_t to = p->n;

	if (p->deeper != 0) {
		p->deeper--;
		return;
	}
	while (to > 0 && name != 0 && p->phase[to - 1].name != name)
		to--;
	if (to == 0)
		return;
	for (uint32_t i = to - 1; i < p->n; i++)
		if (p->phase[i].stats != 0)
			cct_node(&process.writer, p->phase[i].stats)->b += now - p->phase[i].ticks;
	changes(t, initial);
	p->n = to - 1;
	changed(t, initial);
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
