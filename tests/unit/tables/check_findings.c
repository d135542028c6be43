/* SPDX-License-Identifier: BSD-3-Clause */
/* check_findings.c - the rules about regions, constructs and tasks: for each a program in which
   it must be found, a near miss, and too few samples. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "src/output/finding_words.h"
#include "src/view/view.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"
#define LOOP "solve._omp_fn.0:17"

/* ---- barriers -------------------------------------------------------- */

/* One thread waits at the region's end, since the other one has more iterations. */
static void uneven_loop(enum prof_construct_kind kind, bool found)
{
	const uint64_t waits = found ? 700 : 30;

	made_region(10, 1000, 2);
	made_inside(0, kind, "solve:16", LOOP, WORK, 1000);
	made_inside(1, kind, "solve:16", LOOP, WORK, 1000 - waits);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
}

static void static_loop(bool found)
{
	uneven_loop(PROF_CONSTRUCT_LOOP_STATIC, found);
}

static void dynamic_loop(bool found)
{
	uneven_loop(PROF_CONSTRUCT_LOOP_DYNAMIC, found);
}

static void sections(bool found)
{
	uneven_loop(PROF_CONSTRUCT_SECTIONS, found);
}

/* Both wait for the other one, at the construct's own end. */
static void varying(enum prof_construct_kind kind, bool found)
{
	const uint64_t waits = found ? 200 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, kind, "solve:16", LOOP, WORK, 1000 - waits);
		made_inside(i, kind, "solve:16", "solve._omp_fn.0:16 omp!GOMP_loop_end",
			    PROF_STATE_BARRIER_WORKSHARE, waits);
	}
}

static void varying_loop(bool found)
{
	varying(PROF_CONSTRUCT_LOOP_STATIC, found);
}

static void varying_dynamic_loop(bool found)
{
	varying(PROF_CONSTRUCT_LOOP_DYNAMIC, found);
}

static void varying_sections(bool found)
{
	varying(PROF_CONSTRUCT_SECTIONS, found);
}

/* The same of a loop that is all of the region, whose end is the loop's. */
static void varying_parallel_loop(bool found)
{
	const uint64_t waits = found ? 200 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", LOOP, WORK, 1000 - waits);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
	}
}

/* The construct's passes by a thread, of so many iterations; 0: not known. */
static void passes(uint64_t n, uint64_t iterations)
{
	for (unsigned i = 0; i < 2; i++)
		made_passes(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", n, iterations);
}

/* 50,000 passes with 16 us of work and 4 us of waiting; or 2 ms and 500 us, of 400 passes. */
static void short_loop(bool found)
{
	passes(found ? 50000 : 400, 0);
	varying_loop(true);
}

/* Two iterations for one thread, one for the other; or 100 of uneven work. */
static void few_iterations(bool found)
{
	passes(10, found ? 3 : 100);
	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 1000);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 500);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 500);
}

/* How many iterations there are is not known: 2 to 1; or 2.5 to 1. */
static void like_few(bool found)
{
	const uint64_t less = found ? 500 : 400;

	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 1000);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, less);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 1000 - less);
}

/* 50,000 barriers in one entry of the region, or 400. */
static void short_steps(bool found)
{
	made_region(1, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_passes(i, PROF_CONSTRUCT_BARRIER, "solve._omp_fn.0:18", found ? 50000 : 400,
			    0);
		made_time(i, BODY, WORK, 800);
		made_time(i, "solve._omp_fn.0:18 omp!GOMP_barrier", PROF_STATE_BARRIER_EXPLICIT,
			  200);
	}
}

/* Both work as much, but one waits for a lock in addition, and the other for it. */
static void late_for_locks(bool found)
{
	const uint64_t ms = found ? 400 : 30;

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000 - ms);
	made_time(0, "solve._omp_fn.0:16 omp!omp_set_lock", PROF_STATE_LOCK, ms);
	made_time(1, BODY, WORK, 1000 - ms);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, ms);
}

