/* SPDX-License-Identifier: BSD-3-Clause
 * remedies - programs with one loss each, as is and mended as the profiler's finding says.
 *
 * remedies KIND [mended] [SCALE] prints, in milliseconds, its elapsed time, and the sums over
 * the threads of the time and of the CPU time of its work, which is the same in both forms. Two
 * threads, so that it can be measured on two CPUs.
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
 *   chunks     an ordered loop in two large chunks; mended: schedule(static, 1)
 *   doacross   each cell of a row waits for the row before; mended: blocks of cells do
 *   creators   each thread creates all tasks; mended: single
 *   taskloops  each thread enters the taskloop; mended: single
 *   atomic     many atomic updates of a type that needs a lock; mended: none
 *   sections   two sections, of one and three units; mended: four of one
 *   varying    now one thread has the long iterations, now another; mended: schedule(dynamic)
 *   last       the last iteration of schedule(dynamic) is the longest; mended: the first is
 *   turns      now one thread of a region has more work, now another; mended: without the barriers
 *   few        three tasks of one unit; mended: thirty of a tenth
 *   team       a region of one thread; mended: of two
 *   blocked    sleeps in each iteration; mended: does not
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

/* What the work of a thread took, by the clocks; least: the least of the pieces that are too
   short to time them all. */
struct told {
	int64_t ns, cpu_ns, least;
	unsigned turn;
	char pad[32];
};

enum { OFTEN = 2000, EVERY = 16, MANY = 20, TOLD = 256 };

static struct told told[TOLD];

static struct told *my_told(void)
{
	return &told[omp_get_thread_num() % TOLD];
}

/* The least that reading the clock takes. */
static int64_t clock_cost = INT64_MAX;

static void measure_clock(void)
{
	for (int i = 0; i < 100; i++) {
		const int64_t begin = clock_ns(CLOCK_MONOTONIC);
		const int64_t took = clock_ns(CLOCK_MONOTONIC) - begin;

		clock_cost = took < clock_cost ? took : clock_cost;
	}
}

/* One of EVERY pieces stands for all. One that was interrupted stands for itself only. */
static unsigned long seldom(long n)
{
	struct told *t = my_told();
	int64_t begin, took;
	unsigned long x;

	if (t->turn++ % EVERY)
		return piece(n);
	begin = clock_ns(CLOCK_MONOTONIC);
	x = piece(n);
	took = clock_ns(CLOCK_MONOTONIC) - begin - clock_cost;
	if (!t->least || took < t->least)
		t->least = took;
	t->ns += took > MANY * t->least ? took + (EVERY - 1) * t->least : EVERY * took;
	t->cpu_ns = t->ns;
	return x;
}

KEEP unsigned long timed(long n)
{
	struct told *t = my_told();
	int64_t begin, cpu;
	unsigned long x;

	if (n < OFTEN)
		return seldom(n);
	begin = clock_ns(CLOCK_MONOTONIC);
	cpu = own_ns();
	x = piece(n);
	t->cpu_ns += own_ns() - cpu;
	t->ns += clock_ns(CLOCK_MONOTONIC) - begin;
	return x;
}

KEEP unsigned long work(long n)
{
	const unsigned long x = timed(n);

	keep(x);
	return x;
}

static long times(long n)
{
	return (long)((double)n * scale);
}

enum { LONG = 1000000, SHORT = 300, TINY = 100 };

KEEP void static_loop(void)
{
	const int n = 64;
	int i;

	if (mended) {
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
		for (i = 0; i < n; i++)
			work(LONG / 32 * i);
	} else {
#pragma omp parallel for schedule(static) num_threads(THREADS)
		for (i = 0; i < n; i++)
			work(LONG / 32 * i);
	}
}

KEEP void late_thread(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		work(20 * LONG);
		if (mended)
			work(5 * LONG);
		else if (omp_get_thread_num() == 1)
			work(10 * LONG);
	}
}

KEEP void critical_sum(void)
{
	unsigned long sum = 0;
	int i;

	if (mended) {
#pragma omp parallel for reduction(+ : sum) num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			work(LONG / 200);
			sum += timed(LONG / 25);
		}
	} else {
#pragma omp parallel for num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			work(LONG / 200);
#pragma omp critical(sums)
			sum += timed(LONG / 25);
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
			work(LONG / 200);
			sum += timed(LONG / 25);
		}
	} else {
#pragma omp parallel for num_threads(THREADS)
		for (i = 0; i < 800; i++) {
			work(LONG / 200);
			omp_set_lock(&lock);
			sum += timed(LONG / 25);
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
			work(SHORT);
	}
}

