/* SPDX-License-Identifier: BSD-3-Clause
 * churn.c - threads allocate blocks by three functions, touch each by that one's
 * own, and give them to one another to be freed, as fast as they can for so many
 * seconds; a handler of the program's allocates too.  Says how many blocks each
 * function made.
 */
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "work.h"

enum { PAGE = 4096, PLACES = 64, KINDS = 3, THREADS = 4 };

static _Atomic(void *) place[PLACES];
static _Atomic unsigned long made[KINDS], caught;

KEEP char *make_plain(size_t bytes)
{
	char *block = malloc(bytes);

	return block;
}

KEEP char *make_clear(size_t bytes)
{
	char *block = calloc(1, bytes);

	return block;
}

KEEP char *make_grown(size_t bytes)
{
	char *block = realloc(NULL, bytes / 2);
	char *grown = realloc(block, bytes);

	return grown;
}

KEEP void touch_plain(volatile char *block, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		block[i] = 1;
}

KEEP void touch_clear(volatile char *block, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		block[i] = 2;
}

KEEP void touch_grown(volatile char *block, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		block[i] = 3;
}

static char *(*const make[KINDS])(size_t) = { make_plain, make_clear, make_grown };
static void (*const touch[KINDS])(volatile char *, size_t) = {
	touch_plain, touch_clear, touch_grown,
};

/* What no handler should do, and some do: in code that does not allocate itself. */
static volatile sig_atomic_t may_allocate;

static void handler(int signo)
{
	(void)signo;
	if (!may_allocate)
		return;
	free(malloc(9000));
	caught++;
}

static void churn(unsigned seed, double seconds)
{
	const double end = omp_get_wtime() + seconds;

	while (omp_get_wtime() < end) {
		const unsigned kind = seed >> 16 & 0xff;
		const size_t bytes = PAGE + (seed >> 10 & 0xffff) * 16;
		char *block = make[kind % KINDS](bytes);

		seed = seed * 1664525 + 1013904223;
		if (block == NULL)
			exit(1);
		made[kind % KINDS]++;
		touch[kind % KINDS](block, bytes);
		free(atomic_exchange(&place[seed >> 8 & (PLACES - 1)], (void *)block));
	}
}

static void *thread(void *seconds)
{
	churn(77, *(double *)seconds);
	return NULL;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.3;
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t other;

	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
		return 1;
	/* Some come by mmap(2), others lie close together, and all is given back soon. */
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 64 << 10);
	if (pthread_create(&other, NULL, thread, &seconds) != 0)
		return 1;
#pragma omp parallel num_threads(THREADS)
	churn((unsigned)omp_get_thread_num() * 7919, seconds);
	pthread_join(other, NULL);
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	may_allocate = 1;
	for (double end = omp_get_wtime() + 0.1; omp_get_wtime() < end;)
		;
	may_allocate = 0;
	printf("make_plain %d\nmake_clear %d\nmake_grown %d\n", made[0] > 0, made[1] > 0,
	       made[2] > 0);
	fprintf(stderr, "%lu %lu %lu, %lu in a handler\n", made[0], made[1], made[2], caught);
	return 0;
}
