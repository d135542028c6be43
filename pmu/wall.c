/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wall.c - called by the handler: see rearm.c.
 */
#include "config.h"

#include "pmu/wall.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmu/rearm.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define NS_PER_S UINT64_C(1000000000)

enum {
	PAUSE_SHARE = 4, /* a pause is at most that part of the sleep before it */
	PAUSE_MOST_NS = 1000000000,
	CROWD_NS = 1000000,    /* of pause for each such thread: 1,000 ticks a second */
	FEW = 6,	       /* threads without a CPU, of which each may tick once a period */
	LATE_NS = 200000,      /* a tick's delay where the thread has a CPU is less */
	LOST_NS = 1000000000,  /* when a tick was lost: the next one */
	OVERDUE_NS = 20000000, /* of CPU time: the kernel's tick comes earlier */
	TRIFLE_NS = 200000,    /* of CPU time: what a handler takes, at most */
	NO_TIMER = -1,
};

/* Owned by this file: threads that are left alone, or would be if they were many; and the longest
   pause by their number. */
static _Atomic uint32_t sleepers;
static _Atomic uint64_t bounded_ns;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { .tv_sec = 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static struct timespec after(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_S),
				  .tv_nsec = (long)(ns % NS_PER_S) };
}

/* Marsaglia's xorshift. */
static uint32_t chance(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Some time from 0 to less than ns, each as likely as the others. */
static uint64_t part_of(struct wall *w, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * chance(&w->seed) >> 32);
}

/* ---- the timers ----------------------------------------------------------- */

/* The next tick after ns; 0: none. One more if that is lost, as when the program takes our signal
   by a bare system call. */
static int tick_after(struct pmu_counter *c, uint64_t ns)
{
	struct itimerspec t = { .it_value = after(ns) };

	if (ns != 0) {
		t.it_interval = after(ns > LOST_NS ? ns : LOST_NS);
		c->wall.next_ns = ns;
	}
	return timer_settime(c->timer, 0, &t, NULL) ? -errno : 0;
}

/* Bare system calls: libc's timer_create() may allocate. */
static bool make_waking(struct pmu_counter *c)
{
	struct sigevent sev;
	int id;

	if (c->wall.waking != NO_TIMER)
		return true;
	memset(&sev, 0, sizeof(sev));
	sev.sigev_notify = SIGEV_THREAD_ID;
	sev.sigev_signo = c->wall.signo;
	sev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	sev.sigev_value.sival_ptr = &pmu_token[c->tag];
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &sev, &id) != 0)
		return false;
	c->wall.waking = id;
	return true;
}

/* The distance to a tick, as for samples that are a period apart. */
static uint64_t distance(struct pmu_counter *c, uint64_t ns)
{
	return 1 + ns / 2 + part_of(&c->wall, ns);
}

/* A tick when the thread has run for a period. */
static bool watch_waking(struct pmu_counter *c)
{
	struct wall *w = &c->wall;

	/* Its signal may pend behind another tick's, and would be lost if it was set again. */
	if (w->watched_ns != 0 && w->cpu_ns < w->watched_ns + OVERDUE_NS)
		return true;
	const uint64_t ns = distance(c, c->period);
	const struct itimerspec t = { .it_value = after(ns) };

	if (!make_waking(c) || syscall(SYS_timer_settime, w->waking, 0, &t, NULL) != 0)
		return false;
	w->watched_ns = w->cpu_ns + ns;
	return true;
}

static void drop_waking(struct pmu_counter *c)
{
	c->wall.watched_ns = 0;
	const int id = __atomic_exchange_n(&c->wall.waking, NO_TIMER, __ATOMIC_SEQ_CST);

	if (id != NO_TIMER)
		syscall(SYS_timer_delete, id);
}

/* ---- start and end -------------------------------------------------------- */

static void set_paused(struct wall *w, bool paused)
{
	if (__atomic_exchange_n(&w->paused, paused, __ATOMIC_RELAXED) == paused)
		return;
	if (paused)
		atomic_fetch_add_explicit(&sleepers, 1, memory_order_relaxed);
	else
		atomic_fetch_sub_explicit(&sleepers, 1, memory_order_relaxed);
}