KEEP void short_regions(void)
{
	const int n = 40000;

	if (mended) {
#pragma omp parallel num_threads(THREADS)
		for (int i = 0; i < n; i++)
			work(SHORT * 4);
	} else {
		for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(THREADS)
			work(SHORT * 4);
		}
	}
}

KEEP void serial_part(void)
{
	int i;

	if (!mended)
		work(LONG * 20);
#pragma omp parallel for num_threads(THREADS)
	for (i = 0; i < (mended ? 60 : 40); i++)
		work(LONG);
}

/* 0, which compilers do not know. */
static volatile unsigned long none;

/* Each piece waits for the one before and for its iteration. Processors would begin others in the
   shadow of the atomic instruction by which threads get iterations, and who samples finds them
   there. */
KEEP void dispatch(void)
{
	const int n = 1500000;
	const unsigned long zero = none;
	unsigned long x = 0;
	int i;

	if (mended) {
#pragma omp parallel for schedule(dynamic, 1000) num_threads(THREADS) firstprivate(x)
		for (i = 0; i < n; i++)
			x = work(TINY + (long)((x ^ (unsigned long)i) & zero));
	} else {
#pragma omp parallel for schedule(dynamic) num_threads(THREADS) firstprivate(x)
		for (i = 0; i < n; i++)
			x = work(TINY + (long)((x ^ (unsigned long)i) & zero));
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
				work(LONG);
		} else {
#pragma omp single
			for (i = 0; i < 20; i++)
				work(LONG);
		}
		work(LONG * 20);
	}
}

KEEP void ordered_loop(void)
{
	int i;

#pragma omp parallel for ordered schedule(static, 1) num_threads(THREADS)
	for (i = 0; i < 200; i++) {
		work(mended ? LONG / 5 : LONG / 20);
#pragma omp ordered
		work(mended ? LONG / 20 : LONG / 5);
	}
}

KEEP void ordered_chunks(void)
{
	int i;

	if (mended) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(THREADS)
		for (i = 0; i < 200; i++) {
			work(LONG / 5);
#pragma omp ordered
			work(LONG / 20);
		}
		return;
	}
#pragma omp parallel for ordered schedule(static) num_threads(THREADS)
	for (i = 0; i < 200; i++) {
		work(LONG / 5);
#pragma omp ordered
		work(LONG / 20);
	}
}

KEEP void doacross(void)
{
	enum { ROWS = 40, CELLS = 100000 };
	const int cells = mended ? CELLS / 20 : 1;
	int i, j;

#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(THREADS) private(j)
	for (i = 0; i < ROWS; i++) {
		for (j = 0; j < CELLS / cells; j++) {
#pragma omp ordered depend(sink : i - 1, j)
			keep(piece(cells * (LONG / CELLS)));
#pragma omp ordered depend(source)
		}
	}
}

/* In a function without other constructs: those would be of the one that creates the tasks, too. */
KEEP void all_create(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 200; i++) {
#pragma omp task
		keep(piece(LONG / 20));
	}
}

KEEP void one_creates(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int i = 0; i < 200; i++) {
#pragma omp task
		keep(piece(LONG / 20));
	}
}

KEEP void creators(void)
{
	if (mended)
		one_creates();
	else
		all_create();
}

KEEP void all_enter(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp taskloop grainsize(10)
	for (int i = 0; i < 200; i++)
		keep(piece(LONG / 20));
}

KEEP void one_enters(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskloop grainsize(10)
	for (int i = 0; i < 200; i++)
		keep(piece(LONG / 20));
}

KEEP void taskloops(void)
{
	if (mended)
		one_enters();
	else
		all_enter();
}

KEEP void barriers(void)
{
	static const int n = 200;

#pragma omp parallel
	{
		const int threads = omp_get_num_threads();

		for (int i = 0; i < n; i++) {
			work(LONG / 2 / threads);
#pragma omp barrier
		}
	}
}

#ifndef __clang__ /* whose atomic updates of such types are libatomic's */
KEEP void atomic_sum(void)
{
	long double sum = 0;
	int i;

#pragma omp parallel for num_threads(THREADS)
	for (i = 0; i < 800; i++) {
		work(LONG / 100);
		if (mended)
			continue;
		for (int k = 0; k < 2000; k++)
#pragma omp atomic
			sum += k;
	}
	keep((unsigned long)sum);
}
#endif

