/* SPDX-License-Identifier: BSD-3-Clause
 * tasks - explicit tasks that another thread than their creator runs.
 *
 * Thread 0 creates tasks in two functions and then computes in `busy', where
 * nothing lets it run one, until the others have run all.  tasks [SECONDS]
 * prints how many ran elsewhere, and the shares of both kinds' work.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { BATCH = 20 };
static int done, created, elsewhere;
static int64_t first_ns, second_ns;

static void count(int64_t *sum, int64_t ns)
{
#pragma omp atomic
	*sum += ns;
	if (omp_get_thread_num() != 0) {
#pragma omp atomic
		elsewhere++;
	}
#pragma omp atomic
	done++;
}

KEEP void first_work(int64_t ns)
{
	count(&first_ns, crunch_for(ns));
}

KEEP void second_work(int64_t ns)
{
	count(&second_ns, crunch_for(ns));
}

KEEP void make_first(int64_t ns)
{
#pragma omp task firstprivate(ns)
	{
		first_work(ns);
		STAY();
	}
	created++;
}

KEEP void make_second(int64_t ns)
{
#pragma omp task firstprivate(ns)
	{
		second_work(ns);
		STAY();
	}
	created++;
}

KEEP void busy(void)
{
	volatile double x = 1.0;
	int now;

	do {
		x = crunch(x);
#pragma omp atomic read
		now = done;
	} while (now < created);
}

KEEP void create(int64_t ns)
{
	int i;

	for (i = 0; i < BATCH; i++) {
		/* Equal lengths would beat with the samples. */
		int64_t length = ns * (50 + created * 37 % 101) / 100;

		make_first(3 * length);
		make_second(length);
	}
	busy();
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1), all;

	omp_set_dynamic(0);
	do {
#pragma omp parallel num_threads(2)
		{
#pragma omp master
			create(500000);
		}
	} while (still_running(seconds));

	all = (double)(first_ns + second_ns);
	printf("created %d\nelsewhere %d\nfirst %.4f\nsecond %.4f\n", created, elsewhere,
	       (double)first_ns / all, (double)second_ns / all);
	return 0;
}