int wall_start(struct pmu_counter *c)
{
	struct wall *w = &c->wall;
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int error;

	w->since_ns = now;
	w->seed = (uint32_t)(now ^ now >> 32) | 1;
	chance(&w->seed);
	w->fresh = true;
	w->asleep = w->starved = false;
	w->watched_ns = 0;
	w->ran_ns = w->dozed_ns = w->ready_ns = 0;
	set_paused(w, false);
	__atomic_store_n(&c->running, true, __ATOMIC_SEQ_CST);
	error = tick_after(c, 1 + part_of(w, c->period));
	if (error)
		__atomic_store_n(&c->running, false, __ATOMIC_SEQ_CST);
	return error;
}

int wall_stop(struct pmu_counter *c)
{
	__atomic_store_n(&c->running, false, __ATOMIC_SEQ_CST);
	set_paused(&c->wall, false);
	drop_waking(c);
	return tick_after(c, 0);
}

uint64_t wall_since(struct pmu_counter *c)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	const uint64_t since = __atomic_exchange_n(&c->wall.since_ns, now, __ATOMIC_RELAXED);

	return since != 0 && since < now ? now - since : 0;
}

void wall_renumber(struct pmu_counter *c, int signo)
{
	c->wall.signo = signo;
	drop_waking(c);
}

void wall_close(struct pmu_counter *c)
{
	set_paused(&c->wall, false);
	drop_waking(c);
}

void wall_abandon(struct pmu_counter *c)
{
	set_paused(&c->wall, false);
	c->wall.watched_ns = 0;
	c->wall.waking = NO_TIMER;
}

uint64_t wall_bounded_ns(void)
{
	return bounded_ns;
}

bool wall_has_run(const struct pmu_counter *c, const siginfo_t *info)
{
	return info && info->si_code == SI_TIMER && info->si_timerid == c->wall.waking;
}

/* ---- samples -------------------------------------------------------------- */

/* What the kernel has counted of the calling thread. */
struct ran {
	uint64_t cpu_ns;
	uint64_t sleeps; /* how often it gave up its CPU to wait */
};

static struct ran ran_now(void)
{
	struct ran r = { .cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) };
	struct rusage usage;

	if (syscall(SYS_getrusage, RUSAGE_THREAD, &usage) == 0)
		r.sleeps = (uint64_t)usage.ru_nvcsw;
	return r;
}

/* Whether the thread slept here. The kernel's count of sleeps distinguishes it from one that is
   about to call, and from one that runs in the kernel; one that has no CPU is none of these. */
static bool is_asleep(const struct wall *w, const struct wall_place *p, uint64_t elapsed,
		      uint64_t ran, uint64_t sleeps)
{
	if (p->call == WALL_RUNS || (!w->fresh && sleeps == 0))
		return false;
	return p->call == WALL_WAITS || (!w->fresh && 2 * ran < elapsed);
}

/* The time since the last sample. */
struct wall_interval {
	uint64_t ran_ns, slept_ns, ready_ns;
	uint64_t sleeps;
};

/* What it did not run it slept, if it slept at all; else it waited for a CPU. Up to the first
   sample it ran, unless that came late: then for no longer than it has CPU time. */
static struct wall_interval interval_to(struct pmu_counter *c, const struct ran *now)
{
	struct wall *w = &c->wall;
	const uint64_t elapsed = wall_since(c), used = now->cpu_ns - w->cpu_ns;
	struct wall_interval i = { .ran_ns = elapsed, .sleeps = now->sleeps - w->sleeps };

	if (used < elapsed && (!w->fresh || elapsed > w->next_ns + LATE_NS)) {
		i.ran_ns = used;
		*(w->asleep || i.sleeps != 0 ? &i.slept_ns : &i.ready_ns) = elapsed - used;
	}
	w->counted_ns += elapsed;
	w->cpu_ns = now->cpu_ns;
	w->sleeps = now->sleeps;
	return i;
}

