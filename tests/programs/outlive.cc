/* SPDX-License-Identifier: BSD-3-Clause
 * outlive.cc - templates, inlined functions, tasks, loops and critical sections, for some CPU
 * time: outlive [MILLISECONDS].
 */
#include "outlive.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double total;

static inline double stir(double x)
{
	for (int i = 0; i < 200; i++)
		x = x * 0.999 + 0.5 / (1 + x * x);
	return x;
}

namespace grid
{
template <typename T, int Step> struct field {
	std::vector<T> cells;

	explicit field(int n) : cells(n, T(1))
	{
	}

	void relax()
	{
		const int n = (int)cells.size();

#pragma omp parallel
		{
#pragma omp for schedule(static) nowait
			for (int i = 0; i < n; i += Step)
				cells[i] = (T)stir(cells[i]);
#pragma omp for schedule(dynamic, 8)
			for (int i = 0; i < n; i += Step)
				cells[i] += (T)stir(cells[i] + 1);
#pragma omp critical(total_sum)
			total += stir(total);
#pragma omp barrier
#pragma omp single
			total += cells[0];
		}
	}
};
} // namespace grid

static double tree(int depth)
{
	double a = 0, b = 0;

	if (depth == 0) {
		for (int i = 0; i < 20; i++)
			a += stir(i);
		return a;
	}
#pragma omp task shared(a)
	a = tree(depth - 1);
#pragma omp task shared(b)
	b = tree(depth - 1);
#pragma omp taskwait
	return a + b;
}

static double cpu_ms()
{
	return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
	const double limit = argc > 1 ? atof(argv[1]) : 400;
	grid::field<double, 1> fine(2000);
	grid::field<float, 2> coarse(2000);

	while (cpu_ms() < limit) {
		fine.relax();
		coarse.relax();
		for (int i = 0; i < 40; i++) {
			total += part_squares(fine.cells.data(), 2000);
			total += part_squares_float(coarse.cells.data(), 2000);
		}
#pragma omp parallel
#pragma omp single
		total += tree(5);
	}
	return printf("%g\n", total) < 0;
}
