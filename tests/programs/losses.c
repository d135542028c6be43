/* SPDX-License-Identifier: BSD-3-Clause
 * losses - programs whose losses are known by construction.
 *
 * losses KIND [SECONDS [kill]] prints, for the time of all threads (elapsed time times threads), the
 * share that each cause took by the program's own clocks: lines "NAME SHARE". work, imbalance,
 * lock, single, serial and small_team are elapsed time, late is the time until threads begin a
 * region; ran and worked are CPU time.
 *
 *   imbalance   one thread works twice as long as the other
 *   lock        both threads need a lock for half of their work
 *   serial      40 % of the elapsed time is outside of regions
 *   single      a single region with a third of the work
 *   teams       regions with one thread and with two
 *   open        imbalance before barriers, in a single region that has the whole run
 *
 * With kill it prints also elapsed_ms and kills itself then, "open" in its region.
 */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { THREADS = 2, UNIT_NS = 5000000 };

static struct thread {
	int64_t body_end;
	int64_t work, imbalance, lock, single, late;
	int64_t worked; /* CPU time */
	char apart[64];
} threads[THREADS];
static int64_t region_begin, inside, small;
static int64_t program_begin;
static omp_lock_t lock;

static int64_t wall(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

KEEP void work(int64_t ns)
{
	struct thread *t = &threads[omp_get_thread_num()];
	int64_t begin = wall();

	t->worked += crunch_for(ns);
	t->work += wall() - begin;
}

static void region_begins(void)
{
	region_begin = wall();
}

/* What lies between a thread's last work and the end of the region is imbalance. */
static void region_ends(int team)
{
	int64_t end = wall();
	int i;

	for (i = 0; i < team; i++)
		threads[i].imbalance += end - threads[i].body_end;
	inside += end - region_begin;
	if (team < THREADS)
		small += end - region_begin;
}

static void body_begins(void)
{
	threads[omp_get_thread_num()].late += wall() - region_begin;
}

static void body_ends(void)
{
	threads[omp_get_thread_num()].body_end = wall();
}

KEEP void imbalance(void)
{
	region_begins();
#pragma omp parallel num_threads(THREADS)
	{
		body_begins();
		work(omp_get_thread_num() == 0 ? 2 * UNIT_NS : UNIT_NS);
		body_ends();
	}
	region_ends(THREADS);
}

KEEP void locked(void)
{
	region_begins();
#pragma omp parallel num_threads(THREADS)
	{
		struct thread *t = &threads[omp_get_thread_num()];
		int64_t before;

		body_begins();
		work(UNIT_NS);
		before = wall();
		omp_set_lock(&lock);
		t->lock += wall() - before;
		work(UNIT_NS);
		omp_unset_lock(&lock);
		body_ends();
	}
	region_ends(THREADS);
}

KEEP void serially(void)
{
	work(2 * UNIT_NS);
	region_begins();
#pragma omp parallel num_threads(THREADS)
	{
		body_begins();
		work(3 * UNIT_NS);
		body_ends();
	}
	region_ends(THREADS);
}

KEEP void single(void)
{
	region_begins();
#pragma omp parallel num_threads(THREADS)
	{
		int64_t waits;

		body_begins();
		work(UNIT_NS);
		waits = wall();
#pragma omp single
		{
			work(UNIT_NS);
			waits = wall();
		}
		threads[omp_get_thread_num()].single += wall() - waits;
		body_ends();
	}
	region_ends(THREADS);
}

KEEP void teams(int team)
{
	region_begins();
#pragma omp parallel num_threads(team)
	{
		body_begins();
		work(UNIT_NS);
		body_ends();
	}
	region_ends(team);
}

static void run(const char *kind)
{
	if (!strcmp(kind, "imbalance"))
		imbalance();
	else if (!strcmp(kind, "lock"))
		locked();
	else if (!strcmp(kind, "serial"))
		serially();
	else if (!strcmp(kind, "single"))
		single();
	else
		teams(2), teams(1);
}

static void tell(int kill)
{
	double all = (double)THREADS * (double)(wall() - program_begin);
	struct thread all_of = { 0 };
	int i;

	for (i = 0; i < THREADS; i++) {
		all_of.work += threads[i].work;
		all_of.worked += threads[i].worked;
		all_of.imbalance += threads[i].imbalance;
		all_of.lock += threads[i].lock;
		all_of.single += threads[i].single;
		all_of.late += threads[i].late;
	}
	printf("work %.4f\nimbalance %.4f\nlock %.4f\nsingle %.4f\nlate %.4f\n",
	       (double)all_of.work / all, (double)all_of.imbalance / all, (double)all_of.lock / all,
	       (double)all_of.single / all, (double)all_of.late / all);
	printf("serial %.4f\nsmall_team %.4f\n", (all / THREADS - (double)inside) / all,
	       (double)small / all);
	printf("worked %.4f\nran %.4f\n", (double)all_of.worked / all,
	       (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / all);
	if (!kill)
		return;
	printf("elapsed_ms %.3f\n", all / THREADS / 1e6);
	fflush(stdout);
	raise(SIGKILL);
}

KEEP void openly(double seconds, int kill)
{
	int on = 1;

#pragma omp parallel num_threads(THREADS)
	while (on) {
		int64_t waits;

		work(omp_get_thread_num() == 0 ? 2 * UNIT_NS : UNIT_NS);
		waits = wall();
#pragma omp barrier
#pragma omp master
		{
			on = still_running(seconds);
			if (!on)
				tell(kill);
		}
#pragma omp barrier
		threads[omp_get_thread_num()].imbalance += wall() - waits;
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "imbalance";
	double seconds = seconds_of(argc, argv, 2, 1);
	int kill = argc > 3 && !strcmp(argv[3], "kill");

	program_begin = wall();
	omp_set_dynamic(0);
	omp_init_lock(&lock);
	if (!strcmp(kind, "open")) {
		openly(seconds, kill);
		return 0;
	}
	do {
		run(kind);
	} while (still_running(seconds));
	tell(kill);
	return 0;
}
