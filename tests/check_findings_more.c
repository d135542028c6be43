/* check_findings_more.c - near misses of several kinds, which findings come first, and the waits
   that --blame charges to nobody. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/view/view.h"
#include "tests/findings_fixture.h"
#include "tests/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"

/* ---- near misses ----------------------------------------------------- */

static void tasks(uint64_t n, uint64_t body_ms)
{
	made_region(10, 1000, 2);
	made_tasks(1, n, body_ms);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_task", WORK, 300);
	made_time(0, BODY, WORK, 700);
	made_time(1, BODY, WORK, 1000 - body_ms);
	made_end();
}

START_TEST(few_tasks_are_not_small_ones)
{
	tasks(999, 100);
	made_not_found(FINDING_SMALL_TASKS);
}
END_TEST

/* Runtimes may tell how many tasks ran, and not for how long. */
START_TEST(tasks_whose_time_is_not_known_are_not_small)
{
	tasks(10000, 0);
	made_not_found(FINDING_SMALL_TASKS);
}
END_TEST

static void regions(uint64_t n, uint64_t each_us, uint64_t lost_ms)
{
	const uint64_t ms = n * each_us / 1000;

	made_region(n, ms, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, ms - lost_ms / 2);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, lost_ms / 2);
	}
	made_end();
}

START_TEST(regions_that_are_not_short)
{
	regions(10000, 100, 198); /* little is lost */
	made_not_found(FINDING_SHORT_REGIONS);
}
END_TEST

/* An entry's length is no bound: 10 ms, with 0.3 ms of work. */
START_TEST(long_regions_with_little_work)
{
	const struct finding *f;

	made_region(100, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 15);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 100);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 885);
	}
	made_end();
	f = made_found(FINDING_SHORT_REGIONS);
	made_says(f, "100 entries, in each of which a thread spends 10.00 ms and works 150.0 us");
	made_says(f, "all work of an entry is 300.0 us: one thread alone would be faster");
}
END_TEST

START_TEST(regions_that_are_short)
{
	regions(10000, 100, 202);
	made_equal_ms(made_found(FINDING_SHORT_REGIONS)->gain_ns, 101);
}
END_TEST

/* The work is uneven: another rule's. */
START_TEST(short_regions_with_a_late_thread)
{
	made_region(20000, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 600);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 400);
	made_end();
	made_not_found(FINDING_SHORT_REGIONS);
	made_equal_ms(made_found(FINDING_LATE_THREAD)->gain_ns, 200);
}
END_TEST

/* One sample of dispatch beside many of a lock: only the lock is found. */
START_TEST(each_loss_needs_samples_of_its_own)
{
	const uint32_t at =
		scene_path(&made.s,
			   mk_boundary(made.s.mk, made.root[1], made.context, PROF_BOUNDARY_REGION),
			   "solve._omp_fn.0:16 omp!GOMP_loop_dynamic_next");

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 500);
	made_time(1, "solve._omp_fn.0:14 omp!omp_set_lock", PROF_STATE_LOCK, 450);
	made.sample_ms = 50;
	mk_leaf(made.s.mk,
		mk_construct(made.s.mk, at, scene_object(&made.s, "solve:16"),
			     PROF_CONSTRUCT_LOOP_DYNAMIC),
		0, PROF_STATE_OVERHEAD, PROF_CAUSE_NONE, 1, 50 * MS);
	made_end();
	made_found(FINDING_LOCK);
	made_not_found(FINDING_DISPATCH);
}
END_TEST

/* What the profiler's own calls cost, the program does not gain. */
START_TEST(own_calls_are_no_gain)
{
	const struct finding *f;

	made_region(10, 1000, 2);
	made_tasks(1, 10000, 100);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_task", WORK, 300);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_task tool!on_task_create libc!memcpy", WORK, 100);
	made_time(0, BODY, WORK, 600);
	made_time(1, BODY, WORK, 900);
	made_end();
	f = made_found(FINDING_SMALL_TASKS);
	made_equal_ms(f->gain_ns, 150);
	made_equal_ms(f->own_ns, 50);
	made_says(f,
		  "and cost the runtime 30.00 us each; not in it: 50.00 ms of the profiler's own");
}
END_TEST

/* ---- several --------------------------------------------------------- */

