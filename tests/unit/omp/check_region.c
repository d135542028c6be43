/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_region.c - live regions, and tokens that outlive them.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/omp/lives.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/undeferred.h"
#include "tests/support/suite_main.h"

static struct region_pool pool;

static void empty(void)
{
	memset(&pool, 0, sizeof(pool));
}

/* Late words change nothing. */
static void has_team(uint64_t token, uint32_t threads)
{
	struct region *r = region_live(token);

	if (r)
		r->team = threads;
}

static uint64_t begin(uint32_t context)
{
	struct region *r = region_begin(&pool, 0);

	ck_assert_ptr_nonnull(r);
	r->context = context;
	return region_token(r);
}

/* Whether the token's region was live; was: as it was then. */
static bool end_region(uint64_t token, struct region *was)
{
	struct region *r = region_live(token);

	if (r == NULL)
		return false;
	*was = *r;
	region_end(r);
	return true;
}

static enum token_kind kind_of(uint64_t token)
{
	struct token_view v;

	token_read(token, &v);
	return v.kind;
}

START_TEST(a_region_lives_and_ends)
{
	struct region *r = region_begin(&pool, 0), was;
	struct token_view v;

	ck_assert_ptr_nonnull(r);
	r->context = 77;
	r->owner = 3;
	r->stats = 5;
	r->team_stats = 6;
	r->begin_ticks = 1000;
	uint64_t token = region_token(r);
	ck_assert_uint_ne(token, 0);
	has_team(token, 4);
	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_REGION);
	ck_assert_uint_eq(v.context, 77);
	ck_assert_ptr_eq(v.region, r);
	ck_assert(!token_is_task(token));
	ck_assert(end_region(token, &was));
	ck_assert_uint_eq(was.context, 77);
	ck_assert_uint_eq(was.owner, 3);
	ck_assert_uint_eq(was.team, 4);
	ck_assert_uint_eq(was.stats, 5);
	ck_assert_uint_eq(was.team_stats, 6);
	ck_assert_uint_eq(was.begin_ticks, 1000);
	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_OVER);
	ck_assert_uint_eq(v.context, 0);
	ck_assert_ptr_null(v.region);
	ck_assert(!end_region(token, &was));
}
END_TEST

START_TEST(a_used_record_is_empty_and_another)
{
	struct region was;
	uint64_t first = begin(1);

	has_team(first, 9);
	ck_assert(end_region(first, &was));
	uint64_t second = begin(0);
	ck_assert_uint_ne(first, second);
	ck_assert(!token_same_task(first, second));
	ck_assert_int_eq(kind_of(first), TOKEN_OVER);
	ck_assert_int_eq(kind_of(second), TOKEN_REGION);
	/* Late words of the first region don't reach the second. */
	has_team(first, 100);
	ck_assert(!end_region(first, &was));
	ck_assert(end_region(second, &was));
	ck_assert_uint_eq(was.team, 0);
	ck_assert_uint_eq(was.context, 0);
}
END_TEST

/* Also after as many regions as 16 bits can distinguish, and more. */
START_TEST(a_stale_token_stays_stale)
{
	struct region was;
	uint64_t old = begin(1);

	ck_assert(end_region(old, &was));
	for (int i = 0; i < 200000; i++) {
		uint64_t token = begin(2);

		if (kind_of(old) != TOKEN_OVER || kind_of(token) != TOKEN_REGION)
			ck_abort_msg("region %d", i);
		end_region(token, &was);
	}
}
END_TEST

enum { DEEP = 2000 };

static struct region_pool *pool_of(uint64_t token)
{
	return region_pools[(uint32_t)token >> TOKEN_POOL_SHIFT];
}

