/* SPDX-License-Identifier: BSD-3-Clause
 * colours - a picture's pixels, from one space of colours to another.
 *
 * colours [TIMES]
 */
#include <stdio.h>
#include <stdlib.h>

enum { PIXELS = 1 << 20 };

static float red[PIXELS], green[PIXELS], blue[PIXELS], grey[PIXELS];

static void convert(void)
{
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 4096)
#else
#pragma omp parallel for schedule(dynamic, 1) /* here */
#endif
	for (int i = 0; i < PIXELS; i++)
		grey[i] = 0.299F * red[i] * red[i] + 0.587F * green[i] * green[i] +
			  0.114F * blue[i] * blue[i];
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 4;

	for (int i = 0; i < PIXELS; i++) {
		red[i] = (float)(i % 256) / 255;
		green[i] = (float)(i % 101) / 100;
		blue[i] = (float)(i % 31) / 30;
	}
	for (int i = 0; i < times; i++)
		convert();
	printf("grey %.6f\n", (double)grey[PIXELS / 3]);
	return 0;
}
