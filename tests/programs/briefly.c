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

static int64_t brief_ns, lasting_ns;

KEEP void brief_work(void)
{
	__atomic_add_fetch(&brief_ns, crunch_for(LIFE_NS), __ATOMIC_RELAXED);
}

KEEP void lasting_work(void)
{
	lasting_ns += crunch_for(LIFE_NS);
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
	printf("brief_work %.4f\nbriefs %d\n",
	       (double)brief_ns / (double)(brief_ns + lasting_ns), briefs);
	return 0;
}
