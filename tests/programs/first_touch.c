/* SPDX-License-Identifier: BSD-3-Clause
 * first_touch.c - four regions whose threads each touch a known number of new pages.
 *
 *	first_touch MORE
 *
 * Each is entered ROUNDS times, and each of its two threads touches PAGES pages for the first
 * time; in more_pages MORE percent more. As many page faults are taken in each run, whatever
 * else the machine does.
 */
#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 5, PAGES = 500, THREADS = 2 };

static long page;

/* A huge page would be one fault. */
static char *fresh(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

static void touch(char *all, long pages)
{
	char *own = all + omp_get_thread_num() * pages * page;

	for (long i = 0; i < pages; i++)
		((volatile char *)own)[i * page] = 1;
}

#define REGION(name)                                           \
	static void name(long pages)                           \
	{                                                      \
		const size_t bytes = (size_t)(THREADS * pages * page); \
		char *p = fresh(bytes);                        \
                                                               \
		_Pragma("omp parallel num_threads(THREADS)")   \
		touch(p, pages);                               \
		munmap(p, bytes);                              \
	}

REGION(before_it)
REGION(more_pages)
REGION(after_it)
REGION(last_of_all)

int main(int argc, char **argv)
{
	const long more = argc > 1 ? atol(argv[1]) : 0;

	page = sysconf(_SC_PAGESIZE);
	for (int i = 0; i < ROUNDS; i++) {
		before_it(PAGES);
		more_pages(PAGES + PAGES * more / 100);
		after_it(PAGES);
		last_of_all(PAGES);
	}
	return 0;
}
