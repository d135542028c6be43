/* SPDX-License-Identifier: BSD-3-Clause */
/* check_findings_more.c - near misses of several kinds, which findings come first, and the waits
   that --blame charges to nobody. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/output/output.h"
#include "src/view/view.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"

/* The passes by each thread of the loop that is all of the region, of so many iterations. */
static void passes(uint64_t n, uint64_t iterations)
{
	for (unsigned i = 0; i < 2; i++)
		made_passes(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", n, iterations);
}

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

/* Runtimes may report how many tasks ran, and not for how long. */
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
	made_says(f, "100 entries: a thread spends 10.0 ms in each, and works 150 us");
	made_says(f, "all work of an entry is 300 us: one thread alone would be faster");
	made_says(f, "an if clause, or fewer threads");
}
END_TEST

/* Four threads, 1,000 entries: 40 us of work and 90 us of cost for each; or work for all. */
START_TEST(fewer_threads_that_pay)
{
	const uint64_t work = _i ? 400 : 40, cost = 1000 / 10 - 10;
	const uint64_t ms = work + cost;

	made_worker();
	made_worker();
	made_region(1000, ms, 4);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, work);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, cost);
	}
	made_end();
	ck_assert_uint_eq(made_found(FINDING_SHORT_REGIONS)->fit, _i ? 0 : 2);
	made_says(made_found(FINDING_SHORT_REGIONS),
		  _i ? "divided among threads in its place" : "or fewer threads");
	if (!_i)
		made_says(made_found(FINDING_SHORT_REGIONS), "2 threads would take the least time");
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
		  "and cost the runtime 30.0 us of user code each; its calls of the kernel are not "
		  "in that; the profiler's own calls, 50.0 ms, are not in it");
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

/* Threads wait for locks in so many regions, for so long in each. */
static void many_places(unsigned n, uint64_t ms)
{
	char call[32], body[32], wait[64];

	made_region(10, 1000 - n * 50, 2);
	for (unsigned i = 0; i < 2; i++)
		made_time(i, BODY, WORK, 1000 - n * 50);
	for (unsigned k = 0; k < n; k++) {
		snprintf(call, sizeof(call), "main:%u f%u:%u", 30 + k, k, 100 + 10 * k);
		snprintf(body, sizeof(body), "f%u._omp_fn.0:%u", k, 102 + 10 * k);
		snprintf(wait, sizeof(wait), "f%u._omp_fn.0:%u omp!omp_set_lock", k, 103 + 10 * k);
		const uint32_t at = made_other(call);

		made_other_region(at, 10, 50, 2);
		for (unsigned i = 0; i < 2; i++) {
			made_in(at, i, body, WORK, 50 - ms);
			made_in(at, i, wait, PROF_STATE_LOCK, ms);
		}
	}
	made_end();
}

/* 1.5 % of the run at each of 10 places, or 1 % in all. */
START_TEST(what_is_small_at_many_places_is_not)
{
	many_places(10, _i ? 15 : 1);
	if (!_i) {
		made_not_found(FINDING_LOCK);
		return;
	}
	made_equal_ms(made_found(FINDING_LOCK)->gain_ns, 150);
	ck_assert_uint_eq(made_losses(), 1);
	made_says(made_found(FINDING_LOCK), "the largest of 10 places, whose losses are added up");
}
END_TEST

/* No rule is about what the runtime does there. */
START_TEST(no_loss_is_without_a_finding)
{
	const uint64_t ms = _i ? 100 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 1000 - ms);
		made_time(i, "solve._omp_fn.0:16 omp!__kmpc_unheard_of", PROF_STATE_OVERHEAD, ms);
	}
	made_end();
	if (!_i) {
		made_not_found(FINDING_LEFT);
		return;
	}
	made_equal_ms(made_found(FINDING_LEFT)->gain_ns, 100);
	made_says(made_found(FINDING_LEFT), "other runtime, mostly in solve:12");
	made_says(made_found(FINDING_LEFT), "100 % of it in __kmpc_unheard_of(), called at solve");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* What threads wait for at barriers is not certain while they wait for CPUs, for half as long or more;
   that they do, is. */
