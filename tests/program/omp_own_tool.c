/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that has an OpenMP tool of its own, whether its runtime calls it or not. */
#include "case.h"

struct result {
	int (*initialize)(void *, int, void *);
	void (*finalize)(void *);
	long data;
};

static int asked;

static int initialize(void *lookup, int device, void *data)
{
	(void)lookup, (void)device, (void)data;
	return 1;
}

static void finalize(void *data)
{
	(void)data;
}

struct result *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct result mine = { initialize, finalize, 0 };

	(void)version, (void)runtime;
	asked++;
	return &mine;
}

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		busy(10);
		sum++;
	}
	printf("%d, asked %d\n", sum, asked);
	return 0;
}
