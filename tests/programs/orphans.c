/* SPDX-License-Identifier: BSD-3-Clause
 * orphans - worksharing constructs that are executed outside of regions, by the initial thread
 * and by one of the program's own, and in a region.
 *
 * orphans SECONDS [team]: K_work, in the construct of kind K, and after_work, behind each.
 * Prints the entries of each kind: "K ENTRIES". team: in a region, too.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 300000, TEAM = 2 };
static unsigned long alone, teams;

#define WORK(name) \
	KEEP void name##_work(void) \
	{ \
		crunch_for(UNIT_NS); \
		STAY(); \
	}

WORK(after)
WORK(static)
WORK(dynamic)
WORK(guided)
WORK(runtime)
WORK(sections)
WORK(single)

KEEP void loop_static(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < 4; i++)
		static_work();
	after_work();
	STAY();
}

KEEP void loop_dynamic(void)
{
#pragma omp for schedule(dynamic)
	for (int i = 0; i < 4; i++)
		dynamic_work();
	after_work();
	STAY();
}

KEEP void loop_guided(void)
{
#pragma omp for schedule(guided)
	for (int i = 0; i < 4; i++)
		guided_work();
	after_work();
	STAY();
}

KEEP void loop_runtime(void)
{
#pragma omp for schedule(runtime)
	for (int i = 0; i < 4; i++)
		runtime_work();
	after_work();
	STAY();
}

KEEP void two_sections(void)
{
#pragma omp sections
	{
#pragma omp section
		sections_work();
#pragma omp section
		sections_work();
	}
	after_work();
	STAY();
}

KEEP void one_single(void)
{
#pragma omp single
	single_work();
	after_work();
	STAY();
}

KEEP void all(void)
{
#pragma omp barrier
	after_work();
	loop_static();
	loop_dynamic();
	loop_guided();
	loop_runtime();
	two_sections();
	one_single();
	STAY();
}

static void *thread(void *unused)
{
	all();
	return unused;
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	pthread_t t;

	omp_set_dynamic(0);
	do {
		all();
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		alone += 2;
		if (argc > 2) {
#pragma omp parallel num_threads(TEAM)
			all();
			teams++;
		}
	} while (still_running(seconds));
	printf("dynamic %lu\nguided %lu\nruntime %lu\nsections %lu\nsingle %lu\n",
	       alone + TEAM * teams, alone + TEAM * teams, alone + TEAM * teams,
	       alone + TEAM * teams,
#ifdef __clang__
	       alone + TEAM * teams /* entered by those that skip it, too */
#else
	       alone + teams
#endif
	);
	return 0;
}
