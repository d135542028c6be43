/* SPDX-License-Identifier: BSD-3-Clause
 * nowaits - singles with nowait, whose end gcc's code does not show, and what follows them.
 *
 * nowaits SECONDS.  Prints of each function what its single took, and of all of them what they
 * took: names and nanoseconds.  Comments name the lines that tests look for.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 200000 };

static int64_t inside[5], all;

static KEEP void count(int64_t *sum, int units)
{
	const int64_t ns = crunch_for((int64_t)units * UNIT_NS);

	if (sum)
		__atomic_fetch_add(sum, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&all, ns, __ATOMIC_RELAXED);
	STAY();
}

KEEP void in_loop(void)
{
	for (int i = 0; i < 2; i++) {
		count(NULL, 1);
#pragma omp single nowait
		{

			count(&inside[0], 2); /* in_loop */
			count(&inside[0], 2);
		}
		count(NULL, 1);
	}
}

/* What is in the single is called last, so this function is on no stack then. */
KEEP void called_last(void)
{
#pragma omp single nowait
	count(&inside[1], 3); /* called_last */
}

KEEP void with_switch(int n)
{
#pragma omp single nowait
	{
		switch (n) { /* with_switch */
		case 0: count(&inside[2], 1); break;
		case 1: count(&inside[2], 2); break;
		case 2: count(&inside[2], 3); break;
		case 3: count(NULL, 1); break;
		case 4: STAY(); break;
		default: count(&inside[2], 4);
		}
	}
	count(NULL, 1);
	STAY();
}

/* Behind its barrier, nothing is the single's. */
KEEP void waited_for(void)
{
#pragma omp single
	count(&inside[3], 3); /* waited_for */
	count(NULL, 1);
}

/* gcc has no barrier there but the region's, and calls what is in it last. */
KEEP void at_end(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	count(&inside[4], 3); /* at_end */
	STAY();
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "in_loop", "called_last", "with_switch", "waited_for",
					     "at_end" };
	const double seconds = seconds_of(argc, argv, 1, 1);

	while (still_running(seconds)) {
#pragma omp parallel num_threads(2)
		{
			in_loop();
#pragma omp barrier
			called_last();
			count(NULL, 1);
#pragma omp barrier
			with_switch(2);
#pragma omp barrier
			waited_for();
		}
		at_end();
	}
	for (int i = 0; i < 5; i++)
		printf("%s %lld\n", names[i], (long long)inside[i]);
	printf("all %lld\n", (long long)all);
	return 0;
}