static uint64_t all_of(uint64_t *owed)
{
	const uint64_t ns = *owed;

	*owed = 0;
	return ns;
}

/* How far apart the ticks of a thread that does not run shall be, for as many as there are; 0:
   these are few. */
static uint64_t crowd_of(const struct pmu_counter *c)
{
	const uint64_t ns =
		atomic_load_explicit(&sleepers, memory_order_relaxed) * (uint64_t)CROWD_NS;

	return ns > c->period && (c->wall.asleep || ns > FEW * c->period) ? ns : 0;
}

/* Whether a tick says nothing of where the thread ran: it came while the thread had no CPU, or may
   well have. */
static bool is_of_waiting(const struct pmu_counter *c, const struct wall_place *p,
			  const struct wall_interval *i)
{
	const struct wall *w = &c->wall;
	const uint64_t elapsed = i->ran_ns + i->slept_ns + i->ready_ns;

	if (p->ran)
		return false;
	if (w->watched_ns != 0 && i->ready_ns > i->ran_ns && crowd_of(c) != 0)
		return true;
	return w->next_ns != 0 && elapsed > w->next_ns + LATE_NS &&
	       2 * (i->slept_ns + i->ready_ns) > elapsed - w->next_ns;
}

/* What it waited for a CPU is where ticks of time find it, and counted when it is a period's: each
   sample has a bit of it. */
static void share_awake(struct pmu_counter *c, const struct wall_place *p,
			const struct wall_interval *i, struct wall_share *share)
{
	struct wall *w = &c->wall;

	w->ran_ns += i->ran_ns;
	w->ready_ns += i->ready_ns;
	if (w->asleep)
		share->before_ns = i->slept_ns;
	else
		w->dozed_ns += i->slept_ns;
	if (!is_of_waiting(c, p, i))
		share->here_ns = all_of(&w->ran_ns);
	if (!p->ran && w->ready_ns >= c->period)
		share->ready_ns = all_of(&w->ready_ns);
	w->slept_ns = 0;
}

static void share_asleep(struct wall *w, const struct wall_interval *i, bool there,
			 struct wall_share *share)
{
	const uint64_t elapsed = i->ran_ns + i->slept_ns;

	w->ran_ns += i->ran_ns;
	w->dozed_ns += i->slept_ns;
	/* Asleep elsewhere: it went from there to here at any time since. */
	if (w->asleep && !there)
		w->dozed_ns -= share->before_ns = i->slept_ns / 2;
	share->here_ns = all_of(&w->dozed_ns);
	/* One sleep, for all that can be known. */
	w->slept_ns = there && i->sleeps <= 1 &&
				      (i->ran_ns < TRIFLE_NS || 4 * i->ran_ns < elapsed) ?
			      w->slept_ns + elapsed :
			      0;
}