START_TEST(waits_beside_waits_for_cpus_are_a_loss)
{
	const uint64_t waits = _i ? 210 : 190;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 900 - waits);
		made_time(i, "solve._omp_fn.0:18 omp!GOMP_barrier", PROF_STATE_BARRIER_EXPLICIT,
			  waits);
		made_scheduled(i, 900, 100);
	}
	made_end();
	made_found(FINDING_NO_CPU);
	if (_i) {
		made_equal_ms(made_found(FINDING_VARYING_TEAM)->gain_ns, 210);
		return;
	}
	made_not_found(FINDING_VARYING_TEAM);
	made_equal_ms(made_found(FINDING_LEFT)->gain_ns, 190);
	made_says(made_found(FINDING_LEFT), "imbalance, mostly in");
}
END_TEST

/* The initial thread does not run for 600 ms outside of regions; or it works then. */
START_TEST(an_initial_thread_that_sleeps_outside)
{
	made_region(10, 400, 2);
	for (unsigned i = 0; i < 2; i++)
		made_time(i, BODY, WORK, 400);
	if (_i)
		made_outside(0, "main:30", PROF_STATE_SERIAL, 600);
	made_scheduled(0, _i ? 1000 : 400, 0);
	made_scheduled(1, 400, 0);
	made_end();
	ck_assert_uint_eq(made_losses(), 1);
	if (_i) {
		made_equal_ms(made_found(FINDING_SERIAL)->gain_ns, 300);
		return;
	}
	made_equal_ms(made_found(FINDING_BLOCKED)->gain_ns, 600);
	made_says(made_found(FINDING_BLOCKED), "600 ms of it outside of regions");
}
END_TEST

/* Work at the directive's line, of regions that are entered 50 times; or in the loop, or a
   nanosecond an iteration. */
START_TEST(work_that_clauses_make)
{
	made_region(50, 1000, 2);
	passes(50, _i == 2 ? 10000000 : 1000);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:12",
		    _i == 1 ? "solve._omp_fn.0:17" : "solve._omp_fn.0:12", WORK, 600);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:12",
		    _i == 1 ? "solve._omp_fn.0:17" : "solve._omp_fn.0:12 libc!memcpy", WORK, 500);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK,
			    100);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, i ? 400 : 300);
	}
	made_end();
	if (_i) {
		made_not_found(FINDING_DIRECTIVE);
		return;
	}
	made_equal_ms(made_found(FINDING_DIRECTIVE)->gain_ns, 350);
	made_says(made_found(FINDING_DIRECTIVE),
		  "1.10 s of thread time, 85 % of the region's work, are at the directive's own");
	made_not_found(FINDING_VARYING_LOOP);
}
END_TEST

/* At one pass none can be late now and another one then: several passes are another matter. */
START_TEST(one_pass_does_not_vary)
{
	made_region(_i ? 10 : 1, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK,
			    800);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	}
	made_end();
	if (_i) {
		made_found(FINDING_VARYING_LOOP);
		made_not_found(FINDING_LEFT);
	} else {
		made_not_found(FINDING_VARYING_LOOP);
		made_equal_ms(made_found(FINDING_LEFT)->gain_ns, 200);
	}
}
END_TEST

/* Thread 0 creates tasks that have less work than it has beside them; or the threads share that. */
START_TEST(one_thread_that_creates_all_tasks)
{
	made_region(1, 1000, 2);
	made_tasks(1, 1000, 400);
	made_time(0, BODY, WORK, _i ? 500 : 1000);
	if (_i)
		made_time(0, BODY, PROF_STATE_BARRIER_IMPLICIT, 500);
	made_time(1, BODY, WORK, _i ? 500 : 0);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, _i ? 100 : 600);
	made_end();
	if (_i) {
		made_not_found(FINDING_ONE_CREATOR);
		return;
	}
	made_equal_ms(made_found(FINDING_ONE_CREATOR)->gain_ns, 300);
	made_says(made_found(FINDING_ONE_CREATOR),
		  "1,000 tasks have 400 us of work each on average; beside them one thread works "
		  "1.00 s");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* Waits for tasks of more than twice their work; or of less; or of less together with what the
   runtime's helpers executed. */
