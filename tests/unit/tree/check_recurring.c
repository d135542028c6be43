/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_recurring.c - recurring frames are found as by a walk towards the root, in time
 * linear in the depth.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>

#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/recurring.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

enum { FRAME = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0) };

static struct prof_writer writer;
static struct cct cct;
static struct recurring recurring;

static void setup(void)
{
	writer_setup();
	ck_assert_int_eq(prof_create(&writer, profile, LIMIT), 0);
	prof_header(&writer)->nthreads = 1;
	cct_init(&cct, &writer, 0);
}

static void teardown(void)
{
	prof_abandon(&writer);
	writer_teardown();
}

static uint32_t walk_back(uint32_t node, uint64_t value)
{
	for (; node != 0; node = cct_node(&writer, node)->parent)
		if (cct_node(&writer, node)->info == FRAME &&
		    cct_node(&writer, node)->value == value)
			return node;
	return 0;
}

/* Frame by frame, some of them known, as the handler does. */
static uint32_t descend(uint32_t node, uint32_t frames, uint32_t kinds)
{
	for (uint32_t i = 0; i < frames; i++) {
		uint64_t value = 1 + (uint32_t)rand() % kinds;
		uint32_t before = walk_back(node, value);
		uint32_t found = recurring_find(&recurring, &writer, FRAME, value);

		ck_assert_uint_eq(found, before);
		if (found == 0) {
			found = cct_child(&cct, node, FRAME, value);
			recurring_push(&recurring, &writer, found);
		}
		node = found;
	}
	return node;
}

START_TEST(as_a_walk_back_finds_them)
{
	static const uint32_t kinds[] = { 2, 10, 100, 400, 100000 };

	srand(1);
	/* More than there are generations. */
	for (int round = 0; round < (_i == 0 ? 70000 : 300); round++) {
		uint32_t node = cct_root(&cct);

		recurring_begin(&recurring, &writer, node);
		node = descend(node, _i == 0 ? 3 : STACK_FRAMES_MAX / 2, kinds[_i]);
		/* The next sample keeps a part. */
		recurring_begin(&recurring, &writer, node);
		descend(node, _i == 0 ? 3 : STACK_FRAMES_MAX / 2, kinds[_i]);
	}
}
END_TEST

/* A path in which a frame comes twice, as of a region: the nearer one is found, and the
   outer one when the path was left before that. */
START_TEST(the_nearest)
{
	uint32_t node[5];

	node[0] = cct_child(&cct, cct_root(&cct), FRAME, 7);
	node[1] = cct_child(&cct, node[0], FRAME, 8);
	node[2] = cct_child(&cct, node[1], FRAME, 7);
	node[3] = cct_child(&cct, node[2], FRAME, 9);
	recurring_begin(&recurring, &writer, node[3]);
	ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME, 7), node[2]);
	ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME, 9), 0);
	ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME, 8), node[1]);
	ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME, 7), node[0]);
	ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME | 1 << 24, 7), 0);
}
END_TEST

START_TEST(steps_grow_with_the_depth)
{
	uint32_t node = cct_root(&cct);

	recurring_begin(&recurring, &writer, node);
	for (uint64_t i = 1; i <= STACK_FRAMES_MAX; i++) {
		ck_assert_uint_eq(recurring_find(&recurring, &writer, FRAME, i << 4), 0);
		node = cct_child(&cct, node, FRAME, i << 4);
		recurring_push(&recurring, &writer, node);
	}
	ck_assert_uint_le(recurring.steps, 8 * STACK_FRAMES_MAX);
	recurring_begin(&recurring, &writer, node);
	ck_assert_uint_le(recurring.steps, 3 * STACK_FRAMES_MAX);
	ck_assert_uint_ne(recurring_find(&recurring, &writer, FRAME, 16), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("recurring");
	TCase *c = tcase_create("recurring");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, as_a_walk_back_finds_them, 0, 5);
	tcase_add_test(c, the_nearest);
	tcase_add_test(c, steps_grow_with_the_depth);
	suite_add_tcase(s, c);
	return suite_main(s);
}
