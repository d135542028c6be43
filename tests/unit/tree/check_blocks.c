/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_blocks.c - the table of heap blocks: an added block is found at each of its
 * addresses and nowhere else, and not after it was removed, also with concurrent changes;
 * blocks that were freed unseen are replaced.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "ompt_tool/tree/blocks.h"
#include "tests/support/interrupt.h"
#include "tests/support/suite_main.h"

enum { PAGE = 4096 };
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static const uint64_t somewhere = UINT64_C(0x7f1234567000);

static void setup(void)
{
	ck_assert_int_eq(blocks_init(), 0);
}

static void removed(uint64_t start, uint64_t bytes, uint32_t context)
{
	struct blocks_was was;

	ck_assert(blocks_remove(start, &was));
	ck_assert_uint_eq(was.bytes, bytes);
	ck_assert_uint_eq(was.context, context);
}

/* Where blocks begin and how long they are: at and around what slots hold. */
static const struct {
	uint64_t start, bytes;
} shapes[] = {
	{ 0, PAGE },
	{ 16, PAGE },
	{ PAGE - 1, PAGE },
	{ 16, PAGE + 1 },
	{ 0, 2 * PAGE - 1 },
	{ 16, 2 * MIB },
	{ 0, 2 * MIB },
	{ 0, 2 * MIB + 1 },
	{ PAGE, 4 * MIB },
	{ 16, 5 * MIB },
	{ 0, GIB },
	{ 16, GIB },
	{ 2 * MIB, 3 * GIB + 5 },
	{ GIB - PAGE, 2 * PAGE },
	{ 2 * MIB - 16, PAGE + 32 },
	{ 0, 70 * GIB },
};

START_TEST(found_within_and_nowhere_else)
{
	const uint64_t begin = (somewhere & ~(GIB - 1)) + shapes[_i].start;
	const uint64_t end = begin + shapes[_i].bytes;
	struct blocks_was was;

	ck_assert_uint_eq(blocks_find(begin), 0);
	ck_assert(blocks_add(begin, end - begin, 7));
	ck_assert_uint_eq(blocks_find(begin), 7);
	ck_assert_uint_eq(blocks_find(end - 1), 7);
	ck_assert_uint_eq(blocks_find(begin - 1), 0);
	ck_assert_uint_eq(blocks_find(end), 0);
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(blocks_find(begin + (end - begin) / 1000 * i), 7);
	ck_assert(!blocks_remove(begin + 1, &was));
	ck_assert_uint_eq(was.context, 0);
	removed(begin, end - begin, 7);
	ck_assert(!blocks_remove(begin, &was));
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(blocks_find(begin + (end - begin) / 1000 * i), 0);
}
END_TEST

/* Adjacent blocks, in random order. */
START_TEST(neighbours)
{
	enum { N = 1000 };
	static uint64_t begin[N + 1];
	uint64_t at = somewhere + 16;

	for (int i = 0; i < N; i++) {
		begin[i] = at;
		at += PAGE + (uint64_t)(i * 7919 % 97) * 16 +
		      (i % 50 == 0 ? (uint64_t)i * PAGE : 0);
	}
	begin[N] = at;
	for (unsigned i = 0; i < N; i++) {
		unsigned k = i * 617 % N;

		ck_assert(blocks_add(begin[k], begin[k + 1] - begin[k], k + 1));
	}
	for (unsigned i = 0; i < N; i++) {
		ck_assert_uint_eq(blocks_find(begin[i]), i + 1);
		ck_assert_uint_eq(blocks_find(begin[i + 1] - 1), i + 1);
	}
	for (unsigned i = 0; i < N; i += 2)
		removed(begin[i], begin[i + 1] - begin[i], i + 1);
	for (unsigned i = 0; i < N; i++)
		ck_assert_uint_eq(blocks_find(begin[i] + PAGE / 2), i % 2 == 0 ? 0 : i + 1);
}
END_TEST

