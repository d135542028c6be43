/* SPDX-License-Identifier: BSD-3-Clause
 * headers - a team spends its time in code of the C++ library's headers.
 */
#include <algorithm>
#include <vector>

#include "work.h"

struct grid {
	std::vector<double> cells;
};

static volatile double sink;

KEEP static double sums(const grid &g)
{
	double s = 0;

	for (std::size_t i = 0; i < g.cells.size(); i++)
		s += g.cells[i];					/* inlined */
	return s;
}

KEEP static void sorts(grid &g)
{
	unsigned seed = 1;

	for (double &x : g.cells)
		x = seed = seed * 1103515245 + 12345;
	std::sort(g.cells.begin(), g.cells.end(), [](double a, double b) {
		return a > b;						/* called back */
	});								/* sort ends */
	STAY();
}

KEEP static void grows()
{
	std::vector<int> v;

	for (int i = 0; i < 1000; i++)
		v.push_back(i);						/* grows */
	sink = v.size();
}

int main()
{
#pragma omp parallel
	{
		grid g;

		g.cells.resize(1 << 14);
		for (const int64_t from = own_ns(); own_ns() - from < 60000000;)
			sink = sums(g);
		for (const int64_t from = own_ns(); own_ns() - from < 60000000;)
			sorts(g);
		for (const int64_t from = own_ns(); own_ns() - from < 60000000;)
			grows();
	}
}
