/*
 * wall.c - called by the handler: see rearm.c.
 */
#include "config.h"

#include "pmu/wall.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum { NS_PER_S = 1000000000, TICKS_ALIKE = 2 };

/* The first tick at that time, one each period from then on; 0: none. */
static int set(const struct pmu_counter *c, uint64_t first_ns, uint64_t period_ns)
{
	struct itimerspec t;

	t.it_value.tv_sec = (time_t)(first_ns / NS_PER_S);
	t.it_value.tv_nsec = (long)(first_ns % NS_PER_S);
	t.it_interval.tv_sec = (time_t)(period_ns / NS_PER_S);
	t.it_interval.tv_nsec = (long)(period_ns % NS_PER_S);
	return timer_settime(c->timer, TIMER_ABSTIME, &t, NULL) ? -errno : 0;
}

int wall_start(struct pmu_counter *c)
{
	struct timespec now;
	int error;

	clock_gettime(CLOCK_MONOTONIC, &now);
	c->due_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec + c->period;
	c->seed = (uint32_t)c->due_ns | 1;
	c->ticks = 0;
	__atomic_store_n(&c->running, true, __ATOMIC_SEQ_CST);
	error = set(c, c->due_ns, c->period);
	if (error)
		__atomic_store_n(&c->running, false, __ATOMIC_SEQ_CST);
	return error;
}

int wall_stop(struct pmu_counter *c)
{
	__atomic_store_n(&c->running, false, __ATOMIC_SEQ_CST);
	return set(c, 0, 0);
}

void wall_ticked(struct pmu_counter *c, uint64_t periods)
{
	c->due_ns += c->period * periods;
	c->ticks++;
}

/* Marsaglia's xorshift. */
static uint32_t chance(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

void wall_put_off(struct pmu_counter *c)
{
	int error;

	if (c->ticks < TICKS_ALIKE || !c->timer_open ||
	    !__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		return;
	c->ticks = 0;
	error = errno;
	set(c, c->due_ns + ((c->period >> 8) * (chance(&c->seed) >> 16) >> 8), c->period);
	/* Another thread may have stopped it meanwhile. */
	if (!__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		set(c, 0, 0);
	errno = error;
}