START_TEST(nested_regions_are_told_apart)
{
	static uint64_t token[DEEP];
	struct token_view v;
	struct region was;

	for (uint32_t i = 0; i < DEEP; i++)
		token[i] = begin(100 + i);
	for (uint32_t i = 0; i < DEEP; i++) {
		token_read(token[i], &v);
		ck_assert_int_eq(v.kind, TOKEN_REGION);
		ck_assert_uint_eq(v.context, 100 + i);
		for (uint32_t k = 0; k < i; k++)
			if (token_same_task(token[i], token[k]))
				ck_abort_msg("%u and %u", i, k);
	}
	/* In any order. */
	ck_assert(end_region(token[7], &was));
	ck_assert_int_eq(kind_of(token[7]), TOKEN_OVER);
	ck_assert_int_eq(kind_of(token[8]), TOKEN_REGION);
	ck_assert_int_eq(kind_of(begin(1)), TOKEN_REGION);
	ck_assert_int_eq(kind_of(token[DEEP - 1]), TOKEN_REGION);
	/* A fork's child forgets all contexts. */
	region_forget(&pool);
	token_read(token[DEEP - 1], &v);
	ck_assert_int_eq(v.kind, TOKEN_REGION);
	ck_assert_uint_eq(v.context, 0);
}
END_TEST

/* What was once deep needs no more memory later. */
START_TEST(pools_are_used_again)
{
	static uint64_t token[DEEP];
	struct region_pool *last = NULL;
	struct region was;

	for (int again = 0; again < 3; again++) {
		for (uint32_t i = 0; i < DEEP; i++)
			token[i] = begin(100 + i);
		ck_assert(again == 0 || pool_of(token[DEEP - 1]) == last);
		last = pool_of(token[DEEP - 1]);
		for (uint32_t i = DEEP; i-- > 0;)
			ck_assert(end_region(token[i], &was));
		/* The first record stays the one that is found quickly. */
		ck_assert_ptr_eq(region_first(&pool), &pool.region[0]);
	}
}
END_TEST

START_TEST(a_region_without_a_record)
{
	const uint64_t token = region_bare_token(77, 5);
	struct token_view v;

	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_REGION);
	ck_assert_uint_eq(v.context, 77);
	ck_assert_ptr_null(v.region);
	ck_assert(!token_is_task(token));
	ck_assert(!token_is_over(token));
	ck_assert_ptr_null(region_live(token));
	ck_assert(!token_same_task(token, task_token(77, 5)));
	token_epoch++;
	token_read(token, &v);
	ck_assert_uint_eq(v.context, 0);
	token_epoch--;
	/* One of the runtime's own */
	ck_assert(!token_is_own(token));
	ck_assert(token_is_own(region_own_token(5)));
	ck_assert(!token_is_own(task_token(77, 5) | TOKEN_TASK_BEGUN));
	token_read(region_own_token(5), &v);
	ck_assert_int_eq(v.kind, TOKEN_OWN);
}
END_TEST

/* A runtime that loses the ends of regions does not use memory up. */
START_TEST(lost_ends_are_noticed)
{
	uint64_t token[REGION_POOL];
	struct region was;

	for (uint32_t i = 0; i < REGION_POOL; i++) {
		struct region *r = region_begin(&pool, 0);

		/* As stacks grow: each region's frame beneath the last one's. */
		r->cfa = 100000 - 1000 * i;
		token[i] = region_token(r);
	}
	struct region *r = region_begin(&pool, 90000);

	ck_assert_ptr_nonnull(r);
	ck_assert_ptr_eq(pool_of(region_token(r)), &pool);
	for (uint32_t i = 0; i < REGION_POOL; i++)
		ck_assert_int_eq(kind_of(token[i]), i < 10 ? TOKEN_REGION : TOKEN_OVER);
	ck_assert(!end_region(token[20], &was));
	ck_assert(end_region(token[5], &was));
	ck_assert(end_region(region_token(r), &was));
	/* No frame is gone. */
	for (uint32_t i = 0; i < REGION_POOL; i++)
		region_begin(&pool, 1000)->cfa = 50000 - 100 * i;
	ck_assert_int_eq(kind_of(token[9]), TOKEN_REGION);
}
END_TEST

