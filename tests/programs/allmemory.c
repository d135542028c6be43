/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allmemory.c - ten tasks that write a variable each, one that depends on omp_all_memory, and ten
 * that read a variable each, three times. The calls are those that clang 16 emits.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct dependence {
	intptr_t address;
	size_t bytes;
	uint8_t flags;
};
enum { IN = 1, INOUT = 3, ALL = 0x80, TASKS = 10, ROUNDS = 3 };

int __kmpc_global_thread_num(void *location);
void *__kmpc_omp_task_alloc(void *location, int thread, int flags, size_t bytes, size_t shared,
			    int (*entry)(int, void *));
int __kmpc_omp_task_with_deps(void *location, int thread, void *task, int n,
			      const struct dependence *all, int n_noalias, const void *noalias);

static struct {
	int reserved_1, flags, reserved_2, reserved_3;
	const char *text;
} here = { 0, 2, 0, 22, ";allmemory.c;main;1;1;;" };
static char variables[TASKS];

static int work(int thread, void *task)
{
	struct timespec t;
	double end = 0;

	(void)thread;
	(void)task;
	do {
		clock_gettime(CLOCK_MONOTONIC, &t);
		if (end == 0)
			end = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + 2e-3;
	} while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < end);
	return 0;
}

/* A task in the function that uses it. */
#define TASK(variable, kind) \
	do { \
		const struct dependence on = { (intptr_t)(variable), 1, kind }; \
		const int thread = __kmpc_global_thread_num(&here); \
\
		__kmpc_omp_task_with_deps(&here, thread, \
					  __kmpc_omp_task_alloc(&here, thread, 1, 40, 0, work), 1, \
					  &on, 0, NULL); \
	} while (0)

static __attribute__((noinline)) void writes(int i)
{
	TASK(&variables[i], INOUT);
}

static __attribute__((noinline)) void all(void)
{
	TASK(NULL, ALL);
}

static __attribute__((noinline)) void reads(int i)
{
	TASK(&variables[i], IN);
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < TASKS; i++)
			writes(i);
		all();
		for (int i = 0; i < TASKS; i++)
			reads(i);
	}
	return 0;
}