START_TEST(tasks_that_do_not_run)
{
	const uint64_t work = _i == 1 ? 260 : 100;

	made_region(1, 1000, 2);
	if (_i == 2) {
		made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_OTHER, 200));
		made_outside(2, "kernel", WORK, 160);
	}
	made_tasks(1, 10, work);
	made_time(1, BODY, WORK, 1000 - work);
	made_time(0, BODY, WORK, 500);
	made_time(0, "solve._omp_fn.0:16 omp!GOMP_taskwait", PROF_STATE_TASKWAIT, 500);
	made_end();
	if (_i) {
		made_not_found(FINDING_IDLE_TASKS);
		return;
	}
	made_equal_ms(made_found(FINDING_IDLE_TASKS)->gain_ns, 250);
	made_says(made_found(FINDING_IDLE_TASKS), "threads wait for tasks for 500 ms");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* A wait for CPUs that is no condition comes behind what is the program's, also without a gain. */
START_TEST(the_machine_hides_nothing)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 960);
		made_scheduled(i, 960, 40);
	}
	made_end();
	ck_assert_uint_eq(made.findings.n, 2);
	ck_assert_int_eq(made.findings.all[0].rule, FINDING_ALL_DO);
	made_equal_ms(made.findings.all[1].gain_ns, 40);
	made_says(&made.findings.all[1], "had no CPU for 4 % of their time");
}
END_TEST

/* 240 to 102 ms are 2 iterations and 1, by so many samples. */
START_TEST(three_iterations_by_few_samples)
{
	made_region(60, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", "solve._omp_fn.0:17", WORK, 240);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", "solve._omp_fn.0:17", WORK, 102);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 138);
	made_end();
	ck_assert_uint_eq(made_found(FINDING_LIKE_FEW)->iterations, 3);
}
END_TEST

/* Few samples fit few iterations as well as uneven ones; many do not fit them. */
START_TEST(few_samples_tell_no_number_of_iterations)
{
	const uint64_t less = _i ? 300 : 600;

	made.sample_ms = _i ? 1 : 20;
	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", "solve._omp_fn.0:17", WORK, 1000);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", "solve._omp_fn.0:17", WORK, less);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 1000 - less);
	made_end();
	if (_i) {
		made_not_found(FINDING_LIKE_FEW);
		made_found(FINDING_STATIC_LOOP);
		return;
	}
	ck_assert_uint_eq(made_found(FINDING_LIKE_FEW)->iterations, 0);
	made_says(made_found(FINDING_LIKE_FEW), "may be that of a few equal iterations, or uneven");
}
END_TEST

/* CPU time of 900 to 380 ms: beside waits for CPUs of 10 % of the time it may be that of 2
   iterations and 1; of 4 % it is not, nor is it of iterations that are counted. */
START_TEST(no_number_of_iterations_beside_waits_for_cpus)
{
	made_region(10, 1000, 2);
	if (_i == 2)
		passes(10, 1000);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, 900);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, 380);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 520);
	for (unsigned i = 0; i < 2; i++)
		made_scheduled(i, 900, _i == 1 ? 40 : 100);
	made_end();
	if (_i) {
		made_not_found(FINDING_LIKE_FEW);
		made_says(made_found(FINDING_STATIC_LOOP), "schedule(dynamic, n)");
		return;
	}
	made_not_found(FINDING_STATIC_LOOP);
	ck_assert_uint_eq(made_found(FINDING_LIKE_FEW)->iterations, 0);
	made_says(made_found(FINDING_LIKE_FEW), "the source shows it");
}
END_TEST

/* Beside waits for CPUs, too, a thread that has nothing to do (80 ms of 900 at most) has no part in one
   iteration. */
START_TEST(one_iteration_beside_waits_for_cpus)
{
	const uint64_t less = _i ? 70 : 60;

	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, 900);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, less);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 900 - less);
	for (unsigned i = 0; i < 2; i++)
		made_scheduled(i, 900, 100);
	made_end();
	ck_assert_uint_eq(made_found(FINDING_LIKE_FEW)->iterations, !_i);
}
END_TEST

/* Sections of any length, 3 for two threads: one thread executes two. 4, or a number that is not
   known, may be of equal length. */
