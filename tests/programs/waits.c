/*
 * waits - one thread waits for the other at one construct, for a known time.
 *
 * waits KIND [SECONDS]: thread 1 computes nine times as long as thread 0, which
 * then waits at KIND: barrier, implicit, critical, lock, or, for `serial', the
 * worker has nothing to do while the initial thread computes alone.  Prints
 * what both threads' CPU clocks saw while they waited there, of the process's;
 * that is right for runtimes whose waiting threads spin.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { UNIT_NS = 1000000 };
static omp_lock_t lock;

KEEP void worker_part(void)
{
	crunch_for(9 * UNIT_NS);
	STAY();
}

KEEP void first_part(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

/* From a thread's begin_wait() to its end_wait(), where it began one. */
static int64_t began[2], waited[2];

static void begin_wait(int me)
{
	began[me] = own_ns();
}

static void end_wait(int me)
{
	if (began[me])
		waited[me] += own_ns() - began[me];
	began[me] = 0;
}

/* Until thread 1 is inside: it then holds what thread 0 comes to wait for. */
static int inside;

static void enter(void)
{
#pragma omp atomic write
	inside = 1;
}

static void await(void)
{
	int now;

	do {
#pragma omp atomic read
		now = inside;
	} while (!now);
}

KEEP void at_barrier(int me)
{
	if (me)
		worker_part();
	else
		first_part();
	begin_wait(me);
#pragma omp barrier
	end_wait(me);
	STAY();
}

/* The initial thread's wait ends with the region, the worker's, part of which it
   is idle, in the next. */
KEEP void at_end(int me)
{
	end_wait(me);
	if (me)
		worker_part();
	else
		first_part();
	begin_wait(me);
	STAY();
}

KEEP void at_critical(int me)
{
	if (!me) {
		first_part();
		await();
		begin_wait(me);
	}
#pragma omp critical(queue)
	{
		if (!me)
			end_wait(me);
		if (me) {
			enter();
			worker_part();
		}
	}
	STAY();
}

KEEP void at_lock(int me)
{
	if (!me) {
		first_part();
		await();
		begin_wait(me);
	}
	omp_set_lock(&lock);
	if (!me)
		end_wait(me);
	if (me) {
		enter();
		worker_part();
	}
	omp_unset_lock(&lock);
	STAY();
}

KEEP void alone(int me)
{
	end_wait(me);
	if (me)
		first_part();
	begin_wait(me);
	STAY();
}

static const struct {
	const char *name;
	void (*body)(int me);
} kinds[] = {
	{ "barrier", at_barrier }, { "implicit", at_end }, { "critical", at_critical },
	{ "lock", at_lock }, { "serial", alone },
};

KEEP void region(void (*body)(int me))
{
	inside = 0;
#pragma omp parallel num_threads(2)
	{
		body(omp_get_thread_num());
		STAY();
	}
	STAY();
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "barrier";
	double seconds = seconds_of(argc, argv, 2, 1);
	size_t i, n = sizeof(kinds) / sizeof(kinds[0]);

	for (i = 0; i < n && strcmp(name, kinds[i].name); i++)
		;
	if (i == n) {
		fprintf(stderr, "waits: no such construct: %s\n", name);
		return 2;
	}
	omp_set_dynamic(0);
	omp_init_lock(&lock);
	do {
		region(kinds[i].body);
		end_wait(0);
		if (!strcmp(name, "serial"))
			worker_part();
	} while (still_running(seconds));
	omp_destroy_lock(&lock);
	printf("wait %.4f\n", (double)(waited[0] + waited[1]) / (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
