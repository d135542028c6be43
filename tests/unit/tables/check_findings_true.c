/* SPDX-License-Identifier: BSD-3-Clause */
/* check_findings_true.c - what looks like the cause of a loss and is another one, and remedies that
   would not help. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/output/finding_words.h"
#include "src/output/output.h"
#include "src/view/view.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"
#define LOOP "solve._omp_fn.0:17"

static void set(enum prof_info_kind kind, const char *text)
{
	mk_text(made.s.mk, kind, text);
}

/* The reverse of made_says(). */
static void says_not(const struct finding *f, const char *part)
{
	struct finding_words w;

	finding_words(made.view, f, &w);
	ck_assert_msg(!strstr(w.what, part) && !strstr(w.why, part) && !strstr(w.helps, part),
		      "\"%s\" is in \"%s; %s; %s\"", part, w.what, w.why, w.helps);
	finding_words_fini(&w);
}

/* ---- tasks ----------------------------------------------------------- */

/* 20,000 tasks of 1 us, before which their creator copies, or calls the runtime for each. */
START_TEST(what_the_creator_of_tasks_does)
{
	const struct finding *f;

	made_region(1, 1000, 2);
	made_tasks(0, 20000, 20);
	made_time(0, _i ? "solve._omp_fn.0:15 omp!GOMP_task" : "solve._omp_fn.0:15 libc!memcpy",
		  WORK, 900);
	made_time(0, BODY, WORK, 50);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 900);
	made_end();
	if (_i) {
		made_found(FINDING_SMALL_TASKS);
		made_not_found(FINDING_ONE_CREATOR);
		return;
	}
	f = made_found(FINDING_ONE_CREATOR);
	made_says(f, "beside them one thread works 950 ms");
	made_says(f, "95 % in memcpy(), called at solve");
	made_says(f, "large data shared, or by a pointer; otherwise that work in the tasks");
	made_not_found(FINDING_SMALL_TASKS);
}
END_TEST

/* A region that is entered once spends no time in its begin: threads get tasks there. In many
   entries it may. */
START_TEST(where_threads_get_tasks)
{
	made_region(_i ? 100 : 1, 1000, 2);
	made_tasks(1, 500000, 100);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, "solve._omp_fn.0:15 omp!GOMP_task", WORK, 500);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 300);
	}
	made_end();
	made_equal_ms(made_found(FINDING_SMALL_TASKS)->gain_ns, _i ? 500 : 800);
}
END_TEST

/* Both threads create equally many tasks, of 500 ms each; or (1) not equally many; or (2) a
   construct of the same function shares work. */
START_TEST(tasks_that_each_thread_creates)
{
	const struct finding *f;

	made_region(1, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_tasks(i, 400, 500);
		made_created(i, _i == 1 ? 400 + i : 400);
		if (_i == 2)
			made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 20);
	}
	made_end();
	if (_i) {
		made_not_found(FINDING_ALL_CREATE);
		return;
	}
	f = made_found(FINDING_ALL_CREATE);
	made_says(f, "each of 2 threads created 400 tasks at solve");
	made_says(f, "single (or masked) around the code that creates them");
}
END_TEST

/* ---- page faults ----------------------------------------------------- */

/* Memory that is touched first, or (1, 3) mapped again; settings of malloc's that are in force, or
   (4) do not reach the program's static arrays. */
START_TEST(settings_of_malloc_that_are_in_force)
{
	static const char *const named[] = { FINDING_HUGE_PAGES, FINDING_KEEP_BLOCKS };
	const struct finding *f;

	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, _i % 2 ? "1800000000 200000000 100000 0 4000 0 0" :
				      "1800000000 200000000 100000 0 400000 0 0");
	if (_i == 4)
		mk_module_full(made.s.mk,
			       &(struct prof_module){ .id = 9,
						      .flags = PROF_MODULE_MAIN,
						      .map_start = 1 << 30,
						      .map_end = UINT64_C(2) << 30 },
			       "/nowhere/arrays");
	else if (_i > 1)
		set(PROF_INFO_ENV, "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=268435456:"
				   "glibc.malloc.hugetlb=1");
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 900);
	made_time(1, BODY, WORK, 900);
	made_end();
	f = made_found(FINDING_FAULTS);
	if (_i < 2)
		made_says(f, named[_i]);
	else
		says_not(f, "GLIBC_TUNABLES");
}
END_TEST

