/* SPDX-License-Identifier: BSD-3-Clause
 * fib - a recursion of tasks: fib N prints the Nth Fibonacci number, by as many
 * tasks as there are calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

KEEP long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	STAY();
	return a + b;
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 20;
	long result = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	result = fib(n);
	printf("%ld\n", result);
	return 0;
}