START_TEST(tasks_name_their_context)
{
	struct token_view v;

	token_epoch = 7;
	const uint64_t token = task_token(0xdeadbeef, 0x12345);
	ck_assert(token_is_task(token));
	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_TASK);
	ck_assert_uint_eq(v.context, 0xdeadbeef);
	ck_assert_uint_eq(v.creator, 0x2345);
	ck_assert_ptr_null(v.region);
	/* A fork's child has other nodes. */
	token_epoch++;
	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_TASK);
	ck_assert_uint_eq(v.context, 0);
	struct region was;
	ck_assert(!end_region(token, &was));
	has_team(token, 3);
}
END_TEST

START_TEST(a_task_begins_once)
{
	/* Of generations that the token cannot tell apart, none is believed. */
	for (uint32_t epoch = 0; epoch < 600; epoch++) {
		struct token_view v;

		token_epoch = epoch;
		const uint64_t token = task_token(9, 1);

		token_read(token, &v);
		ck_assert_uint_eq(v.context, epoch < TOKEN_EPOCHS ? 9 : 0);
		token_epoch = epoch + 256;
		token_read(token, &v);
		ck_assert_int_eq(v.kind, TOKEN_TASK);
		ck_assert_uint_eq(v.context, 0);
	}
	token_epoch = 0;

	uint64_t token = task_token(5, 1), other = task_token(6, 1), region = begin(1);
	uint64_t begun = token, none = 0;
	struct token_view v;

	ck_assert(task_is_new(begun));
	ck_assert(task_begin(&begun));
	ck_assert(!task_is_new(begun));
	ck_assert(!task_begin(&begun));
	ck_assert(token_same_task(token, begun));
	ck_assert(!token_same_task(token, other));
	ck_assert_uint_eq(token_context(token), token_context(begun));
	ck_assert_uint_eq(token_context(token), token_context(task_token(5, 2)));
	ck_assert_uint_ne(token_context(token), token_context(other));
	token_read(begun, &v);
	ck_assert_uint_eq(v.context, 5);
	uint64_t same = region;
	ck_assert(!task_begin(&region));
	ck_assert(!task_is_new(region));
	ck_assert_uint_eq(region, same);
	ck_assert(!task_begin(&none));
	ck_assert_uint_eq(none, 0);
}
END_TEST

/* A region's context and a task's are two, though the node is one. */
START_TEST(contexts_of_tokens)
{
	ck_assert_uint_ne(token_context(begin(5)), token_context(task_token(5, 0)));
	ck_assert_uint_eq(token_context(begin(5)), token_context(begin(5)));
	ck_assert_uint_eq(token_context(0), 0);
}
END_TEST

START_TEST(a_forks_child_forgets_nodes)
{
	uint64_t token = begin(50);
	struct region was;
	struct token_view v;

	region_forget(&pool);
	token_epoch = 1;
	token_read(token, &v);
	ck_assert_int_eq(v.kind, TOKEN_REGION);
	ck_assert_uint_eq(v.context, 0);
	ck_assert(end_region(token, &was));
	ck_assert_uint_eq(was.stats, 0);
}
END_TEST

/* Data of a region that is gone may hold anything. */
START_TEST(any_value_can_be_read)
{
	uint64_t x = 88172645463325252u;
	struct token_view v;
	struct region was;

	begin(1);
	for (int i = 0; i < 3000000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		uint64_t token = i % 2 != 0 ? x : x & 0x7fffffffffff;

		token_read(token, &v);
		if (v.kind > TOKEN_OWN)
			ck_abort_msg("token %lx", token);
		has_team(token, 1);
		end_region(token, &was);
		token_context(token);
		task_begin(&token);
	}
}
END_TEST

/* ---- read by all while the owner goes on ---------------------------------- */

static _Atomic uint64_t published;
static _Atomic bool done;
static _Atomic uint64_t live_seen;

