/*
 * places - several constructs of each kind in one function, for reports on programs
 * whose lines nobody knows any more.
 *
 * places [SECONDS] prints how often it went round, and the regions' shares of their work.
 */
#include <stdio.h>

#include "work.h"

enum { PIECES = 8 };

static int64_t region_ns[2], task_ns[2], loop_ns[2];

static void add(int64_t *sum, int64_t ns)
{
#pragma omp atomic
	*sum += ns;
}

/* Compilers copy the first region's call for each round. */
static KEEP void solve(void)
{
	for (int round = 0; round < 2; round++) {
#pragma omp parallel
		{
			add(&region_ns[0], crunch_for(900000));
			STAY();
		}
	}
#pragma omp parallel
	{
		add(&region_ns[1], crunch_for(600000));
		STAY();
	}
}

static KEEP void create(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < PIECES; i++) {
#pragma omp task
			add(&task_ns[0], crunch_for(100000));
		}
		for (int i = 0; i < PIECES; i++) {
#pragma omp task
			add(&task_ns[1], crunch_for(20000));
		}
	}
}

static KEEP void share(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < PIECES; i++)
			add(&loop_ns[0], crunch_for(80000));
#pragma omp for schedule(dynamic)
		for (int i = 0; i < PIECES; i++)
			add(&loop_ns[1], crunch_for(40000));
	}
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	int rounds = 0;

	while (still_running(seconds)) {
		rounds++;
		solve();
		create();
		share();
	}
	printf("rounds %d\n", rounds);
	printf("first %.4f\n", (double)region_ns[0] / (double)(region_ns[0] + region_ns[1]));
	return 0;
}
