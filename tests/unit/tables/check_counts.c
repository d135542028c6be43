/* SPDX-License-Identifier: BSD-3-Clause */
/* check_counts.c - what was counted, by region, thread and part. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/tables/counted.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "

static struct scene s;
static uint32_t master, worker, threads[2];
static struct view *view;
static struct counts counts;

static void event(const char *label)
{
	const unsigned e = mk_event(s.mk, label, PROF_UNIT_EVENTS);

	mk_header(s.mk)->events[e].flags |= PROF_EVENT_COUNT_ONLY;
	mk_header(s.mk)->events[e].period = 0;
}

static void setup(void)
{
	scene_init(&s);
	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	event("cycles:u");
	event("instructions:u");
	threads[0] = mk_thread(s.mk, PROF_THREAD_INITIAL, 100);
	threads[1] = mk_thread(s.mk, PROF_THREAD_WORKER, 101);
	master = mk_root(s.mk, threads[0]);
	worker = mk_root(s.mk, threads[1]);
}

static void teardown(void)
{
	counts_fini(&counts);
	view_free(view);
	scene_fini(&s);
}

static void count(uint32_t at, unsigned e, enum prof_part part, uint64_t value, uint64_t enabled,
		  uint64_t running)
{
	mk_count(s.mk, at, e, part, &(struct prof_value){ value, enabled, running }, 10);
}

static uint32_t region(uint32_t root, uint32_t context)
{
	return mk_boundary(s.mk, root, context, PROF_BOUNDARY_REGION);
}

static void thread_total(uint32_t thread, unsigned e, uint64_t value, uint64_t ns)
{
	struct prof_thread *t = mk_thread_record(s.mk, thread);

	t->values[e] = (struct prof_value){ value, ns, ns };
	t->values_known |= 1u << e;
}

static void build(void)
{
	scene_process(&s);
	view = scene_view(&s, VIEW_USER);
	counts_build(view, &counts);
}

static const struct counts_region *row(uint32_t special)
{
	for (size_t i = 0; i < counts.n; i++)
		if (counts.regions[i].special == special)
			return &counts.regions[i];
	return NULL;
}

/* A region of two threads, what is outside of it, and what came after. */
static void make_run(void)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t again = scene_path(&s, master, START "main:21 solve:12");

	for (unsigned e = 1; e <= 2; e++) {
		count(master, e, PROF_PART_WORK, 50 * e, 50, 50);
		count(region(master, context), e, PROF_PART_WORK, 100 * e, 100, 100);
		count(region(master, again), e, PROF_PART_WORK, 7 * e, 7, 7);
		count(region(master, context), e, PROF_PART_WAIT, 200 * e, 200, 200);
		count(region(worker, context), e, PROF_PART_WORK, 200 * e, 200, 200);
		count(region(worker, context), e, PROF_PART_TASK, 100 * e, 100, 100);
		count(region(worker, context), e, PROF_PART_IDLE, 9 * e, 9, 9);
		count(worker, e, PROF_PART_WORK, 3 * e, 3, 3);
		count(worker, e, PROF_PART_MIXED, 4 * e, 4, 4);
		thread_total(threads[0], e, 357 * e, 357);
		thread_total(threads[1], e, 316 * e + 5, 316);
	}
}

START_TEST(all_of_it_somewhere)
{
	const struct counts_region *r;
	uint64_t sum = 0;

	make_run();
	build();
	ck_assert_uint_eq(counts.nevents, 2);
	ck_assert_uint_eq(counts.events[0], 1);
	ck_assert_uint_eq(counts.total[0].value, 357 + 321);
	ck_assert_uint_eq(counts.total[1].value, 2 * 357 + 637);
	ck_assert(counts.ended[0] && counts.ended[1]);
	for (size_t i = 0; i < counts.n; i++)
		sum += counts_all(counts.regions[i].cells, 0).value;
	ck_assert_uint_eq(sum, counts.total[0].value);
	r = &counts.regions[0];
	ck_assert_uint_eq(r->special, COUNTS_SPECIALS);
	ck_assert_uint_eq(view->names.lines[r->line].line, 12);
	ck_assert_uint_eq(r->nthreads, 2);
	ck_assert_uint_eq(counts_all(r->cells, 0).value, 616);
	ck_assert_uint_eq(counts_work(r->cells, 0).value, 407);
	ck_assert_uint_eq(counts_work(r->threads[0].cells, 0).value, 107);
	ck_assert_uint_eq(counts_work(r->threads[1].cells, 0).value, 300);
	ck_assert_double_eq_tol(counts_imbalance(r, 0), 300 * 2 / 407.0, 1e-9);
	ck_assert_uint_eq(counts_all(row(REGION_SERIAL)->cells, 1).value, 100);
	ck_assert_uint_eq(counts_all(row(REGION_IDLE)->cells, 0).value, 3);
	ck_assert_uint_eq(counts_all(row(COUNTS_MIXED)->cells, 0).value, 4);
	ck_assert_uint_eq(counts_all(row(COUNTS_REST)->cells, 0).value, 5);
	ck_assert_uint_eq(row(COUNTS_REST)->nthreads, 1);
}
END_TEST

