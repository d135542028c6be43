/* SPDX-License-Identifier: BSD-3-Clause */
/* check_stacks.c - what is concluded from threads' waits, and why a process is refused. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "src/base/message.h"
#include "src/stack/stack_refusal.h"
#include "src/stack/stack_rules.h"
#include "tests/support/suite_main.h"

enum { A = 11, B = 12, C = 13, REGION = 5, OTHER = 6 };

#define ROW(id, w, ...) \
	{ \
		.tid = (id), .wait = STACK_##w, __VA_ARGS__ \
	}

static struct stack_findings found;

static void look_at(const struct stack_row *rows, size_t n, bool moved)
{
	stack_findings_free(&found);
	stack_rules(rows, n, moved, &found);
}

/* ---- circles --------------------------------------------------------------- */

START_TEST(cycle_of_three)
{
	const struct stack_row rows[] = { ROW(A, LOCK, .owner = B), ROW(B, LOCK, .owner = C),
					  ROW(C, THREAD, .owner = A), ROW(14, RUNS),
					  ROW(15, LOCK, .owner = A) };

	look_at(rows, 5, true);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_int_eq(found.all[0].kind, STACK_CYCLE);
	ck_assert_uint_eq(found.all[0].n, 3);
	ck_assert_uint_eq(found.all[0].rows[0], 0);
	ck_assert_uint_eq(found.all[0].rows[1], 1);
	ck_assert_uint_eq(found.all[0].rows[2], 2);
}
END_TEST

/* The walk begins outside of the circle. */
START_TEST(cycle_behind)
{
	const struct stack_row rows[] = { ROW(15, LOCK, .owner = A), ROW(A, LOCK, .owner = B),
					  ROW(B, LOCK, .owner = A) };

	look_at(rows, 3, true);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_uint_eq(found.all[0].n, 2);
	ck_assert_uint_eq(found.all[0].rows[0], 1);
}
END_TEST

START_TEST(cycle_of_one)
{
	const struct stack_row rows[] = { ROW(A, LOCK, .owner = A), ROW(B, RUNS) };

	look_at(rows, 2, true);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_uint_eq(found.all[0].n, 1);
}
END_TEST