/* The creator of a taskloop's only task waits for it: seen for 20 ms, then asleep. Or (1) it is not
   seen to wait for tasks. */
START_TEST(asleep_until_tasks_are_done)
{
	const struct finding *f;

	made_region(1, 1000, 2);
	made_tasks(1, 1, 900);
	made_time(0, "solve._omp_fn.0:15 omp!GOMP_taskloop",
		  _i ? PROF_STATE_OVERHEAD : PROF_STATE_TASKGROUP, 20);
	made_scheduled(0, 20, 0);
	made_scheduled(1, 920, 0);
	made_end();
	if (_i) {
		made_not_found(FINDING_FEW_TASKS);
		return;
	}
	f = made_found(FINDING_FEW_TASKS);
	made_equal_ms(f->gain_ns, 450);
	made_says(f, "for 440 ms of it the others slept");
}
END_TEST

/* ---- barriers -------------------------------------------------------- */

/* A region's end can't be left out, another barrier can; nowait is for the end of a construct. */
START_TEST(no_nowait_at_the_end_of_a_region)
{
	const enum prof_state at = _i ? PROF_STATE_BARRIER_EXPLICIT : PROF_STATE_BARRIER_IMPLICIT;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 800);
		made_time(i, _i ? "solve._omp_fn.0:18 omp!GOMP_barrier" : BODY, at, 200);
	}
	made_end();
	made_says(made_found(FINDING_VARYING_TEAM),
		  _i ? "fewer barriers, where the next step allows it" : "one parallel region");
	says_not(made_found(FINDING_VARYING_TEAM), "nowait");
}
END_TEST

/* The same of a loop whose end is the region's, as gcc's parallel for; or that has its own. */
START_TEST(no_nowait_for_a_loop_that_is_its_region)
{
	const uint64_t waits = _i ? 200 : 50;

	made_region(_i ? 10 : 50000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		if (_i)
			made_passes(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", 50000, 0);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 1000 - waits);
		if (_i)
			made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
				    "solve._omp_fn.0:16 omp!GOMP_loop_end",
				    PROF_STATE_BARRIER_WORKSHARE, waits);
		else
			made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, waits);
	}
	made_end();
	if (_i)
		made_says(made_found(FINDING_SHORT_LOOP), "nowait");
	else
		says_not(made_found(FINDING_SHORT_LOOP), "nowait");
}
END_TEST

/* While a thread waits for a CPU, the others of its team wait for it: smaller chunks are no
   remedy. */
START_TEST(chunks_beside_waits_for_cpus)
{
	const uint64_t waits = _i ? 210 : 190;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", LOOP, WORK, 900 - waits);
		made_inside(i, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16",
			    "solve._omp_fn.0:16 omp!GOMP_loop_end", PROF_STATE_BARRIER_WORKSHARE,
			    waits);
		made_scheduled(i, 900, 100);
	}
	made_end();
	made_found(FINDING_NO_CPU);
	if (_i)
		made_found(FINDING_VARYING_CHUNKS);
	else
		made_not_found(FINDING_VARYING_CHUNKS);
}
END_TEST

/* Other programs have the CPUs, and few waits are seen: a static loop loses what its late thread has
   more than the mean; (1) a dynamic one gave the thread that had no CPU less. */
