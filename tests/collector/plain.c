/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain - a program that uses what libtestomp.so has, and prints the same with each runtime
 * that is right.
 */
#include <omp.h>
#include <stdio.h>

enum { TEAM = 4, N = 1000 };

static int kept;
#pragma omp threadprivate(kept)
static long sum;
static long double far;

static void add(long n)
{
#pragma omp atomic
	sum += n;
}

static void loops(void)
{
	int i;

#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
	for (i = 0; i < N; i++)
		sum += i;
#pragma omp for schedule(guided) nowait
	for (i = N; i > 0; i -= 3)
		add(i);
#pragma omp for schedule(runtime)
	for (i = 0; i < N; i++)
		add(i);
#pragma omp for schedule(static, 7)
	for (i = 0; i < N; i++)
		add(i);
}

/* Printed in order. */
static void ordered(void)
{
	int i;

#pragma omp for ordered schedule(static, 1)
	for (i = 0; i < 12; i++) {
#pragma omp ordered
		printf("%d ", i);
	}
#pragma omp for ordered schedule(dynamic, 2)
	for (i = 0; i < 12; i++) {
#pragma omp ordered
		printf("%d ", i);
	}
#pragma omp for ordered
	for (i = 13; i > 0; i -= 3) {
#pragma omp ordered
		printf("%d ", i);
	}
}

static void shares(void)
{
	int copied = 0;

#pragma omp sections
	{
#pragma omp section
		add(1);
#pragma omp section
		add(2);
#pragma omp section
		add(3);
	}
#pragma omp single copyprivate(copied)
	copied = 42;
	add(copied);
#pragma omp single
	printf("team of %d\n", omp_get_num_threads());
#pragma omp critical
	sum++;
#pragma omp critical(named)
	add(1);
#pragma omp atomic
	far += 1;
#pragma omp barrier
}

static void tasks(void)
{
	int i;

#pragma omp taskgroup
	for (i = 0; i < 10; i++) {
#pragma omp task firstprivate(i)
		add(i);
	}
#pragma omp taskwait
}

static void inner(void)
{
#pragma omp parallel num_threads(2)
	add(omp_get_ancestor_thread_num(1) * 10 + omp_get_thread_num() + omp_get_level());
}

int main(void)
{
	int i;

	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	for (i = 0; i < 3; i++) {
#pragma omp parallel num_threads(TEAM)
		{
			kept += omp_get_thread_num();
			loops();
			ordered();
			shares();
#pragma omp master
			tasks();
			inner();
		}
	}
#pragma omp parallel num_threads(TEAM)
	add(kept * (omp_get_thread_num() + 1));
#pragma omp parallel for num_threads(TEAM) schedule(dynamic)
	for (i = 0; i < N; i++)
		add(i);
#pragma omp parallel sections num_threads(TEAM)
	{
#pragma omp section
		add(5);
#pragma omp section
		add(6);
	}
	printf("%ld %Lg\n", sum, far);
	return 0;
}
