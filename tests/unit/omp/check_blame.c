/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_blame.c - what a sample is charged with, by what other threads do.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "tests/support/suite_main.h"

enum { THREADS = 4, WEIGHT = 1200 };

static struct omp_thread threads[THREADS];
static struct blame_share shares[BLAME_SHARES];

static void begin(void)
{
	blame_prepare(true);
	for (int i = 0; i < THREADS; i++) {
		threads[i].kind = i == 0 ? PROF_THREAD_INITIAL : PROF_THREAD_WORKER;
		blame_begin(&threads[i]);
	}
}

static void end(void)
{
	for (int i = 0; i < THREADS; i++)
		blame_end(&threads[i]);
}

static uint64_t fork_on(int thread)
{
	struct region *r = region_begin(&threads[thread].regions, 0);

	ck_assert_ptr_nonnull(r);
	blame_fork(&threads[thread], region_token(r));
	return region_token(r);
}

static void join(uint64_t token)
{
	region_end(region_live(token));
}

/* A region that threads first to last are in. */
static uint64_t team(int first, int last)
{
	const uint64_t token = fork_on(first);

	for (int i = first; i <= last; i++)
		blame_enter(&threads[i], token);
	return token;
}

/* What a sample of the thread is charged with of that state's waiting. */
static uint64_t charged(int thread, uint8_t state)
{
	const unsigned n = blame_shares(&threads[thread], WEIGHT, shares);
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		if (shares[i].state == state)
			sum += shares[i].weight;
	return sum;
}

static uint64_t charged_at_all(int thread)
{
	const unsigned n = blame_shares(&threads[thread], WEIGHT, shares);
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += shares[i].weight;
	return sum;
}

START_TEST(serial_code_is_charged_with_idle_workers)
{
	ck_assert_uint_eq(charged(0, PROF_STATE_IDLE), 3 * WEIGHT);
	ck_assert_uint_eq(charged_at_all(0), 3 * WEIGHT);
	ck_assert_uint_eq(charged_at_all(1), 0);
}
END_TEST

START_TEST(late_threads_share_a_barrier)
{
	const uint64_t region = team(0, 3);

	ck_assert_uint_eq(charged_at_all(0), 0);
	blame_wait(&threads[2], PROF_STATE_BARRIER, true);
	ck_assert_uint_eq(charged(0, PROF_STATE_BARRIER), WEIGHT / 3);
	blame_wait(&threads[3], PROF_STATE_BARRIER, true);
	ck_assert_uint_eq(charged(0, PROF_STATE_BARRIER), WEIGHT);
	ck_assert_uint_eq(charged(1, PROF_STATE_BARRIER), WEIGHT);
	ck_assert_uint_eq(charged_at_all(2), 0);
	blame_wait(&threads[3], PROF_STATE_BARRIER, false);
	ck_assert_uint_eq(charged(3, PROF_STATE_BARRIER), WEIGHT / 3);
	join(region);
}
END_TEST

/* Runtimes report the end of a worker's last wait when they need it again. */
START_TEST(workers_of_a_region_that_is_over_are_idle)
{
	const uint64_t region = team(0, 3);

	for (int i = 1; i < THREADS; i++)
		blame_wait(&threads[i], PROF_STATE_BARRIER, true);
	ck_assert_uint_eq(charged(0, PROF_STATE_BARRIER), 3 * WEIGHT);
	join(region);
	blame_leave(&threads[0], region);
	ck_assert_uint_eq(charged(0, PROF_STATE_BARRIER), 0);
	ck_assert_uint_eq(charged(0, PROF_STATE_IDLE), 3 * WEIGHT);
}
END_TEST

START_TEST(a_holder_is_charged_with_those_who_wait_for_its_lock)
{
	const uint64_t region = team(0, 3);

	blame_acquire(&threads[1], PROF_STATE_LOCK, 0x1000);
	blame_acquired(&threads[1], PROF_STATE_LOCK, 0x1000, 0x1000);
	blame_acquire(&threads[2], PROF_STATE_LOCK, 0x1000);
	blame_acquire(&threads[3], PROF_STATE_LOCK, 0x2000);
	ck_assert_uint_eq(charged(1, PROF_STATE_LOCK), WEIGHT);
	ck_assert_uint_eq(shares[0].object, 0x1000);
	ck_assert_uint_eq(charged_at_all(0), 0);
	/* Also while the holder waits. */
	blame_wait(&threads[1], PROF_STATE_BARRIER, true);
	ck_assert_uint_eq(charged(1, PROF_STATE_LOCK), WEIGHT);
	blame_released(&threads[1], 0x1000);
	ck_assert_uint_eq(charged_at_all(1), 0);
	join(region);
}
END_TEST

START_TEST(a_nested_lock_is_held_until_its_last_release)
{
	blame_acquired(&threads[0], PROF_STATE_LOCK, 0x1000, 0x1000);
	ck_assert(blame_acquired_again(&threads[0], 0x1000));
	ck_assert(!blame_acquired_again(&threads[1], 0x1000));
	blame_acquire(&threads[1], PROF_STATE_LOCK, 0x1000);
	blame_released(&threads[0], 0x1000);
	ck_assert_uint_eq(charged(0, PROF_STATE_LOCK), WEIGHT);
	blame_released(&threads[0], 0x1000);
	ck_assert_uint_eq(charged(0, PROF_STATE_LOCK), 0);
}
END_TEST

