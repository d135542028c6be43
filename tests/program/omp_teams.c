/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams on the host, and a target region without a device. */
#include "case.h"

int main(void)
{
	int sum = 0, teams = 0;

#pragma omp teams num_teams(2) thread_limit(2) reduction(+ : sum, teams)
	{
		teams += omp_get_num_teams();
		busy(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
		{
			busy(2);
			sum++;
		}
	}
	printf("%d teams\n", teams > 0);
#pragma omp target map(tofrom : sum)
	{
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += 0 * omp_get_thread_num();
	}
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("%d\n", sum > 0);
	return 0;
}
