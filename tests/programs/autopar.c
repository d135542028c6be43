/* SPDX-License-Identifier: BSD-3-Clause
 * autopar - a loop without a directive, which gcc makes parallel where it is told to
 * (-ftree-parallelize-loops).
 */
#include "work.h"

enum { N = 200000 };
static double x[N], y[N];

KEEP void axpy(double a)
{
	for (int i = 0; i < N; i++)
		y[i] = y[i] / (a + x[i]);
	STAY();
}

int main(int argc, char **argv)
{
	const int64_t ns = (int64_t)(1e9 * seconds_of(argc, argv, 1, 0.3));
	const int64_t begin = own_ns();

	for (int i = 0; i < N; i++)
		x[i] = i;
	while (own_ns() - begin < ns)
		axpy(1.5);
	return y[1] < 0;
}
