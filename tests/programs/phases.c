/* SPDX-License-Identifier: BSD-3-Clause
 * phases MILLISECONDS - phases of so much elapsed time each: serial, a region in which all
 * threads work, one in which only the first one does, and sleep.  Prints when each phase began
 * and ended, in ns of CLOCK_REALTIME, and what the initial thread computed in it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>

#include "work.h"

static KEEP void work_until(int64_t end_ns)
{
	volatile double x = 1;

	while (clock_ns(CLOCK_MONOTONIC) < end_ns)
		x = crunch(x);
	STAY();
}

static void serial(int64_t end_ns)
{
	work_until(end_ns);
}

static void even(int64_t end_ns)
{
#pragma omp parallel
	work_until(end_ns);
}

static void uneven(int64_t end_ns)
{
#pragma omp parallel
	if (omp_get_thread_num() == 0)
		work_until(end_ns);
}

static void asleep(int64_t end_ns)
{
	const struct timespec t = { end_ns / 1000000000, end_ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(int64_t end_ns);
	} phases[] = {
		{ "serial", serial },
		{ "even", even },
		{ "uneven", uneven },
		{ "asleep", asleep },
	};
	const int64_t ns = (int64_t)(seconds_of(argc, argv, 1, 300) * 1e6);

	for (unsigned i = 0; i < sizeof(phases) / sizeof(*phases); i++) {
		const int64_t begin = clock_ns(CLOCK_REALTIME), own = own_ns();

		phases[i].run(clock_ns(CLOCK_MONOTONIC) + ns);
		printf("%s %" PRId64 " %" PRId64 " %" PRId64 "\n", phases[i].name, begin,
		       clock_ns(CLOCK_REALTIME), own_ns() - own);
		fflush(stdout);
	}
	return 0;
}
