/*
 * dlstorm - one thread loads and unloads a library all the time, others
 * allocate all the time, in POSIX threads and in regions.
 *
 * dlstorm PLUGIN [SECONDS] says how often, and "sum ok" when every call gave
 * what it should.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv)
{
	int64_t until;
	pthread_t s, c;

	if (argc < 2) {
		fprintf(stderr, "usage: dlstorm PLUGIN [SECONDS]\n");
		return 2;
	}
	plugin = argv[1];
	until = clock_ns(CLOCK_MONOTONIC) + (int64_t)(seconds_of(argc, argv, 2, 2) * 1e9);
	if (pthread_create(&s, NULL, storm, NULL) || pthread_create(&c, NULL, churner, NULL))
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
	fprintf(stderr, "%ld loads, %ld allocations\n", loads, allocations);
	puts(wrong ? "sum wrong" : "sum ok");
	return wrong;
}