static void late_thread(bool found)
{
	const uint64_t waits = found ? 400 : 30;

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000 - waits);
	made_time(0, "solve._omp_fn.0:12", PROF_STATE_BARRIER_IMPLICIT, waits);
	made_time(1, BODY, WORK, 200);
	made_time(1, "solve._omp_fn.0:14", WORK, 800);
}

/* Two of three threads are late. */
static void uneven_team(bool found)
{
	const uint64_t waits = found ? 600 : 45;

	made_worker();
	made_region(10, 1000, 3);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 1000);
	made_time(2, BODY, WORK, 1000 - waits);
	made_time(2, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
}

static void varying_team(bool found)
{
	const uint64_t waits = found ? 200 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 1000 - waits);
		made_time(i, "solve._omp_fn.0:18 omp!GOMP_barrier", PROF_STATE_BARRIER_EXPLICIT,
			  waits);
	}
}

static void single(bool found)
{
	const uint64_t waits = found ? 400 : 30;

	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_SINGLE, "solve:16", LOOP, WORK, waits);
	made_time(0, BODY, WORK, 1000 - waits);
	made_time(1, BODY, WORK, 1000 - waits);
	made_inside(1, PROF_CONSTRUCT_SINGLE_OTHER, "solve:16",
		    "solve._omp_fn.0:16 omp!__kmpc_barrier", PROF_STATE_BARRIER_WORKSHARE, waits);
}

/* ---- tasks ----------------------------------------------------------- */

/* 100 ms of bodies, 300 ms of the runtime, 200 ms of waits; or 15 ms of the runtime. */
static void small_tasks(bool found)
{
	const uint64_t runtime = found ? 300 : 15;

	made_region(10, 1000, 2);
	made_tasks(1, 10000, 100);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_task", WORK, runtime);
	made_time(1, "solve._omp_fn.0:15 omp!GOMP_taskwait", PROF_STATE_TASKWAIT, found ? 200 : 0);
	made_time(0, BODY, WORK, 1000 - runtime);
	made_time(1, BODY, WORK, found ? 700 : 900);
}

static void few_tasks(bool found)
{
	const uint64_t waits = found ? 400 : 30;

	made_region(10, 1000, 2);
	made_tasks(0, 3, 1000);
	made_tasks(1, 2, 1000 - waits);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
}

/* 500 tasks, one after another; or nearly two at a time. */
static void task_chain(bool found)
{
	const uint64_t ms = found ? 500 : 950;

	made_region(1, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_tasks(i, 250, ms);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 1000 - ms);
	}
}

/* Many tasks, two at a time, and waits; or hardly any. */
static void task_waits(bool found)
{
	const uint64_t waits = found ? 200 : 15;

	made_region(1, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_tasks(i, 250, 1000 - waits);
		made_time(i, "solve._omp_fn.0:15 omp!GOMP_taskwait", PROF_STATE_TASKWAIT, waits);
	}
}

/* ---- waits for each other -------------------------------------------- */

/* Both threads wait at that call, and work for the rest of the time. */
static void waiting(const char *path, enum prof_state state, bool found)
{
	const uint64_t waits = found ? 200 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 1000 - waits);
		made_time(i, path, state, waits);
	}
}

static void critical(bool found)
{
	waiting("solve._omp_fn.0:16 omp!GOMP_critical_start", PROF_STATE_CRITICAL, found);
}

static void lock(bool found)
{
	waiting("solve._omp_fn.0:16 omp!omp_set_lock", PROF_STATE_LOCK, found);
}

/* Behind the loop, at the region's own line; or in it. */
static void array_reduction(bool found)
{
	waiting(found ? "solve._omp_fn.0:12 omp!GOMP_atomic_start" :
			"solve._omp_fn.0:16 omp!GOMP_atomic_start",
		PROF_STATE_ATOMIC, true);
}

static void atomic(bool found)
{
	waiting("solve._omp_fn.0:16 omp!GOMP_atomic_start", PROF_STATE_ATOMIC, found);
}

