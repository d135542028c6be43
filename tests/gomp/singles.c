/* SPDX-License-Identifier: BSD-3-Clause */
/* singles.c - single regions around other regions and tasks, and before other work shares.
   Prints sums. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

typedef void body(void *);
void GOMP_parallel_start(body *, void *, unsigned);
void GOMP_parallel_end(void);
bool GOMP_single_start(void);

static int sum;

static void add(int n)
{
	__atomic_fetch_add(&sum, n, __ATOMIC_SEQ_CST);
}

/* A region with work shares of its own. */
static void inner(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		add(1);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			add(1);
#pragma omp single nowait
		add(1);
	}
}

static void around(void)
{
#pragma omp single
	{
		inner();
		add(1);
	}
#pragma omp single
	{
		for (int i = 0; i < 4; i++)
#pragma omp task if (i > 1)
			inner();
#pragma omp taskwait
		add(1);
	}
#pragma omp single nowait
#pragma omp taskgroup
#pragma omp task
	inner();
}

static void before(void)
{
	int c = 0;

#pragma omp single nowait
	add(1);
#pragma omp for schedule(dynamic) nowait
	for (int i = 0; i < 8; i++)
		add(1);
#pragma omp single nowait
	add(1);
#pragma omp single nowait
	add(1);
#pragma omp sections
	{
#pragma omp section
		add(1);
#pragma omp section
		add(1);
	}
#pragma omp single copyprivate(c)
	{
		c = 3;
		add(1);
	}
	add(c);
#pragma omp single nowait
	add(1);
#pragma omp single copyprivate(c)
	c = 4;
	add(c);
}

/* As compilers before GCC 4.9 wrote a region. */
static void legacy(void *data)
{
	(void)data;
	if (GOMP_single_start())
		add(1);
}

int main(void)
{
	around();
	before();
	for (int n = 0; n < 20; n++) {
#pragma omp parallel
		{
			around();
			before();
		}
#pragma omp parallel num_threads(1)
		before();
		GOMP_parallel_start(legacy, NULL, 2);
		legacy(NULL);
		GOMP_parallel_end();
	}
	printf("%d\n", sum);
	return 0;
}
