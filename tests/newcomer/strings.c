/* SPDX-License-Identifier: BSD-3-Clause
 * strings - sixteen strings that were plucked, and vibrate.
 *
 * strings [STEPS]
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRINGS = 16, POINTS = 1000 };

struct string {
	double before[POINTS], now[POINTS], next[POINTS];
};

static struct string strings[STRINGS];

static void move(struct string *s, int from, int to)
{
	for (int i = from > 1 ? from : 1; i < to && i < POINTS - 1; i++)
		s->next[i] = 2 * s->now[i] - s->before[i] +
			     0.25 * (s->now[i - 1] - 2 * s->now[i] + s->now[i + 1]);
}

static void shift(struct string *s, int from, int to)
{
	for (int i = from; i < to; i++) {
		s->before[i] = s->now[i];
		s->now[i] = s->next[i];
	}
}

static void vibrate(int steps)
{
#ifdef MENDED
#pragma omp parallel for schedule(dynamic)
	for (int k = 0; k < STRINGS; k++)
		for (int step = 0; step < steps; step++) {
			move(&strings[k], 0, POINTS);
			shift(&strings[k], 0, POINTS);
		}
#else
#pragma omp parallel
	{
		const int me = omp_get_thread_num(), n = omp_get_num_threads();
		const int from = POINTS * me / n, to = POINTS * (me + 1) / n;

		for (int k = 0; k < STRINGS; k++)
			for (int step = 0; step < steps; step++) {
				move(&strings[k], from, to);
#pragma omp barrier /* here */
				shift(&strings[k], from, to);
#pragma omp barrier
			}
	}
#endif
}

int main(int argc, char **argv)
{
	for (int k = 0; k < STRINGS; k++)
		for (int i = 1; i < POINTS - 1; i++)
			strings[k].now[i] = strings[k].before[i] = i % (k + 2);
	vibrate(argc > 1 ? atoi(argv[1]) : 6000);
	printf("%.6f\n", strings[3].now[POINTS / 3]);
	return 0;
}