START_TEST(uneven_work_beside_other_programs)
{
	const enum prof_construct_kind kind = _i ? PROF_CONSTRUCT_LOOP_DYNAMIC :
						   PROF_CONSTRUCT_LOOP_STATIC;

	made_region(10, 1000, 2);
	made_inside(0, kind, "solve:16", LOOP, WORK, 200);
	made_inside(0, kind, "solve:16", "solve._omp_fn.0:16 omp!GOMP_loop_end",
		    PROF_STATE_BARRIER_WORKSHARE, 20);
	made_inside(1, kind, "solve:16", LOOP, WORK, 800);
	for (unsigned i = 0; i < 2; i++)
		made_passes(i, kind, "solve:16", 10, 1000);
	made_scheduled(0, 220, 780);
	made_scheduled(1, 800, 200);
	made_end();
	made_found(FINDING_NO_CPU);
	if (_i) {
		made_not_found(FINDING_STATIC_LOOP);
		ck_assert(!made_finding(FINDING_OTHER_LOOP) ||
			  made_found(FINDING_OTHER_LOOP)->gain_ns < 50e6);
		return;
	}
	/* 300 ms by half a CPU, and no more than the region's time without the mean. */
	made_equal_ms(made_found(FINDING_STATIC_LOOP)->gain_ns, 500);
	says_not(made_found(FINDING_STATIC_LOOP), "slept");
	made_says(made_found(FINDING_STATIC_LOOP), "thread 1 works 800 ms there");
}
END_TEST

/* Four threads have a part in teams of two: whose work in sum is more says nothing. Or they are
   one team. */
START_TEST(threads_of_several_teams)
{
	static const uint64_t work[] = { 900, 200, 600, 600 };

	made_worker();
	made_worker();
	made_region(10, 1000, _i ? 4 : 2);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, work[i] / (_i ? 1 : 2));
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, (1000 - work[i]) / (_i ? 1 : 2));
	}
	made_end();
	if (_i) {
		made_found(FINDING_UNEVEN_TEAM);
		return;
	}
	made_not_found(FINDING_LATE_THREAD);
	made_not_found(FINDING_UNEVEN_TEAM);
	made_says(made_found(FINDING_VARYING_TEAM), "or other threads each time");
	made_says(made_found(FINDING_VARYING_TEAM),
		  "each of 10 passes has 57.5 ms of work a thread, and 42.5 ms of waiting");
}
END_TEST

/* Each entry by a thread of the program's own that is made for it, or all by one. */
START_TEST(a_thread_for_each_region)
{
	struct finding f;

	made_region(100, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 500);
	}
	made_end();
	f = *made_found(FINDING_SHORT_REGIONS);
	ck_assert_uint_eq(f.initials, 1);
	says_not(&f, "of the program's own");
	f.initials = 100;
	made_says(&f, "100 threads of the program's own begin them");
	made_says(&f, "which is kept");
}
END_TEST

/* Who leaves a critical section gains nothing by longer loops. */
START_TEST(the_end_of_a_critical_section)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 800);
		made_time(i,
			  _i ? "solve._omp_fn.0:18 omp!__kmpc_for_static_init_4" :
			       "solve._omp_fn.0:18 omp!GOMP_critical_end",
			  WORK, 200);
	}
	made_end();
	made_says(made_found(FINDING_LEFT), _i ? "longer loops" : "merged at the end");
}
END_TEST

/* Too few samples to know it by: that is not none. */
START_TEST(work_without_a_sample)
{
	const struct finding *f;

	made_region(10000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 500);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 500);
	}
	made_end();
	f = made_found(FINDING_SHORT_REGIONS);
	made_says(f, "with too little work for a sample");
	says_not(f, "works 0");
	says_not(f, "is 0");
}
END_TEST

/* Who is late at a loop's end has no more work in the loop, but alone prints before it. Or (1) each
   has as much of that, or (2) the others wait for that at the region's end. */
START_TEST(late_from_outside_of_a_loop)
{
	static const struct {
		uint64_t prints[2], waits[2], at_end[2];
	} times[] = {
		{ { 300, 0 }, { 0, 300 }, { 0, 0 } },
		{ { 150, 150 }, { 150, 150 }, { 0, 0 } },
		{ { 300, 0 }, { 100, 100 }, { 0, 300 } },
	};
	const struct finding *f;

	made_region(1, 1000, 2);
	made_passes(0, PROF_CONSTRUCT_MASKED, "solve:13", 100, 0);
	for (unsigned i = 0; i < 2; i++) {
		made_passes(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", 100, 0);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 400);
		made_inside(i, PROF_CONSTRUCT_MASKED, "solve:13", BODY " libc!fprintf", WORK,
			    times[_i].prints[i]);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
			    "solve._omp_fn.0:16 omp!GOMP_loop_end", PROF_STATE_BARRIER_WORKSHARE,
			    times[_i].waits[i]);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, times[_i].at_end[i]);
	}
	made_end();
	if (_i)
		made_equal_ms(made_found(FINDING_VARYING_LOOP)->gain_ns, _i == 1 ? 150 : 100);
	else
		made_not_found(FINDING_VARYING_LOOP);
	if (_i == 1) {
		made_not_found(FINDING_LATE_THREAD);
		return;
	}
	f = made_found(FINDING_LATE_THREAD);
	made_equal_ms(f->gain_ns, 150);
	made_says(f, "thread 0 works 700 ms there, the mean of 2 threads is 550 ms");
	says_not(f, "entries of the region");
}
END_TEST

