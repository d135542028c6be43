/* SPDX-License-Identifier: BSD-3-Clause
 * beams - a frame of beams: puts the matrix together, multiplies, and does so again.
 *
 * beams [TIMES]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 500 };

static double matrix[N][N], load[N], bend[N];

static double stiffness(int i, int k)
{
	return exp(-0.01 * abs(i - k)) * (1 + 0.1 * sin(i * 0.1) * cos(k * 0.2));
}

static void assemble(int first, int end)
{
	for (int i = first; i < end; i++)
		for (int k = 0; k < N; k++)
			matrix[i][k] = stiffness(i, k) + load[i] * 1e-6;
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 80;

	for (int i = 0; i < N; i++)
		load[i] = i % 7;
#pragma omp parallel
	for (int t = 0; t < times; t++) {
#ifdef MENDED
#pragma omp for
		for (int i = 0; i < N; i++)
			assemble(i, i + 1);
#else
#pragma omp single /* here */
		assemble(0, N);
#endif
#pragma omp for
		for (int i = 0; i < N; i++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += matrix[i][k] * load[k];
			bend[i] = sum;
		}
	}
	printf("bend %.6f\n", bend[N / 2]);
	return 0;
}
