/* SPDX-License-Identifier: BSD-3-Clause */
/* teams.c - teams on the host, and target constructs without a device. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int n = 0, i;

#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : n)
	{
		n += omp_get_team_num() * 100;
#pragma omp parallel num_threads(2) reduction(+ : n)
		n += omp_get_num_threads() > omp_get_thread_num();
#pragma omp distribute parallel for
		for (i = 0; i < 30; i++) {
#pragma omp atomic
			n += i;
		}
	}
#pragma omp target map(tofrom : n)
	n += 5;
#pragma omp target teams distribute parallel for map(tofrom : n) reduction(+ : n)
	for (i = 0; i < 100; i++)
		n += i;
#pragma omp target nowait map(tofrom : n)
	n++;
#pragma omp taskwait
	printf("%d\n", n > 5000);
	return 0;
}