/* A region's context is made of its token, so that a torn read shows. */
static void *read_on(void *arg)
{
	uint64_t live = 0, wrong = 0;

	(void)arg;
	while (!done) {
		uint64_t token = published;
		struct token_view v;

		for (int i = 0; i < 10; i++) {
			token_read(token, &v);
			if (v.kind != TOKEN_REGION)
				continue;
			live++;
			if (v.context != (uint32_t)(token >> 32) && v.context != 0)
				wrong++;
		}
	}
	live_seen += live;
	return (void *)(uintptr_t)wrong;
}

START_TEST(no_context_of_another_region)
{
	pthread_t readers[2];
	struct region was;
	void *wrong;

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&readers[i], NULL, read_on, NULL), 0);
	for (int i = 0; i < 3000000 && (i < 300000 || live_seen == 0); i++) {
		struct region *r = region_begin(&pool, 0);
		uint64_t token = region_token(r);

		r->context = (uint32_t)(token >> 32);
		published = token;
		end_region(token, &was);
	}
	done = true;
	for (int i = 0; i < 2; i++) {
		pthread_join(readers[i], &wrong);
		ck_assert_ptr_null(wrong);
	}
}
END_TEST

/* Threads beyond what a token can name get no records, and nothing else. */
START_TEST(more_pools_than_can_be_named)
{
	static struct region_pool many;
	struct region *last = &pool.region[0];
	uint64_t token = begin(123);
	int n = 0;

	/* In the same memory. */
	for (; n <= REGION_POOLS_MAX && (last = region_begin(&many, 0)) != NULL; n++)
		memset(&many, 0, sizeof(many));
	ck_assert_ptr_null(last);
	ck_assert_int_gt(n, 200000);
	ck_assert_int_eq(kind_of(token), TOKEN_REGION);
	for (int i = 1; i < REGION_POOL; i++)
		ck_assert_ptr_nonnull(region_begin(&pool, 0));
	ck_assert_ptr_null(region_begin(&pool, 0));
	/* They stay named for ever. */
}
END_TEST

/* ---- tasks that are not deferred -------------------------------------- */

START_TEST(undeferred_by_frame)
{
	static struct undeferred u;
	static const char task[DEEP];

	ck_assert_uint_eq(undeferred_cfa(&u, &task[0]), 0);
	undeferred_begin(&u, &task[0], 0x9000, 0x8000);
	undeferred_begin(&u, &task[1], 0x7000, 0x6000);
	ck_assert_uint_eq(undeferred_cfa(&u, &task[0]), 0x9000);
	ck_assert_uint_eq(undeferred_cfa(&u, &task[1]), 0x7000);
	/* Only the last can be over. */
	undeferred_end(&u, &task[0]);
	ck_assert_uint_eq(undeferred_cfa(&u, &task[0]), 0x9000);
	undeferred_end(&u, &task[1]);
	ck_assert_uint_eq(undeferred_cfa(&u, &task[1]), 0);
	/* An end was lost, and the frame is gone: so is what was there. */
	undeferred_begin(&u, &task[1], 0x7000, 0x6000);
	undeferred_begin(&u, &task[2], 0x8800, 0x7000);
	ck_assert_uint_eq(u.n, 2);
	ck_assert_uint_eq(undeferred_cfa(&u, &task[1]), 0);
	/* A frame further in than here is none. */
	undeferred_begin(&u, &task[3], 0x6fff, 0x7000);
	ck_assert_uint_eq(u.n, 2);
	for (uintptr_t i = 0; i < DEEP; i++)
		ck_assert(undeferred_begin(&u, &task[i], 0x600000 - i * 16, 0x600000 - i * 16 - 8));
	ck_assert_uint_eq(u.n, DEEP);
	for (uintptr_t i = DEEP; i-- > 0;) {
		ck_assert_uint_eq(undeferred_cfa(&u, &task[i]), 0x600000 - i * 16);
		undeferred_end(&u, &task[i]);
	}
	ck_assert_uint_eq(u.n, 0);
}
END_TEST

