/* SPDX-License-Identifier: BSD-3-Clause */
/* check_places.c - a thread's place, even if a runtime reports nonsense. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/omp/places.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/process.h"
#include "tests/support/suite_main.h"

static struct region_pool pool;
static struct places p;

static void setup(void)
{
	memset(&pool, 0, sizeof(pool));
	places_begin(&p);
}

static uint64_t begin(uint32_t context)
{
	struct region *r = region_begin(&pool, 0);

	ck_assert_ptr_nonnull(r);
	r->context = context;
	return region_token(r);
}

static void end(uint64_t token)
{
	ck_assert_ptr_nonnull(region_live(token));
	region_end(region_live(token));
}

static uint64_t task(uint32_t context)
{
	return task_token(context, 3);
}

static void at(uint32_t context, enum prof_part part)
{
	const struct place now = places_now(&p);

	ck_assert_uint_eq(now.context, context);
	ck_assert_uint_eq(now.part, part);
}

START_TEST(a_region_with_waits)
{
	uint64_t r = begin(7);

	at(0, PROF_PART_WORK);
	places_enter(&p, r, 7);
	at(7, PROF_PART_WORK);
	places_wait(&p, true);
	at(7, PROF_PART_WAIT);
	ck_assert(!places_over(&p));
	places_wait(&p, false);
	at(7, PROF_PART_WORK);
	places_wait(&p, true);
	end(r);
	ck_assert(places_over(&p));
	places_wait(&p, false);
	places_leave(&p, r);
	at(0, PROF_PART_WORK);
	ck_assert(!places_over(&p));
}
END_TEST

START_TEST(nested_regions)
{
	uint64_t outer = begin(7), inner = begin(8);

	places_enter(&p, outer, 7);
	places_enter(&p, inner, 8);
	at(8, PROF_PART_WORK);
	places_leave(&p, inner);
	at(7, PROF_PART_WORK);
	places_leave(&p, outer);
	at(0, PROF_PART_WORK);
	places_leave(&p, outer);
	at(0, PROF_PART_WORK);
}
END_TEST

/* A task at a barrier, which waits for a task of its own, made at one place. */
START_TEST(tasks_in_waits)
{
	uint64_t r = begin(7), t = task(9);

	places_enter(&p, r, 7);
	places_wait(&p, true);
	places_switch(&p, t, true);
	at(7, PROF_PART_TASK);
	places_wait(&p, true);
	at(7, PROF_PART_WAIT);
	places_switch(&p, t, true);
	at(7, PROF_PART_TASK);
	places_switch(&p, t, false);
	at(7, PROF_PART_WAIT);
	places_wait(&p, false);
	at(7, PROF_PART_TASK);
	places_switch(&p, r, false);
	at(7, PROF_PART_WAIT);
	places_wait(&p, false);
	at(7, PROF_PART_WORK);
}
END_TEST

/* An untied task that another thread began goes on here. */
START_TEST(a_task_from_elsewhere)
{
	uint64_t r = begin(7);

	places_enter(&p, r, 7);
	places_wait(&p, true);
	places_switch(&p, task(9), false);
	at(7, PROF_PART_TASK);
	places_switch(&p, r, false);
	at(7, PROF_PART_WAIT);
}
END_TEST

START_TEST(lost_ends)
{
	uint64_t r;

	for (uint32_t i = 1; i < 1000; i++) {
		r = begin(i);
		places_enter(&p, r, i);
		at(i, PROF_PART_WORK);
		places_wait(&p, true);
		places_switch(&p, task(9), true);
		end(r);
	}
	ck_assert_int_le(p.n, 3);
	r = begin(7);
	places_enter(&p, r, 7);
	places_leave(&p, r);
	at(0, PROF_PART_WORK);
}
END_TEST

/* A chain of tasks, each waiting for the next, deeper than is kept. */
START_TEST(deep_tasks)
{
	uint64_t r = begin(7), t = task(9);

	places_enter(&p, r, 7);
	for (int i = 0; i < 10 * PLACES_DEPTH; i++) {
		places_switch(&p, t, true);
		at(7, PROF_PART_TASK);
		if (i < 20)
			places_wait(&p, true);
	}
	for (int i = 10 * PLACES_DEPTH; --i > 0;)
		places_switch(&p, t, false);
	at(7, PROF_PART_WAIT);
	places_switch(&p, r, false);
	at(7, PROF_PART_WORK);
	for (int i = 0; i < 3 * PLACES_DEPTH; i++)
		places_enter(&p, r, 7);
	ck_assert_int_le(p.n, PLACES_DEPTH);
	places_leave(&p, r);
	places_wait(&p, false);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("places");
	TCase *c = tcase_create("places");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, a_region_with_waits);
	tcase_add_test(c, nested_regions);
	tcase_add_test(c, tasks_in_waits);
	tcase_add_test(c, a_task_from_elsewhere);
	tcase_add_test(c, lost_ends);
	tcase_add_test(c, deep_tasks);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
