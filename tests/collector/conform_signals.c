/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_signals.c - group: what samples get, of a timer in each thread, at 5 kHz.
 *
 * Each thread says in a variable of its own what it is about to do. A sample sees variable
 * and state of the same instant, so where the program's own code runs, the state has to be
 * right in each sample. Where a thread calls the runtime to wait, it is in the call for some
 * time before it waits and after. A wait takes a thousand microseconds here and such a call
 * a few, with the reading of the clock and the change of the variable: CALL is the most of
 * the time that this may be. Of n samples no more than n CALL may be elsewhere, and what
 * chance adds to that in 4.5 standard deviations.
 */
#define _GNU_SOURCE
#include "tests/collector/conform.h"

#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum phase {
	SILENT,
	SERIAL,
	WORK,
	AT_LOCK,
	AT_CRITICAL,
	AT_BARRIER,
	AT_END,
	AT_MASTER_END,
	PHASES
};
enum { PERIOD_NS = 200000, UNIT_US = 1000, FEW = 200, REQUESTS = 500 };
static const double CALL = 0.02;

static _Thread_local volatile int phase;
static _Thread_local volatile uint64_t region;

static atomic_uint samples[PHASES][THR_LAST_STATE + 1];
static atomic_uint wrong_region, wrong_pair, failed;

static bool is_outside(int state)
{
	return state == THR_SERIAL_STATE || state == THR_IDLE_STATE;
}

/* A worker after its body may be on its way to the next. */
static bool is_right_region(int at, uint64_t id, uint64_t in)
{
	switch (at) {
	case AT_END: return true;
	case AT_MASTER_END: return id == in || id == 0;
	case SERIAL: return id == 0;
	default: return id == in;
	}
}

static void on_sample(int number)
{
	const int at = phase;
	const uint64_t in = region;
	const struct answer a = ask();

	(void)number;
	if (at == SILENT)
		return;
	if (a.state_code != OMP_ERRCODE_OK || a.id_code != OMP_ERRCODE_OK) {
		atomic_fetch_add(&failed, 1);
		return;
	}
	atomic_fetch_add(&samples[at][a.state > 0 && a.state < THR_LAST_STATE ? a.state : 0], 1);
	if (is_outside(a.state) && a.id != 0)
		atomic_fetch_add(&wrong_pair, 1);
	if (!is_right_region(at, a.id, in))
		atomic_fetch_add(&wrong_region, 1);
}

static unsigned all_of(int at)
{
	unsigned i, n = 0;

	for (i = 0; i <= THR_LAST_STATE; i++)
		n += samples[at][i];
	return n;
}

/* ---- the program ------------------------------------------------------ */

static _Thread_local timer_t timer;
static _Thread_local bool timed;

static bool timer_begin(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2 };
	struct itimerspec each = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };

	event.sigev_notify_thread_id = own_tid();
	if (timed)
		return true;
	timed = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
		timer_settime(timer, 0, &each, NULL) == 0;
	return timed;
}

static void timer_end(void)
{
	phase = SILENT;
	if (timed)
		timer_delete(timer);
	timed = false;
}

static void compute_us(int us)
{
	struct timespec t, end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += us * 1000L;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while (t.tv_sec < end.tv_sec || (t.tv_sec == end.tv_sec && t.tv_nsec < end.tv_nsec));
}

static omp_lock_t lock;
static atomic_int holders, comers;

static void await(atomic_int *word, int number)
{
	while (atomic_load(word) < number)
		;
}

/* Until the other thread comes, and then for long. */
static void hold(int number)
{
	phase = WORK;
	atomic_store(&holders, number);
	await(&comers, number);
	compute_us(UNIT_US);
	phase = SILENT;
}

static void come(int number, int where)
{
	await(&holders, number);
	atomic_store(&comers, number);
	phase = where;
}

/* A team in a team, in whose bodies samples have its ID. */
static void inner(void)
{
	const uint64_t outer = region;

	phase = SILENT;
#pragma omp parallel num_threads(2)
	{
		phase = SILENT;
		region = ask_region();
		if (omp_get_thread_num() == 0) {
			phase = WORK;
			compute_us(UNIT_US / 4);
			phase = SILENT;
		}
	}
	region = outer;
	phase = WORK;
}

/* Thread 0 holds what thread 1 waits for, and waits for it at the barrier. At the region's
   end one waits for the other. Calls of the runtime that do not wait are left out. */
static void body(int me, int longer)
{
	region = ask_region();
	phase = WORK;
	compute_us(UNIT_US / 4);
	inner();
	compute_us(UNIT_US / 10);
	phase = SILENT;
	if (me)
		come(1, AT_LOCK);
	omp_set_lock(&lock);
	if (!me)
		hold(1);
	phase = SILENT;
	omp_unset_lock(&lock);
	if (me)
		come(2, AT_CRITICAL);
#pragma omp critical(conform_signals)
	{
		if (!me)
			hold(2);
		phase = SILENT;
	}
	phase = WORK;
	if (me)
		compute_us(UNIT_US);
	phase = AT_BARRIER;
#pragma omp barrier
	phase = WORK;
	if (me == longer)
		compute_us(UNIT_US);
	phase = me ? AT_END : AT_MASTER_END;
}

