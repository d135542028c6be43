/* SPDX-License-Identifier: BSD-3-Clause
 * helpers - target regions that libomp's hidden helper threads execute, and work by the program's
 * threads meanwhile and after. Prints the share of the work that is in target regions.
 */
#include <stdio.h>

#include "work.h"

static int64_t target_ns, all_ns;

#pragma omp declare target
KEEP int64_t offload(void)
{
	return crunch_for(40000000);
}
#pragma omp end declare target

KEEP void solve(void)
{
#pragma omp parallel num_threads(2) reduction(+ : all_ns)
	all_ns += crunch_for(200000000);
	STAY();
}

int main(void)
{
	int64_t ns[8] = { 0 };

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 8; i++) {
#pragma omp target nowait map(from : ns [i:1])
		ns[i] = offload();
	}
	solve();
	for (int i = 0; i < 8; i++)
		target_ns += ns[i];
	printf("%.4f\n", (double)target_ns / (double)(target_ns + all_ns));
	return 0;
}
