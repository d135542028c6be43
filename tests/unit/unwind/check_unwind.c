/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_unwind.c - compares the unwinder with libunwind.  A timer interrupts many kinds of
 * work at any instruction, and the handler compares every frame's PC and SP.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "src/profile/clock.h"
#include "tests/support/suite_main.h"
#include "tests/support/unwind_oracle.h"
#include "tests/support/unwind_work.h"

enum {
	TICK_US = 250,
	WORK_MS = 100,	   /* times ten with OMPHWC_TEST_LONG */
	BRIEF_MS = 10,	   /* with OMPHWC_TEST_BRIEF, where time is dear */
	SAMPLES_MIN = 100, /* of one kind: far fewer than there are */
};

static const struct unwind_work *const tables[] = {
	unwind_work_plain,
	unwind_work_fast,
	unwind_work_faster,
};

static char alternate[256 * 1024];

static volatile bool ticking;

/* Once: a slow machine gets on with its work between two ticks. */
static void tick(void)
{
	struct itimerval it = { { 0, 0 }, { 0, TICK_US } };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void on_tick(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig;
	(void)info;
	oracle_compare(ucontext);
	if (ticking)
		tick();
}

static long now_ms(void)
{
	return (long)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

static void setup(void)
{
	struct sigaction sa = { .sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART };
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	sigaltstack(&ss, NULL);
	sigaction(SIGALRM, &sa, NULL);
	oracle_reset(alternate, sizeof(alternate));
}

static long work_ms(void)
{
	return getenv("OMPHWC_TEST_BRIEF") ? BRIEF_MS :
	       getenv("OMPHWC_TEST_LONG")  ? 10 * WORK_MS :
					     WORK_MS;
}

static void compare_during(const struct unwind_work *w)
{
	unsigned long least = SAMPLES_MIN * (unsigned long)work_ms() / WORK_MS;
	long end = now_ms() + work_ms();

	oracle_reset(alternate, sizeof(alternate));
	ticking = true;
	tick();
	/* A slow machine gets the time that it needs. */
	for (int n = 1; now_ms() < end || (oracle.samples < least && n < 1000000); n++)
		w->run(n);
	ticking = false;
	ck_assert_msg(!oracle.wrong, "%s: %lu of %lu samples differ; %s", w->name, oracle.wrong,
		      oracle.samples, oracle.first);
	ck_assert_msg(oracle.samples >= least, "%s: %lu samples", w->name, oracle.samples);
	ck_assert_uint_ge(oracle.frames, 3 * oracle.samples);
}

START_TEST(test_samples)
{
	for (const struct unwind_work *w = tables[_i]; w->name; w++)
		compare_during(w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unwind");
	TCase *t = tcase_create("beside libunwind");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_loop_test(t, test_samples, 0, sizeof(tables) / sizeof(tables[0]));
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return suite_main(s);
}
