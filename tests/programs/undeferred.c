/* SPDX-License-Identifier: BSD-3-Clause
 * undeferred - tasks that are not deferred, on all threads.
 *
 * undeferred SECONDS: apart() makes one that works, main's region one, around() one
 * that waits for two deferred ones.  It prints the part that each has in the work:
 * lines "FUNCTION SHARE".
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 300000 };

/* Half as long to half as long again: equal lengths would beat with the samples. */
static int64_t varied(int64_t ns)
{
	static _Thread_local unsigned n;

	return ns * (50 + n++ * 37 % 101) / 100;
}

KEEP int64_t apart_work(void)
{
	int64_t ns = crunch_for(varied(2 * UNIT_NS));

	STAY();
	return ns;
}

KEEP int64_t region_work(void)
{
	int64_t ns = crunch_for(varied(UNIT_NS));

	STAY();
	return ns;
}

KEEP int64_t inner_work(void)
{
	int64_t ns = crunch_for(varied(UNIT_NS / 2));

	STAY();
	return ns;
}

KEEP int64_t apart(void)
{
	int64_t ns = 0;

#pragma omp task if(0) shared(ns)	/* apart */
	{
		ns = apart_work();
		STAY();
	}
	return ns;
}

KEEP int64_t around(void)
{
	int64_t first = 0, second = 0;

#pragma omp task if(0) shared(first, second)	/* around */
	{
#pragma omp task shared(first)			/* inner */
		first = inner_work();
#pragma omp task shared(second)			/* inner */
		second = inner_work();
#pragma omp taskwait
		STAY();
	}
	return first + second;
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1), all;
	int64_t in_apart = 0, in_region = 0, in_around = 0;

#pragma omp parallel num_threads(2) reduction(+ : in_apart, in_region, in_around)
	{
		int64_t ns = 0;

		do {
			in_apart += apart();
			in_around += around();
#pragma omp task if(0) shared(ns)	/* region */
			{
				ns = region_work();
				STAY();
			}
			in_region += ns;
		} while (still_running(seconds));
	}
	all = (double)(in_apart + in_region + in_around);
	printf("apart %.4f\nregion %.4f\naround %.4f\n", (double)in_apart / all,
	       (double)in_region / all, (double)in_around / all);
	return 0;
}
