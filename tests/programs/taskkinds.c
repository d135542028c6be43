/* SPDX-License-Identifier: BSD-3-Clause
 * taskkinds - every kind of explicit task, as many as it prints.
 *
 * taskkinds [ROUNDS]: each kind is created in a function of its own, and counts
 * itself what of it ran: lines "KIND CREATED RAN".  Cancelled tasks need
 * OMP_CANCELLATION=true.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { EACH = 30, UNIT_NS = 20000 };
static int rounds, ran;

KEEP void body(void)
{
	crunch_for(UNIT_NS);
#pragma omp atomic
	ran++;
	STAY();
}

KEEP int tied(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task
		body();
	}
#pragma omp taskwait
	return EACH;
}

KEEP int untied(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task untied
		{
			body();
#pragma omp taskyield
		}
	}
#pragma omp taskwait
	return EACH;
}

KEEP int undeferred(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task if(0)
		body();
	}
	return EACH;
}

/* Each with one that it includes. */
KEEP int final(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task final(1)
		{
			body();
#pragma omp task
			body();
		}
	}
#pragma omp taskwait
	return 2 * EACH;
}

KEEP int mergeable(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task mergeable
		body();
	}
#pragma omp taskwait
	return EACH;
}

KEEP int taskloop(void)
{
	int i;

#pragma omp taskloop num_tasks(EACH)
	for (i = 0; i < EACH; i++)
		body();
	return EACH;
}

KEEP int dependent(void)
{
	static int x;
	int i;

	for (i = 0; i < EACH; i++) {
#pragma omp task depend(inout : x)
		body();
	}
#if defined(__clang__) || __GNUC__ >= 9
#pragma omp taskwait depend(in : x)
#else
#pragma omp taskwait
#endif
	return EACH;
}

#ifdef DETACH
KEEP int detached(void)
{
	int i;

	for (i = 0; i < EACH; i++) {
		omp_event_handle_t event;

#pragma omp task detach(event) firstprivate(i)
		{
			body();
			if (i % 2)
				omp_fulfill_event(event);
		}
		if (i % 2 == 0)
			omp_fulfill_event(event);
	}
#pragma omp taskwait
	return EACH;
}
#endif

/* One in ten cancels the rest. */
KEEP int cancelled(void)
{
	int i;

#pragma omp taskgroup
	for (i = 0; i < EACH; i++) {
#pragma omp task firstprivate(i)
		{
			body();
			if (i % 10 == 9) {
#pragma omp cancel taskgroup
			}
		}
	}
	return EACH;
}

static const struct {
	const char *name;
	int (*make)(void);
} kinds[] = {
	{ "tied", tied }, { "untied", untied }, { "undeferred", undeferred }, { "final", final },
	{ "mergeable", mergeable }, { "taskloop", taskloop }, { "dependent", dependent },
#ifdef DETACH
	{ "detached", detached },
#endif
	{ "cancelled", cancelled },
};

KEEP void measure(size_t kind)
{
	int n = 0, r;

	ran = 0;
	for (r = 0; r < rounds; r++) {
#pragma omp parallel num_threads(2)
#pragma omp master
		n += kinds[kind].make();
	}
	printf("%s %d %d\n", kinds[kind].name, n, ran);
}

int main(int argc, char **argv)
{
	rounds = argc > 1 ? atoi(argv[1]) : 5;
	omp_set_dynamic(0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		measure(i);
	return 0;
}