/* ---- ends that were lost ------------------------------------------------- */

START_TEST(what_is_over_without_a_word)
{
	struct item {
		struct begun begun;
		char more[40];
	} items[4] = { 0 };
	const uint64_t outer = begin(1), inner = begin(2);
	struct region was;

	items[0].begun = (struct begun){ .token = outer, .key = 10 };
	items[1].begun = (struct begun){ .token = task_token(7, 1), .frame = 0x9000, .key = 11 };
	items[2].begun = (struct begun){ .token = inner, .key = 12 };
	items[3].begun = (struct begun){ .key = 13 }; /* a lock */
	ck_assert_uint_eq(begun_lasting(items, sizeof(*items), 4, 0x8000), 4);
	ck_assert_uint_eq(begun_by_task(items, sizeof(*items), 4, outer), 1);
	ck_assert_uint_eq(begun_by_task(items, sizeof(*items), 4,
					task_token(7, 1) | TOKEN_TASK_BEGUN),
			  2);
	ck_assert_uint_eq(begun_by_task(items, sizeof(*items), 1, inner), 0);
	ck_assert_uint_eq(begun_by_key(items, sizeof(*items), 4, 13), 4);
	ck_assert_uint_eq(begun_by_key(items, sizeof(*items), 4, 14), 0);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, inner, 12), 2);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, outer, 12), 3);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, inner, 10), 3);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 0, inner, 12), 0);
	/* What was begun since is over as well; but explicit tasks of one token are several. */
	items[1].begun.token = inner;
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, inner, 11), 1);
	items[1].begun.token = items[2].begun.token = task_token(7, 1);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, task_token(7, 1), 11), 3);
	ck_assert_uint_eq(begun_left(items, sizeof(*items), 3, task_token(7, 1), 12), 2);
	items[1].begun.token = task_token(7, 1);
	items[2].begun.token = inner;
	/* Its frame is gone, and with it what lies in it. */
	ck_assert_uint_eq(begun_lasting(items, sizeof(*items), 4, 0x9000), 1);
	ck_assert(end_region(inner, &was));
	ck_assert_uint_eq(begun_lasting(items, sizeof(*items), 4, 0), 2);
	ck_assert(end_region(outer, &was));
	ck_assert_uint_eq(begun_lasting(items, sizeof(*items), 4, 0), 0);
	ck_assert(!begun_is_over(&items[3].begun, UINTPTR_MAX));
}
END_TEST

/* ---- threads at one time --------------------------------------------- */

static uint64_t team_of(struct region_pool *of, uint32_t threads)
{
	struct region *r = region_begin(of, 0);

	lives_team(r, 0, threads);
	r->team = threads;
	return region_token(r);
}

static void over(uint64_t token)
{
	struct region *r = region_live(token);

	lives_over(r);
	region_end(r);
}

static uint32_t wide(void)
{
	return atomic_load(&lives.wide);
}

/* The first thread's own regions, its workers' in them, and another initial thread's. */
START_TEST(teams_that_live_at_one_time)
{
	static struct region_pool worker, other;
	uint64_t outer, inner, second;

	lives_begin(PROF_THREAD_UNKNOWN, false);
	lives_become(PROF_THREAD_UNKNOWN, PROF_THREAD_INITIAL);
	lives_main(&pool);
	ck_assert_uint_eq(wide(), 0);
	over(team_of(&pool, 6));
	over(team_of(&pool, 3));
	ck_assert_uint_eq(wide(), 6);
	outer = team_of(&pool, 4);
	ck_assert_uint_eq(wide(), 6);
	inner = team_of(&worker, 3);
	ck_assert_uint_eq(wide(), 6);
	second = team_of(&pool, 5); /* within its own first one */
	ck_assert_uint_eq(wide(), 4 + 2 + 4);
	over(second);
	over(inner);
	over(outer);
	/* Other initial threads, with teams of one. */
	for (int i = 0; i < 3; i++)
		lives_begin(PROF_THREAD_INITIAL, false);
	over(team_of(&other, 1));
	ck_assert_uint_eq(wide(), 10);
	second = team_of(&other, 8);
	ck_assert_uint_eq(wide(), 4 + 7);
	over(second);
	for (int i = 0; i < 3; i++)
		lives_end(PROF_THREAD_INITIAL);
	over(team_of(&pool, 11));
	ck_assert_uint_eq(wide(), 11);
	ck_assert_int_eq(atomic_load(&lives.others), 0);
}
END_TEST

