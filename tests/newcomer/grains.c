/* SPDX-License-Identifier: BSD-3-Clause
 * grains - the sizes of grains of sand, as a histogram.
 *
 * grains [GRAINS]
 */
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 8 };

static long found[SIZES], sum;

static unsigned size_of(long grain)
{
	unsigned long x = (unsigned long)grain * 0x9e3779b97f4a7c15u;

	x ^= x >> 31;
	x *= 0xbf58476d1ce4e5b9u;
	return (unsigned)(x >> 40);
}

static void sieve(long grains)
{
#ifdef MENDED
#pragma omp parallel for reduction(+ : found, sum)
#else
#pragma omp parallel for
#endif
	for (long i = 0; i < grains; i++) {
		const unsigned size = size_of(i);

#ifndef MENDED
#pragma omp atomic /* here */
#endif
		found[size % SIZES]++;
#ifndef MENDED
#pragma omp atomic
#endif
		sum += size % 100;
	}
}

int main(int argc, char **argv)
{
	sieve(argc > 1 ? atol(argv[1]) : 60000000);
	printf("sum %ld, of size 3: %ld\n", sum, found[3]);
	return 0;
}
