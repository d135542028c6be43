/* SPDX-License-Identifier: BSD-3-Clause */
/* Four levels of nested regions, whose threads print where they are. */
#include "case.h"

static int seen[5][16];

static void level(int at)
{
#pragma omp parallel num_threads(2)
	{
		int which = 0;

		for (int l = 1; l <= at; l++)
			which = 2 * which + omp_get_ancestor_thread_num(l);
#pragma omp atomic
		seen[at][which] += omp_get_level() * 10 + omp_get_team_size(at);
		busy(1);
		if (at < 4)
			level(at + 1);
#pragma omp barrier
#pragma omp single
		busy(1);
	}
}

int main(void)
{
	omp_set_max_active_levels(4);
	for (int n = 0; n < 3; n++)
		level(1);
	for (int at = 1; at <= 4; at++)
		for (int i = 0; i < 1 << at; i++)
			printf("%d %d: %d\n", at, i, seen[at][i]);
	omp_set_max_active_levels(1);
	level(3);
	printf("%d\n", omp_get_level());
	return 0;
}