/* Also where a runtime reports a team's size twice, or its thread leaves a region by a jump. */
START_TEST(teams_are_taken_back_once)
{
	struct region *r;

	lives_main(NULL);
	for (int i = 0; i < 100; i++) {
		r = region_begin(&pool, i * 16 + 17);
		r->cfa = i * 16 + 16;
		lives_team(r, 0, 4);
		r->team = 4;
		lives_team(r, 4, 4);
	}
	ck_assert_int_le(atomic_load(&lives.others), 3 * REGION_POOL);
	ck_assert_int_ge(atomic_load(&lives.others), 3);
}
END_TEST

START_TEST(threads_are_counted)
{
	for (int i = 0; i < 12000; i++) {
		lives_begin(PROF_THREAD_UNKNOWN, i >= 1024);
		if (i % 2)
			lives_become(PROF_THREAD_UNKNOWN, PROF_THREAD_WORKER);
		if (i >= 3)
			lives_end(i % 2 ? PROF_THREAD_WORKER : PROF_THREAD_UNKNOWN);
	}
	ck_assert_uint_eq(atomic_load(&lives.begun[PROF_THREAD_UNKNOWN]), 6000);
	ck_assert_uint_eq(atomic_load(&lives.begun[PROF_THREAD_WORKER]), 6000);
	ck_assert_uint_eq(atomic_load(&lives.shared), 12000 - 1024);
	ck_assert_uint_eq(atomic_load(&lives.most), 4);
	lives_fork_child(PROF_THREAD_INITIAL, &pool);
	ck_assert_uint_eq(atomic_load(&lives.begun[PROF_THREAD_INITIAL]), 1);
	ck_assert_uint_eq(atomic_load(&lives.begun[PROF_THREAD_WORKER]), 0);
	ck_assert_uint_eq(atomic_load(&lives.most), 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("region");
	TCase *c = tcase_create("region");

	tcase_add_checked_fixture(c, empty, NULL);
	tcase_set_timeout(c, 60);
	tcase_add_test(c, a_region_lives_and_ends);
	tcase_add_test(c, a_used_record_is_empty_and_another);
	tcase_add_test(c, a_stale_token_stays_stale);
	tcase_add_test(c, nested_regions_are_told_apart);
	tcase_add_test(c, pools_are_used_again);
	tcase_add_test(c, a_region_without_a_record);
	tcase_add_test(c, lost_ends_are_noticed);
	tcase_add_test(c, tasks_name_their_context);
	tcase_add_test(c, a_task_begins_once);
	tcase_add_test(c, contexts_of_tokens);
	tcase_add_test(c, a_forks_child_forgets_nodes);
	tcase_add_test(c, any_value_can_be_read);
	tcase_add_test(c, no_context_of_another_region);
	tcase_add_test(c, more_pools_than_can_be_named);
	tcase_add_test(c, teams_that_live_at_one_time);
	tcase_add_test(c, teams_are_taken_back_once);
	tcase_add_test(c, threads_are_counted);
	tcase_add_test(c, undeferred_by_frame);
	tcase_add_test(c, what_is_over_without_a_word);
	suite_add_tcase(s, c);
	return suite_main(s);
}