START_TEST(few_sections)
{
	static const uint64_t sections[] = { 3, 4, 0 };

	for (unsigned i = 0; i < 2; i++)
		made_passes(i, PROF_CONSTRUCT_SECTIONS, "solve:16", 10, sections[_i]);
	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_SECTIONS, "solve:16", "solve._omp_fn.0:17", WORK, 1000);
	made_inside(1, PROF_CONSTRUCT_SECTIONS, "solve:16", "solve._omp_fn.0:18", WORK, 500);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 500);
	made_end();
	if (_i) {
		made_found(FINDING_SECTIONS);
		made_not_found(FINDING_FEW_ITERATIONS);
		return;
	}
	made_not_found(FINDING_SECTIONS);
	made_says(made_found(FINDING_FEW_ITERATIONS), "too few for the threads: sections (3)");
	made_says(made_found(FINDING_FEW_ITERATIONS), "it has 3 sections for 2 threads");
	made_says(made_found(FINDING_FEW_ITERATIONS), "more and shorter sections");
}
END_TEST

/* Thread 0 works in a loop for all of the time that it has a CPU, and thread 1 less: equal work takes
   threads times that differ a little, and more beside other programs. */
START_TEST(nearly_even_work_is_even)
{
	static const struct {
		uint64_t less, waited;
		bool found;
	} with[] = { { 920, 0, false }, { 880, 0, true }, { 620, 110, false }, { 440, 110, true } };
	const uint64_t less = with[_i].less, most = 1000 - with[_i].waited;

	made_region(10, 1000, 2);
	passes(10, 1000);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, most);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK, less);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, most - less);
	for (unsigned i = 0; i < 2; i++)
		made_scheduled(i, most, with[_i].waited);
	made_end();
	if (with[_i].found) {
		made_found(FINDING_STATIC_LOOP);
		return;
	}
	made_not_found(FINDING_STATIC_LOOP);
	made_equal_ms(made_found(FINDING_LEFT)->gain_ns, (double)(most - less) / 2);
}
END_TEST

/* Each thread waits for 9 % of its work, or for 11 %. */
START_TEST(short_waits_behind_even_work)
{
	const uint64_t work = _i ? 900 : 920;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK,
			    work);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 1000 - work);
	}
	made_end();
	if (_i) {
		made_found(FINDING_VARYING_LOOP);
		return;
	}
	made_not_found(FINDING_VARYING_LOOP);
	made_equal_ms(made_found(FINDING_LEFT)->gain_ns, 80);
}
END_TEST

/* A loop of 600 to 200 ms, and behind it, without a barrier between them, one of 200 to 600, or of
   200 to 200: the first one alone is no reason for waits at the region's end. */
START_TEST(loops_that_make_up_for_each_other)
{
	const uint64_t other = _i ? 200 : 600, waits = _i ? 400 : 60;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", "solve._omp_fn.0:17", WORK,
			    i ? 200 : 600);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:20", "solve._omp_fn.0:21", WORK,
			    i ? other : 200);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, i || !_i ? waits : 0);
	}
	made_end();
	if (_i)
		made_found(FINDING_STATIC_LOOP);
	else
		made_not_found(FINDING_STATIC_LOOP);
}
END_TEST

/* Threads wait for 150 ms each, and neither run nor wait for CPUs for 250, or for 50. */
START_TEST(what_varies_beside_sleep)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t work = _i ? 800 : 600;

		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", "solve._omp_fn.0:17", WORK,
			    work);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 150);
		made_scheduled(i, work + 150, 0);
	}
	made_end();
	ck_assert_int_eq(made_found(FINDING_VARYING_LOOP)->sleeps, !_i);
	made_says(made_found(FINDING_VARYING_LOOP),
		  _i ? "schedule(dynamic, n)" : "now another, or one that sleeps");
}
END_TEST

/* One thread executes half a million tasks while it creates them: of 400 ns, or of 1.2 us. */
START_TEST(tiny_tasks_are_small)
{
	made_region(1, 1000, 2);
	made_tasks(0, 500000, _i ? 600 : 200);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_task", WORK, 10);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 900);
	made_end();
	if (_i) {
		made_not_found(FINDING_SMALL_TASKS);
		made_found(FINDING_TASK_CHAIN);
		return;
	}
	made_not_found(FINDING_TASK_CHAIN);
	made_says(made_found(FINDING_SMALL_TASKS), "500,000 tasks have 400 ns of work each");
}
END_TEST

/* 120 entries with 4 ms of work a thread, in which it does not run for 150 us, or for 2 ms: to wake
   a thread takes no longer than the former. */