/* ---- mutexes --------------------------------------------------------- */

/* Of 400 ms in the calls for a mutex the runtime reports a wait for 150 ms, or for 250. */
START_TEST(calls_for_a_mutex_that_nobody_holds)
{
	static const char *const calls[] = { "solve._omp_fn.0:16 omp!omp_set_lock",
					     "solve._omp_fn.0:16 omp!GOMP_critical_start",
					     "solve._omp_fn.0:16 omp!GOMP_atomic_start" };
	static const uint8_t states[] = { PROF_STATE_LOCK, PROF_STATE_CRITICAL, PROF_STATE_ATOMIC };
	static const enum finding_rule rules[] = { FINDING_LOCK, FINDING_CRITICAL, FINDING_ATOMIC };
	const uint64_t waited = _i % 2 ? 250 : 150;
	const struct finding *f;

	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 600);
		made_time(i, calls[_i / 2], states[_i / 2], waited);
		made_time(i, calls[_i / 2], WORK, 400 - waited);
	}
	made_end();
	f = made_found(rules[_i / 2]);
	if (_i % 2) {
		made_says(f, "waiting for");
		made_says(f, "threads wait while another one holds it");
	} else {
		made_says(f, "calls for");
		made_says(f,
			  "for 62 % of that time the runtime reports no wait for another holder");
	}
}
END_TEST

/* 1 % of the run is worth no finding, also where it is in calls. */
START_TEST(few_calls_for_a_lock)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 990);
		made_time(i, "solve._omp_fn.0:16 omp!omp_set_lock", WORK, 10);
	}
	made_end();
	made_not_found(FINDING_LOCK);
}
END_TEST

/* ---- clauses --------------------------------------------------------- */

/* All of a loop is at the directive's line, as macros and Fortran's array statements are; it may
   call mathematical functions. Or threads combine what they have there. */
START_TEST(work_at_a_directive_that_no_clause_makes)
{
	static const char *const paths[] = { "solve._omp_fn.0:12", "solve._omp_fn.0:12 libm!cos",
					     "solve._omp_fn.0:12 std::accumulate:99",
					     "solve._omp_fn.0:12" };

	made_region(50, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, paths[_i], WORK, 700);
		if (_i == 3)
			made_time(i, "solve._omp_fn.0:12 omp!GOMP_atomic_start", PROF_STATE_ATOMIC,
				  100);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	}
	made_end();
	if (_i == 3)
		made_found(FINDING_DIRECTIVE);
	else
		made_not_found(FINDING_DIRECTIVE);
}
END_TEST

/* Outside of the loop of a combined directive only its clauses have work; of another directive the
   program may have some. */
START_TEST(work_outside_of_a_combined_loop)
{
	const char *loop = _i == 1 ? "solve:14" : "solve:12";

	made_region(50, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_passes(i, PROF_CONSTRUCT_LOOP_STATIC, loop, 50, 1000);
		made_time(i, _i == 2 ? BODY : "solve._omp_fn.0:12", WORK, 700);
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, loop, "solve._omp_fn.0:17", WORK, 100);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	}
	made_end();
	if (_i)
		made_not_found(FINDING_DIRECTIVE);
	else
		made_says(made_found(FINDING_DIRECTIVE), "1.40 s of thread time, 88 %");
}
END_TEST