START_TEST(what_cannot_be)
{
	struct blocks_was was;

	ck_assert(!blocks_add(somewhere, PAGE - 1, 1));
	ck_assert(!blocks_add(somewhere, 0, 1));
	ck_assert(!blocks_add(somewhere, PAGE, 0));
	ck_assert(!blocks_add(UINT64_C(1) << 48, PAGE, 1));
	ck_assert(!blocks_add((UINT64_C(1) << 48) - PAGE, PAGE + 1, 1));
	ck_assert(!blocks_add(somewhere, UINT64_MAX, 1));
	ck_assert(blocks_add((UINT64_C(1) << 48) - PAGE, PAGE, 1));
	ck_assert_uint_eq(blocks_find((UINT64_C(1) << 48) - 1), 1);
	ck_assert_uint_eq(blocks_find(UINT64_C(1) << 48), 0);
	ck_assert_uint_eq(blocks_find(UINT64_MAX), 0);
	ck_assert_uint_eq(blocks_find(0), 0);
	ck_assert(!blocks_remove(0, &was));
	ck_assert(!blocks_remove(UINTPTR_MAX, &was));
}
END_TEST

/* An allocator's own interface may free blocks without our knowledge. */
START_TEST(what_was_given_up_unseen)
{
	const uint64_t elsewhere = _i == 0 ? GIB : (somewhere & ~(GIB - 1)) + 64 * GIB;
	struct blocks_was was;

	ck_assert(blocks_add(somewhere + 16, 8 * PAGE, 1));
	ck_assert(blocks_add(somewhere + 4 * PAGE + 32, 8 * PAGE, 2));
	ck_assert_uint_eq(blocks_find(somewhere + 32), 0);
	ck_assert_uint_eq(blocks_find(somewhere + 5 * PAGE), 2);
	ck_assert(!blocks_remove(somewhere + 16, &was));
	/* A small block in the middle of a former large one. */
	ck_assert(blocks_add(elsewhere, GIB, 3));
	/* The record of the first block now belongs to another one. */
	ck_assert(blocks_add(somewhere + 16, PAGE, 6));
	ck_assert_uint_eq(blocks_find(elsewhere), 3);
	ck_assert(blocks_add(elsewhere + 300 * MIB, PAGE, 4));
	ck_assert_uint_eq(blocks_find(elsewhere + 300 * MIB), 4);
	ck_assert_uint_eq(blocks_find(elsewhere + 16), 0);
	removed(elsewhere + 300 * MIB, PAGE, 4);
	/* The same place again. */
	ck_assert(blocks_add(somewhere + 4 * PAGE + 32, 8 * PAGE, 5));
	removed(somewhere + 4 * PAGE + 32, 8 * PAGE, 5);
	ck_assert_uint_eq(blocks_find(somewhere + 5 * PAGE), 0);
}
END_TEST

/* A stale reference to a reused record must not remove its new block. */
START_TEST(records_are_used_again)
{
	for (uint32_t i = 1; i < 100000; i++) {
		const uint64_t at = somewhere + i % 64 * 3 * PAGE;

		ck_assert(blocks_add(at + 16, 2 * PAGE, i));
		if (i >= 32)
			removed(somewhere + (i - 31) % 64 * 3 * PAGE + 16, 2 * PAGE, i - 31);
		ck_assert_uint_eq(blocks_find(at + PAGE), i);
	}
}
END_TEST

START_TEST(more_than_there_is_room_for)
{
	uint64_t n = 0;

	while (n < 2 * BLOCKS_MOST && blocks_add(somewhere + n * 2 * PAGE, PAGE, (uint32_t)n + 1))
		n++;
	ck_assert_uint_gt(n, BLOCKS_MOST / 4);
	ck_assert_uint_lt(n, 2 * BLOCKS_MOST);
	ck_assert_uint_eq(blocks_find(somewhere + n * 2 * PAGE), 0);
	for (uint64_t i = 0; i < n; i += 997)
		ck_assert_uint_eq(blocks_find(somewhere + i * 2 * PAGE), i + 1);
	removed(somewhere, PAGE, 1);
	ck_assert(blocks_add(somewhere, PAGE, 9));
	ck_assert_uint_eq(blocks_find(somewhere), 9);
}
END_TEST

/* Pages far apart, for which there are not enough tables. */
START_TEST(more_tables_than_there_is_room_for)
{
	uint64_t n = 0;

	while (n < 1 << 17 && blocks_add((n + 1) * 2 * MIB - 16, PAGE, (uint32_t)n + 1))
		n++;
	ck_assert_uint_lt(n, 1 << 17);
	ck_assert_uint_gt(n, 1000);
	ck_assert_uint_eq(blocks_find((n + 1) * 2 * MIB - 16), 0);
	ck_assert_uint_eq(blocks_find((n + 1) * 2 * MIB), 0);
	ck_assert_uint_eq(blocks_find(n * 2 * MIB), n);
}
END_TEST