START_TEST(killed_threads)
{
	make_run();
	mk_thread_record(s.mk, threads[1])->values_known = 0;
	build();
	ck_assert_uint_eq(counts.total[0].value, 357 + 316);
	ck_assert(!counts.ended[0]);
	ck_assert_ptr_null(row(COUNTS_REST));
}
END_TEST

/* A total below what was read before it is damage: what was read stands. */
START_TEST(totals_that_contradict)
{
	make_run();
	thread_total(threads[0], 1, 1, 1);
	thread_total(threads[1], 1, UINT64_MAX, UINT64_MAX);
	build();
	ck_assert_uint_eq(counts.total[0].value, UINT64_MAX);
}
END_TEST

START_TEST(nothing_counted)
{
	scene_process(&s);
	view = scene_view(&s, VIEW_USER);
	counts_build(view, &counts);
	ck_assert_uint_eq(counts.nevents, 2);
	ck_assert_uint_eq(counts.n, 0);
	ck_assert_int_eq(count_state(&counts.total[0]), COUNT_NONE);
}
END_TEST

START_TEST(states_and_scaling)
{
	const struct count never = { 0, 1000, 0, 0 }, half = { 100, 1000, 500, 0 };
	const struct count nearly = { 100, 1000000, 999999, 0 }, none = { 0 };
	const struct count twisted = { 5, 10, 20, 0 };

	ck_assert_int_eq(count_state(&never), COUNT_NEVER);
	ck_assert_int_eq(count_state(&half), COUNT_SCALED);
	ck_assert_int_eq(count_state(&nearly), COUNT_EXACT);
	ck_assert_int_eq(count_state(&none), COUNT_NONE);
	ck_assert_int_eq(count_state(&twisted), COUNT_EXACT);
	ck_assert_double_eq(count_scaled(&half), 200);
	ck_assert_double_eq(count_scaled(&nearly), 100);
}
END_TEST

static const struct counts_ratio *named(const struct counts_ratio *all, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

START_TEST(ratios)
{
	struct counts_ratio all[COUNTS_RATIOS_MAX];
	const struct counts_ratio *r;
	const struct count two = { 2, 10, 10, 0 }, zero = { 0, 10, 10, 0 };
	double value;
	size_t n;

	event("LLC-load-misses:u");
	event("LLC-loads:u");
	event("branch-misses:u");
	event("branches:k");
	event("r11:u");
	make_run();
	build();
	n = counts_ratios(&s.model, counts.events, counts.nevents, all);
	ck_assert_uint_eq(n, 4);
	r = named(all, n, "instructions a cycle");
	ck_assert_ptr_nonnull(r);
	ck_assert(counts_ratio_of(r, &counts.total[r->over], &counts.total[r->under], &value));
	ck_assert_double_eq_tol(value, (2 * 357 + 637) / 678.0, 1e-9);
	ck_assert(!counts_ratio_of(r, &two, &zero, &value));
	ck_assert(counts_ratio_of(r, &zero, &two, &value) && value == 0);
	ck_assert_ptr_nonnull(named(all, n, "LLC-load-misses a 1,000 instructions"));
	ck_assert_ptr_nonnull(named(all, n, "branch-misses a 1,000 instructions"));
	r = named(all, n, "% of LLC-loads missed");
	ck_assert_ptr_nonnull(r);
	ck_assert(counts_ratio_of(r, &two, &two, &value) && value == 100);
}
END_TEST

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in\n%s", part, text);
}

START_TEST(report_says_it)
{
	char *text;

	event("never:u");
	make_run();
	count(master, 3, PROF_PART_WORK, 0, 500, 0);
	thread_total(threads[0], 3, 0, 500);
	mk_thread_record(s.mk, threads[0])->values[3].running_ns = 0;
	thread_total(threads[1], 3, 0, 0);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 1, 0);
	has(text, "678  cycles:u\n");
	has(text, "not counted  never:u: no counter was free for it at any time\n");
	has(text, "1.993  instructions a cycle\n");
	has(text, "solve (");
	has(text, "explicit tasks");
	has(text, "(not read apart)");
	free(text);
	text = scene_write(&s, VIEW_USER, "json", BY_REGION, 1, 0);
	has(text, "{\"event\":3,\"state\":\"never\",\"value\":null,\"scaled\":null,"
		  "\"enabled_ns\":500,\"running_ns\":0,\"whole\":true}");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("counts");
	TCase *c = tcase_create("counts");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, all_of_it_somewhere);
	tcase_add_test(c, killed_threads);
	tcase_add_test(c, totals_that_contradict);
	tcase_add_test(c, nothing_counted);
	tcase_add_test(c, states_and_scaling);
	tcase_add_test(c, ratios);
	tcase_add_test(c, report_says_it);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
