/* SPDX-License-Identifier: BSD-3-Clause */
/* legacy.c - regions as compilers before GCC 4.9 wrote them: the caller runs the master's
   part between two calls. Also nested, and with a loop. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

typedef void body(void *);
void GOMP_parallel_start(body *, void *, unsigned);
void GOMP_parallel_loop_dynamic_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_end(void);
bool GOMP_loop_dynamic_next(long *, long *);
void GOMP_loop_end_nowait(void);

static void level(void *sum)
{
	__atomic_fetch_add((int *)sum, 1 + omp_get_level(), __ATOMIC_SEQ_CST);
}

static void loop(void *sum)
{
	long first, last;

	while (GOMP_loop_dynamic_next(&first, &last))
		__atomic_fetch_add((int *)sum, (int)(last - first), __ATOMIC_SEQ_CST);
	GOMP_loop_end_nowait();
}

static void nest(void *sum)
{
	GOMP_parallel_start(level, sum, 2);
	level(sum);
	GOMP_parallel_end();
}

static void once(body *f, int *sum, unsigned threads)
{
	GOMP_parallel_start(f, sum, threads);
	f(sum);
	GOMP_parallel_end();
}

int main(void)
{
	int sum = 0, i;

	for (i = 0; i < 50; i++) {
		once(level, &sum, 3);
		once(nest, &sum, 2);
		GOMP_parallel_loop_dynamic_start(loop, &sum, 2, 0, 100, 1, 3);
		loop(&sum);
		GOMP_parallel_end();
	}
	printf("%d, level %d\n", sum, omp_get_level());
	return 0;
}
