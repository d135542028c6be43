/* SPDX-License-Identifier: BSD-3-Clause
 * briefly - threads that live for less than a sample's period, each of which computes for a third
 * of a millisecond, and a thread that computes as much as they do.
 *
 * briefly [SECONDS] prints the true part that the brief ones have, and how many there were.
 */
#include <pthread.h>
#include <stdio.h>

#include "work.h"

enum { AT_ONCE = 2, LIFE_NS = 330000 };

/* How often each crunched. That takes the same time of user code in both, while the kernel has more
   of a brief thread's time, where an interrupt takes long. */
static long briefly, lasting;

static inline __attribute__((always_inline)) long crunches(void)
{
	const int64_t begin = own_ns();
	volatile double x = 1.0;
	long n = 0;

	do {
		x = crunch(x);
		n++;
	} while (own_ns() - begin < LIFE_NS);
	return n;
}

KEEP void brief_work(void)
{
	__atomic_add_fetch(&briefly, crunches(), __ATOMIC_RELAXED);
}

KEEP void lasting_work(void)
{
	lasting += crunches();
}

KEEP void *brief(void *arg)
{
	brief_work();
	return arg;
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	pthread_t threads[AT_ONCE];
	int briefs = 0;

	do {
		for (int i = 0; i < AT_ONCE; i++, briefs++)
			if (pthread_create(&threads[i], NULL, brief, NULL))
				return 1;
		for (int i = 0; i < AT_ONCE; i++)
			lasting_work();
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
	} while (still_running(seconds));
	printf("brief_work %.4f\nbriefs %d\n", (double)briefly / (double)(briefly + lasting),
	       briefs);
	return 0;
}