static void ordered(bool found)
{
	waiting("solve._omp_fn.0:16 omp!GOMP_ordered_start", PROF_STATE_ORDERED, found);
}

static void target(bool found)
{
	waiting("solve._omp_fn.0:16 omp!GOMP_target_ext", WORK, found);
}

/* ---- the runtime ----------------------------------------------------- */

static void dispatch(bool found)
{
	const uint64_t ms = found ? 200 : 15;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", LOOP, WORK, 1000 - ms);
		made_inside(i, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16",
			    "solve._omp_fn.0:16 omp!GOMP_loop_dynamic_next", PROF_STATE_OVERHEAD,
			    ms);
	}
}

/* A function of the runtime that the program calls; or one that the compiler calls. */
static void runtime_calls(bool found)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 700);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
			    found ? "solve._omp_fn.0:17 omp!omp_get_thread_num" :
				    "solve._omp_fn.0:17 omp!__kmpc_global_thread_num",
			    PROF_STATE_PARALLEL, 300);
	}
}

/* Threads have equal work in a region without a construct; or not. */
static void all_do(bool found)
{
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, found ? 965 : 930);
}

/* A thread loses 30 % of each entry, or 4 %. */
static void short_regions(bool found)
{
	const uint64_t runtime = found ? 200 : 30, waits = found ? 200 : 15;

	made_region(20000, 1000, 2);
	made_time(0, BODY, WORK, found ? 700 : 955);
	made_time(0, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, runtime);
	made_time(0, BODY, PROF_STATE_BARRIER_IMPLICIT, found ? 100 : 15);
	made_time(1, BODY, WORK, found ? 700 : 955);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
}

/* ---- outside --------------------------------------------------------- */

static void serial(bool found)
{
	const uint64_t ms = found ? 600 : 30;

	made_region(10, 1000 - ms, 2);
	made_time(0, BODY, WORK, 1000 - ms);
	made_time(1, BODY, WORK, 1000 - ms);
	made_outside(0, "main:30 prepare:40", PROF_STATE_SERIAL, ms);
}

static void small_team(bool found)
{
	const uint64_t ms = found ? 600 : 30;
	const uint32_t other = made_other("main:22 alone:50");

	made_region(10, 1000 - ms, 2);
	made_other_region(other, 5, ms, 1);
	made_time(0, BODY, WORK, 1000 - ms);
	made_time(1, BODY, WORK, 1000 - ms);
	made_in(other, 0, "alone._omp_fn.2:51", WORK, ms);
}

/* ---- each rule ------------------------------------------------------- */

