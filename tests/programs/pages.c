/* SPDX-License-Identifier: BSD-3-Clause
 * pages - one function walks memory a page at a time and misses the TLB at each; the
 * others work without.
 *
 * pages [ROUNDS]: each thread reads a byte of each of its pages so often (10), in
 * walk_pages(); fills a few pages in stay_put(), and computes in compute().  Prints
 * how many pages were walked to.
 *
 * An emulated TLB may grow until it holds them all, so that it is made empty before
 * each round: by new permissions for more pages than are worth flushing one by one.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "work.h"

enum { PAGE = 4096, PAGES = 8192, FEW = 4 };

KEEP long walk_pages(char *memory, int rounds)
{
	const volatile unsigned char *p = (const unsigned char *)memory;
	long sum = 0;

	for (int r = 0; r < rounds; r++) {
		if (mprotect(memory, (size_t)PAGES * PAGE, r % 2 ? PROT_READ | PROT_WRITE
								 : PROT_READ) != 0)
			abort();
		for (size_t i = 0; i < PAGES; i++)
			sum += p[i * PAGE];
	}
	STAY();
	return sum;
}

KEEP void stay_put(volatile char *memory, int rounds)
{
	for (int r = 0; r < rounds * 20; r++)
		for (size_t i = 0; i < (size_t)FEW * PAGE; i += 16)
			memory[i]++;
	STAY();
}

KEEP uint64_t compute(int rounds)
{
	uint64_t x = 1;

	for (int i = 0; i < rounds * 100000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	STAY();
	return x;
}

KEEP void solve(int rounds)
{
#pragma omp parallel
	{
		char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		if (memory == MAP_FAILED)
			abort();
		stay_put(memory, rounds);
		/* One thread's new permissions are the other's empty TLB. */
#pragma omp barrier
		if (walk_pages(memory, rounds) < 0)
			abort();
#pragma omp barrier
		if (compute(rounds) == 0)
			abort();
		munmap(memory, (size_t)PAGES * PAGE);
	}
	STAY();
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 10;

	solve(rounds);
	printf("pages %d\n", rounds * PAGES * omp_get_max_threads());
	return 0;
}
