/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks - measures a pair of malloc(3) and free(3) in nanoseconds, called 24 frames deep,
 * for blocks of the given size.  Blocks are not touched and not returned to the kernel.
 *
 * blocks BYTES [ROUNDS]
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "least.h"

static size_t bytes;

static __attribute__((noinline)) void pairs(int n, int depth)
{
	if (depth > 0) {
		pairs(n, depth - 1);
	} else {
		while (n-- > 0) {
			void *p = malloc(bytes);

			__asm__ volatile("" : "+r"(p));
			free(p);
		}
	}
	__asm__ volatile("" ::: "memory");
}

static void deep(int n)
{
	pairs(n, 20);
}

int main(int argc, char **argv)
{
	bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	/* Initializes OpenMP, which profiled programs use. */
#pragma omp parallel num_threads(2)
	__asm__ volatile("");
	deep(100);
	printf("%.1f\n", least_ns(argc > 2 ? atoi(argv[2]) : 2000, 100, deep));
	return 0;
}