static const struct rule_case {
	enum finding_rule rule;
	void (*make)(bool found);
	double gain_ms;
	unsigned few_ms; /* with a sample each so many ms there are too few; 0: the clocks of
			    regions and threads show */
	const char *what, *why, *helps;
} cases[] = {
	{ FINDING_STATIC_LOOP, static_loop, 350, 75, "imbalance of for schedule(static) in solve",
	  "the mean of 2 threads is 650 ms; of that 100 % at", "schedule(dynamic, n)" },
	{ FINDING_OTHER_LOOP, dynamic_loop, 350, 75, "imbalance of for schedule(dynamic) in solve",
	  "over all 10 passes", "smaller chunks" },
	{ FINDING_SECTIONS, sections, 350, 75, "imbalance of sections in solve", "the mean of 2",
	  "sections of equal length" },
	{ FINDING_UNCOUNTED_LOOP, varying_loop, 200, 45,
	  "waiting at the end of for schedule(static) in solve", "how often they wait is not known",
	  "--entries" },
	{ FINDING_VARYING_LOOP, varying_parallel_loop, 200, 45,
	  "imbalance of for schedule(static) in solve",
	  "each of 10 passes has 80.0 ms of work a thread, and 20.0 ms of waiting",
	  "schedule(dynamic, n)" },
	{ FINDING_SHORT_LOOP, short_loop, 200, 45, "loop too short: for schedule(static) in solve",
	  "each of 50,000 passes has 16.0 us of work a thread, and costs 4.00 us", "nowait" },
	{ FINDING_FEW_ITERATIONS, few_iterations, 250, 55,
	  "too few iterations in for schedule(static) in solve",
	  "it has 3 iterations for 2 threads", "collapse(n)" },
	{ FINDING_LIKE_FEW, like_few, 250, 55, "imbalance of for schedule(static) in solve",
	  "divided as that of 3 iterations", "schedule(static, n)" },
	{ FINDING_SHORT_STEPS, short_steps, 200, 45,
	  "too little work before barrier or end of a construct in solve (app.c:18)",
	  "each of 50,000 passes", "nowait" },
	{ FINDING_LATE_FOR, late_for_locks, 200, 45, "one late thread in",
	  "spends 400 ms there waiting for locks, the mean of 2 threads is 200 ms",
	  "less of that" },
	{ FINDING_VARYING_CHUNKS, varying_dynamic_loop, 200, 45,
	  "imbalance of for schedule(dynamic) in solve", "now one is late", "smaller chunks" },
	{ FINDING_VARYING_SECTIONS, varying_sections, 200, 45, "imbalance of sections in solve",
	  "now one is late", "sections of equal length" },
	{ FINDING_LATE_THREAD, late_thread, 200, 45, "one late thread in", "of that 80 % at solve",
	  "divide that work" },
	{ FINDING_UNEVEN_TEAM, uneven_team, 200, 65, "imbalance in", "the mean of 3 threads",
	  "divide that work" },
	{ FINDING_VARYING_TEAM, varying_team, 200, 45,
	  "imbalance at barrier or end of a construct in solve (app.c:18)", "now one is late",
	  "fewer barriers" },
	{ FINDING_SINGLE, single, 200, 45, "waiting for single in solve", "100 % at solve",
	  "a loop or tasks" },
	{ FINDING_SMALL_TASKS, small_tasks, 250, 65, "tasks too small in",
	  "10,000 tasks have 10.0 us of work each", "more work for each task" },
	{ FINDING_FEW_TASKS, few_tasks, 200, 45, "too few tasks in",
	  "5 tasks have 320 ms of work each", "more and smaller tasks" },
	{ FINDING_TASK_CHAIN, task_chain, 500, 110, "tasks one after another in",
	  "all work in the region is 1.00 s, and its entries took 1.00 s", "depend clauses" },
	{ FINDING_TASK_WAITS, task_waits, 200, 45, "waiting for tasks in", "though there are many",
	  "before each wait" },
	{ FINDING_CRITICAL, critical, 200, 45, "waiting for critical (unnamed) in solve",
	  "another one holds", "less work in it" },
	{ FINDING_LOCK, lock, 200, 45, "waiting for lock in solve", "another one holds",
	  "a lock for each part" },
	{ FINDING_ARRAY_REDUCTION, array_reduction, 200, 45, "combining the copies of an array in",
	  "no atomic directive is at that line", "combines a part of the array" },
	{ FINDING_RUNTIME_CALLS, runtime_calls, 300, 65, "calls into the runtime in",
	  "600 ms of thread time in functions of the runtime that the program calls; 100 % in "
	  "omp_get_thread_num(), called at solve",
	  "before the loop" },
	{ FINDING_ALL_DO, all_do, 0, 25, "equal work, and no worksharing seen, in",
	  "2 threads have equal work (most 1.00 s): each thread executes all of it, or its code "
	  "divides it by thread numbers",
	  "a worksharing loop" },
	{ FINDING_ATOMIC, atomic, 200, 45, "waiting for atomic in solve", "another one holds",
	  "a sum of its own" },
	{ FINDING_ORDERED, ordered, 200, 45, "waiting for ordered in solve", "earlier iterations",
	  "less work in the ordered region" },
	{ FINDING_TARGET, target, 200, 45, "waiting for a device in", "wait for a device",
	  "nowait and depend" },
	{ FINDING_DISPATCH, dispatch, 200, 45, "dispatch of for schedule(dynamic) in solve",
	  "called for each chunk", "larger chunks" },
	{ FINDING_SHORT_REGIONS, short_regions, 300, 65,
	  "region too short:", "20,000 entries: a thread spends 50.0 us in each, and works 35.0 us",
	  "the loop that enters it, divided" },
	{ FINDING_SERIAL, serial, 300, 0, "serial code", "one of 2 threads works",
	  "a parallel region" },
	{ FINDING_SMALL_TEAMS, small_team, 300, 0, "small team in", "at most 1 of 2 threads",
	  "no num_threads or if clause" },
};