/* clang copies at the directive of the region's loop. */
START_TEST(copies_at_a_loop_in_the_region)
{
	made_region(50, 1000, 2);
	made_time(0, _i ? "solve._omp_fn.0:17 libc!memcpy" : "solve._omp_fn.0:16 libc!memcpy", WORK,
		  700);
	made_inside(1, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
		    "solve._omp_fn.0:16 omp!GOMP_barrier", PROF_STATE_BARRIER_WORKSHARE, 700);
	for (unsigned i = 0; i < 2; i++)
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16", LOOP, WORK, 100);
	made_end();
	if (_i)
		made_not_found(FINDING_DIRECTIVE);
	else
		made_equal_ms(made_found(FINDING_DIRECTIVE)->gain_ns, 350);
}
END_TEST

/* gcc's line of a loop is that of its statement, which may have all of it. */
START_TEST(copies_in_a_loop_of_one_line)
{
	set(PROF_INFO_RUNTIME, "GNU libgomp");
	made_region(50, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_inside(i, PROF_CONSTRUCT_LOOP_STATIC, "solve:16",
			    "solve._omp_fn.0:16 libc!memset", WORK, 700);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	}
	made_end();
	made_found(FINDING_DIRECTIVE);
	for (size_t i = 0; i < made.s.files[0]->ntexts; i++)
		if (!strncmp(made.s.files[0]->texts[i].text, "LLVM", 4))
			made.s.files[0]->texts[i].kind = PROF_INFO_ENV;
	findings_fini(&made.findings);
	findings_build(made.view, &made.losses, &made.placement, &made.findings);
	made_not_found(FINDING_DIRECTIVE);
}
END_TEST

/* ---- CPUs ------------------------------------------------------------ */

/* Two teams of two, each of a thread of the program's own; or a team of four. */
START_TEST(several_threads_with_teams)
{
	const uint32_t kind = _i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL;
	const struct finding *f;

	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_ENV, "OMP_NUM_THREADS=2");
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, kind, 200));
	made.nthreads = 3;
	made_worker();
	made_region(_i ? 10 : 20, _i ? 1000 : 2000, _i ? 4 : 2);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, 500);
		made_scheduled(i, 500, 500);
	}
	made_end();
	f = made_found(FINDING_CROWDED);
	if (_i) {
		made_says(f, "num_threads decides");
	} else {
		made_says(f, "2 threads of the program's own begin regions");
		says_not(f, "num_threads decides");
	}
}
END_TEST

/* Bound to one CPU, which others use, too: what they wait for each other is known. Where nothing
   binds them, others may be why they share it. */
START_TEST(bound_threads_beside_other_programs)
{
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_ENV, "OMP_PLACES=threads");
	set(PROF_INFO_ENV, _i ? "OMP_PROC_BIND=false" : "OMP_PROC_BIND=master");
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 300);
		mk_stats(made.s.mk, made.root[i], PROF_STATS_SCHEDULE, 300 * MS, 700 * MS);
		mk_cpu(made.s.mk, made.root[i], 0, 0, 300, 300 * MS);
	}
	made_end();
	made_equal_ms(made_found(FINDING_SHARED_CPU)->gain_ns, 300);
	made_says(made_found(FINDING_SHARED_CPU), "no proc_bind(master)");
	made_says(made_found(FINDING_SHARED_CPU),
		  _i ? "OMP_PLACES=threads" : "none to another one: OMP_PROC_BIND=master");
}
END_TEST

/* The kernel is not entered by what only computes; and a few samples name nothing. */
START_TEST(calls_that_enter_no_kernel)
{
	static const char *const calls[] = {
		"solve._omp_fn.0:17 libm!cos",	   "solve._omp_fn.0:17 libc!snprintf",
		"solve._omp_fn.0:17 libc!getenv",  "solve._omp_fn.0:17 libc!clock_gettime",
		"solve._omp_fn.0:17 libc!drand48", "solve._omp_fn.0:17 libc!rand",
		"solve._omp_fn.0:17 libc!rand"
	};

	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, "1600000000 400000000 1000 0 4000 40 0");
	const bool few = _i == 5;

	made.sample_ms = few ? 70 : 1;
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, calls[_i], WORK, few ? 300 : 700);
		made_time(i, BODY, WORK, few ? 500 : 100);
	}
	made_end();
	if (_i == 6)
		made_says(made_found(FINDING_KERNEL), "88 % in rand(), called at solve");
	else
		says_not(made_found(FINDING_KERNEL), "called at");
}
END_TEST