START_TEST(forgotten_in_a_child)
{
	const uint32_t before = blocks_era();
	struct blocks_was was;

	ck_assert(blocks_add(somewhere, PAGE, 1));
	ck_assert(blocks_add(somewhere + PAGE, PAGE, 2));
	blocks_forget();
	ck_assert_uint_ne(blocks_era(), before);
	ck_assert_uint_eq(blocks_find(somewhere), 0);
	ck_assert(blocks_add(somewhere, PAGE, 3));
	ck_assert_uint_eq(blocks_find(somewhere), 3);
	/* Its node belongs to another profile, so it must not be added again. */
	blocks_remove(somewhere + PAGE, &was);
	ck_assert_uint_eq(was.context, 0);
}
END_TEST

/* ---- at every instruction --------------------------------------------------- */

/* Check's assertions are not usable between instructions. */
static const uint64_t first = UINT64_C(0x7f1234567010), second = UINT64_C(0x10000);
static uint32_t found_first;
static bool all_well, came; /* came: the last one may come after the call */

static void add_it(uint64_t start, uint64_t bytes, uint32_t context)
{
	all_well = blocks_add(start, bytes, context) && all_well;
}

static void remove_it(uint64_t start, uint64_t bytes)
{
	struct blocks_was was;

	all_well = blocks_remove(start, &was) && was.bytes == bytes && all_well;
}

static void find_first(void *arg)
{
	(void)arg;
	found_first = blocks_find(first + 3 * PAGE);
}

/* The second takes the first one's record, and is longer. */
static void replace_first(void *arg)
{
	(void)arg;
	came = true;
	remove_it(first, 4 * PAGE);
	add_it(second, 64 * PAGE, 2);
}

START_TEST(found_as_it_was_or_not_at_all)
{
	bool more = true;

	all_well = true;
	for (int n = 1; more; n++) {
		came = false;
		add_it(first, 4 * PAGE, 1);
		more = interrupt_at(n, find_first, replace_first, NULL);
		ck_assert_msg(found_first == 0 || found_first == 1, "after %d: %u", n, found_first);
		if (!came)
			replace_first(NULL);
		remove_it(second, 64 * PAGE);
		ck_assert_msg(all_well, "after %d", n);
	}
}
END_TEST

static void add_first(void *arg)
{
	(void)arg;
	add_it(first, 4 * PAGE, 1);
}

static void remove_first(void *arg)
{
	(void)arg;
	remove_it(first, 4 * PAGE);
}

/* A handler of ours that searches the block, and one of the application's that allocates. */
static void look_and_allocate(void *arg)
{
	came = true;
	find_first(arg);
	all_well = all_well && found_first <= 1;
	add_it(second, 64 * PAGE, 2);
	add_it(second + 64 * PAGE, 64 * PAGE, 3);
	all_well = all_well && blocks_find(second + 63 * PAGE) == 2;
	remove_it(second, 64 * PAGE);
}

START_TEST(added_and_removed_whatever_comes_between)
{
	void (*const there)(void *) = _i == 0 ? add_first : remove_first;
	void (*const back)(void *) = _i == 0 ? remove_first : add_first;
	bool more = true;

	all_well = true;
	if (_i == 1)
		add_first(NULL);
	for (int n = 1; more; n++) {
		came = false;
		more = interrupt_at(n, there, look_and_allocate, NULL);
		find_first(NULL);
		ck_assert_msg(found_first == (_i == 0), "after %d: %u", n, found_first);
		if (came)
			remove_it(second + 64 * PAGE, 64 * PAGE);
		back(NULL);
		ck_assert_msg(all_well, "after %d", n);
	}
}
END_TEST

/* ---- while others change it ----------------------------------------------- */

enum { MOVERS = 2, LOOKERS = 2, ROUNDS = 30000, PLACES = 16 };

static _Atomic bool over;
static _Atomic uint64_t wrong, hits;

/* A block's context shows its address: each mover has addresses of its own. */
static uint64_t place_of(uint32_t mover, uint32_t k)
{
	return somewhere + ((uint64_t)mover * PLACES + k) * 8 * PAGE;
}

static uint32_t context_of(uint32_t mover, uint32_t k, uint32_t pages)
{
	return 1 + ((mover * PLACES + k) << 4 | pages);
}