/* Two regions have small teams: each is a finding, with its own part. */
START_TEST(each_small_team_has_its_own_gain)
{
	const uint32_t one = made_other("main:22 alone:50"), other = made_other("main:23 two:60");

	made_region(10, 400, 2);
	made_other_region(one, 5, 400, 1);
	made_other_region(other, 5, 200, 1);
	made_time(0, BODY, WORK, 400);
	made_time(1, BODY, WORK, 400);
	made_in(one, 0, "alone._omp_fn.2:51", WORK, 400);
	made_in(other, 0, "two._omp_fn.3:61", WORK, 200);
	made_end();
	ck_assert_uint_eq(made_losses(), 2);
	ck_assert_int_eq(made.findings.all[0].rule, FINDING_SMALL_TEAMS);
	ck_assert_int_eq(made.findings.all[1].rule, FINDING_SMALL_TEAMS);
	made_equal_ms(made.findings.all[0].gain_ns, 200);
	made_equal_ms(made.findings.all[1].gain_ns, 100);
	made_says(&made.findings.all[0], "alone");
	made_says(&made.findings.all[1], "two");
}
END_TEST

/* Serial code 150 ms, a lock 100, a critical 75, a late thread 50. */
START_TEST(the_largest_come_first)
{
	static const enum finding_rule order[] = { FINDING_SERIAL, FINDING_LOCK, FINDING_CRITICAL,
						   FINDING_LATE_THREAD };
	double before = INFINITY;

	made_region(10, 700, 2);
	made_outside(0, "main:30", PROF_STATE_SERIAL, 300);
	made_time(0, BODY, WORK, 700);
	made_time(1, BODY, WORK, 250);
	made_time(1, "solve._omp_fn.0:14 omp!omp_set_lock", PROF_STATE_LOCK, 200);
	made_time(1, "solve._omp_fn.0:15 omp!GOMP_critical_start", PROF_STATE_CRITICAL, 150);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 100);
	made_end();
	ck_assert_uint_eq(made.findings.n, 4);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_int_eq(made.findings.all[i].rule, order[i]);
		ck_assert(made.findings.all[i].gain_ns <= before);
		before = made.findings.all[i].gain_ns;
	}
}
END_TEST

/* Without the losses nothing is found, and with no loss neither. */
START_TEST(nothing_is_lost)
{
	struct losses unknown = { .unknown = "a reason" };
	struct findings f;

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 1000);
	made_end();
	ck_assert_uint_eq(made_losses(), 0);
	findings_build(made.view, &unknown, &made.placement, &f);
	ck_assert_uint_eq(f.n, 0);
	findings_build(made.view, NULL, NULL, &f);
	ck_assert_uint_eq(f.n, 0);
}
END_TEST

/* ---- blame ----------------------------------------------------------- */

/* What no callback tells is charged to nobody: the report says how much that is. */
START_TEST(waits_that_are_not_told_are_said)
{
	char *text;

	mk_text(made.s.mk, PROF_INFO_ENV, "OMPHWC_BLAME=1");
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, "solve._omp_fn.0:14 omp!__kmpc_omp_wait_deps", WORK, 300);
	made_time(1, "solve._omp_fn.0:15 omp!__kmpc_doacross_wait", WORK, 200);
	made_time(1, "solve._omp_fn.0:16 omp!__tgt_target_kernel", WORK, 100);
	mk_end(made.s.mk);
	scene_process(&made.s);
	text = scene_write(&made.s, VIEW_USER, "text", BY_BLAME, 0, 0);
	ck_assert_msg(strstr(text, "charged to nobody: for tasks"), "%s", text);
	ck_assert_msg(strstr(text, "300.0 ms, doacross 200.0 ms, for devices 100.0 ms\n"), "%s",
		      text);
	free(text);
}
END_TEST

/* Every rule has a name of its own, for programs. */
START_TEST(rules_have_names)
{
	for (unsigned i = 0; i < FINDING_RULES; i++)
		for (unsigned k = 0; k < i; k++)
			ck_assert_str_ne(finding_key(i), finding_key(k));
	ck_assert_str_eq(finding_key(FINDING_RULES), "unknown");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("findings_more");
	TCase *c = tcase_create("findings_more");

	tcase_add_checked_fixture(c, made_setup, made_teardown);
	tcase_add_test(c, few_tasks_are_not_small_ones);
	tcase_add_test(c, tasks_whose_time_is_not_known_are_not_small);
	tcase_add_test(c, regions_that_are_not_short);
	tcase_add_test(c, long_regions_with_little_work);
	tcase_add_test(c, regions_that_are_short);
	tcase_add_test(c, short_regions_with_a_late_thread);
	tcase_add_test(c, each_loss_needs_samples_of_its_own);
	tcase_add_test(c, own_calls_are_no_gain);
	tcase_add_test(c, each_small_team_has_its_own_gain);
	tcase_add_test(c, the_largest_come_first);
	tcase_add_test(c, nothing_is_lost);
	tcase_add_test(c, rules_have_names);
	tcase_add_test(c, waits_that_are_not_told_are_said);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
