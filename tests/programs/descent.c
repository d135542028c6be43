/* SPDX-License-Identifier: BSD-3-Clause
 * descent - explicit tasks that are the first thing of OpenMP that another task creates, which
 * is of each kind. Each creator is a function of its own, and so is what its task calls.
 *
 * descent [SECONDS [THREADS]]: K_work, the work of kind K, lies beneath K (;second);K_within.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 300000 };
static int d, e;

#define DO(text) _Pragma(#text)
#define WORK(name) \
	static KEEP void name##_work(void) \
	{ \
		crunch_for(UNIT_NS); \
		STAY(); \
	}
/* A kind whose task creates another by `inner`. */
#define KIND(name, clauses, inner) \
	WORK(name) \
	static KEEP void name##_within(void) \
	{ \
		DO(inner) \
		name##_work(); \
		STAY(); \
	} \
	static KEEP void name(void) \
	{ \
		DO(clauses) \
		{ \
			name##_within(); \
			STAY(); \
		} \
		STAY(); \
	}

KIND(plain, omp task, omp task)
KIND(depending, omp task depend(inout : d), omp task)
KIND(both_depend, omp task depend(inout : d), omp task depend(inout : e))
KIND(undeferred, omp task if (0) depend(inout : d), omp task)
KIND(first_undeferred, omp task depend(inout : d), omp task if (0))
KIND(both_undeferred, omp task if (0) depend(inout : d), omp task if (0) depend(inout : e))
KIND(included, omp task final(1) depend(inout : d), omp task)
KIND(preferred, omp task priority(1) depend(inout : d), omp task priority(2))
KIND(team, omp task depend(inout : d), omp parallel num_threads(2))
KIND(alone, omp task depend(inout : d), omp parallel num_threads(1))
KIND(untied, omp task untied depend(inout : d), omp task untied)

/* A group's tasks. */
WORK(grouped)
static KEEP void grouped_within(void)
{
#pragma omp taskgroup
	{
#pragma omp task
		grouped_work();
		STAY();
	}
	STAY();
}
static KEEP void grouped(void)
{
#pragma omp task depend(inout : d)
	{
		grouped_within();
		STAY();
	}
	STAY();
}

WORK(looped)
static KEEP void looped_within(void)
{
#pragma omp taskloop num_tasks(3)
	for (int i = 0; i < 3; i++)
		looped_work();
	STAY();
}
static KEEP void looped(void)
{
#pragma omp task depend(inout : d)
	{
		looped_within();
		STAY();
	}
	STAY();
}

/* Both after a wait, whose thread runs others meanwhile. */
WORK(waiting)
static KEEP void waiting_within(void)
{
#pragma omp task
	waiting_work();
#pragma omp taskwait
#pragma omp task
	waiting_work();
	STAY();
}
static KEEP void waiting(void)
{
#pragma omp task depend(inout : d)
	{
		waiting_within();
		STAY();
	}
	STAY();
}

#ifdef DETACH
WORK(detached)
static KEEP void detached_within(omp_event_handle_t event)
{
#pragma omp task
	{
		detached_work();
		omp_fulfill_event(event);
	}
	STAY();
}
static KEEP void detached(void)
{
	omp_event_handle_t event;

#pragma omp task detach(event) depend(inout : d)
	{
		detached_within(event);
		STAY();
	}
	STAY();
}
#endif

/* Three levels, each with dependences. */
WORK(descending)
static KEEP void descending_within(void)
{
#pragma omp task depend(inout : e)
	descending_work();
	STAY();
}
static KEEP void second(void)
{
#pragma omp task depend(inout : e)
	{
		descending_within();
		STAY();
	}
	STAY();
}
static KEEP void descending(void)
{
#pragma omp task depend(inout : d)
	{
		second();
		STAY();
	}
	STAY();
}

/* The task calls the function that created it, which is shown once. */
WORK(recurring)
static KEEP void recurring_within(int depth)
{
#pragma omp task depend(inout : d) firstprivate(depth)
	{
		if (depth > 0)
			recurring_within(depth - 1);
		else
			recurring_work();
		STAY();
	}
	STAY();
}
static KEEP void recurring(void)
{
	recurring_within(2);
	STAY();
}

static void (*const kinds[])(void) = {
	plain,	depending, both_depend, undeferred, first_undeferred, both_undeferred, preferred,
	untied, grouped,   looped,	waiting,    descending,	      recurring,
};

/* Regions in tasks of a team of one thread, and tasks that it includes, end libomp 16. */
static void (*const of_two[])(void) = {
	team,
	alone,
	included,
#ifdef DETACH
	detached,
#endif
};

#define NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))

static KEEP void all(int threads)
{
	for (size_t i = 0; i < NUMBER_OF(kinds); i++)
		kinds[i]();
	for (size_t i = 0; i < NUMBER_OF(of_two) && threads > 1; i++)
		of_two[i]();
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	const int threads = argc > 2 ? atoi(argv[2]) : 2;

	omp_set_dynamic(0);
	do {
#pragma omp parallel num_threads(threads)
#pragma omp single
		all(threads);
	} while (still_running(seconds));
	printf("kinds %zu\n", NUMBER_OF(kinds) + (threads > 1 ? NUMBER_OF(of_two) : 0));
	return 0;
}
