/* SPDX-License-Identifier: BSD-3-Clause
 * overheads - threads that have the runtime do things for them, for a known time.
 *
 * overheads KIND [SECONDS]: in turns with work of their own, threads have the
 * runtime do KIND many times (see the table at the end).  Prints what their CPU
 * clocks saw while it did, of the process's.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { UNIT_NS = 500000 };
static int64_t spent[2];

KEEP void own_part(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

/* A use that costs nothing: the loop around it stays. */
#define NOTHING() __asm__ volatile("")

KEEP void dynamic(void)
{
	int i;

#pragma omp for schedule(dynamic, 1) nowait /* dynamic */
	for (i = 0; i < 10000; i++)
		NOTHING();
	STAY();
}

/* A few chunks a loop are all that guided makes. */
KEEP void guided(void)
{
	int i, k;

	for (k = 0; k < 500; k++) {
#pragma omp for schedule(guided, 1) nowait /* guided */
		for (i = 0; i < 20; i++)
			NOTHING();
	}
	STAY();
}

static int done;

/* Nobody runs a task while they are made: fewer than make the queue overflow,
   and the other thread computes until all are there. */
KEEP void creation(void)
{
	int i;

	for (i = 0; i < 200; i++) {
#pragma omp task /* creation */
		NOTHING();
	}
	STAY();
}

KEEP void serialized(void)
{
	int i;

	for (i = 0; i < 5000; i++) {
#pragma omp parallel if (done < 0) /* serialized */
		NOTHING();
	}
	STAY();
}

static void timed(void (*body)(void))
{
	int64_t begin = own_ns();

	body();
	spent[omp_get_thread_num()] += own_ns() - begin;
}

KEEP void shared(void (*body)(void))
{
#pragma omp parallel num_threads(2)
	{
		own_part();
		timed(body);
		STAY();
	}
	STAY();
}

KEEP void by_one(void (*body)(void))
{
	int i, now;

	done = 0;
#pragma omp parallel num_threads(2) private(i, now)
	{
		if (omp_get_thread_num() == 0) {
			for (i = 0; i < 200; i++) {
				timed(body);
#pragma omp taskwait
			}
#pragma omp atomic write
			done = 1;
		} else {
			do {
				crunch(1.0);
#pragma omp atomic read
				now = done;
			} while (!now);
		}
		STAY();
	}
	STAY();
}

KEEP void serially(void (*body)(void))
{
	own_part();
	timed(body);
	STAY();
}

static const struct kind {
	const char *name;
	void (*how)(void (*body)(void));
	void (*body)(void);
} kinds[] = {
	{ "dynamic", shared, dynamic }, { "guided", shared, guided },
	{ "creation", by_one, creation }, { "serialized", serially, serialized },
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "dynamic";
	double seconds = seconds_of(argc, argv, 2, 1);
	size_t i, n = sizeof(kinds) / sizeof(kinds[0]);

	for (i = 0; i < n && strcmp(name, kinds[i].name); i++)
		;
	if (i == n) {
		fprintf(stderr, "overheads: no such construct: %s\n", name);
		return 2;
	}
	omp_set_dynamic(0);
	do {
		kinds[i].how(kinds[i].body);
	} while (still_running(seconds));
	printf("share %.4f\n", (double)(spent[0] + spent[1]) /
	       (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
