/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler_take.c - from a signal to the counter that overflowed, and what its sample stands for.
 *
 * Runs under the rules of handler.c.
 */
#include "config.h"

#include "ompt_tool/sample/handler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "pmu/wall.h"

/* The thread's record; NULL where none can be had here and now. */
static struct prof_thread *record_of(struct thread *t)
{
	if (!process_ready() || (!t->omp.record && (t->in_handler || !thread_record(t))))
		return NULL;
	return t->omp.record;
}

static bool is_tool(uintptr_t pc)
{
	uint32_t flags;

	module_locate(pc, &flags);
	return (flags & PROF_MODULE_TOOL) != 0;
}

/* Whether the event happened in the handler itself: a counter that sends SIGTRAP runs
   on there and counts the handler's page faults, and their signal is delivered when the
   handler returns. */
static bool of_handler(const struct pmu_counter *c, const void *ucontext)
{
	struct unwind_cursor u;

	if (c->delivery != PMU_DELIVERY_SIGTRAP || c->sample.ip == 0 ||
	    !is_tool((uintptr_t)c->sample.ip))
		return false;
	unwind_begin_ucontext(&u, ucontext);
	return !is_tool(u.pc);
}

/* Whether the tool caused the event. A fault is its own where it lies in its memory, or comes from
   an instruction of its: without the kernel's record, that of the signal. */
static bool is_own(const struct thread *t, const struct pmu_counter *c, const void *ucontext)
{
	struct unwind_cursor u;

	if (of_handler(c, ucontext) || data_is_own(t, c->sample.address))
		return true;
	if (!c->faults)
		return false;
	unwind_begin_ucontext(&u, ucontext);
	return is_tool(c->sample.ip != 0 ? (uintptr_t)c->sample.ip : u.pc);
}

static void take(struct thread *t, const struct handler_event *e, const void *ucontext)
{
	t->in_handler = true;
	handler_sample(t, e, ucontext);
	t->in_handler = false;
}

static void sample_event(struct thread *t, struct pmu_counter *c, const siginfo_t *info,
			 const void *ucontext)
{
	uint64_t overrun = 0;
	const uint64_t weight = pmu_counter_weight(c, info, &overrun);

	if (c->untimely)
		return;
	struct prof_thread *record = record_of(t);

	if (!record) {
		process_lose(1);
		return;
	}
	record->samples[c->event]++;
	record->lost[PROF_LOST_OVERRUN] += overrun;
	record->lost[PROF_LOST_THROTTLED] += c->throttled;
	c->throttled = 0;
	if (c->unrecorded)
		record->lost[PROF_LOST_RECORDS]++;
	if (t->in_handler)
		record->lost[PROF_LOST_REENTRY]++;
	else if (is_own(t, c, ucontext))
		record->lost[PROF_LOST_OWN]++;
	else
		take(t,
		     &(struct handler_event){ .event = (int)c->event,
					      .weight = weight,
					      .record = &c->sample,
					      .precise = c->precise },
		     ucontext);
}

/* held: the thread slept in a call that held the tick back. */
static struct wall_place place_of(const void *ucontext, bool held)
{
	const enum arch_call call = arch_system_call(ucontext);
	struct wall_place p = { .call = held || call == ARCH_INTERRUPTED ? WALL_WAITS :
					call == ARCH_CALLED		 ? WALL_LEAVES :
									   WALL_RUNS };
	uintptr_t fp;

	arch_place(ucontext, &p.pc, &p.sp, &fp);
	return p;
}

static void sample_wall(struct thread *t, struct pmu_counter *c, const siginfo_t *info,
			const void *ucontext, bool held)
{
	struct wall_place place = place_of(ucontext, held);
	struct prof_thread *record = record_of(t);
	struct wall_share share;

	place.ran = wall_has_run(c, info);
	if (t->waking || !wall_take(c, &place, &share))
		return;
	if (!record) {
		process_lose(1);
		return;
	}
	const unsigned n = (share.before_ns != 0) + (share.here_ns != 0) + (share.ready_ns != 0);

	record->samples[c->event] += n;
	if (t->in_handler) {
		record->lost[PROF_LOST_REENTRY] += n;
		return;
	}
	handler_sample_there(t, share.before_ns);
	take(t,
	     &(struct handler_event){ .event = (int)c->event,
				      .weight = share.here_ns,
				      .ready = share.ready_ns,
				      .wall = true,
				      .asleep = share.asleep },
	     ucontext);
}

static void sample(struct thread *t, int i, siginfo_t *info, const void *ucontext, bool held)
{
	struct pmu_counter *c = &t->counter[i];

	if (c->kind == PMU_WALL)
		sample_wall(t, c, info, ucontext, held);
	else
		sample_event(t, c, info, ucontext);
	pmu_counter_rearm(c);
	if (c->delivery == PMU_DELIVERY_SIGTRAP) {
		void (*redeliver)(struct thread *) =
			atomic_load_explicit(&sampling.redeliver, memory_order_relaxed);

		if (redeliver)
			redeliver(t);
	}
}

/*
 * The kernel sends SIGIO instead of a counter's signal when the queue is full
 * (RLIMIT_SIGPENDING), and does not say for which counter. That counter's ring
 * does, and the counter would not overflow again until it is re-armed. An O_ASYNC
 * file's SIGIO looks the same, and may come between an overflow and the signal that
 * reports it. So an overflow in a ring is taken only where no counter's signal
 * pends (checked after the ring, since the counter runs meanwhile), and the rings
 * are looked at again after the last pending signal.
 *
 * True when a ring reported an overflow: otherwise the SIGIO is the program's. A
 * counter without a ring is sampled, and the program gets the SIGIO as well.
 */
static bool sample_unsent(struct thread *t, int signo, siginfo_t *info, const void *ucontext)
{
	bool overflowed = false;

	t->look_again = false;
	for (int i = 0; i < t->ncounters; i++) {
		const struct pmu_counter *c = &t->counter[i];

		if (!pmu_counter_overflowed(c) || (!c->ring && signo != SIGIO))
			continue;
		if (pmu_counter_pends(c)) {
			t->look_again = true;
			continue;
		}
		overflowed = overflowed || c->ring;
		sample(t, i, info, ucontext, false);
	}
	return overflowed;
}

/* Whether the tool sent it, and not for a counter of this thread. */
static bool is_ours(const siginfo_t *info)
{
	bool (*other)(const siginfo_t *) =
		atomic_load_explicit(&sampling.other, memory_order_relaxed);

	return pmu_counter_sent(info) || (other && other(info));
}

static bool take_signal(int signo, siginfo_t *info, const void *ucontext, bool held)
{
	struct thread *t = thread_self;

	if (*process.alive == 0 || !t || !t->sampling)
		return is_ours(info);
	if (signo == SIGIO)
		return info->si_code == SI_KERNEL && sample_unsent(t, signo, info, ucontext);
	int i = pmu_counter_which(t->counter, t->ncounters, info);

	if (i < 0)
		return is_ours(info);
	sample(t, i, info, ucontext, held);
	if (t->look_again)
		sample_unsent(t, signo, info, ucontext);
	return true;
}

bool handler_take(int signo, siginfo_t *info, void *ucontext)
{
	return take_signal(signo, info, ucontext, false);
}

bool handler_take_held(int signo, siginfo_t *info, void *ucontext)
{
	return take_signal(signo, info, ucontext, true);
}
