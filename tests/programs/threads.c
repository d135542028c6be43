/* SPDX-License-Identifier: BSD-3-Clause
 * threads - POSIX threads that OpenMP does not know, beside regions, one that
 * starts a region of its own, and many that live briefly.
 *
 * threads [SECONDS] prints each kind's true part of all the work.  What else the
 * threads did (waits that yield in the kernel, threads' births) the samples of
 * user code don't show alike.
 */
#include <pthread.h>
#include <stdio.h>

#include "work.h"

static int64_t team_ns, helper_ns, guest_ns, brief_ns;
static int stop;

static void spent(int64_t *sum, int64_t ns)
{
	__atomic_add_fetch(sum, ns, __ATOMIC_RELAXED);
}

KEEP void team_work(void)
{
	spent(&team_ns, crunch_for(2000000));
}

KEEP void helper_work(void)
{
	spent(&helper_ns, crunch_for(2000000));
}

KEEP void guest_work(void)
{
	spent(&guest_ns, crunch_for(1000000));
}

KEEP void brief_work(void)
{
	spent(&brief_ns, crunch_for(3000000));
}

KEEP void *helper(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		helper_work();
	return NULL;
}

KEEP void *guest(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
#pragma omp parallel num_threads(2)
		{
			guest_work();
			STAY();
		}
	}
	return NULL;
}

KEEP void *brief(void *arg)
{
	brief_work();
	return arg;
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	pthread_t h, g, b;
	void *back;
	int briefs = 0;
	double all;

	if (pthread_create(&h, NULL, helper, NULL) || pthread_create(&g, NULL, guest, NULL))
		return 1;
	do {
#pragma omp parallel num_threads(2)
		{
			team_work();
			STAY();
		}
		if (pthread_create(&b, NULL, brief, &briefs) || pthread_join(b, &back) ||
		    back != &briefs)
			return 1;
		briefs++;
	} while (still_running(seconds));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(h, NULL);
	pthread_join(g, NULL);

	all = (double)(team_ns + helper_ns + guest_ns + brief_ns);
	printf("team_work %.4f\nhelper_work %.4f\nguest_work %.4f\nbrief_work %.4f\nbriefs %d\n",
	       (double)team_ns / all, (double)helper_ns / all, (double)guest_ns / all,
	       (double)brief_ns / all, briefs);
	return 0;
}
