/* SPDX-License-Identifier: BSD-3-Clause
 * filters - known work for filters: two regions, templates, and a library that calls back.
 *
 * filters [SECONDS] prints what its parts computed, in nanoseconds of both threads.  With
 * -DLIBRARY it is the library, whose functions are to be hidden.
 */
#include <stdint.h>
#include <stdio.h>

#include "work.h"

extern "C" int64_t library_calls(int64_t (*back)(int64_t), int64_t ns);

#ifdef LIBRARY
static KEEP int64_t library_inside(int64_t ns)
{
	int64_t took = crunch_for(ns);

	STAY();
	return took;
}

/* Also a region of its own. */
extern "C" KEEP int64_t library_calls(int64_t (*back)(int64_t), int64_t ns)
{
	int64_t sum = library_inside(ns) + back(ns);

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += library_inside(ns);
		STAY();
	}
	return sum;
}
#else
template <class A, class B> struct couple {
	A a;
	B b;
};
typedef couple<couple<float, double>, couple<unsigned long long, unsigned char> > numbers;

template <class T, int N> KEEP int64_t kernel(int64_t ns)
{
	int64_t took = crunch_for(ns * N);

	STAY();
	return took;
}

/* Their names differ only in arguments that reports leave out. */
template <class T, class U> KEEP int64_t alike(int64_t ns)
{
	int64_t took = crunch_for(ns);

	STAY();
	return took;
}

static KEEP int64_t called_back(int64_t ns)
{
	int64_t took = crunch_for(ns);

	STAY();
	return took;
}

static KEEP int64_t solve(int64_t ns)
{
	int64_t sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += kernel<float, 1>(ns);
		sum += kernel<double, 2>(ns);
		STAY();
	}
	return sum;
}

static KEEP int64_t gather(int64_t ns)
{
	int64_t sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += alike<couple<numbers, numbers>, couple<numbers, float> >(ns);
		sum += alike<couple<numbers, numbers>, couple<numbers, double> >(ns);
		STAY();
	}
	return sum;
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	int64_t regions = 0, library = 0;

	while (still_running(seconds)) {
		regions += solve(1000000) + gather(1000000);
		library += library_calls(called_back, 1000000);
	}
	printf("regions %lld\nlibrary %lld\n", (long long)regions, (long long)library);
	return 0;
}
#endif