enum { CASES = sizeof(cases) / sizeof(*cases) };

static void says(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "\"%s\" is not in \"%s\"", part, text);
}

START_TEST(each_rule_finds)
{
	const struct rule_case *c = &cases[_i];
	const struct finding *f;
	struct finding_words w;

	c->make(true);
	made_end();
	f = made_finding(c->rule);
	ck_assert_msg(f, "%s is not found", finding_key(c->rule));
	ck_assert_msg(fabs(f->gain_ns / MS - c->gain_ms) < 0.001, "%s: %f ms", finding_key(c->rule),
		      f->gain_ns / MS);
	finding_words(made.view, f, &w);
	says(w.what, c->what);
	says(w.why, c->why);
	says(w.helps, c->helps);
	finding_words_fini(&w);
	/* No loss is found twice. */
	ck_assert_uint_eq(made_losses(), c->rule == FINDING_ALL_DO   ? 0 :
					 c->rule == FINDING_LATE_FOR ? 2 :
								       1);
}
END_TEST

START_TEST(a_near_miss_is_none)
{
	cases[_i].make(false);
	made_end();
	ck_assert_msg(!made_finding(cases[_i].rule), "%s is found", finding_key(cases[_i].rule));
}
END_TEST

START_TEST(few_samples_are_no_evidence)
{
	if (!cases[_i].few_ms)
		return;
	made.sample_ms = cases[_i].few_ms;
	cases[_i].make(true);
	made_end();
	ck_assert_msg(!made_finding(cases[_i].rule), "%s is found", finding_key(cases[_i].rule));
}
END_TEST

/* While the initial thread is in MPI or waits for a file, a thread is idle, and no parallel region would
   help. */
START_TEST(idle_beside_no_work_is_none)
{
	made_region(10, 400, 2);
	made_time(0, BODY, WORK, 400);
	made_time(1, BODY, WORK, 400);
	made_outside(1, "clone:1", PROF_STATE_IDLE, 600);
	made_end();
	ck_assert(made.losses.region[REGION_SERIAL].work <= 0);
	ck_assert_msg(!made_finding(FINDING_SERIAL), "serial code is found");
}
END_TEST

/* Critical sections without a name are one lock. */
START_TEST(critical_sections_without_a_name)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 600);
		made_time(i, "solve._omp_fn.0:16 omp!GOMP_critical_start", PROF_STATE_CRITICAL,
			  300);
		if (_i)
			made_time(i, "solve._omp_fn.0:19 omp!GOMP_critical_start",
				  PROF_STATE_CRITICAL, 100);
	}
	made_end();
	ck_assert_uint_eq(made_found(FINDING_CRITICAL)->same, _i);
	if (_i)
		made_says(made_found(FINDING_CRITICAL),
			  "one lock with 1 other critical section without a name");
}
END_TEST

static bool has_words(const struct finding *f, const char *part)
{
	struct finding_words w;

	finding_words(made.view, f, &w);
	const bool found = strstr(w.why, part) || strstr(w.helps, part);

	finding_words_fini(&w);
	return found;
}

/* Where most entries have another team than the one before, that is a part of what they cost. */
START_TEST(teams_of_other_sizes)
{
	const struct finding *f;

	short_regions(true);
	made_resized(_i ? 10000 : 9999);
	made_end();
	f = made_found(FINDING_SHORT_REGIONS);
	ck_assert_uint_eq(has_words(f, "in 10,000 of them the team has another size"), _i);
	ck_assert_uint_eq(has_words(f, "one number of threads for all regions"), _i);
	ck_assert_uint_eq(has_words(f, "the loop that enters it, divided"), !_i);
}
END_TEST

