/*
 * remedies - programs with one loss each, as is and mended as the profiler's finding says.
 *
 * remedies KIND [mended] [SCALE] prints its elapsed time in milliseconds, of the same work in
 * both forms. Two threads, so that it can be measured on two CPUs.
 *
 *   static     a loop whose iterations get longer, schedule(static); mended: schedule(dynamic)
 *   late       one thread has half of the work more to do; mended: both do a half of it
 *   critical   each iteration adds to a sum in a critical region; mended: reduction
 *   lock       the same with a lock
 *   tasks      a task for each short piece of work; mended: a task for a thousand pieces
 *   short      a region for each short loop; mended: one region for them all
 *   serial     a part of the work is outside of the region; mended: it is inside
 *   dispatch   schedule(dynamic) with short iterations; mended: with chunks
 *   single     a single region has a part of the work; mended: a loop has it
 *   ordered    the longer part of each iteration is in its ordered region; mended: the shorter
 *   barriers   threads meet often, all of OMP_NUM_THREADS; mended by fewer threads
 *   even       nothing is lost in it
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { THREADS = 2 };

static double scale = 1;
static int mended;
static volatile unsigned long results[64];

/* The same work for the same n, at any time: dependent multiplications. */
KEEP unsigned long piece(long n)
{
	unsigned long x = (unsigned long)n | 1;

	while (n-- > 0) {
		x = x * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

KEEP void keep(unsigned long x)
{
	results[omp_get_thread_num() * 16 % 64] += x;
}

static long times(long n)
{
	return (long)((double)n * scale);
}

enum { LONG = 1000000, SHORT = 300, TINY = 30 };

KEEP void static_loop(void)
{
	const int n = 64;
	int i;

	if (mended) {
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
		for (i = 0; i < n; i++)
			keep(piece(LONG / 32 * i));
	} else {
#pragma omp parallel for schedule(static) num_threads(THREADS)
		for (i = 0; i < n; i++)
			keep(piece(LONG / 32 * i));
	}
}

KEEP void late_thread(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		keep(piece(20 * LONG));
		if (mended)
			keep(piece(5 * LONG));
		else if (omp_get_thread_num() == 1)
			keep(piece(10 * LONG));
	}
}

KEEP void critical_sum(void)
{
	unsigned long sum = 0;
	int i;

	if (mended) {
#pragma omp parallel for reduction(+ : sum) num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			keep(piece(LONG / 200));
			sum += piece(LONG / 25);
		}
	} else {
#pragma omp parallel for num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			keep(piece(LONG / 200));
#pragma omp critical(sums)
			sum += piece(LONG / 25);
		}
	}
	keep(sum);
}

KEEP void lock_sum(void)
{
	static omp_lock_t lock;
	unsigned long sum = 0;
	int i;

	omp_init_lock(&lock);
	if (mended) {
#pragma omp parallel for reduction(+ : sum) num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			keep(piece(LONG / 200));
			sum += piece(LONG / 25);
		}
	} else {
#pragma omp parallel for num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			keep(piece(LONG / 200));
			omp_set_lock(&lock);
			sum += piece(LONG / 25);
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	keep(sum);
}

KEEP void tasks(void)
{
	const int n = 120000, chunk = mended ? 1000 : 1;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int i = 0; i < n; i += chunk) {
#pragma omp task firstprivate(i)
		for (int j = i; j < i + chunk; j++)
			keep(piece(SHORT));
	}
}

KEEP void short_regions(void)
{
	const int n = 40000;

	if (mended) {
#pragma omp parallel num_threads(THREADS)
		for (int i = 0; i < n; i++)
			keep(piece(SHORT * 4));
	} else {
		for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(THREADS)
			keep(piece(SHORT * 4));
		}
	}
}

KEEP void serial_part(void)
{
	int i;

	if (!mended)
		keep(piece(LONG * 20));
#pragma omp parallel for num_threads(THREADS)
	for (i = 0; i < (mended ? 60 : 40); i++)
		keep(piece(LONG));
}

KEEP void dispatch(void)
{
	const int n = 4000000;
	int i;

	if (mended) {
#pragma omp parallel for schedule(dynamic, 1000) num_threads(THREADS)
		for (i = 0; i < n; i++)
			keep(piece(TINY));
	} else {
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
		for (i = 0; i < n; i++)
			keep(piece(TINY));
	}
}

KEEP void single_part(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		int i;

		if (mended) {
#pragma omp for
			for (i = 0; i < 20; i++)
				keep(piece(LONG));
		} else {
#pragma omp single
			for (i = 0; i < 20; i++)
				keep(piece(LONG));
		}
		keep(piece(LONG * 20));
	}
}

KEEP void ordered_loop(void)
{
	int i;

#pragma omp parallel for ordered schedule(static, 1) num_threads(THREADS)
	for (i = 0; i < 200; i++) {
		keep(piece(mended ? LONG / 5 : LONG / 20));
#pragma omp ordered
		keep(piece(mended ? LONG / 20 : LONG / 5));
	}
}

KEEP void barriers(void)
{
	static const int n = 200;

#pragma omp parallel
	{
		const int threads = omp_get_num_threads();

		for (int i = 0; i < n; i++) {
			keep(piece(LONG / 2 / threads));
#pragma omp barrier
		}
	}
}

KEEP void even(void)
{
#pragma omp parallel num_threads(THREADS)
	keep(piece(LONG * 40));
}

static const struct kind {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "static", static_loop },   { "late", late_thread },  { "critical", critical_sum },
	{ "lock", lock_sum },	     { "tasks", tasks },       { "short", short_regions },
	{ "serial", serial_part },   { "dispatch", dispatch }, { "single", single_part },
	{ "ordered", ordered_loop }, { "barriers", barriers }, { "even", even },
};

int main(int argc, char **argv)
{
	const struct kind *kind = NULL;
	int64_t begin = clock_ns(CLOCK_MONOTONIC);
	long i;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds) && argc > 1; k++)
		if (!strcmp(argv[1], kinds[k].name))
			kind = &kinds[k];
	if (!kind)
		return fprintf(stderr, "remedies: no such kind\n"), 2;
	mended = argc > 2 && !strcmp(argv[2], "mended");
	if (argc > 3)
		scale = atof(argv[3]);
	omp_set_dynamic(0);
	for (i = 0; i < times(5); i++)
		kind->run();
	printf("%.3f\n", (double)(clock_ns(CLOCK_MONOTONIC) - begin) / 1e6);
	return 0;
}
