/* SPDX-License-Identifier: BSD-3-Clause
 * sensor - filters the readings of a sensor, which come by the standard input.
 *
 * sensor [READINGS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 4096, TAPS = 60 };

static double filtered[BLOCK];

static int next_block(unsigned char *block)
{
	size_t have = 0;

	while (have < BLOCK) {
		const ssize_t n = read(STDIN_FILENO, block + have, BLOCK - have); /* here */

		if (n <= 0)
			return 0;
		have += (size_t)n;
	}
	return 1;
}

static void filter(const unsigned char *block)
{
#pragma omp parallel for
	for (int i = 0; i < BLOCK; i++) {
		double sum = 0;

		for (int k = 0; k < TAPS; k++)
			sum += block[(i + k) % BLOCK] * exp(-0.1 * k);
		filtered[i] = 0.9 * filtered[i] + sum;
	}
}

int main(void)
{
	unsigned char block[BLOCK];
	int blocks = 0;

	for (; next_block(block); blocks++)
		filter(block);
	printf("%d blocks, %.3f\n", blocks, filtered[7]);
	return 0;
}
