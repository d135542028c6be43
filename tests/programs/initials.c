/* SPDX-License-Identifier: BSD-3-Clause
 * initials - several threads of the program's own, which each begin regions of two threads.
 *
 * initials [SECONDS] prints the threads that work at one time; initials teams runs a league
 * of two teams on the host.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { INITIALS = 3 };

static double seconds;

KEEP void area(void)
{
#pragma omp parallel num_threads(2)
	crunch_for(5000000);
	STAY();
}

static void *initial(void *none)
{
	while (still_running(seconds))
		area();
	return none;
}

KEEP void league(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
#pragma omp parallel
	crunch_for(50000000);
	STAY();
}

int main(int argc, char **argv)
{
	pthread_t threads[INITIALS];

	if (argc > 1 && strcmp(argv[1], "teams") == 0) {
		area();
		league();
		crunch_for(200000000);
		return 0;
	}
	seconds = seconds_of(argc, argv, 1, 0.4);
	for (int i = 0; i < INITIALS; i++)
		if (pthread_create(&threads[i], NULL, initial, NULL))
			return 1;
	for (int i = 0; i < INITIALS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", 2 * INITIALS);
	return 0;
}
