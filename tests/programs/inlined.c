/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inlined.c - constructs whose code is that of inlined functions; prints where each is:
 * "row FUNCTION FIRST-LINE LAST-LINE ENTRIES KIND", with "-" for entries that are not counted.
 *
 * inlined MS: that long each, of CPU time
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int ms;
static volatile double sink;

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline __attribute__((always_inline)) void burn(int n)
{
	const double end = cpu_ms() + n;
	double x = sink;

	while (cpu_ms() < end)
		for (int i = 0; i < 1000; i++)
			x = x * 0.999 + i;
	sink = x;
}

static void row(const char *function, int first, int last, const char *entries, const char *kind)
{
	printf("row %s %d %d %s %s\n", function, first, last, entries, kind);
}

static void __attribute__((noinline)) constructs(void)
{
	const int top = __LINE__;
#pragma omp parallel num_threads(2)
	{
		burn(ms);
#pragma omp for schedule(static)
		for (int i = 0; i < 4; i++)
			burn(ms);
#pragma omp sections
		{
#pragma omp section
			burn(ms);
#pragma omp section
			burn(ms);
		}
#pragma omp single
		burn(ms);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			burn(ms);
		burn(ms);
#pragma omp single
		{
#pragma omp task
			burn(ms);
			burn(ms);
#pragma omp task
			burn(ms);
#pragma omp taskwait
		}
	}
	row("constructs", top + 1, top + 29, "1", "parallel");
	row("constructs", top + 4, top + 6, "2", "for schedule(static)");
	row("constructs", top + 7, top + 13, "2", "sections");
	row("constructs", top + 14, top + 15, "1", "single");
	row("constructs", top + 16, top + 18, "2", "for schedule(dynamic)");
	row("constructs", top + 20, top + 28, "1", "single");
	row("constructs", top + 22, top + 23, "1", "task");
	row("constructs", top + 25, top + 26, "1", "task");
}

static void __attribute__((noinline)) twins(int i)
{
	const int top = __LINE__;
	if (i & 1) {
		const int n = i;
#pragma omp parallel num_threads(2)
		burn(n);
	} else {
		const int n = 2 * i + 2;
#pragma omp parallel num_threads(2)
		burn(n);
	}
	if (i != 7)
		return;
	row("twins", top + 3, top + 4, "4", "parallel");
	row("twins", top + 7, top + 8, "4", "parallel");
}

enum { FILLED = __LINE__ + 4 };

static inline __attribute__((always_inline)) void filled(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
	for (int i = 0; i < 4; i++)
		burn(ms);
}

/* The call that begins region and loop may have the line of the counting around it. */
static void __attribute__((noinline)) refills(int times)
{
	for (int i = 0; i < times; i++)
		filled();
	row("filled", FILLED, FILLED + 2, "4", "for schedule(dynamic)");
}

/* It leaves by a tail call. */
static void __attribute__((noinline)) league(void)
{
#ifndef __clang__
#pragma omp teams num_teams(1) thread_limit(2)
	burn(ms);
#endif
}

int main(int argc, char **argv)
{
	ms = argc > 1 ? atoi(argv[1]) : 20;
	constructs();
	/* The compiler may make one call of both. */
	for (int i = 0; i < 8; i++)
		twins(i);
	refills(2);
	league();
#ifndef __clang__
	row("league", __LINE__ - 15, __LINE__ - 14, "-", "teams");
#endif
	return 0;
}
