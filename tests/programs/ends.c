/* SPDX-License-Identifier: BSD-3-Clause
 * ends - a program that ends in one way or another.
 *
 * ends HOW [SECONDS [STATUS]] computes in regions for SECONDS, printing
 * "ready" after the first, and then ends; `forever' computes until killed.
 */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

static int status;

KEEP void kernel(void)
{
	crunch_for(1000000);
}

KEEP void solve(void)
{
#pragma omp parallel
	{
		kernel();
		STAY();
	}
	STAY();
}

static void by_return(void)
{
}

static void by_exit(void)
{
	exit(status);
}

static void by_exit_now(void)
{
	_exit(status);
}

static void by_abort(void)
{
	abort();
}

static void by_fault(void)
{
	*(volatile int *)(uintptr_t)(status * 0) = 1;
}

static void by_term(void)
{
	raise(SIGTERM);
}

static void by_kill(void)
{
	raise(SIGKILL);
}

/* Within a region: in its first thread, or in its last. */
static void in_region(void (*end)(void), int last)
{
#pragma omp parallel
	{
		kernel();
		if (omp_get_thread_num() == (last ? omp_get_num_threads() - 1 : 0))
			end();
		for (;;)
			kernel();
	}
}

static const struct {
	const char *name;
	void (*end)(void);
	int region;		/* 1: in the first thread, 2: in the last */
} ways[] = {
	{ "return", by_return, 0 },
	{ "exit", by_exit, 0 },
	{ "exit-region", by_exit, 1 },
	{ "exit-worker", by_exit, 2 },
	{ "_exit", by_exit_now, 0 },
	{ "_exit-worker", by_exit_now, 2 },
	{ "abort", by_abort, 0 },
	{ "abort-worker", by_abort, 2 },
	{ "fault", by_fault, 0 },
	{ "fault-worker", by_fault, 2 },
	{ "term", by_term, 0 },
	{ "kill", by_kill, 0 },
	{ "forever", NULL, 0 },
};

int main(int argc, char **argv)
{
	int64_t until = clock_ns(CLOCK_MONOTONIC) +
		(int64_t)(seconds_of(argc, argv, 2, 0.3) * 1e9);
	size_t i, n = sizeof(ways) / sizeof(ways[0]);

	status = argc > 3 ? atoi(argv[3]) : 0;
	for (i = 0; i < n && (argc < 2 || strcmp(argv[1], ways[i].name)); i++)
		;
	if (i == n) {
		fprintf(stderr, "usage: ends HOW [SECONDS [STATUS]]\n");
		return 2;
	}
	solve();
	puts("ready");
	fflush(stdout);
	while (!ways[i].end || clock_ns(CLOCK_MONOTONIC) < until)
		solve();
	if (ways[i].region)
		in_region(ways[i].end, ways[i].region == 2);
	else
		ways[i].end();
	return status;
}
