/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks.c - loops whose chunks are known: of 4 iterations and one of 2, of a thread's half, and in
 * both cases one iteration that takes long; of a single iteration; and of 2, by turns. Prints how
 * long, in ns.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { ENTRIES = 5, ITERATIONS = 26, LONG = 25 };

static uint64_t longest;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) void iteration(int i)
{
	const uint64_t begin = now();

	while (now() - begin < (i == LONG ? 5000000 : 10000))
		continue;
	if (i == LONG && now() - begin > longest)
		longest = now() - begin;
}

static __attribute__((noinline)) void dynamic(void)
{
#pragma omp for schedule(dynamic, 4)
	for (int i = 0; i < ITERATIONS; i++)
		iteration(i);
}

static __attribute__((noinline)) void halves(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < ITERATIONS; i++)
		iteration(i);
}

static __attribute__((noinline)) void single(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < 1; i++)
		iteration(i);
}

static __attribute__((noinline)) void turns(void)
{
#pragma omp for schedule(static, 2)
	for (int i = 0; i < ITERATIONS; i++)
		iteration(i == LONG ? 0 : i);
}

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int n = 0; n < ENTRIES; n++) {
		dynamic();
		halves();
		single();
		turns();
	}
	printf("%llu\n", (unsigned long long)longest);
	return 0;
}
