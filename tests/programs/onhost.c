/* SPDX-License-Identifier: BSD-3-Clause */
/* onhost - a target region that runs on the host, and no parallel region. */
#include <stdio.h>

#include "work.h"

int main(void)
{
	int64_t ns = 0;

#pragma omp target map(tofrom : ns) /* target */
	ns = crunch_for(300000000);
	printf("%d\n", ns > 0);
	return 0;
}
