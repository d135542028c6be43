/* SPDX-License-Identifier: BSD-3-Clause
 * groups - how neutrons of three energies pass through a wall.
 *
 * groups [SWEEPS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 3, ANGLES = 64, CELLS = 500 };

static double flux[GROUPS][ANGLES];

static double pass(int group, int angle)
{
	double left = 1;

	for (int i = 0; i < CELLS; i++)
		left *= exp(-(0.001 + 0.0005 * group) / (1 + angle));
	return left;
}

static void sweep(void)
{
#ifdef MENDED
#pragma omp parallel for collapse(2)
#else
#pragma omp parallel for /* here */
#endif
	for (int group = 0; group < GROUPS; group++)
		for (int angle = 0; angle < ANGLES; angle++)
			flux[group][angle] = 0.5 * flux[group][angle] + pass(group, angle);
}

int main(int argc, char **argv)
{
	const int sweeps = argc > 1 ? atoi(argv[1]) : 300;

	for (int i = 0; i < sweeps; i++)
		sweep();
	printf("flux %.6f\n", flux[1][ANGLES / 2]);
	return 0;
}
