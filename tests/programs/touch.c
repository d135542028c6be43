/* SPDX-License-Identifier: BSD-3-Clause
 * touch.c - touches every page of a global array, of a block of mapped memory,
 * and of its threads' own stacks, each page once; says how many pages of each.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work.h"

enum { PAGE = 4096, TABLE_PAGES = 512, BLOCK_PAGES = 256, STACK_PAGES = 64 };

static char table[TABLE_PAGES * PAGE] __attribute__((aligned(PAGE)));

KEEP void touch(char *memory, int pages)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < pages; i++)
		memory[(size_t)i * PAGE] = 1;
}

KEEP int on_stack(void)
{
	volatile char frame[STACK_PAGES * PAGE];

	for (int i = STACK_PAGES; i-- > 0;)
		frame[(size_t)i * PAGE] = 1;
	return frame[0];
}

int main(void)
{
	char *block = mmap(NULL, (size_t)BLOCK_PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int n = 0;

	if (block == MAP_FAILED)
		return 1;
	/* A huge page would be touched once. */
	madvise(table, sizeof(table), MADV_NOHUGEPAGE);
	madvise(block, (size_t)BLOCK_PAGES * PAGE, MADV_NOHUGEPAGE);
	touch(table, TABLE_PAGES);
	touch(block, BLOCK_PAGES);
#pragma omp parallel num_threads(2) reduction(+ : n)
	n += on_stack();
	printf("table %d\nblock %d\nstack %d\n", TABLE_PAGES, BLOCK_PAGES, n * STACK_PAGES);
	return 0;
}
