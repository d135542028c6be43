/* SPDX-License-Identifier: BSD-3-Clause
 * pmu_sides - a function that computes and one that keeps the kernel busy.
 *
 * pmu_sides [MILLIONS] runs about so many million instructions (30) in each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "instructions.h"
#include "work.h"

enum { PAGES = 64, PAGE = 4096 };

KEEP void compute(uint64_t n)
{
	run_instructions(n);
	STAY();
}

/* The kernel hands out and takes back pages: some 100,000 instructions a round. */
KEEP int ask_kernel(uint64_t rounds)
{
	int failed = 0;

	for (uint64_t i = 0; i < rounds; i++) {
		char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		failed += p == MAP_FAILED || munmap(p, PAGES * PAGE);
	}
	STAY();
	return failed;
}

int main(int argc, char **argv)
{
	uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 30;

	compute(millions * 1000000);
	if (ask_kernel(millions * 10))
		return 1;
	puts("done");
	return 0;
}
