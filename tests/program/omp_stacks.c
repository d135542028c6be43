/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers with a small stack, which bodies and tasks fill to a good part. */
#include "case.h"

static int fill(int bytes)
{
	volatile char room[bytes];
	int sum = 0;

	for (int i = 0; i < bytes; i += 64)
		room[i] = 1;
	busy(2);
	for (int i = 0; i < bytes; i += 64)
		sum += room[i];
	return sum;
}

int main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
	if (argc == 1) {
#ifdef __clang__ /* libomp itself needs more than 64k */
		setenv("OMP_STACKSIZE", "256k", 1);
#else
		setenv("OMP_STACKSIZE", "64k", 1);
#endif
		execl("/proc/self/exe", "case", "again", NULL);
	}
	for (int n = 0; n < 5; n++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
		{
			sum += fill(32 << 10);
#pragma omp single
			for (int i = 0; i < 6; i++) {
#pragma omp task
				{
					const int mine = fill(32 << 10);

#pragma omp atomic
					sum += mine;
				}
			}
		}
	}
	printf("%d\n", sum);
	return 0;
}
