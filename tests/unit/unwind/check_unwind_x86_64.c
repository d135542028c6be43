/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_unwind_x86_64.c - compares the unwinder with libunwind at every instruction:
 * prologues, epilogues, PLT stubs, the symbol resolver and the return from signal handlers.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tests/support/suite_main.h"
#include "tests/support/unwind_oracle.h"
#include "tests/support/unwind_work.h"

enum { TRAP_FLAG = 0x100, STEPS = 2500, STEPS_LONG = 200000 };

static const struct unwind_work *const tables[] = {
	unwind_work_plain,
	unwind_work_fast,
	unwind_work_faster,
};

static char alternate[256 * 1024];
static volatile bool stepping;
static unsigned long steps_max = STEPS;

/* Comes first by raise(), and from then on after each instruction. */
static void on_step(int sig, siginfo_t *info, void *ucontext)
{
	ucontext_t *uc = ucontext;

	(void)sig;
	(void)info;
	oracle_compare(uc);
	if (stepping && oracle.samples < steps_max)
		uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	else
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* The kernel doesn't step through a handler of its own accord. */
static void step_in_handler(void)
{
	if (stepping)
		raise(SIGTRAP);
}

static void setup(void)
{
	struct sigaction sa = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	sigaltstack(&ss, NULL);
	sigaction(SIGTRAP, &sa, NULL);
	unwind_work_hook = step_in_handler;
	if (getenv("OMPHWC_TEST_LONG"))
		steps_max = STEPS_LONG;
}

static void step_through(const struct unwind_work *w)
{
	oracle_reset(alternate, sizeof(alternate));
	stepping = true;
	raise(SIGTRAP);
	w->run(3);
	stepping = false;
	ck_assert_msg(!oracle.wrong, "%s: %lu of %lu samples differ; %s", w->name, oracle.wrong,
		      oracle.samples, oracle.first);
	ck_assert_uint_ge(oracle.samples, 1000);
}

START_TEST(test_every_instruction)
{
	for (const struct unwind_work *w = tables[_i]; w->name; w++)
		step_through(w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unwind, every instruction");
	TCase *t = tcase_create("beside libunwind");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_loop_test(t, test_every_instruction, 0, sizeof(tables) / sizeof(tables[0]));
	tcase_set_timeout(t, 600);
	suite_add_tcase(s, t);
	return suite_main(s);
}