/* Its release was reported on another thread. */
START_TEST(a_lock_that_is_set_anew_is_held_once)
{
	blame_acquired(&threads[0], PROF_STATE_LOCK, 0x1000, 0x1000);
	blame_acquired(&threads[0], PROF_STATE_LOCK, 0x1000, 0x1000);
	blame_released(&threads[0], 0x1000);
	blame_acquire(&threads[1], PROF_STATE_LOCK, 0x1000);
	ck_assert_uint_eq(charged(0, PROF_STATE_LOCK), 0);
}
END_TEST

START_TEST(the_oldest_of_many_mutexes_is_dropped)
{
	for (uint64_t i = 1; i <= BLAME_HELD + 1; i++)
		blame_acquired(&threads[0], PROF_STATE_LOCK, i, i);
	blame_acquire(&threads[1], PROF_STATE_LOCK, 1);
	blame_acquire(&threads[2], PROF_STATE_LOCK, BLAME_HELD + 1);
	ck_assert_uint_eq(charged(0, PROF_STATE_LOCK), WEIGHT);
	for (uint64_t i = 1; i <= BLAME_HELD + 1; i++)
		blame_released(&threads[0], i);
	ck_assert_uint_eq(charged(0, PROF_STATE_LOCK), 0);
}
END_TEST

START_TEST(only_tasks_are_charged_with_waits_for_tasks)
{
	const uint64_t region = team(0, 3), task = task_token(9, 0);

	blame_switch(&threads[1], task, true);
	blame_wait(&threads[0], PROF_STATE_TASKWAIT, true);
	ck_assert_uint_eq(charged(1, PROF_STATE_TASKWAIT), WEIGHT);
	ck_assert_uint_eq(charged_at_all(2), 0);
	/* A thread that waits runs a task meanwhile. */
	blame_switch(&threads[0], task, true);
	ck_assert_uint_eq(charged_at_all(1), 0);
	blame_switch(&threads[0], region, false);
	ck_assert_uint_eq(charged(1, PROF_STATE_TASKWAIT), WEIGHT);
	join(region);
}
END_TEST

START_TEST(inner_regions_are_charged_with_waits_of_the_outer_one)
{
	const uint64_t outer = team(0, 1), inner = fork_on(1);

	for (int i = 1; i <= 3; i++)
		blame_enter(&threads[i], inner);
	blame_wait(&threads[0], PROF_STATE_BARRIER, true);
	ck_assert_uint_eq(charged(1, PROF_STATE_BARRIER), WEIGHT / 3);
	blame_wait(&threads[2], PROF_STATE_BARRIER, true);
	/* Of the inner region's one, and of the outer region's one, half. */
	ck_assert_uint_eq(charged(1, PROF_STATE_BARRIER), WEIGHT);
	ck_assert_uint_eq(charged(3, PROF_STATE_BARRIER), WEIGHT);
	join(inner);
	join(outer);
}
END_TEST

START_TEST(threads_that_end_wait_no_more)
{
	blame_end(&threads[1]);
	ck_assert_uint_eq(charged(0, PROF_STATE_IDLE), 2 * WEIGHT);
	blame_begin(&threads[1]);
	ck_assert_uint_eq(charged(0, PROF_STATE_IDLE), 3 * WEIGHT);
}
END_TEST

START_TEST(a_forks_child_has_one_thread)
{
	blame_fork_child(&threads[0]);
	ck_assert_uint_eq(charged_at_all(0), 0);
	/* Their memory is there, but they are not. */
	for (int i = 1; i < THREADS; i++)
		threads[i].blame = NULL;
}
END_TEST

START_TEST(threads_unknown_to_openmp_have_no_part)
{
	threads[0].kind = PROF_THREAD_UNKNOWN;
	blame_kind(&threads[0]);
	ck_assert_uint_eq(charged_at_all(0), 0);
	threads[0].kind = PROF_THREAD_INITIAL;
	blame_kind(&threads[0]);
	ck_assert_uint_eq(charged_at_all(0), 3 * WEIGHT);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("blame");
	TCase *c = tcase_create("charges");

	tcase_add_checked_fixture(c, begin, end);
	tcase_add_test(c, serial_code_is_charged_with_idle_workers);
	tcase_add_test(c, late_threads_share_a_barrier);
	tcase_add_test(c, workers_of_a_region_that_is_over_are_idle);
	tcase_add_test(c, a_holder_is_charged_with_those_who_wait_for_its_lock);
	tcase_add_test(c, a_nested_lock_is_held_until_its_last_release);
	tcase_add_test(c, a_lock_that_is_set_anew_is_held_once);
	tcase_add_test(c, the_oldest_of_many_mutexes_is_dropped);
	tcase_add_test(c, only_tasks_are_charged_with_waits_for_tasks);
	tcase_add_test(c, inner_regions_are_charged_with_waits_of_the_outer_one);
	tcase_add_test(c, threads_that_end_wait_no_more);
	tcase_add_test(c, a_forks_child_has_one_thread);
	tcase_add_test(c, threads_unknown_to_openmp_have_no_part);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	return suite_main(suite());
}
