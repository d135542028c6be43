/* SPDX-License-Identifier: BSD-3-Clause
 * shares - three regions and a serial part that know their true shares.
 *
 * shares [SECONDS] runs for about so long and prints "NAME SHARE" for each
 * function that works: the CPU time that its threads' own clocks saw, of all
 * that the process took.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { RELAX, GATHER, SKEWED, SETUP, PARTS };
static const char *const part_name[PARTS] = { "relax_kernel", "gather_kernel", "skewed_kernel", "setup" };
static int64_t part_ns[PARTS];

static void spent(int part, int64_t ns)
{
#pragma omp atomic
	part_ns[part] += ns;
}

KEEP void relax_kernel(int64_t ns)
{
	spent(RELAX, crunch_for(ns));
}

KEEP void gather_kernel(int64_t ns)
{
	spent(GATHER, crunch_for(ns));
}

KEEP void skewed_kernel(int64_t ns)
{
	spent(SKEWED, crunch_for(ns));
}

KEEP void setup(int64_t ns)
{
	spent(SETUP, crunch_for(ns));
}

KEEP void relax(int64_t ns)
{
#pragma omp parallel
	{
		relax_kernel(ns);
		STAY();
	}
	STAY();
}

KEEP void gather(int64_t ns)
{
	int i;

#pragma omp parallel for schedule(dynamic)
	for (i = 0; i < 4; i++) {
		gather_kernel(ns / 2);
		STAY();
	}
	STAY();
}

/* The last thread has twice the work of the first. */
KEEP void skewed(int64_t ns)
{
#pragma omp parallel
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();

		skewed_kernel(n > 1 ? ns + ns * me / (n - 1) : ns);
		STAY();
	}
	STAY();
}

KEEP void solve(int64_t step_ns)
{
	relax(step_ns * 4);
	gather(step_ns * 2);
	skewed(step_ns);
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	int64_t step_ns = 1000000, all;
	int i;

	do {
		setup(step_ns);
		solve(step_ns);
	} while (still_running(seconds));

	all = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < PARTS; i++)
		printf("%s %.4f\n", part_name[i], (double)part_ns[i] / (double)all);
	return 0;
}