/* Requests that a sample may interrupt at any point. */
static void request_many(void)
{
	int i;

	for (i = 0; i < REQUESTS; i++) {
		ask_plain(OMP_REQ_RESUME);
		ask_unregister(OMP_EVENT_JOIN);
	}
}

static bool enough_samples(void)
{
	int at;

	for (at = SERIAL; at < PHASES && all_of(at) >= FEW; at++)
		;
	return at == PHASES;
}

/* A busy machine takes longer. A worker's AT_END goes on until its next region. */
static void play(void)
{
	const int64_t begin = now_ms(), ms = getenv("CONFORM_QUICK") ? 500 : 1800;
	int longer = 0;

	while (now_ms() < begin + ms || (now_ms() < begin + 8 * ms && !enough_samples())) {
		phase = SERIAL;
		compute_us(UNIT_US / 2);
		request_many();
		phase = SILENT;
		holders = comers = 0;
		longer = !longer;
#pragma omp parallel num_threads(2)
		{
			timer_begin();
			body(omp_get_thread_num(), longer);
		}
	}
}

static atomic_bool over;

/* A thread of the program's own that knows nothing of OpenMP. */
static void *stranger(void *arg)
{
	timer_begin();
	phase = SERIAL;
	while (!atomic_load(&over)) {
		compute_us(UNIT_US / 10);
		sleep_ms(1);
	}
	timer_end();
	return arg;
}

/* ---- what they saw ---------------------------------------------------- */

static void always(int at, const char *where, int state)
{
	char what[96];
	int i, other = 0;

	for (i = 0; i <= THR_LAST_STATE; i++) {
		if (i != state && samples[at][i])
			other = i;
	}
	snprintf(what, sizeof(what), "%s: each sample is %s", where, state_name(state));
	expect(all_of(at) == samples[at][state], what, "%u of %u are not, but %s for one",
	       all_of(at) - samples[at][state], all_of(at), state_name(other));
}

/* The samples that are in the state, or in another that is as right; never in others, but
   for the thread's way there and back, which few are. */
static void mostly(int at, const char *where, int state, int other)
{
	const unsigned n = all_of(at);
	const unsigned hit = samples[at][state] + (other != state ? samples[at][other] : 0);
	const unsigned way = samples[at][THR_OVHD_STATE] + samples[at][THR_WORK_STATE] +
			     (at == AT_MASTER_END ? samples[at][THR_SERIAL_STATE] : 0);
	char what[96];

	snprintf(what, sizeof(what), "%s: enough samples", where);
	if (!expect(n >= FEW, what, "%u", n))
		return;
	snprintf(what, sizeof(what), "%s: samples are %s, or on the way there", where,
		 state_name(state));
	expect(hit + way == n, what, "%u of %u are not", n - hit - way, n);
	snprintf(what, sizeof(what), "%s: most samples are %s", where, state_name(state));
	expect(n - hit <= CALL * n + 4.5 * sqrt(CALL * n), what, "%u of %u", hit, n);
}

static void judge(void)
{
	unsigned n = 0;
	int i;

	for (i = 0; i < PHASES; i++)
		n += all_of(i);
	note("%u samples", n);
	expect_equal("requests that failed", failed, 0);
	expect_equal("samples in SERIAL or IDLE that are in a region", wrong_pair, 0);
	expect_equal("samples in another region than the program", wrong_region, 0);
	always(SERIAL, "outside of regions", THR_SERIAL_STATE);
	always(WORK, "in a body", THR_WORK_STATE);
	mostly(AT_LOCK, "at a lock that is held", THR_LKWT_STATE, THR_LKWT_STATE);
	mostly(AT_CRITICAL, "at a critical that is held", THR_CTWT_STATE, THR_CTWT_STATE);
	mostly(AT_BARRIER, "at a barrier", THR_EBAR_STATE, THR_EBAR_STATE);
	mostly(AT_END, "a worker after its body", THR_IBAR_STATE, THR_IDLE_STATE);
	mostly(AT_MASTER_END, "the master after its body", THR_IBAR_STATE, THR_IBAR_STATE);
	memset(samples, 0, sizeof(samples));
	wrong_region = wrong_pair = failed = 0;
}

static void ignore(OMP_COLLECTORAPI_EVENT event)
{
	(void)event;
}

void group_signals(void)
{
	struct sigaction action = { .sa_handler = on_sample, .sa_flags = SA_RESTART };
	pthread_t thread;
	int event;

	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR2, &action, NULL);
	omp_init_lock(&lock);
	session_begin();
	omp_set_max_active_levels(2);
	if (!expect(timer_begin(), "a timer", "none"))
		return;
	if (!expect(pthread_create(&thread, NULL, stranger, NULL) == 0, "a thread", "none"))
		return;
	play();
	judge();
	for (event = OMP_EVENT_FORK; event < EVENTS; event++)
		ask_register(event, ignore);
	play();
	judge();
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	/* Timers of workers go on until the process ends. */
	phase = SILENT;
}