START_TEST(regions_in_which_threads_do_not_run)
{
	const uint64_t asleep = _i ? 240 : 18, runtime = 150, ms = 1000 - runtime - asleep;

	made_region(120, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, ms);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, runtime);
		made_scheduled(i, ms + runtime, 0);
	}
	made_end();
	made_equal_ms(made_found(FINDING_SHORT_REGIONS)->gain_ns,
		      (double)(runtime + (_i ? 0 : asleep)));
}
END_TEST

/* Its threads sleep at the end of a short region: that is found once (made_end() looks). */
START_TEST(short_regions_in_which_threads_sleep)
{
	made_region(100000, 1000, 2);
	for (unsigned i = 0; i < 2; i++)
		made_passes(i, PROF_CONSTRUCT_BARRIER, "solve._omp_fn.0:18", 100000, 0);
	made_time(0, BODY, WORK, 100);
	made_time(0, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 900);
	made_time(1, BODY, WORK, 20);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	made_scheduled(0, 1000, 0);
	made_scheduled(1, 220, 0);
	made_end();
	made_found(FINDING_SHORT_REGIONS);
}
END_TEST

/* A quarter of the region's work copies variables, in memcpy(); or is the program's code. */
START_TEST(copies_that_clauses_make)
{
	made_region(50, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, _i ? "solve._omp_fn.0:12" : "solve._omp_fn.0:12 libc!memcpy", WORK,
			  i ? 350 : 50);
		made_time(i, BODY, WORK, 650);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, i ? 0 : 300);
	}
	made_end();
	if (_i) {
		made_not_found(FINDING_DIRECTIVE);
		made_found(FINDING_LATE_THREAD);
	} else {
		made_found(FINDING_DIRECTIVE);
		made_not_found(FINDING_LATE_THREAD);
	}
}
END_TEST

/* Teams of two threads on two CPUs, or on four, beside larger ones. */
START_TEST(small_teams_that_have_all_cpus)
{
	const uint32_t other = made_other("main:22 pair:50");

	mk_text(made.s.mk, PROF_INFO_CPUS, _i ? "0-3" : "0-1");
	made_worker();
	made_worker();
	made_region(10, 400, 4);
	made_other_region(other, 5, 600, 2);
	for (unsigned i = 0; i < 4; i++)
		made_time(i, BODY, WORK, 400);
	for (unsigned i = 0; i < 2; i++)
		made_in(other, i, "pair._omp_fn.2:51", WORK, 600);
	made_end();
	if (_i)
		made_found(FINDING_SMALL_TEAMS);
	else
		made_not_found(FINDING_SMALL_TEAMS);
}
END_TEST

/* Asleep, and seen awake at ordered, mostly or hardly ever. */
START_TEST(what_sleeping_threads_were_seen_to_wait_for)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		made_time(i, "solve._omp_fn.0:16 omp!GOMP_ordered_start", PROF_STATE_ORDERED,
			  _i ? 1 : 100);
		made_scheduled(i, _i ? 501 : 600, 0);
	}
	made_end();
	if (_i) {
		ck_assert_uint_eq(made_found(FINDING_BLOCKED)->construct, 0);
		return;
	}
	made_says(made_found(FINDING_BLOCKED),
		  "of 200 samples of waits there, awake, 200 are for ordered in solve");
	made_says(made_found(FINDING_BLOCKED), "less work in the ordered region");
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

/* What no callback reports is charged to nobody: the report says how much that is. */
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
	ck_assert_msg(strstr(text, "300 ms, doacross 200 ms, for devices 100 ms\n"), "%s", text);
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

/* ---- the first screen ------------------------------------------------ */

/* Names as of templates: findings are longer than a line. */
#define LONG "simulation::detail::stencil<simulation::policy<double,3>,simulation::periodic>::"

/* Uneven work in a region of that function. */
static void long_region(const char *name, uint64_t ms)
{
	char *call = alloc_printf("main:30 " LONG "%s:40", name);
	char *body = alloc_printf(LONG "%s._omp_fn.0:41", name);
	const uint32_t context = made_other(call);

	made_other_region(context, 10, ms, 2);
	made_in(context, 0, body, WORK, ms);
	made_in(context, 1, body, WORK, ms / 2);
	made_in(context, 1, body, PROF_STATE_BARRIER_IMPLICIT, ms - ms / 2);
	free(call);
	free(body);
}

