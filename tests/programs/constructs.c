/* SPDX-License-Identifier: BSD-3-Clause
 * constructs - one of each, each in a function of its own.
 *
 * constructs [SECONDS [combined]].  A comment at its directive names each
 * construct, and one at its last line ends it, for the test to compare with.  It
 * prints how often the regions were entered, which is all that happens in them.
 * The loop that is combined with its region is alone: libomp 14 and 16 hang,
 * profiled or not, where it and the other constructs take turns.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 100000, ITERATIONS = 8 };

static void work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void for_static(void)
{
	int i;

#pragma omp for schedule(static)	/* static: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :static */
	STAY();
}

KEEP void for_dynamic(void)
{
	int i;

#pragma omp for schedule(dynamic)	/* dynamic: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :dynamic */
	STAY();
}

KEEP void for_guided(void)
{
	int i;

#pragma omp for schedule(guided)	/* guided: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :guided */
	STAY();
}

KEEP void for_runtime(void)
{
	int i;

#pragma omp for schedule(runtime)	/* runtime: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :runtime */
	STAY();
}

static volatile int which[ITERATIONS] = { 3, 1, 5, 0, 2, 4, 7, 6 };

/* Compilers make a table of it. */
KEEP void for_switch(void)
{
	volatile int sum = 0;
	int i;

#pragma omp for schedule(dynamic)	/* switch: */
	for (i = 0; i < ITERATIONS; i++) {
		switch (which[i]) {
		case 0: sum += 3; crunch_for(UNIT_NS); break;
		case 1: sum = 7 - sum; break;
		case 2: sum *= 5; STAY();
		case 3: sum ^= 11; crunch_for(UNIT_NS / 2); break;
		case 4: sum <<= 1; break;
		case 5: sum -= 9; crunch_for(UNIT_NS / 3); break;
		case 7: sum /= 3; break;
		default: sum = 1;
		}
		work();
		STAY();
	}					/* :switch */
	STAY();
}

KEEP void six_sections(void)
{
#pragma omp sections			/* six: */
	{
#pragma omp section
		crunch_for(UNIT_NS / 2);
#pragma omp section
		crunch_for(UNIT_NS / 3);
#pragma omp section
		crunch_for(UNIT_NS / 4);
#pragma omp section
		crunch_for(UNIT_NS / 5);
#pragma omp section
		crunch_for(UNIT_NS / 6);
#pragma omp section
		{
			work();
			STAY();
		}
	}					/* :six */
	STAY();
}

KEEP void three_sections(void)
{
#pragma omp sections			/* sections: */
	{
#pragma omp section
		work();
#pragma omp section
		work();
#pragma omp section
		work();
	}					/* :sections */
	STAY();
}

KEEP void in_single(void)
{
#pragma omp single			/* single: */
	{
		work();
		STAY();
	}					/* :single */
	STAY();
}

KEEP void in_single_nowait(void)
{
	int i;

	for (i = 0; i < 3; i++) {
#pragma omp single nowait		/* nowait: */
		{
			work();
			STAY();
		}				/* :nowait */
		STAY();
	}
}

KEEP void in_single_copy(void)
{
	int n;

#pragma omp single copyprivate(n)	/* copy: */
	{
		work();
		n = ITERATIONS;
	}					/* :copy */
	which[0] = n & 3;
	STAY();
}

KEEP void in_master(void)
{
#pragma omp master			/* master: */
	{
		work();
		STAY();
	}					/* :master */
	STAY();
}

KEEP void in_critical(void)
{
#pragma omp critical(queue)		/* critical: */
	{
		work();
		STAY();
	}					/* :critical */
	STAY();
}

KEEP void in_ordered(void)
{
	int i;

#pragma omp for ordered schedule(static, 1)	/* loop: */
	for (i = 0; i < ITERATIONS; i++) {
#pragma omp ordered			/* ordered: */
		{
			work();
			STAY();
		}				/* :ordered */
	}					/* :loop */
	STAY();
}

KEEP void at_barrier(int me)
{
	if (me)
		work();
#pragma omp barrier			/* barrier: :barrier */
	STAY();
}

KEEP void in_taskgroup(void)
{
#pragma omp taskgroup			/* taskgroup: */
	{
#pragma omp task			/* task: */
		{
			work();
			STAY();
		}				/* :task */
		STAY();
	}					/* :taskgroup */
	STAY();
}

KEEP void in_taskloop(void)
{
	int i;

#pragma omp taskloop num_tasks(4)	/* taskloop: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :taskloop */
	STAY();
}

KEEP void at_taskwait(void)
{
#pragma omp task
	work();
#pragma omp taskwait			/* taskwait: :taskwait */
	STAY();
}

KEEP void in_teams(void)
{
#ifdef TEAMS
	int i;

#pragma omp teams num_teams(1) thread_limit(2)	/* teams: */
	{
#pragma omp distribute			/* distribute: */
		for (i = 0; i < ITERATIONS; i++) {
			work();
			STAY();
		}				/* :distribute */
	}					/* :teams */
#endif
	STAY();
}

KEEP void in_target(void)
{
#ifdef TEAMS
#pragma omp target			/* target: */
	{
		work();
		STAY();
	}					/* :target */
#endif
	STAY();
}

KEEP void region(void)
{
#pragma omp parallel num_threads(2)	/* parallel: */
	{
		for_static();
		for_dynamic();
		for_guided();
		for_runtime();
		for_switch();
		three_sections();
		six_sections();
		in_single();
		in_single_nowait();
		in_single_copy();
		in_master();
		in_critical();
		in_ordered();
		at_barrier(omp_get_thread_num());
#pragma omp single
		{
			in_taskgroup();
			in_taskloop();
			at_taskwait();
		}
	}					/* :parallel */
	STAY();
}

KEEP void combined(void)
{
	int i;

#pragma omp parallel for schedule(dynamic) num_threads(2)	/* combined: */
	for (i = 0; i < ITERATIONS; i++) {
		work();
		STAY();
	}					/* :combined */
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	int n = 0;

	omp_set_dynamic(0);
	do {
		if (argc > 2) {
			combined();
		} else {
			region();
			in_teams();
			in_target();
		}
		n++;
	} while (still_running(seconds));
	printf("entries %d\n", n);
	return 0;
}