KEEP void uneven_sections(void)
{
	const long unit = 10 * LONG;

	/* Which thread takes which section is chance: the length is the thread's. */
	if (mended) {
#pragma omp parallel sections num_threads(THREADS)
		{
#pragma omp section
			work(unit);
#pragma omp section
			work(unit);
#pragma omp section
			work(unit);
#pragma omp section
			work(unit);
		}
	} else {
#pragma omp parallel sections num_threads(THREADS)
		{
#pragma omp section
			work(omp_get_thread_num() ? 3 * unit : unit);
#pragma omp section
			work(omp_get_thread_num() ? 3 * unit : unit);
		}
	}
}

/* In each round the other thread has the long half. */
KEEP void varying(void)
{
	for (int round = 0; round < 20; round++) {
		int i;

		if (mended) {
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
			for (i = 0; i < 8; i++)
				work(i / 4 == round % 2 ? LONG / 2 : LONG / 8);
		} else {
#pragma omp parallel for schedule(static) num_threads(THREADS)
			for (i = 0; i < 8; i++)
				work(i / 4 == round % 2 ? LONG / 2 : LONG / 8);
		}
	}
}

/* Once, so that one thread is late. */
KEEP void long_iteration(void)
{
	static const int n = 33;
	static int ran;
	int i;

	if (ran++)
		return;
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
	for (i = 0; i < n; i++)
		work(i == (mended ? 0 : n - 1) ? 160 * LONG : 5 * LONG);
}

static long in_turn(int round)
{
	return omp_get_thread_num() == round % 2 ? LONG * 3 / 2 : LONG / 2;
}

KEEP void turns(void)
{
	const int n = 20;

	if (mended) {
#pragma omp parallel num_threads(THREADS)
		for (int round = 0; round < n; round++)
			work(in_turn(round));
	} else {
		for (int round = 0; round < n; round++) {
#pragma omp parallel num_threads(THREADS)
			work(in_turn(round));
		}
	}
}

KEEP void few_tasks(void)
{
	const int n = mended ? 30 : 3;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		work(30 * LONG / n);
	}
}

KEEP void small_team(void)
{
	int i;

#pragma omp parallel for num_threads(THREADS)
	for (i = 0; i < 20; i++)
		work(LONG);
#pragma omp parallel for num_threads(mended ? THREADS : 1)
	for (i = 0; i < 20; i++)
		work(LONG);
}

KEEP void blocked(void)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	int i;

#pragma omp parallel for num_threads(THREADS)
	for (i = 0; i < 40; i++) {
		work(LONG);
		if (!mended)
			nanosleep(&nap, NULL);
	}
}

KEEP void even(void)
{
#pragma omp parallel num_threads(THREADS)
	work(LONG * 40);
}

/* clang-format off */
static const struct kind {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "static", static_loop },
	{ "late", late_thread },
	{ "critical", critical_sum },
	{ "lock", lock_sum },
#ifndef __clang__
	{ "atomic", atomic_sum },
#endif
	{ "sections", uneven_sections },
	{ "varying", varying },
	{ "last", long_iteration },
	{ "turns", turns },
	{ "tasks", tasks },
	{ "few", few_tasks },
	{ "short", short_regions },
	{ "serial", serial_part },
	{ "team", small_team },
	{ "dispatch", dispatch },
	{ "single", single_part },
	{ "ordered", ordered_loop },
	{ "chunks", ordered_chunks },
	{ "doacross", doacross },
	{ "creators", creators },
	{ "taskloops", taskloops },
	{ "blocked", blocked },
	{ "barriers", barriers },
	{ "even", even },
};
/* clang-format on */

int main(int argc, char **argv)
{
	const struct kind *kind = NULL;
	const int64_t begin = clock_ns(CLOCK_MONOTONIC);
	int64_t ns = 0, cpu_ns = 0;
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
	measure_clock();
	for (i = 0; i < times(5); i++)
		kind->run();
	for (i = 0; i < TOLD; i++) {
		ns += told[i].ns;
		cpu_ns += told[i].cpu_ns;
	}
	printf("%.3f %.3f %.3f\n", (double)(clock_ns(CLOCK_MONOTONIC) - begin) / 1e6,
	       (double)ns / 1e6, (double)cpu_ns / 1e6);
	return 0;
}
