/* SPDX-License-Identifier: BSD-3-Clause
 * grids.c - two grids allocated by two functions, and a third through a wrapper by
 * calloc(3), are touched page by page by all threads of a region; says how many
 * pages of each were not there before.
 *
 * grids [fork]: in a child, which first touches what its parent allocated.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

#ifdef OWN_ALLOCATOR
#include "allocator.c"
#endif

enum { PAGE = 4096, COARSE_PAGES = 300, FINE_PAGES = 600, FIELD_PAGES = 450, TIMES = 2 };

KEEP char *make_coarse(void)
{
	char *grid = malloc((size_t)COARSE_PAGES * PAGE);

	return grid;
}

KEEP char *make_fine(void)
{
	void *grid = NULL;

	return posix_memalign(&grid, 64, (size_t)FINE_PAGES * PAGE) == 0 ? grid : NULL;
}

KEEP void *allocate(size_t n, size_t size)
{
	void *p = calloc(n, size);

	return p;
}

KEEP char *make_field(void)
{
	char *field = allocate(FIELD_PAGES, PAGE);

	return field;
}

/* Pages of it that the program has not got yet. */
static int missing(const char *block, int pages)
{
	const char *begin = (const char *)((unsigned long)block & ~(PAGE - 1UL));
	unsigned char is[FINE_PAGES + 1];
	int n = 0;

	if (mincore((void *)begin, (size_t)pages * PAGE, is) != 0)
		exit(1);
	for (int i = 0; i < pages; i++)
		n += (is[i] & 1) == 0;
	return n;
}

KEEP int touch(char *block, int pages)
{
	int n = missing(block, pages);

#pragma omp parallel for schedule(static)
	for (int i = 0; i < pages; i++)
		block[(size_t)i * PAGE] = 1;
	return n;
}

/* 0 in the child; in the parent the child's end. */
static int forked(void)
{
	char *block = make_coarse();
	int status = 0;
	pid_t child = fork();

	if (child != 0)
		return waitpid(child, &status, 0) == child && status == 0 ? 1 : -1;
	touch(block, COARSE_PAGES);
	free(block);
	return 0;
}

int main(int argc, char **argv)
{
	int coarse = 0, fine = 0, field = 0;

	(void)argv;

	/* A huge page would be touched once. */
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
		return 1;
	/* So that blocks given back are not there any more. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	int end = argc > 1 ? forked() : 0;
	if (end != 0)
		return end < 0;
	for (int time = 0; time < TIMES; time++) {
		char *blocks[] = { make_coarse(), make_fine(), make_field() };

		coarse += touch(blocks[0], COARSE_PAGES);
		fine += touch(blocks[1], FINE_PAGES);
		field += touch(blocks[2], FIELD_PAGES);
		for (int i = 0; i < 3; i++)
			free(blocks[i]);
	}
	printf("make_coarse %d\nmake_fine %d\nallocate %d\n", coarse, fine, field);
	return 0;
}
