/* SPDX-License-Identifier: BSD-3-Clause
 * toss - the volume of a ball in six dimensions, by random points.
 *
 * toss [POINTS]
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <vector>

struct
#ifdef MENDED
	alignas(128)
#endif
		walker {
	uint64_t seed;
	long tried, inside;
};

static double next(walker &w)
{
	w.seed = w.seed * 6364136223846793005u + 1442695040888963407u;
	return static_cast<double>(w.seed >> 11) * 0x1p-52 - 1;
}

__attribute__((noinline)) static void toss(walker &w)
{
	double square = 0;

	for (int i = 0; i < 6; i++) {
		const double x = next(w);

		square += x * x;
	}
	w.tried++;
	w.inside += square < 1;
}

int main(int argc, char **argv)
{
	const long points = argc > 1 ? atol(argv[1]) : 80000000;
	std::vector<walker> walkers(static_cast<size_t>(omp_get_max_threads()));
	long tried = 0, inside = 0;

	for (size_t i = 0; i < walkers.size(); i++)
		walkers[i].seed = 7919 * (i + 1);
#pragma omp parallel /* here */
	{
		walker &mine = walkers[static_cast<size_t>(omp_get_thread_num())];

#pragma omp for schedule(static)
		for (long i = 0; i < points; i++)
			toss(mine);
	}
	for (const walker &w : walkers) {
		tried += w.tried;
		inside += w.inside;
	}
	printf("volume %.3f of %ld points\n",
	       64.0 * static_cast<double>(inside) / static_cast<double>(tried), tried);
}