static void *move(void *arg)
{
	const uint32_t mover = (uint32_t)(uintptr_t)arg;
	uint32_t pages[PLACES] = { 0 };
	struct blocks_was was;

	/* On a busy machine the others may begin late. */
	for (uint32_t i = 0; i < ROUNDS || hits == 0; i++) {
		const uint32_t k = i * 7 % PLACES;
		const uint64_t at = place_of(mover, k) + 16;

		if (pages[k] != 0 && (!blocks_remove(at, &was) || was.bytes != pages[k] * PAGE))
			wrong++;
		if (pages[k] != 0 && blocks_find(at + PAGE) != 0)
			wrong++;
		pages[k] = 1 + i % 7;
		if (!blocks_add(at, (uint64_t)pages[k] * PAGE, context_of(mover, k, pages[k])) ||
		    blocks_find(at + PAGE - 1) != context_of(mover, k, pages[k]))
			wrong++;
	}
	return NULL;
}

/* A block that is found must contain the address. */
static void *look(void *arg)
{
	uint32_t seed = (uint32_t)(uintptr_t)arg;

	while (!over) {
		seed = seed * 1664525 + 1013904223;
		const uint32_t place = seed >> 8 & (MOVERS * PLACES - 1);
		const uint64_t offset = seed >> 14 & (8 * PAGE - 1);
		const uint32_t found = blocks_find(place_of(0, place) + offset);

		if (found == 0)
			continue;
		hits++;
		if ((found - 1) >> 4 != place || offset < 16 ||
		    offset >= 16 + (uint64_t)((found - 1) & 15) * PAGE)
			wrong++;
	}
	return NULL;
}

START_TEST(nothing_false_while_others_change_it)
{
	pthread_t movers[MOVERS], lookers[LOOKERS];

	for (uintptr_t i = 0; i < LOOKERS; i++)
		ck_assert_int_eq(pthread_create(&lookers[i], NULL, look, (void *)i), 0);
	for (uintptr_t i = 0; i < MOVERS; i++)
		ck_assert_int_eq(pthread_create(&movers[i], NULL, move, (void *)i), 0);
	for (int i = 0; i < MOVERS; i++)
		pthread_join(movers[i], NULL);
	over = true;
	for (int i = 0; i < LOOKERS; i++)
		pthread_join(lookers[i], NULL);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(hits, 0);
}
END_TEST

/* ---- without room for tables at all ---------------------------------------- */

START_TEST(little_address_space)
{
	const struct rlimit some = { GIB, GIB }, none = { 16 * MIB, 16 * MIB };
	struct blocks_was was;

	ck_assert_uint_eq(blocks_find(somewhere), 0);
	ck_assert(!blocks_add(somewhere, PAGE, 1));
	ck_assert(!blocks_remove(somewhere, &was));
	ck_assert_int_eq(setrlimit(RLIMIT_AS, _i == 0 ? &some : &none), 0);
	ck_assert_int_eq(blocks_init(), _i == 0 ? 0 : -ENOMEM);
	ck_assert_int_eq(blocks_add(somewhere, PAGE, 1), _i == 0);
	ck_assert_uint_eq(blocks_find(somewhere), _i == 0);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_checked_fixture(c, setup, NULL);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, found_within_and_nowhere_else, 0,
			    (int)(sizeof(shapes) / sizeof(shapes[0])));
	tcase_add_test(c, neighbours);
	tcase_add_test(c, what_cannot_be);
	tcase_add_loop_test(c, what_was_given_up_unseen, 0, 2);
	tcase_add_test(c, records_are_used_again);
	tcase_add_test(c, more_than_there_is_room_for);
	tcase_add_test(c, more_tables_than_there_is_room_for);
	tcase_add_test(c, forgotten_in_a_child);
	tcase_add_test(c, found_as_it_was_or_not_at_all);
	tcase_add_loop_test(c, added_and_removed_whatever_comes_between, 0, 2);
	tcase_add_test(c, nothing_false_while_others_change_it);
}

int main(void)
{
	Suite *s = suite_create("blocks");
	TCase *c = tcase_create("table"), *d = tcase_create("room");

	add(c);
	tcase_add_loop_test(d, little_address_space, 0, 2);
	suite_add_tcase(s, c);
	suite_add_tcase(s, d);
	return suite_main(s);
}