/* Each section calls a function whose own region has one thread: that is work of the section's
   thread, though it has a row of its own. */
START_TEST(work_in_regions_of_one_thread_is_of_the_team)
{
	uint32_t nested;

	made_region(1, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_SECTIONS, "solve:16", LOOP, WORK, 20);
	made_inside(1, PROF_CONSTRUCT_SECTIONS, "solve:16", LOOP, WORK, 20);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 700);
	nested =
		scene_path(&made.s,
			   mk_boundary(made.s.mk, made.root[0], made.context, PROF_BOUNDARY_REGION),
			   "solve._omp_fn.0:17 inner:30");
	made_other_region(nested, 2, 980 + 280, 1);
	made_in(nested, 0, "inner._omp_fn.0:31", WORK, 980);
	made_in(nested, 1, "inner._omp_fn.0:31", WORK, 280);
	made_end();
	made_says(made_found(FINDING_SECTIONS),
		  "thread 0 works 1.00 s there, the mean of 2 threads is 650 ms");
}
END_TEST

/* One thread takes twice the work of a pass; two take it once, and what the barrier costs. */
START_TEST(fewer_threads_are_for_what_costs_more_than_it_spreads)
{
	struct finding_words w;

	passes(50000, 0);
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, _i ? 300 : 700);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP,
			    PROF_STATE_BARRIER_IMPLICIT, _i ? 700 : 300);
	}
	made_end();
	finding_words(made.view, made_found(FINDING_SHORT_LOOP), &w);
	ck_assert_int_eq(!!strstr(w.helps, "fewer threads"), _i);
	finding_words_fini(&w);
}
END_TEST

/* Entries of 100 us wait for the thread whose share has more work, in a region of its own, or for
   now one thread and now the other: they are not short, nor is what is before the barrier. */
START_TEST(work_in_regions_inside_makes_no_entry_short)
{
	uint32_t nested;

	made_region(10000, 1000, 2);
	made_time(0, BODY, PROF_STATE_BARRIER_IMPLICIT, _i ? 250 : 0);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, _i ? 250 : 500);
	nested =
		scene_path(&made.s,
			   mk_boundary(made.s.mk, made.root[0], made.context, PROF_BOUNDARY_REGION),
			   "solve._omp_fn.0:17 inner:30");
	made_other_region(nested, 30000, 1500, 1);
	made_in(nested, 0, "inner._omp_fn.0:31", WORK, _i ? 750 : 1000);
	made_in(nested, 1, "inner._omp_fn.0:31", WORK, _i ? 750 : 500);
	made_end();
	made_not_found(FINDING_SHORT_REGIONS);
	made_not_found(FINDING_SHORT_STEPS);
	made_says(made_found(_i ? FINDING_VARYING_TEAM : FINDING_LATE_THREAD),
		  _i ? "now one is late, now another" :
		       "thread 0 works 1.00 s there, the mean of 2 threads is 750 ms");
}
END_TEST

/* The entries of a recursion are one region's, and most of its work is in those inside. */
START_TEST(entries_of_a_recursion_are_short)
{
	uint32_t context = made.context;

	made_region(1000, 1000, 2);
	made_time(0, BODY, WORK, 100);
	for (unsigned depth = 0; depth < 3; depth++) {
		context = scene_path(&made.s,
				     mk_boundary(made.s.mk, made.root[0], context,
						 PROF_BOUNDARY_REGION),
				     "solve._omp_fn.0:15 solve:12");
		made_other_region(context, 20000, 300, 1);
		for (unsigned thread = 0; thread < 2; thread++) {
			made_in(context, thread, "solve._omp_fn.0:16", WORK, 100);
			made_in(context, thread, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 200);
		}
	}
	made_end();
	made_says(made_found(FINDING_SHORT_REGIONS), "61,000 entries");
}
END_TEST

