/* SPDX-License-Identifier: BSD-3-Clause
 * paths - the same source with OpenMP and without, for the paths in it.
 *
 * paths KIND [SECONDS] has three functions call KIND, with one, two and three
 * parts of work.  Compiled without -fopenmp the same functions call one
 * another, and work as long.  Prints how many tasks another thread ran than
 * the one that created them, and the deepest nesting of regions.
 */
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <string.h>

#include "work.h"

static int stolen, deepest;

static int thread_number(void)
{
#ifdef _OPENMP
	return omp_get_thread_num() + 100 * omp_get_ancestor_thread_num(1);
#else
	return 0;
#endif
}

static void note_level(void)
{
#ifdef _OPENMP
	int level = omp_get_level();

#pragma omp critical
	if (level > deepest)
		deepest = level;
#endif
}

KEEP void kernel(int64_t ns)
{
	note_level();
	crunch_for(ns);
	STAY();
}

/* ---- regions within regions, and tasks that are stolen ---------------- */

KEEP void child_work(int64_t ns)
{
	crunch_for(ns);
	STAY();
}

KEEP void task_work(int64_t ns, int creator)
{
	if (thread_number() != creator) {
#pragma omp atomic
		stolen++;
	}
	crunch_for(ns);
#pragma omp task firstprivate(ns)
	{
		child_work(ns);
		STAY();
	}
#pragma omp taskwait
	STAY();
}

KEEP void spawn(int64_t ns)
{
	int i, me = thread_number();

	for (i = 0; i < 4; i++) {
#pragma omp task firstprivate(ns, me)
		{
			task_work(ns, me);
			STAY();
		}
	}
	STAY();
}

KEEP void inner(int64_t ns)
{
	int i;

#pragma omp parallel num_threads(2) private(i)
	{
#pragma omp for schedule(dynamic, 1)
		for (i = 0; i < 4; i++)
			kernel(ns);
#pragma omp single
		spawn(ns / 2);
		STAY();
	}
	STAY();
}

KEEP void nested(int64_t ns)
{
	int i;

#pragma omp parallel num_threads(2) private(i)
	{
#pragma omp for schedule(static, 1)
		for (i = 0; i < 2; i++)
			inner(ns);
#pragma omp master
		spawn(ns);
#pragma omp barrier
		STAY();
	}
	STAY();
}

/* ---- regions of one thread -------------------------------------------- */

static volatile int no;

KEEP void if_no(int64_t ns)
{
#pragma omp parallel if (no)
	{
		kernel(4 * ns);
		STAY();
	}
	STAY();
}

KEEP void one_thread(int64_t ns)
{
#pragma omp parallel num_threads(1)
	{
		kernel(4 * ns);
		STAY();
	}
	STAY();
}

/* Deeper than regions may be active: the inner ones are serialized. */
KEEP void no_nesting_inner(int64_t ns)
{
#pragma omp parallel num_threads(2)
	{
		kernel(ns);
		STAY();
	}
	STAY();
}

KEEP void no_nesting(int64_t ns)
{
	int i;

#ifdef _OPENMP
	omp_set_max_active_levels(1);
#endif
#pragma omp parallel for num_threads(2) schedule(static, 1)
	for (i = 0; i < 4; i++) {
		no_nesting_inner(ns);
		STAY();
	}
	STAY();
}

KEEP void serialized(int64_t ns)
{
	if_no(ns);
	one_thread(ns);
	no_nesting(ns);
	STAY();
}

/* ---- a construct in a function of its own ----------------------------- */

KEEP void orphan_loop(int64_t ns)
{
	int i;

#pragma omp for schedule(dynamic, 1)
	for (i = 0; i < 4; i++) {
		kernel(ns);
		STAY();
	}
	STAY();
}

KEEP void orphan_sections(int64_t ns)
{
#pragma omp sections
	{
#pragma omp section
		kernel(2 * ns);
#pragma omp section
		child_work(2 * ns);
	}
	STAY();
}

KEEP void orphan_single(int64_t ns)
{
#pragma omp single
	{
		kernel(2 * ns);
		STAY();
	}
	STAY();
}

/* Called in a region, and outside of any. */
KEEP void orphans(int64_t ns)
{
#pragma omp parallel num_threads(2)
	{
		orphan_loop(ns);
		orphan_sections(ns);
		orphan_single(ns);
		STAY();
	}
	orphan_loop(ns);
	orphan_sections(ns);
	orphan_single(ns);
	STAY();
}

/* ---- recursion through regions ---------------------------------------- */

KEEP void descend(int64_t ns, int depth)
{
	if (depth == 0) {
		kernel(8 * ns);
		return;
	}
#pragma omp parallel num_threads(1 + (depth % 10 == 2))
	{
#pragma omp single
		descend(ns, depth - 1);
		STAY();
	}
	STAY();
}

KEEP void recursion(int64_t ns)
{
	descend(ns, 12);
	STAY();
}

/* Deeper than a thread's regions can be kept, and distinguished. */
KEEP void deep(int64_t ns)
{
	descend(ns, 42);
	STAY();
}

/* ---- teams (on the host, gcc has them from 9 on) ------------------------ */

#if defined(__clang__) || __GNUC__ >= 9
#define TEAMS
#endif

#ifdef TEAMS

KEEP void teams(int64_t ns)
{
	int i;

#pragma omp teams num_teams(2) thread_limit(2)
	{
#pragma omp distribute dist_schedule(static, 1)
		for (i = 0; i < 4; i++) {
			kernel(ns);
			STAY();
		}
	}
	STAY();
}

KEEP void teams_parallel(int64_t ns)
{
	int i;

#pragma omp teams distribute parallel for num_teams(1) thread_limit(2)
	for (i = 0; i < 4; i++) {
		kernel(ns);
		STAY();
	}
	STAY();
}

KEEP void both_teams(int64_t ns)
{
	teams(ns);
	teams_parallel(ns);
	STAY();
}
#endif

/* ----------------------------------------------------------------------- */

static const struct kind {
	const char *name;
	void (*body)(int64_t ns);
} kinds[] = {
	{ "nested", nested }, { "serialized", serialized }, { "orphans", orphans },
	{ "recursion", recursion }, { "deep", deep },
#ifdef TEAMS
	{ "teams", both_teams },
#endif
};
static void (*body)(int64_t ns);

enum { PART_NS = 500000 };

KEEP void alpha(void)
{
	body(PART_NS);
	STAY();
}

KEEP void beta(void)
{
	body(2 * PART_NS);
	STAY();
}

KEEP void third(void)
{
	body(3 * PART_NS);
	STAY();
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "nested";
	double seconds = seconds_of(argc, argv, 2, 1);
	size_t i, n = sizeof(kinds) / sizeof(kinds[0]);

	for (i = 0; i < n && strcmp(name, kinds[i].name); i++)
		;
	if (i == n) {
		fprintf(stderr, "paths: no such kind: %s\n", name);
		return 2;
	}
	body = kinds[i].body;
	do {
#ifdef _OPENMP
		omp_set_dynamic(0);
		omp_set_max_active_levels(100);
#endif
		alpha();
		beta();
		third();
	} while (still_running(seconds));
	printf("stolen %d\nlevels %d\n", stolen, deepest);
	return 0;
}
