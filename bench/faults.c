/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults - as many page faults as asked for, each a sample for `perf record -e page-faults -c 1'.
 *
 * faults N
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 4096 };

int main(int argc, char **argv)
{
	long left = argc > 1 ? atol(argv[1]) : 0;
	char *at = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || madvise(at, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE) != 0) {
		perror("faults");
		return 1;
	}
	while (left > 0) {
		for (int i = 0; i < PAGES && left > 0; i++, left--)
			at[i * PAGE] = 1;
		madvise(at, (size_t)PAGES * PAGE, MADV_DONTNEED);
	}
	return 0;
}