/* A setting is why, or it is not known; not where entries are short. */
START_TEST(fewer_threads_than_were_asked_for)
{
	static const struct {
		uint64_t entries;
		const char *setting, *says;
	} with[] = {
		{ 10, "OMP_DYNAMIC=true",
		  "10 entries asked for 8 threads, and got 2: OMP_DYNAMIC=true" },
		{ 10, "OMP_DYNAMIC=false", "why is not known" },
		{ 20000, "OMP_DYNAMIC=true", NULL },
	};

	mk_text(made.s.mk, PROF_INFO_ENV, with[_i].setting);
	made_region(with[_i].entries, 1000, 2);
	made_asked(10, 8);
	for (unsigned i = 0; i < 2; i++)
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 1000);
	made_end();
	if (with[_i].says)
		made_says(made_found(FINDING_ASKED), with[_i].says);
	else
		made_not_found(FINDING_ASKED);
}
END_TEST

/* The threads' work hardly differs: one slept while the other was in the runtime. */
START_TEST(sleep_is_not_of_uneven_work)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t inside = i ? 480 : 60;

		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 500 + 20 * i);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
			    "solve._omp_fn.0:17 omp!omp_set_lock", PROF_STATE_LOCK, inside);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, i ? 0 : 20);
		made_scheduled(i, i ? 1000 : 580, 0);
	}
	made_end();
	made_not_found(FINDING_STATIC_LOOP);
	made_says(made_found(FINDING_LATE_FOR), "thread 1 spends 480 ms there waiting for locks");
}
END_TEST

/* Where the longest iterations are first, smaller chunks come too late. */
START_TEST(a_guided_schedule)
{
	uneven_loop(PROF_CONSTRUCT_LOOP_GUIDED, true);
	made_end();
	made_says(made_found(FINDING_OTHER_LOOP), "guided's first chunks are large");
}
END_TEST

/* Calls whose result is the same each time, and others. */
START_TEST(calls_into_the_runtime)
{
	static const struct {
		const char *path, *helps;
	} with[] = {
		{ "solve._omp_fn.0:17 omp!omp_in_parallel", "keep its result" },
		{ "solve._omp_fn.0:17 omp!omp_test_lock", "less time under the lock" },
		{ "solve._omp_fn.0:17 omp!omp_get_wtime", "fewer calls of it" },
		{ "solve._omp_fn.0:17 omp!on_omp_test_lock",
		  "100 % in omp_test_lock(), called at" },
	};

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 700);
		made_time(i, with[_i].path, WORK, 300);
	}
	made_end();
	made_says(made_found(FINDING_RUNTIME_CALLS), with[_i].helps);
}
END_TEST

/* Half of the entries have a team of one thread, which so has more work in sum. */
START_TEST(sums_of_teams_of_several_sizes_do_not_compare)
{
	const struct finding *f;
	const uint32_t at =
		mk_boundary(made.s.mk, made.root[0], made.context, PROF_BOUNDARY_REGION);

	mk_stats(made.s.mk, at, PROF_STATS_REGION, 20, 1000 * MS);
	mk_stats(made.s.mk, at, PROF_STATS_TEAM, UINT64_C(1) << 32 | 2, 30);
	mk_stats(made.s.mk, at, PROF_STATS_TEAM_TIME, 1500 * MS, 0);
	made_inside(0, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", LOOP, WORK, 900);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:12", LOOP, WORK, 400);
	made_time(0, BODY, PROF_STATE_BARRIER_IMPLICIT, 100);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 100);
	made_end();
	made_not_found(FINDING_STATIC_LOOP);
	f = made_found(FINDING_VARYING_LOOP);
	made_says(f, "its teams have several sizes");
	made_equal_ms(f->piece_ns, 1300.0 / 30);
}
END_TEST

