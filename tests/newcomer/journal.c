/* SPDX-License-Identifier: BSD-3-Clause
 * journal - how many steps each number takes to 1 (n/2, 3n+1), a line each in journal.txt.
 *
 * journal [NUMBERS]
 */
#include <stdio.h>
#include <stdlib.h>

static int steps_to_one(long n)
{
	int steps = 0;

	for (; n > 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

int main(int argc, char **argv)
{
	const int most = argc > 1 ? atoi(argv[1]) : 400000;
	FILE *out = fopen("journal.txt", "w");
	long sum = 0;

	if (!out)
		return 1;
#pragma omp parallel reduction(+ : sum)
	{
#ifdef MENDED
		char mine[1 << 16];
		size_t used = 0;
#endif
#pragma omp for schedule(dynamic, 100)
		for (int i = 1; i <= most; i++) {
			const int steps = steps_to_one(i);

			sum += steps;
#ifdef MENDED
			used += (size_t)snprintf(mine + used, sizeof(mine) - used, "%d %d\n", i,
						 steps);
			if (used < sizeof(mine) - 100)
				continue;
#pragma omp critical(journal)
			fwrite(mine, 1, used, out);
			used = 0;
#else
#pragma omp critical(journal) /* here */
			{
				fprintf(out, "%d %d\n", i, steps);
				fflush(out);
			}
#endif
		}
#ifdef MENDED
#pragma omp critical(journal)
		fwrite(mine, 1, used, out);
#endif
	}
	fclose(out);
	printf("mean %.3f\n", (double)sum / most);
	return 0;
}
