/* SPDX-License-Identifier: BSD-3-Clause
 * blame - programs in which one function makes all other threads wait.
 *
 * blame KIND [SECONDS]: threads wait for what culprit() does, and for nothing else.
 *
 *   lock        it holds a lock
 *   heap        it holds a lock in the heap, one of two
 *   critical    it is inside of a critical section with the name guard
 *   barrier     it is late at a barrier
 *   serial      it is outside of regions
 *   tasks       it is a task that another thread waits for
 *   lasttasks   likewise, and that thread has come to the region's end
 *   doacross    it is in an iteration that the next one waits for
 *   nested      it is in an inner region, and the outer one's threads are at a barrier
 */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { THREADS = 4, UNIT_NS = 100000000 };

omp_lock_t lock;
omp_nest_lock_t *in_heap[2];

KEEP void culprit(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

/* All but the holder come before it works. */
KEEP void with_lock(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == 1)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 1) {
			culprit();
			omp_unset_lock(&lock);
		} else {
			omp_set_lock(&lock);
			omp_unset_lock(&lock);
		}
	}
	STAY();
}

KEEP omp_nest_lock_t *new_lock(void)
{
	omp_nest_lock_t *made = malloc(sizeof(*made));

	if (!made)
		abort();
	omp_init_nest_lock(made);
	STAY();
	return made;
}

KEEP omp_nest_lock_t *new_used_lock(void)
{
	omp_nest_lock_t *made = malloc(sizeof(*made));

	if (!made)
		abort();
	omp_init_nest_lock(made); /* the used one */
	STAY();
	return made;
}

KEEP void with_lock_in_heap(void)
{
	if (!in_heap[0]) {
		in_heap[0] = new_used_lock();
		in_heap[1] = new_lock();
	}
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == 1)
			omp_set_nest_lock(in_heap[0]);
#pragma omp barrier
		if (omp_get_thread_num() == 1) {
			culprit();
			omp_unset_nest_lock(in_heap[0]);
		} else {
			omp_set_nest_lock(in_heap[0]);
			omp_unset_nest_lock(in_heap[0]);
		}
	}
	STAY();
}

KEEP void with_critical(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		static atomic_int inside;

#pragma omp barrier
		if (omp_get_thread_num() != 1)
			while (!inside)
				sched_yield();
#pragma omp critical(guard)
		if (omp_get_thread_num() == 1) {
			inside = 1;
			culprit();
		}
#pragma omp barrier
		inside = 0;
	}
	STAY();
}

KEEP void with_barrier(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == 1)
			culprit();
#pragma omp barrier
		STAY();
	}
	STAY();
}

KEEP void with_serial(void)
{
#pragma omp parallel num_threads(THREADS)
	STAY();
	culprit();
}

/* The last thread runs the task while the first waits for it; the others have left. */
KEEP void with_tasks(void)
{
#pragma omp parallel num_threads(2)
	{
		static atomic_int begun;

		if (omp_get_thread_num() == 0) {
#pragma omp task shared(begun)
			{
				begun = 1;
				culprit();
			}
			while (!begun)
				sched_yield();
#pragma omp taskwait
			begun = 0;
		}
#pragma omp barrier
		STAY();
	}
	STAY();
}

KEEP void with_doacross(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
			if (i == 0)
				culprit();
#pragma omp ordered depend(source)
		}
	}
	STAY();
}

/* At the region's end the first thread runs the task that waits, and the last its child. */
KEEP void with_last_tasks(void)
{
	static atomic_int begun;

#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp task shared(begun)
			{
				begun = 1;
#pragma omp task shared(begun)
				{
					begun = 2;
					culprit();
				}
				while (begun == 1)
					sched_yield();
#pragma omp taskwait
			}
		} else {
			while (!begun)
				sched_yield();
		}
	}
	begun = 0;
	STAY();
}

KEEP void with_nested(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
			culprit();
		}
#pragma omp barrier
		STAY();
	}
	STAY();
}

static const struct {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "lock", with_lock },
	{ "heap", with_lock_in_heap },
	{ "critical", with_critical },
	{ "barrier", with_barrier },
	{ "serial", with_serial },
	{ "tasks", with_tasks },
	{ "nested", with_nested },
	{ "lasttasks", with_last_tasks },
	{ "doacross", with_doacross },
};

int main(int argc, char **argv)
{
	const double seconds = argc > 2 ? atof(argv[2]) : 1;
	const int64_t end = clock_ns(CLOCK_MONOTONIC) + (int64_t)(seconds * 1e9);
	unsigned i;

	omp_init_lock(&lock);
	omp_set_max_active_levels(2);
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0)
			while (clock_ns(CLOCK_MONOTONIC) < end)
				kinds[i].run();
	return 0;
}
