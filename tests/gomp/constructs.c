/* SPDX-License-Identifier: BSD-3-Clause */
/* constructs.c - every work share, wait and lock that gcc calls libgomp for, once or more
   often. Prints sums. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define GCC_FROM(version) (__GNUC__ >= (version))

static omp_lock_t lock;
static omp_nest_lock_t nest;
static long chain[64];

static long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) if (n > 3)
	a = fib(n - 1);
#pragma omp task shared(b) final(n < 5)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static long loops(int n)
{
	long s = 0;
	int i;
	unsigned long long u;

#pragma omp for schedule(static)
	for (i = 0; i < n; i++)
		s += i;
#pragma omp for schedule(static, 3)
	for (i = 0; i < n; i++)
		s += i;
#pragma omp for schedule(dynamic, 3)
	for (i = 0; i < n; i++)
		s += i;
#if GCC_FROM(6)
#pragma omp for schedule(monotonic : dynamic)
#else
#pragma omp for schedule(dynamic)
#endif
	for (i = 0; i < n; i++)
		s += i;
#pragma omp for schedule(guided) nowait
	for (i = 0; i < n; i++)
		s += i;
#pragma omp for schedule(runtime)
	for (i = n; i > 0; i -= 2)
		s += i;
#pragma omp for schedule(dynamic)
	for (u = 0; u < (unsigned long long)n; u++)
		s += (long)u;
#pragma omp for schedule(guided)
	for (i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			s += j;
	return s;
}

static long ordered(void)
{
	long s = 0;
	int i, j;
	unsigned long long u;

#pragma omp for ordered
	for (i = 0; i < 20; i++) {
#pragma omp ordered
		s += i;
	}
#pragma omp for ordered schedule(dynamic)
	for (i = 0; i < 20; i++) {
#pragma omp ordered
		s += i;
	}
#pragma omp for ordered schedule(guided)
	for (u = 0; u < 20; u++) {
#pragma omp ordered
		s += (long)u;
	}
#if GCC_FROM(6)
#pragma omp for ordered(1)
	for (i = 1; i < 64; i++) {
#pragma omp ordered depend(sink : i - 1)
		chain[i] = chain[i - 1] + i;
#pragma omp ordered depend(source)
	}
#pragma omp for ordered(2) schedule(dynamic)
	for (i = 1; i < 10; i++)
		for (j = 1; j < 10; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			s += j;
#pragma omp ordered depend(source)
		}
#endif
	return s;
}

static long others(void)
{
	long s = 0;
	int c = 0;

#pragma omp sections
	{
#pragma omp section
		s += 1;
#pragma omp section
		s += 2;
	}
#pragma omp single
	s += fib(12);
#pragma omp single copyprivate(c)
	c = 7;
	s += c == 7;
#pragma omp critical
	s++;
#pragma omp critical(named)
	s++;
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
#pragma omp barrier
#pragma omp master
	s++;
	return s;
}

static long combined(int n)
{
	long s = 0;
	long double wide = 0;
	int i;

#pragma omp parallel for schedule(dynamic, 5) reduction(+ : s)
	for (i = 0; i < 100; i++)
		s += i;
#pragma omp parallel for schedule(guided) reduction(+ : s)
	for (i = 0; i < n; i++)
		s += i;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
	for (i = 0; i < 100; i++)
		s += i;
#pragma omp parallel sections reduction(+ : s)
	{
#pragma omp section
		s++;
#pragma omp section
		s += 2;
	}
#pragma omp parallel num_threads(2) reduction(+ : s)
#pragma omp parallel num_threads(2) reduction(+ : s)
	s += omp_get_level();
#if GCC_FROM(9)
#pragma omp parallel reduction(task, + : s)
#pragma omp single
	for (i = 0; i < 10; i++)
#pragma omp task in_reduction(+ : s)
		s += i;
#pragma omp parallel
#pragma omp for reduction(task, + : s)
	for (i = 0; i < 10; i++)
#pragma omp task in_reduction(+ : s)
		s += i;
#endif
#pragma omp parallel
	{
#pragma omp atomic
		wide += 1.5L; /* too wide for an instruction */
	}
#pragma omp parallel if (n < 0)
	s += omp_get_num_threads();
	return s + (wide > 0);
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 100;
	long s = 0, all;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel reduction(+ : s)
	s += loops(n) + ordered();
	printf("%ld %ld\n", s, chain[63]);
	s = 0;
#pragma omp parallel reduction(+ : s)
	s += others();
	all = combined(n);
	printf("%d %ld\n", s > 144, all);
	return 0;
}
