/* SPDX-License-Identifier: BSD-3-Clause
 * dlstorm - one thread loads and unloads a library all the time, one maps code that it makes,
 * as may be where the library was; others allocate all the time, in POSIX threads and in regions.
 *
 * dlstorm PLUGIN [SECONDS] says how often, and "sum ok" when every call gave
 * what it should.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "work.h"

static const char *plugin;
static int stop;
static long loads, allocations;
static int wrong;

static int running(void)
{
	return !__atomic_load_n(&stop, __ATOMIC_RELAXED);
}

KEEP void *storm(void *arg)
{
	int (*work)(int);
	void *h;

	while (running()) {
		h = dlopen(plugin, RTLD_NOW);
		if (!h) {
			wrong = 1;
			return arg;
		}
		*(void **)&work = dlsym(h, "plugin_work");
		if (!work || work(12) != 144)
			wrong = 1;
		dlclose(h);
		__atomic_add_fetch(&loads, 1, __ATOMIC_RELAXED);
	}
	return arg;
}

static int by_size(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(int));
}

KEEP void churn(unsigned seed)
{
	enum { BLOCKS = 200 };
	char *block[BLOCKS];
	int i;

	for (i = 0; i < BLOCKS; i++) {
		size_t bytes = 16 + rand_r(&seed) % 4000;

		block[i] = malloc(bytes);
		if (!block[i])
			abort();
		memset(block[i], i, bytes);
	}
	qsort(block[0], 4, sizeof(int), by_size);
	for (i = 0; i < BLOCKS; i++)
		free(block[i]);
	__atomic_add_fetch(&allocations, BLOCKS, __ATOMIC_RELAXED);
}

KEEP void *churner(void *arg)
{
	while (running())
		churn(7);
	return arg;
}

#ifdef __x86_64__
/* 1: sub $1,%rdi; jne 1b; ret */
static const unsigned char loop[] = { 0x48, 0x83, 0xef, 1, 0x75, 0xfa, 0xc3 };
#endif

KEEP void *mapper(void *arg)
{
#ifdef __x86_64__
	while (running()) {
		void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (code == MAP_FAILED)
			break;
		memcpy(code, loop, sizeof(loop));
		((void (*)(long))code)(20000);
		munmap(code, 4096);
	}
#endif
	return arg;
}

int main(int argc, char **argv)
{
	int64_t until;
	pthread_t s, c, m;

	if (argc < 2) {
		fprintf(stderr, "usage: dlstorm PLUGIN [SECONDS]\n");
		return 2;
	}
	plugin = argv[1];
	until = clock_ns(CLOCK_MONOTONIC) + (int64_t)(seconds_of(argc, argv, 2, 2) * 1e9);
	if (pthread_create(&s, NULL, storm, NULL) || pthread_create(&c, NULL, churner, NULL) ||
	    pthread_create(&m, NULL, mapper, NULL))
		return 1;
	while (clock_ns(CLOCK_MONOTONIC) < until) {
#pragma omp parallel num_threads(2)
		{
			int i;

			for (i = 0; i < 50; i++)
				churn(3);
		}
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(s, NULL);
	pthread_join(c, NULL);
	pthread_join(m, NULL);
	fprintf(stderr, "%ld loads, %ld allocations\n", loads, allocations);
	puts(wrong ? "sum wrong" : "sum ok");
	return wrong;
}
