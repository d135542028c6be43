/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_steps.c - group: STATE and CURRENT_PRID after each instruction that threads execute
 * in the runtime, on machines that can trap them.
 *
 * A sample may come between any two instructions. What it gets must be a picture that can
 * be: no region while a thread is in SERIAL or IDLE, one while it works or is at a barrier,
 * and a wait_id where it waits. No thread may be made meanwhile: the C library blocks all
 * signals then, and a trap that is blocked ends the process. So teams are made before, and
 * none is in another.
 */
#define _GNU_SOURCE
#include "tests/collector/conform.h"

#ifdef __x86_64__
#include <dlfcn.h>
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { TRAP_FLAG = 0x100, TEAM = 2, TIMES = 1 };
enum phase { SILENT, SERIAL, WORK };

static _Thread_local volatile bool stepping;
static _Thread_local volatile int phase;
static _Thread_local volatile uint64_t region;
static atomic_ulong steps;

/* What was wrong how often, and where for the first time. */
static struct wrong {
	const char *what;
	atomic_ulong times;
	uintptr_t pc;
	struct answer answer;
} wrongs[] = {
	{ "requests that failed, or states that are none", 0, 0, { 0, 0, 0, 0, 0 } },
	{ "in SERIAL or IDLE, and in a region", 0, 0, { 0, 0, 0, 0, 0 } },
	{ "in WORK or at a barrier, and in no region", 0, 0, { 0, 0, 0, 0, 0 } },
	{ "waiting for nothing", 0, 0, { 0, 0, 0, 0, 0 } },
	{ "in the program's code, and not in its state or region", 0, 0, { 0, 0, 0, 0, 0 } },
};
enum { FAILED, OUTSIDE, INSIDE, WAITING, PROGRAM, WRONGS };

static bool is_outside(int state)
{
	return state == THR_SERIAL_STATE || state == THR_IDLE_STATE;
}

static bool is_inside(int state)
{
	return state == THR_WORK_STATE || state == THR_IBAR_STATE || state == THR_EBAR_STATE;
}

static bool is_waiting(int state)
{
	return state == THR_IBAR_STATE || state == THR_EBAR_STATE ||
	       (state >= THR_LKWT_STATE && state <= THR_ATWT_STATE);
}

static bool is_programs(const struct answer *a)
{
	if (phase == SERIAL)
		return a->state == THR_SERIAL_STATE && a->id == 0;
	return phase != WORK || (a->state == THR_WORK_STATE && a->id == region);
}

/* Which of them; WRONGS: none. */
static int wrong_of(const struct answer *a)
{
	if (a->state_code != OMP_ERRCODE_OK || a->id_code != OMP_ERRCODE_OK ||
	    a->state < THR_OVHD_STATE || a->state >= THR_LAST_STATE)
		return FAILED;
	if (is_outside(a->state) && a->id != 0)
		return OUTSIDE;
	if (is_inside(a->state) && a->id == 0)
		return INSIDE;
	if (is_waiting(a->state) && a->wait_id == 0)
		return WAITING;
	return is_programs(a) ? WRONGS : PROGRAM;
}

static void look(uintptr_t pc)
{
	const struct answer a = ask();
	const int w = wrong_of(&a);

	atomic_fetch_add(&steps, 1);
	if (w == WRONGS || atomic_fetch_add(&wrongs[w].times, 1) != 0)
		return;
	wrongs[w].pc = pc;
	wrongs[w].answer = a;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	if (stepping) {
		look((uintptr_t)registers[REG_RIP]);
		registers[REG_EFL] |= TRAP_FLAG;
	} else {
		registers[REG_EFL] &= ~TRAP_FLAG;
	}
}

static void steps_begin(void)
{
	stepping = true;
	raise(SIGTRAP);
}

static void steps_end(void)
{
	stepping = false;
}

/* ---- the program ------------------------------------------------------ */

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long double far;
static int near;

static void work(void)
{
	int i;

	region = ask_region();
	phase = WORK;
	for (i = 0; i < 50; i++)
		__asm__ volatile("" : : : "memory");
	phase = SILENT;
}

static void constructs(void)
{
	int i, n = 0;

	work();
#pragma omp barrier
#pragma omp critical
	near++;
#pragma omp critical(conform_steps)
	near++;
	omp_set_lock(&lock);
	near++;
	omp_unset_lock(&lock);
	omp_set_nest_lock(&nest_lock);
	omp_unset_nest_lock(&nest_lock);
#pragma omp atomic
	far += 1;
#pragma omp for schedule(dynamic, 1)
	for (i = 0; i < 4; i++)
		work();
#pragma omp for schedule(static, 1) ordered
	for (i = 0; i < 4; i++) {
#pragma omp ordered
		work();
	}
#pragma omp sections
	{
#pragma omp section
		work();
#pragma omp section
		near++;
	}
#pragma omp single copyprivate(n)
	n = 1;
#pragma omp task
	work();
#pragma omp task if (n == 0)
	work();
#pragma omp taskwait
#pragma omp parallel if (0)
	work();
	work();
}

static void team(void (*first)(void), void (*last)(void))
{
	phase = SILENT;
#pragma omp parallel num_threads(TEAM)
	{
		if (first)
			first();
		constructs();
		if (last)
			last();
	}
	phase = SERIAL;
}

static void play(void)
{
	int i;

	team(NULL, NULL);
	team(steps_begin, NULL);
	for (i = 0; i < TIMES; i++)
		team(NULL, NULL);
	team(NULL, steps_end);
	phase = SILENT;
}

/* ---- what was seen ---------------------------------------------------- */

static void judge(const char *how)
{
	char what[128];
	Dl_info at;
	int i;

	note("%s: %lu instructions", how, (unsigned long)steps);
	snprintf(what, sizeof(what), "%s: enough instructions", how);
	expect(steps > 10000, what, "%lu", (unsigned long)steps);
	for (i = 0; i < WRONGS; i++) {
		struct wrong *w = &wrongs[i];

		memset(&at, 0, sizeof(at));
		dladdr((void *)w->pc, &at);
		snprintf(what, sizeof(what), "%s: never %s", how, w->what);
		expect(w->times == 0, what, "%lu times, first at %s+%#lx (%s): %s, region %llu",
		       (unsigned long)w->times, at.dli_fname ? at.dli_fname : "?",
		       (unsigned long)(w->pc - (uintptr_t)at.dli_fbase),
		       at.dli_sname ? at.dli_sname : "?", state_name(w->answer.state),
		       (unsigned long long)w->answer.id);
		w->times = 0;
	}
	steps = 0;
}

static void ignore(OMP_COLLECTORAPI_EVENT event)
{
	(void)event;
}

void group_steps(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART };
	int event;

	sigfillset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	session_begin();
	play();
	judge("no events");
	if (getenv("CONFORM_QUICK"))
		return;
	for (event = OMP_EVENT_FORK; event < EVENTS; event++)
		ask_register(event, ignore);
	play();
	judge("all events");
}
#else
void group_steps(void)
{
	note("instructions of this machine are not trapped");
}
#endif
