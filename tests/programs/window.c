/* SPDX-License-Identifier: BSD-3-Clause
 * window - a program whose functions follow each other by the clock.
 *
 * window MODE SECONDS computes in `first', `second' and `third' for so long each, on two threads.
 * MODE fork: a child does the same beside its parent; sleep: the main thread sleeps meanwhile in
 * a call that no signal restarts.  Prints `over' at its end.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static int64_t begin_ns, part_ns;

#define PART(name, number) \
	KEEP void name(void) \
	{ \
		_Pragma("omp parallel num_threads(2)") while ( \
			clock_ns(CLOCK_MONOTONIC) < begin_ns + (number)*part_ns) crunch(1); \
		STAY(); \
	}

PART(first, 1)
PART(second, 2)
PART(third, 3)

static void *parts(void *arg)
{
	first();
	second();
	third();
	return arg;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_t worker;
	pid_t child = 1;

	begin_ns = clock_ns(CLOCK_MONOTONIC);
	part_ns = (int64_t)(1e9 * seconds_of(argc, argv, 2, 0.5));
	if (!strcmp(mode, "fork"))
		child = fork();
	if (!strcmp(mode, "sleep")) {
		pthread_create(&worker, NULL, parts, NULL);
		if (poll(NULL, 0, (int)(3 * part_ns / 1000000)) != 0)
			puts("woken");
		pthread_join(worker, NULL);
	} else {
		parts(NULL);
	}
	if (child == 0)
		return 0;
	if (!strcmp(mode, "fork"))
		wait(NULL);
	puts("over");
	return 0;
}