bool wall_take(struct pmu_counter *c, const struct wall_place *p, struct wall_share *share)
{
	struct wall *w = &c->wall;

	if (!__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		return false;
	const struct ran now = ran_now();
	const uint64_t before = w->cpu_ns;
	struct wall_interval i = interval_to(c, &now);
	const uint64_t idle = i.ready_ns + i.slept_ns;
	const uint64_t elapsed = i.ran_ns + i.slept_ns + i.ready_ns;
	const bool there = w->asleep && p->pc == w->pc && p->sp == w->sp;

	*share = (struct wall_share){ 0 };
	/* Two ticks may come so close to one another that it had no time to sleep again. */
	share->asleep = (there && p->call == WALL_WAITS && i.sleeps == 0) ||
			is_asleep(w, p, elapsed, now.cpu_ns - before, i.sleeps);
	if (w->fresh && share->asleep)
		i = (struct wall_interval){ .slept_ns = elapsed };
	if (share->asleep)
		share_asleep(w, &i, there, share);
	else
		share_awake(c, p, &i, share);
	w->asleep = share->asleep;
	if (p->ran)
		w->watched_ns = 0;
	w->starved = !w->asleep && idle > i.ran_ns;
	w->pc = p->pc;
	w->sp = p->sp;
	w->fresh = false;
	return true;
}

/* How long a thread that does not run is left alone; a period or less: not longer than others. */
static uint64_t pause_of(const struct pmu_counter *c)
{
	const struct wall *w = &c->wall;
	const uint64_t crowd = w->asleep || w->starved ? crowd_of(c) : 0;
	uint64_t pause = w->asleep ? w->slept_ns / PAUSE_SHARE : 0;

	if (pause > PAUSE_MOST_NS)
		pause = PAUSE_MOST_NS;
	if (crowd <= pause)
		return pause;
	if (crowd > atomic_load_explicit(&bounded_ns, memory_order_relaxed))
		atomic_store_explicit(&bounded_ns, crowd, memory_order_relaxed);
	return crowd;
}

void wall_rearm(struct pmu_counter *c)
{
	uint64_t ns = pause_of(c);
	int error = errno;

	if (!c->timer_open || !__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		return;
	const bool watched = (c->wall.asleep || c->wall.starved) && watch_waking(c);

	set_paused(&c->wall, watched && (c->wall.starved || ns > c->period));
	tick_after(c, distance(c, watched && ns > c->period ? ns : c->period));
	/* Another thread may have stopped it meanwhile. */
	if (!__atomic_load_n(&c->running, __ATOMIC_SEQ_CST)) {
		set_paused(&c->wall, false);
		drop_waking(c);
		tick_after(c, 0);
	}
	errno = error;
}

uint64_t wall_wake(struct pmu_counter *c)
{
	struct wall *w = &c->wall;

	if (!w->asleep || !__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		return 0;
	const struct ran now = ran_now();
	const struct wall_interval i = interval_to(c, &now);

	w->ran_ns += i.ran_ns;
	w->slept_ns = 0;
	w->asleep = false;
	if (w->paused)
		wall_rearm(c);
	return i.slept_ns + all_of(&w->dozed_ns);
}

/* ---- the end --------------------------------------------------------------- */

/* CPU time of a thread of the process: its number, or 0 for the calling one. 0: not known. */
static uint64_t cpu_of(pid_t thread)
{
	enum { THREADS_CPU_TIME = 6 }; /* low bits of the kernel's number of the clock */

	return clock_ns(thread == 0 ? CLOCK_THREAD_CPUTIME_ID :
				      (clockid_t)(~(unsigned)thread << 3 | THREADS_CPU_TIME));
}

/* What of the rest a thread that hardly ran has waited for a CPU. */
static uint64_t waited_of(const struct wall *w, pid_t thread, uint64_t rest)
{
	const uint64_t cpu = w->starved ? cpu_of(thread) : 0;

	return cpu >= w->cpu_ns && cpu - w->cpu_ns < rest ? rest - (cpu - w->cpu_ns) : 0;
}

void wall_rest(struct pmu_counter *c, pid_t other, struct wall_share *share)
{
	struct wall *w = &c->wall;
	const uint64_t since = __atomic_exchange_n(&w->since_ns, 0, __ATOMIC_RELAXED);
	const uint64_t now = clock_ns(CLOCK_MONOTONIC), counted = w->counted_ns;
	uint64_t rest = since < now ? now - since : 0;

	*share = (struct wall_share){ .here_ns = w->ran_ns + w->dozed_ns, .ready_ns = w->ready_ns };
	w->ran_ns = w->dozed_ns = w->ready_ns = 0;
	if (counted != 0 && since != 0 && (other == 0 || rest <= 2 * w->next_ns)) {
		const bool brief = counted + rest < c->period;
		const uint64_t waited = brief ? 0 : waited_of(w, other, rest);

		if (brief)
			rest = c->period - counted;

		share->here_ns += rest - waited;
		share->ready_ns += waited;
	}
	if (share->ready_ns < c->period) {
		share->here_ns += share->ready_ns;
		share->ready_ns = 0;
	}
}