/* The owner runs, waits for what is not recorded, or is not there. */
START_TEST(no_cycle)
{
	const struct stack_row rows[] = { ROW(A, LOCK, .owner = B), ROW(B, RUNS),
					  ROW(C, LOCK, .owner = 99) };

	look_at(rows, 3, false);
	ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* ---- nobody goes on ---------------------------------------------------------- */

START_TEST(stuck_asleep)
{
	const struct stack_row rows[] = { ROW(A, LOCK, .firm = true), ROW(B, LOCK, .firm = true),
					  ROW(C, IDLE, .firm = true) };

	look_at(rows, 3, true);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_int_eq(found.all[0].kind, STACK_STUCK);
	ck_assert(found.all[0].sure);
	ck_assert_uint_eq(found.all[0].n, 2);
	ck_assert(!stack_rules_doubt(rows, 3));
}
END_TEST

START_TEST(stuck_spinning)
{
	const struct stack_row rows[] = { ROW(A, LOCK), ROW(B, LOCK), ROW(C, IDLE, .firm = true) };

	ck_assert(stack_rules_doubt(rows, 3));
	look_at(rows, 3, true);
	ck_assert_uint_eq(found.n, 0);
	look_at(rows, 3, false);
	ck_assert_uint_eq(found.n, 1);
	ck_assert(!found.all[0].sure);
}
END_TEST

/* A thread that runs, or sleeps in a call that others may end, may release it. */
START_TEST(not_stuck)
{
	const struct stack_row runs[] = { ROW(A, LOCK, .firm = true), ROW(B, RUNS) };
	const struct stack_row calls[] = { ROW(A, LOCK, .firm = true), ROW(B, CALL) };
	const struct stack_row spin[] = { ROW(A, BARRIER), ROW(B, BARRIER) };

	look_at(runs, 2, false);
	ck_assert_uint_eq(found.n, 0);
	look_at(calls, 2, false);
	ck_assert_uint_eq(found.n, 0);
	ck_assert(!stack_rules_doubt(calls, 2));
	/* A barrier that threads pass quickly looks the same at any time. */
	look_at(spin, 2, false);
	ck_assert_uint_eq(found.n, 0);
	ck_assert(!stack_rules_doubt(spin, 2));
}
END_TEST

/* ---- barriers ------------------------------------------------------------------ */

START_TEST(missing_one)
{
	const struct stack_row rows[] = { ROW(A, BARRIER, .team = REGION, .place = 3),
					  ROW(B, RUNS, .team = REGION),
					  ROW(C, BARRIER, .team = REGION, .place = 3),
					  ROW(14, RUNS, .team = OTHER), ROW(15, IDLE) };

	look_at(rows, 5, true);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_int_eq(found.all[0].kind, STACK_MISSING);
	ck_assert_uint_eq(found.all[0].n, 2);
	ck_assert_uint_eq(found.all[0].nmissing, 1);
	ck_assert_uint_eq(found.all[0].missing[0], 1);
}
END_TEST

START_TEST(missing_nobody)
{
	const struct stack_row rows[] = { ROW(A, BARRIER, .team = REGION, .place = 3),
					  ROW(B, BARRIER, .team = REGION, .place = 3),
					  ROW(C, BARRIER), ROW(14, RUNS) };

	look_at(rows, 4, true);
	ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* Different barriers: each lacks those at the other. */
START_TEST(missing_each_other)
{
	const struct stack_row rows[] = { ROW(A, BARRIER, .team = REGION, .place = 3),
					  ROW(B, END, .team = REGION, .place = 4) };

	look_at(rows, 2, true);
	ck_assert_uint_eq(found.n, 2);
	ck_assert_uint_eq(found.all[0].missing[0], 1);
	ck_assert_uint_eq(found.all[1].missing[0], 0);
}
END_TEST

START_TEST(order_of_groups)
{
	const struct stack_row rows[] = { ROW(A, BARRIER, .team = REGION, .place = 3, .look = 0),
					  ROW(B, IDLE, .look = 1),
					  ROW(C, BARRIER, .team = REGION, .place = 3, .look = 0),
					  ROW(14, RUNS, .team = REGION, .look = 2) };
	const size_t expected[] = { 3, 0, 2, 1 };
	size_t order[4];

	look_at(rows, 4, true);
	stack_rules_order(rows, 4, &found, order);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(order[i], expected[i]);
}
END_TEST

/* ---- refusals --------------------------------------------------------------------- */

static const struct {
	struct stack_facts f;
	const char *why;
} refusals[] = {
	{ { .error = ESRCH }, "there is no such process" },
	{ { .there = true, .zombie = true, .error = EPERM }, "a zombie" },
	{ { .there = true, .group = 6 }, "a thread, not a process" },
	{ { .there = true, .tracer = 9, .error = EPERM, .others = true }, "process 9 traces it" },
	{ { .there = true, .kernel = true }, "a thread of the kernel" },
	{ { .there = true, .error = EPERM, .others = true }, "another user's" },
	{ { .there = true, .error = EPERM, .others = true, .scope = 1 }, "another user's" },
	{ { .there = true, .error = EPERM, .scope = 1 }, "ptrace_scope is 1" },
	{ { .there = true, .error = EPERM, .scope = 2 }, "ptrace_scope is 2" },
	{ { .there = true, .error = EPERM, .scope = 3, .capable = true }, "ptrace_scope is 3" },
	{ { .there = true, .error = EPERM, .container = true }, "no CAP_SYS_PTRACE" },
	{ { .there = true, .error = EPERM, .capable = true }, "the kernel does not allow it" },
};

START_TEST(refused)
{
	struct stack_facts f = refusals[_i].f;
	struct trouble t = { .what = "" };

	f.pid = 5;
	ck_assert_int_eq(stack_refuse(&f, &t), -1);
	ck_assert_str_eq(t.what, "process 5");
	ck_assert_ptr_nonnull(strstr(t.why, refusals[_i].why));
	ck_assert_uint_gt(strlen(t.todo), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stacks");
	TCase *tc = tcase_create("stacks");

	tcase_add_test(tc, cycle_of_three);
	tcase_add_test(tc, cycle_behind);
	tcase_add_test(tc, cycle_of_one);
	tcase_add_test(tc, no_cycle);
	tcase_add_test(tc, stuck_asleep);
	tcase_add_test(tc, stuck_spinning);
	tcase_add_test(tc, not_stuck);
	tcase_add_test(tc, missing_one);
	tcase_add_test(tc, missing_nobody);
	tcase_add_test(tc, missing_each_other);
	tcase_add_test(tc, order_of_groups);
	tcase_add_loop_test(tc, refused, 0, sizeof(refusals) / sizeof(*refusals));
	suite_add_tcase(s, tc);
	return suite_main(s);
}
