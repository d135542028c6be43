/* SPDX-License-Identifier: BSD-3-Clause
 * marks - a program that names its times by omphwc.h: C, and C++ as marks_cxx.
 *
 * marks [SECONDS] begins and ends phases, also on a thread that is not OpenMP's, and sets marks.
 * With `control' it does the same by omp_control_tool(), with arguments that are no text, too.
 * Prints `over' at its end.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "omphwc.h"
#include "work.h"

#ifdef CONTROL
#include <omp.h>
#define SAY(command, name) omp_control_tool(command, 0, name)
#endif

static int64_t part_ns;

KEEP static void compute(int parts)
{
#pragma omp parallel num_threads(2)
	crunch_for(parts * part_ns);
	STAY();
}

static void *other(void *arg)
{
	omphwc_begin("of a thread");
	crunch_for(part_ns);
	omphwc_mark("on a thread");
	omphwc_end("of a thread");
	return arg;
}

int main(int argc, char **argv)
{
	static const double no_text[] = { -1e300, 0 };
	static const uintptr_t wild[] = {
		1, 7, 8, 4095, 4096, (uintptr_t)-1, (uintptr_t)-8, (uintptr_t)1 << 63
	};
	pthread_t thread;

	part_ns = (int64_t)(1e9 * seconds_of(argc, argv, 1, 0.5) / 8);
#pragma omp parallel
	STAY();
#ifdef CONTROL
	SAY(OMPHWC_BEGIN, (void *)"by control");
	compute(2);
	SAY(OMPHWC_END, NULL);
	SAY(77, (void *)no_text);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++)
		SAY(78, (void *)wild[i]);
	SAY(OMPHWC_MARK, (void *)"named");
	SAY(OMPHWC_MARK, NULL);
#else
	(void)no_text;
	(void)wild;
	compute(1);
	omphwc_begin("set up");
	compute(1);
	omphwc_end("set up");
	for (int i = 0; i < 2; i++) {
		omphwc_begin("solve");
		compute(1);
		omphwc_begin("inner");
		compute(1);
		omphwc_end("inner");
		omphwc_end("solve");
	}
	omphwc_end("never begun");
	omphwc_mark("a line\nand a name that is longer than the sixty-three bytes which count");
	omphwc_mark(NULL);
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
#endif
	puts("over");
	return 0;
}
