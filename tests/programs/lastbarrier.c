/* SPDX-License-Identifier: BSD-3-Clause
 * lastbarrier - a region that ends in an explicit barrier, which compilers enter by a tail
 * call.
 *
 * lastbarrier SECONDS
 */
#include <omp.h>

#include "work.h"

KEEP void uneven(void)
{
#pragma omp parallel num_threads(2)
	{
		crunch_for(omp_get_thread_num() ? 10000 : 1000000);
#pragma omp barrier							/* barrier */
	}
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 0.3);

	do
		uneven();
	while (still_running(seconds));
	return 0;
}
