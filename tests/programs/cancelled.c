/* SPDX-License-Identifier: BSD-3-Clause
 * cancelled - a loop that is cancelled, and work of each thread behind it.
 *
 * cancelled.  With OMP_CANCELLATION=true.  One region alone, since LLVM's libomp (14 to 19) ends the
 * program by an assertion of its own when the next dynamic loop of the team begins.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { THREADS = 2, ITERATION_NS = 20000000, BEHIND_NS = 300000000 };

KEEP void behind(void)
{
	crunch_for(BEHIND_NS);
	STAY();
}

int main(void)
{
	int i;

	if (!omp_get_cancellation())
		return fputs("cancelled: OMP_CANCELLATION=true is needed\n", stderr), 2;
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(dynamic)
		for (i = 0; i < 1000; i++) {
			crunch_for(ITERATION_NS);
			if (i == 6) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
		behind();
	}
	return 0;
}
