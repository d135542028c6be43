/* SPDX-License-Identifier: BSD-3-Clause
 * lastcall - regions and tasks whose bodies end in a call of the C library, to which
 * compilers jump: the body is on no stack.
 *
 * lastcall SECONDS WHAT...: each WHAT that long.
 *   copy   STREAM's kernel, which gcc makes a memcpy of
 *   fill   the loop that touches memory first, a memset
 *   whole  a region that is a memset and nothing else
 *   tasks  likewise, tasks
 */
#include <stdio.h>
#include <string.h>

#include "work.h"

/* So large that what the runtime itself takes is about 1 %. */
enum { N = 1 << 22, PARTS = 8 };

static double a[N], b[N];

KEEP void copy(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)					/* copy */
		b[i] = a[i];
}

KEEP void fill(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)					/* fill */
		a[i] = 0;
	STAY();
}

KEEP void whole(void)
{
#pragma omp parallel num_threads(1)
	memset(a, 1, sizeof(a));					/* whole */
	STAY();
}

KEEP void tasks(void)
{
#pragma omp parallel
#pragma omp single nowait
	for (int i = 0; i < PARTS; i++) {
#pragma omp task
		memset(b + i * (N / PARTS), 0, sizeof(b) / PARTS);	/* tasks */
	}
	STAY();
}

/* Calls that say where they go. */
static void run(const char *what)
{
	if (!strcmp(what, "copy"))
		copy();
	else if (!strcmp(what, "fill"))
		fill();
	else if (!strcmp(what, "whole"))
		whole();
	else
		tasks();
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 0.3);

	for (int i = 2; i < argc; i++) {
		const int64_t end = clock_ns(CLOCK_MONOTONIC) + (int64_t)(seconds * 1e9);

		do
			run(argv[i]);
		while (clock_ns(CLOCK_MONOTONIC) < end);
	}
	printf("%g\n", a[N / 2] + b[N / 2]);
	return 0;
}
