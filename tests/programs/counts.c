/* SPDX-License-Identifier: BSD-3-Clause
 * counts - page faults of known number in known places.
 *
 * counts [HOW]: main touches 500 fresh pages; a region's threads 1000 each and as many
 * times their number more; tasks of a second region 200 each, ten of them; a thread that OpenMP
 * does not know 300.  Each touch is a page fault.  Then, for HOW:
 *   fork	a child touches 700 pages, and the parent waits for it
 *   short	so many regions of some microseconds touch a page each
 *   forever	says `ready' and goes on with the first region
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

enum { PAGE = 4096, SHORT = 20000 };

KEEP void touch(size_t pages)
{
	char *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		_exit(3);
	madvise(p, pages * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)p)[i * PAGE] = 1;
	munmap(p, pages * PAGE);
}

KEEP void team(void)
{
#pragma omp parallel
	{
		touch(1000 * (1 + (size_t)omp_get_thread_num()));
		crunch_for(3000000);
#pragma omp barrier
		crunch_for(1000000);
	}
	STAY();
}

KEEP void tasks(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task
	{
		touch(200);
		crunch_for(1000000);
	}
	STAY();
}

static void *stranger(void *arg)
{
	touch(300);
	return arg;
}

static void short_regions(void)
{
	static char pages[SHORT][PAGE] __attribute__((aligned(PAGE)));

	madvise(pages, sizeof(pages), MADV_NOHUGEPAGE);
	for (int i = 0; i < SHORT; i++) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 0)
			((volatile char *)pages[i])[0] = 1;
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;
	pid_t child;

	touch(500);
	crunch_for(2000000);
	team();
	crunch_for(2000000);
	tasks();
	pthread_create(&thread, NULL, stranger, NULL);
	pthread_join(thread, NULL);
	if (!strcmp(how, "fork")) {
		child = fork();
		if (!child) {
			touch(700);
			crunch_for(10000000);
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
	if (!strcmp(how, "short"))
		short_regions();
	puts("ready");
	fflush(stdout);
	while (!strcmp(how, "forever"))
		team();
	return 0;
}
