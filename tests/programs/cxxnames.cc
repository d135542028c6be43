/* SPDX-License-Identifier: BSD-3-Clause
 * cxxnames - regions of functions whose names in the debug information and in symbols differ, and
 * of functions of one name that are called by pointers. Each has ENTRIES entries.
 */
#include <omp.h>

#include "work.h"

enum { ENTRIES = 20, UNIT_NS = 1000000 };

static void spin()
{
	crunch_for(UNIT_NS * (omp_get_thread_num() + 1));
	STAY();
}

namespace {
struct hidden {
	KEEP void go() const
	{
#pragma omp parallel num_threads(2) /* hidden */
		spin();
		STAY();
	}
};
} // namespace

template <unsigned N, class T> KEEP void instance(T)
{
#pragma omp parallel num_threads(2) /* instance */
	spin();
	STAY();
}

KEEP void outer()
{
	auto lambda = [](double x) __attribute__((noinline)) {
#pragma omp parallel num_threads(2) /* lambda */
		spin();
		STAY();
		return x;
	};
	volatile double y = lambda(1);
	(void)y;
}

KEEP void overload(int)
{
#pragma omp parallel num_threads(2) /* overload_int */
	spin();
}

static void (*volatile by_int)(int) = overload;

KEEP void overload(double)
{
	by_int(1); /* call */
	STAY();
}

/* What catches is reached by no jump. */
KEEP void caught()
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void thrower(int n)
{
	if (n)
		throw n;
	STAY();
}

KEEP void catches()
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single nowait
		{
			try {
				thrower(1);
			} catch (int) {
				caught();
			}
		}
		spin();
	}
}

int main()
{
	const hidden h;

	for (int i = 0; i < ENTRIES; i++) {
		h.go();
		instance<3>(1.0);
		outer();
		overload(1.0);
		catches();
	}
	return 0;
}
