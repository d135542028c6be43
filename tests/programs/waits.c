/*
 * waits - one thread waits for the other at one construct, for a known time.
 *
 * waits KIND [SECONDS]: thread 1 computes nine times as long as thread 0, which
 * then waits at KIND: barrier, implicit, critical, lock, or, for `serial', the
 * worker has nothing to do while the initial thread computes alone.  Waiting
 * threads spin, unless OMP_WAIT_POLICY and KMP_BLOCKTIME say otherwise.
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
#pragma omp barrier
	STAY();
}

KEEP void at_end(int me)
{
	if (me)
		worker_part();
	else
		first_part();
	STAY();
}

KEEP void at_critical(int me)
{
	if (!me) {
		first_part();
		await();
	}
#pragma omp critical(queue)
	{
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
	}
	omp_set_lock(&lock);
	if (me) {
		enter();
		worker_part();
	}
	omp_unset_lock(&lock);
	STAY();
}

KEEP void alone(int me)
{
	if (me)
		first_part();
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
	int64_t until = clock_ns(CLOCK_MONOTONIC) +
		(int64_t)(seconds_of(argc, argv, 2, 1) * 1e9);
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
		if (!strcmp(name, "serial"))
			worker_part();
	} while (clock_ns(CLOCK_MONOTONIC) < until);
	omp_destroy_lock(&lock);
	return 0;
}