/* On 24 lines of 80 columns, the last of them the prompt's; and where findings have no room. */
START_TEST(long_findings_leave_room_for_regions)
{
	const unsigned rows = _i ? 17 : 23;
	char *text = NULL, *at;
	unsigned lines = 0;
	size_t size;
	FILE *out;

	long_region("advance", 300);
	long_region("exchange", 240);
	long_region("reduce", 180);
	long_region("smooth", 60);
	made_region(10, 20, 2);
	made_time(0, BODY, WORK, 20);
	made_time(1, BODY, WORK, 20);
	made_outside(0, "main:50", PROF_STATE_SERIAL, 200);
	made_outside(1, "", PROF_STATE_IDLE, 190);
	made_end();
	const struct report r = {
		.model = &made.s.model,
		.view = made.view,
		.losses = &made.losses,
		.placement = &made.placement,
		.findings = &made.findings,
		.limit_percent = 0.5,
		.columns = 80,
		.rows = rows,
	};

	out = open_memstream(&text, &size);
	ck_assert_int_eq(scene_output("text")->write(out, &r), 0);
	fclose(out);
	for (at = text; (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_msg(lines <= rows, "%u lines:\n%s", lines, text);
	ck_assert_msg(!strstr(text, "\n  findings (") == !_i, "%s", text);
	if (!_i)
		golden_check("screen-80x24.txt", text);
	free(text);
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
	tcase_add_loop_test(c, fewer_threads_that_pay, 0, 2);
	tcase_add_test(c, regions_that_are_short);
	tcase_add_test(c, short_regions_with_a_late_thread);
	tcase_add_test(c, each_loss_needs_samples_of_its_own);
	tcase_add_test(c, own_calls_are_no_gain);
	tcase_add_test(c, each_small_team_has_its_own_gain);
	tcase_add_test(c, the_largest_come_first);
	tcase_add_loop_test(c, what_is_small_at_many_places_is_not, 0, 2);
	tcase_add_loop_test(c, no_loss_is_without_a_finding, 0, 2);
	tcase_add_loop_test(c, waits_beside_waits_for_cpus_are_a_loss, 0, 2);
	tcase_add_loop_test(c, an_initial_thread_that_sleeps_outside, 0, 2);
	tcase_add_loop_test(c, work_that_clauses_make, 0, 3);
	tcase_add_loop_test(c, one_pass_does_not_vary, 0, 2);
	tcase_add_loop_test(c, one_thread_that_creates_all_tasks, 0, 2);
	tcase_add_loop_test(c, tasks_that_do_not_run, 0, 3);
	tcase_add_test(c, the_machine_hides_nothing);
	tcase_add_test(c, three_iterations_by_few_samples);
	tcase_add_loop_test(c, few_samples_tell_no_number_of_iterations, 0, 2);
	tcase_add_loop_test(c, no_number_of_iterations_beside_waits_for_cpus, 0, 3);
	tcase_add_loop_test(c, one_iteration_beside_waits_for_cpus, 0, 2);
	tcase_add_loop_test(c, few_sections, 0, 3);
	tcase_add_loop_test(c, tiny_tasks_are_small, 0, 2);
	tcase_add_test(c, short_regions_in_which_threads_sleep);
	tcase_add_loop_test(c, regions_in_which_threads_do_not_run, 0, 2);
	tcase_add_loop_test(c, copies_that_clauses_make, 0, 2);
	tcase_add_loop_test(c, small_teams_that_have_all_cpus, 0, 2);
	tcase_add_loop_test(c, nearly_even_work_is_even, 0, 4);
	tcase_add_loop_test(c, short_waits_behind_even_work, 0, 2);
	tcase_add_loop_test(c, loops_that_make_up_for_each_other, 0, 2);
	tcase_add_loop_test(c, what_varies_beside_sleep, 0, 2);
	tcase_add_loop_test(c, what_sleeping_threads_were_seen_to_wait_for, 0, 2);
	tcase_add_test(c, nothing_is_lost);
	tcase_add_test(c, rules_have_names);
	tcase_add_loop_test(c, long_findings_leave_room_for_regions, 0, 2);
	tcase_add_test(c, waits_that_are_not_told_are_said);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