/* ---- no regions ------------------------------------------------------ */

static void forget_runtime(struct prof_file *f)
{
	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_RUNTIME)
			f->texts[i].kind = PROF_INFO_ENV;
	for (size_t i = 0; i < f->nmodules; i++)
		if (strstr(f->modules[i].path, "omp.so")) {
			*strstr(f->modules[i].path, "omp.so") = 'x';
			f->modules[i].flags &= ~(uint32_t)PROF_MODULE_RUNTIME;
		}
}

/* The first screen of a run in which one thread works outside of regions; or (3) four do. */
START_TEST(no_region_was_entered)
{
	struct report r;
	size_t size;
	char *text;
	FILE *out;

	made_outside(0, "main:30", _i == 1 ? PROF_STATE_SERIAL : PROF_STATE_NO_OPENMP, 900);
	if (_i == 2) {
		made_region(10, 100, 2);
		made_time(0, BODY, WORK, 100);
	}
	mk_end(made.s.mk);
	scene_process(&made.s);
	made.s.model.processes[0].threads.all = _i == 3 ? 4 : 1;
	if (!_i)
		forget_runtime(made.s.files[0]);
	made.view = scene_view(&made.s, VIEW_USER);
	losses_build(made.view, &made.losses);
	r = (struct report){
		.model = &made.s.model,
		.view = made.view,
		.losses = &made.losses,
		.limit_percent = 0.5,
		.columns = 80,
		.rows = 60,
	};
	out = open_memstream(&text, &size);
	ck_assert_int_eq(scene_output("text")->write(out, &r), 0);
	fclose(out);
	ck_assert_msg(!strstr(text, "no OpenMP runtime was seen") == (_i != 0), "%s", text);
	ck_assert_msg(!strstr(text, "no parallel region was entered") == (_i != 1), "%s", text);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("findings_true");
	TCase *c = tcase_create("findings_true");

	tcase_add_checked_fixture(c, made_setup, made_teardown);
	tcase_add_loop_test(c, what_the_creator_of_tasks_does, 0, 2);
	tcase_add_loop_test(c, where_threads_get_tasks, 0, 2);
	tcase_add_loop_test(c, asleep_until_tasks_are_done, 0, 2);
	tcase_add_loop_test(c, tasks_that_each_thread_creates, 0, 3);
	tcase_add_loop_test(c, settings_of_malloc_that_are_in_force, 0, 5);
	tcase_add_loop_test(c, no_nowait_at_the_end_of_a_region, 0, 2);
	tcase_add_loop_test(c, no_nowait_for_a_loop_that_is_its_region, 0, 2);
	tcase_add_loop_test(c, chunks_beside_waits_for_cpus, 0, 2);
	tcase_add_loop_test(c, uneven_work_beside_other_programs, 0, 2);
	tcase_add_loop_test(c, threads_of_several_teams, 0, 2);
	tcase_add_test(c, a_thread_for_each_region);
	tcase_add_loop_test(c, the_end_of_a_critical_section, 0, 2);
	tcase_add_test(c, work_without_a_sample);
	tcase_add_loop_test(c, late_from_outside_of_a_loop, 0, 3);
	tcase_add_loop_test(c, copies_at_a_loop_in_the_region, 0, 2);
	tcase_add_test(c, copies_in_a_loop_of_one_line);
	tcase_add_loop_test(c, work_at_a_directive_that_no_clause_makes, 0, 4);
	tcase_add_loop_test(c, work_outside_of_a_combined_loop, 0, 3);
	tcase_add_loop_test(c, calls_for_a_mutex_that_nobody_holds, 0, 6);
	tcase_add_test(c, few_calls_for_a_lock);
	tcase_add_loop_test(c, several_threads_with_teams, 0, 2);
	tcase_add_loop_test(c, bound_threads_beside_other_programs, 0, 2);
	tcase_add_loop_test(c, calls_that_enter_no_kernel, 0, 7);
	tcase_add_loop_test(c, no_region_was_entered, 0, 4);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