/* Nested in itself, where its teams have one thread: the other thread's work is less by that. */
START_TEST(short_regions_of_several_sizes)
{
	const uint32_t at =
		mk_boundary(made.s.mk, made.root[0], made.context, PROF_BOUNDARY_REGION);

	mk_stats(made.s.mk, at, PROF_STATS_REGION, 100000, 1000 * MS);
	mk_stats(made.s.mk, at, PROF_STATS_TEAM, UINT64_C(1) << 32 | 2, 100100);
	mk_stats(made.s.mk, at, PROF_STATS_TEAM_TIME, 2000 * MS, 0);
	made_time(0, BODY, WORK, 300);
	made_time(0, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 180);
	made_time(1, BODY, WORK, 20);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 20);
	made_end();
	made_says(made_found(FINDING_SHORT_REGIONS), "100,000 entries");
}
END_TEST

/* A thread that waits at the end of a single is not late meanwhile. */
START_TEST(waits_for_a_single_are_not_lateness)
{
	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_SINGLE, "solve:16", LOOP, WORK, 400);
	made_inside(1, PROF_CONSTRUCT_SINGLE_OTHER, "solve:16",
		    "solve._omp_fn.0:16 omp!__kmpc_barrier", PROF_STATE_BARRIER_WORKSHARE, 400);
	made_time(0, BODY, WORK, 400);
	made_time(0, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	made_time(1, BODY, WORK, 400);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	made_end();
	made_found(FINDING_SINGLE);
	made_not_found(FINDING_LATE_FOR);
}
END_TEST

/* No sample is in the tasks, and hardly one is elsewhere. */
START_TEST(small_tasks_without_a_sample)
{
	made_region(1, 1000, 2);
	made_tasks(1, 10000, 0);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, "solve._omp_fn.0:15 omp!GOMP_task", WORK, 980);
		made_time(i, BODY, WORK, 20);
	}
	made_end();
	made_says(made_found(FINDING_SMALL_TASKS),
		  "10,000 tasks have too little work for a sample");
}
END_TEST

/* The runtime may have made the team small, or the program has. */
START_TEST(what_makes_teams_small)
{
	mk_text(made.s.mk, PROF_INFO_ENV, _i ? "OMP_DYNAMIC=true" : "OMP_DYNAMIC=false");
	small_team(true);
	made_end();
	ck_assert_uint_eq(has_words(made_found(FINDING_SMALL_TEAMS), "OMP_DYNAMIC=false"), _i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("findings");
	TCase *c = tcase_create("findings");

	tcase_add_checked_fixture(c, made_setup, made_teardown);
	tcase_add_loop_test(c, each_rule_finds, 0, CASES);
	tcase_add_loop_test(c, a_near_miss_is_none, 0, CASES);
	tcase_add_loop_test(c, few_samples_are_no_evidence, 0, CASES);
	tcase_add_test(c, work_in_regions_of_one_thread_is_of_the_team);
	tcase_add_loop_test(c, work_in_regions_inside_makes_no_entry_short, 0, 2);
	tcase_add_test(c, entries_of_a_recursion_are_short);
	tcase_add_loop_test(c, fewer_threads_are_for_what_costs_more_than_it_spreads, 0, 2);
	tcase_add_test(c, idle_beside_no_work_is_none);
	tcase_add_loop_test(c, fewer_threads_than_were_asked_for, 0, 3);
	tcase_add_loop_test(c, critical_sections_without_a_name, 0, 2);
	tcase_add_loop_test(c, teams_of_other_sizes, 0, 2);
	tcase_add_test(c, a_guided_schedule);
	tcase_add_test(c, sleep_is_not_of_uneven_work);
	tcase_add_loop_test(c, calls_into_the_runtime, 0, 4);
	tcase_add_test(c, sums_of_teams_of_several_sizes_do_not_compare);
	tcase_add_test(c, short_regions_of_several_sizes);
	tcase_add_test(c, waits_for_a_single_are_not_lateness);
	tcase_add_test(c, small_tasks_without_a_sample);
	tcase_add_loop_test(c, what_makes_teams_small, 0, 2);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
