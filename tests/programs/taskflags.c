/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskflags.c - a task directive for each clause, in a function each, whose name says what its
 * tasks are.
 */
#include <omp.h>

static volatile long sum;

static __attribute__((noinline)) void work(void)
{
	for (int i = 0; i < 20000; i++)
		sum += i;
}

static __attribute__((noinline)) void plain(void)
{
#pragma omp task
	work();
}

static __attribute__((noinline)) void untied(void)
{
#pragma omp task untied
	work();
}

static __attribute__((noinline)) void some_final(int i)
{
#pragma omp task final(i % 2)
	work();
}

static __attribute__((noinline)) void some_undeferred(int i)
{
#pragma omp task if (i % 2)
	work();
}

static __attribute__((noinline)) void mergeable(void)
{
#pragma omp task mergeable
	work();
}

static __attribute__((noinline)) void depend(int *x)
{
#pragma omp task depend(inout : x[0])
	work();
}

#ifdef DETACH
static __attribute__((noinline)) void detached(void)
{
	omp_event_handle_t event;

#pragma omp task detach(event)
	work();
	omp_fulfill_event(event);
}
#endif

int main(void)
{
	static int x;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 20; i++) {
			plain();
			untied();
			some_final(i);
			some_undeferred(i);
			mergeable();
			depend(&x);
#ifdef DETACH
			detached();
#endif
		}
#pragma omp taskwait
	}
	return 0;
}
