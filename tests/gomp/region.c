/* SPDX-License-Identifier: BSD-3-Clause */
/* region.c - the function NAME of a library that uses OpenMP. It is 102 where all of its
   calls go to the same libgomp. */
#include <omp.h>

int NAME(void);

int NAME(void)
{
	static omp_lock_t lock;
	static int ready;
	int sum = 0, entered = 0;

	if (!ready)
		omp_init_lock(&lock);
	ready = 1;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += omp_get_thread_num();
#pragma omp barrier
		omp_set_lock(&lock);
		entered++;
		omp_unset_lock(&lock);
#pragma omp single
#pragma omp task
		entered += 0;
	}
	return sum * 100 + entered;
}
