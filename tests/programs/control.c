/* SPDX-License-Identifier: BSD-3-Clause
 * control - a program that controls when its tool looks.
 *
 * control [SECONDS [early]] works in turns in functions that are called by what
 * they do to the tool before, a good part of the time in each; with `early' it
 * starts the tool before all that, when nothing of OpenMP has been called.
 * Prints what each call of omp_control_tool() gave, as `NAME RESULT'.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

static int64_t part_ns;

static void both_compute(void)
{
#pragma omp parallel num_threads(2)
	{
		crunch_for(part_ns);
		STAY();
	}
}

static void tell(const char *what, int command)
{
	printf("%s %d\n", what, omp_control_tool(command, 0, NULL));
	fflush(stdout);
}

/* A function that controls the tool, by a call of another name, and computes. */
#define PHASE(name, command) \
	KEEP void name(void) \
	{ \
		tell(#name, command); \
		both_compute(); \
		STAY(); \
	}

KEEP void untold(void)
{
	both_compute();
	STAY();
}

PHASE(first_start, omp_control_tool_start)
PHASE(first_pause, omp_control_tool_pause)
PHASE(second_pause, omp_control_tool_pause)
PHASE(flush_while_paused, omp_control_tool_flush)
PHASE(second_start, omp_control_tool_start)
PHASE(third_start, omp_control_tool_start)
PHASE(flush, omp_control_tool_flush)
PHASE(unknown_command, 63)
PHASE(first_end, omp_control_tool_end)
PHASE(start_after_end, omp_control_tool_start)
PHASE(pause_after_end, omp_control_tool_pause)
PHASE(second_end, omp_control_tool_end)

int main(int argc, char **argv)
{
	part_ns = (int64_t)(1e9 * seconds_of(argc, argv, 1, 1) / 14);
	if (argc > 2)
		tell("early", omp_control_tool_start);
	omp_set_dynamic(0);
	untold();
	first_start();
	first_pause();
	second_pause();
	flush_while_paused();
	second_start();
	third_start();
	flush();
	unknown_command();
	first_end();
	start_after_end();
	pause_after_end();
	second_end();
	return 0;
}
