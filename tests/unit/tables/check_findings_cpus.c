/* SPDX-License-Identifier: BSD-3-Clause */
/* check_findings_cpus.c - the rules about CPUs and memory: near misses beside each. */
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

static void set(enum prof_info_kind kind, const char *text)
{
	mk_text(made.s.mk, kind, text);
}

/* ---- CPUs ------------------------------------------------------------ */

/* Four threads on two CPUs; those that wait spin, or sleep. */
static void crowd(uint64_t spin_ms, uint64_t waited_ms)
{
	made_worker();
	made_worker();
	set(PROF_INFO_CPUS, "0-1");
	made_region(10, 1000, 4);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, 300);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, spin_ms);
		made_scheduled(i, 300 + spin_ms, waited_ms);
	}
	made_end();
}

START_TEST(more_threads_than_cpus_that_spin)
{
	const struct finding *f;

	crowd(200, 500);
	f = made_found(FINDING_CROWDED);
	made_equal_ms(f->gain_ns, 400);
	made_says(f, "4 OpenMP threads have 2 CPUs");
	made_says(f, "waiting threads spin");
	made_says(f, "the program's num_threads decides");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* Who asked for them: the setting, or the program, though there is a setting. */
START_TEST(who_asked_for_so_many_threads)
{
	set(PROF_INFO_ENV, _i ? "OMP_NUM_THREADS=4" : "OMP_NUM_THREADS=2");
	crowd(200, 500);
	made_says(made_found(FINDING_CROWDED), _i ? "OMP_NUM_THREADS as the CPUs; otherwise" :
						    "the program's num_threads decides");
}
END_TEST

/* Why there are so few CPUs: a mask, or the machine has no more. */
START_TEST(a_mask_from_the_start)
{
	const struct finding *f;

	set(PROF_INFO_TOPOLOGY, _i ? "node 0 0-7" : "node 0 0-1");
	set(PROF_INFO_TOPOLOGY, "socket 0 0-7");
	crowd(0, 500);
	f = made_found(FINDING_CROWDED);
	made_says(f,
		  _i ? "the process began, it has CPUs 0-1 of 8" : "4 OpenMP threads have 2 CPUs;");
	made_says(f, _i ? "a mask with more CPUs" : "no more threads than CPUs");
}
END_TEST

/* They slept for 200 ms each, while the CPUs were idle for 100. */
START_TEST(sleep_beside_busy_cpus_gains_nothing)
{
	made_worker();
	made_worker();
	set(PROF_INFO_CPUS, "0-1");
	made_region(10, 1000, 4);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, 450);
		made_scheduled(i, 450, 350);
	}
	made_end();
	made_found(FINDING_CROWDED);
	made_equal_ms(made_found(FINDING_BLOCKED)->gain_ns, 100);
}
END_TEST

/* What they wait for the CPUs is known, what that costs is not. */
START_TEST(more_threads_than_cpus_that_sleep)
{
	const struct finding *f;

	crowd(0, 500);
	f = made_found(FINDING_CROWDED);
	ck_assert(f->gain_ns <= 0);
	made_says(f, "50 % of their time");
	made_not_found(FINDING_NO_CPU);
}
END_TEST

START_TEST(more_threads_than_cpus_that_do_not_wait)
{
	crowd(20, 40);
	made_not_found(FINDING_CROWDED);
}
END_TEST

/* Both have samples on CPU 0 only, and waited for it. */
static void share(const char *setting, uint64_t waited_ms)
{
	set(PROF_INFO_CPUS, "0-1");
	if (setting)
		set(PROF_INFO_ENV, setting);
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		mk_stats(made.s.mk, made.root[i], PROF_STATS_SCHEDULE, 500 * MS, waited_ms * MS);
		mk_cpu(made.s.mk, made.root[i], 0, 0, 500, 500 * MS);
	}
	made_end();
}

START_TEST(threads_that_share_a_cpu)
{
	const struct finding *f;

	share("OMP_PROC_BIND=true", 500);
	f = made_found(FINDING_SHARED_CPU);
	made_equal_ms(f->gain_ns, 500);
	made_says(f, "2 threads are bound to one CPU, and none to another one: OMP_PROC_BIND=true");
	made_says(f, "OMP_PLACES=cores");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* Nothing binds them: another program had the other CPU. */
START_TEST(threads_that_nothing_binds_do_not_share)
{
	share(_i ? "OMP_PROC_BIND=false" : NULL, 500);
	made_not_found(FINDING_SHARED_CPU);
	made_equal_ms(made_found(FINDING_NO_CPU)->gain_ns, 500);
}
END_TEST

/* Busy for a part of their time, and kept waiting for little of it: less than a finding is
   worth. What else is lost is found. */
START_TEST(what_little_sharing_costs_hides_nothing)
{
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_ENV, "OMP_PROC_BIND=true");
	made_region(10, 100, 2);
	made_time(0, BODY, WORK, 100);
	made_time(1, BODY, WORK, 20);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 66);
	for (unsigned i = 0; i < 2; i++) {
		mk_stats(made.s.mk, made.root[i], PROF_STATS_SCHEDULE, 90 * MS, 15 * MS);
		mk_cpu(made.s.mk, made.root[i], 0, 0, 90, 90 * MS);
	}
	made_end();
	made_not_found(FINDING_SHARED_CPU);
	ck_assert_double_ge(made_found(FINDING_LATE_THREAD)->gain_ns, 33 * MS);
}
END_TEST

/* Threads that waited for CPUs that others had; outside: threads that are not OpenMP's, which
   have no part in the run's time. */
static void busy(uint64_t waited_ms, bool outside)
{
	made_region(10, 1000, 2);
	if (outside) {
		made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
		made_scheduled(2, 0, waited_ms);
	}
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t waited = outside ? 0 : waited_ms;

		made_time(i, BODY, WORK, 1000 - waited);
		made_scheduled(i, 1000 - waited, waited);
	}
	made_end();
}

START_TEST(threads_that_wait_for_a_cpu)
{
	const struct finding *f;

	busy(100, false);
	f = made_found(FINDING_NO_CPU);
	made_equal_ms(f->gain_ns, 100);
	made_says(f, "had no CPU for 10 % of their time; who had it is not known");
	made_says(f, "CPUs that the program has to itself");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

START_TEST(threads_that_hardly_wait_for_a_cpu)
{
	busy(49, false);
	made_not_found(FINDING_NO_CPU);
}
END_TEST

START_TEST(other_threads_that_wait_for_a_cpu)
{
	busy(600, true);
	made_not_found(FINDING_NO_CPU);
}
END_TEST

/* Regions that are short and for whose CPUs threads waited: that time is found once. */
START_TEST(waiting_for_a_cpu_is_found_once)
{
	double sum = 0;

	made_region(20000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 600);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 100);
		made_scheduled(i, 700, 300);
	}
	made_end();
	made_equal_ms(made_found(FINDING_NO_CPU)->gain_ns, 300);
	made_equal_ms(made_found(FINDING_SHORT_REGIONS)->gain_ns, 100);
	for (size_t i = 0; i < made.findings.n; i++)
		sum += made.findings.all[i].gain_ns;
	made_equal_ms(sum, 400);
}
END_TEST

/* ---- who had the CPUs ------------------------------------------------ */

/* Both threads wait for half of their time. */
static void contend(void)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		made_scheduled(i, 500, 500);
	}
}

START_TEST(a_quota)
{
	const struct finding *f;

	contend();
	set(PROF_INFO_QUOTA, "50000 100000");
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_THROTTLED, _i ? "300000000 10 9" : "900000000 10 9");
	made_end();
	f = made_found(FINDING_QUOTA);
	made_equal_ms(f->gain_ns, _i ? 300 : 500);
	made_says(f, "a quota of 0.5 CPU, and was throttled in 90 % of 10 periods");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* One that hardly throttles is no reason, nor is one whose end is not known, or (2) that throttles in
   most periods, but for a short time of what the threads wait for. */
START_TEST(a_quota_that_is_not_why)
{
	contend();
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_QUOTA, "50000 100000");
	if (_i)
		set(PROF_INFO_THROTTLED, _i == 1 ? "4000000 100 4" : "200000000 10 8");
	made_end();
	made_not_found(FINDING_QUOTA);
	made_found(FINDING_NO_CPU);
	if (_i == 2)
		made_says(made_found(FINDING_NO_CPU),
			  "its control group's quota of 0.5 CPU was why in 80 % of 10 periods");
}
END_TEST

START_TEST(a_mask_that_something_set)
{
	const struct finding *f;

	contend();
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_WORKER_CPUS, _i ? "0,2" : "1");
	made_end();
	if (_i) {
		made_not_found(FINDING_MASK);
		return;
	}
	f = made_found(FINDING_MASK);
	made_says(f, "bound it to CPU 1: by its affinity mask 2 threads have 1 CPU");
}
END_TEST

/* Threads that OpenMP does not know: of 100 ms, or of 90. */
START_TEST(threads_that_are_not_openmps)
{
	const struct finding *f;

	contend();
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_scheduled(2, _i ? 90 : 110, 0);
	made_end();
	if (_i) {
		made_not_found(FINDING_POOLS);
		return;
	}
	f = made_found(FINDING_POOLS);
	made_says(f, "not OpenMP's ran for 110 ms");
}
END_TEST

/* libomp's hidden helpers, which execute target tasks. */
START_TEST(threads_that_are_the_runtimes)
{
	contend();
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_OTHER, 200));
	made_scheduled(2, 110, 0);
	made_end();
	made_not_found(FINDING_POOLS);
	made_says(made_found(FINDING_NO_CPU), "who had it is not known");
}
END_TEST

/* Of two CPUs' time the process has 61 %, or 57 %: then others had the rest. */
START_TEST(threads_that_do_not_have_the_cpus)
{
	const uint64_t other = _i ? 140 : 220;

	set(PROF_INFO_CPUS, "0-1");
	contend();
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_scheduled(2, other, 0);
	made_end();
	if (_i) {
		made_not_found(FINDING_POOLS);
		made_says(made_found(FINDING_NO_CPU), "not OpenMP's ran for 140 ms");
	} else {
		made_found(FINDING_POOLS);
	}
}
END_TEST

/* With OpenMP's work they have 92 %, or 88 %, of two CPUs' time: there is no room for more, and
   whether they work is not known. */
START_TEST(threads_that_leave_no_room)
{
	set(PROF_INFO_CPUS, "0-1");
	contend();
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_scheduled(2, _i ? 760 : 840, 0);
	made_end();
	if (_i) {
		made_equal_ms(made_found(FINDING_POOLS)->gain_ns, 120);
	} else {
		ck_assert(made_found(FINDING_POOLS)->gain_ns == 0);
		made_says(made_found(FINDING_POOLS), "92 % of the CPUs' time");
		made_says(made_found(FINDING_POOLS), "more CPUs");
	}
}
END_TEST

/* Threads that hardly spin leave the CPUs to others already. */
START_TEST(threads_that_hardly_spin)
{
	contend();
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, _i ? 90 : 110);
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_scheduled(2, 200, 0);
	made_end();
	ck_assert_int_eq(made_found(FINDING_POOLS)->spins, !_i);
}
END_TEST

/* A remedy that is in force is not given, nor one that a runtime's own variable overrides: threads
   that spin beside another pool. */
START_TEST(passive_waiting_is_advised_once)
{
	static const char *const set_to[] = { NULL, "OMP_WAIT_POLICY=active",
					      "OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=1000" };
	const struct finding *f;

	contend();
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 200);
	made.root[2] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_scheduled(2, 200, 0);
	if (_i)
		set(PROF_INFO_ENV, set_to[_i]);
	made_end();
	f = made_found(FINDING_POOLS);
	ck_assert_int_eq(f->spins, _i < 2);
}
END_TEST

/* Another process at the same time: of an OpenMP program; or a shell, which started this one. */
START_TEST(processes_that_use_openmp)
{
	const struct finding *f;

	set(PROF_INFO_BOOT, "boot");
	set(PROF_INFO_CPUS, "0-1");
	contend();
	mk_end(made.s.mk);
	scene_process(&made.s);
	set(PROF_INFO_BOOT, "boot");
	set(PROF_INFO_CPUS, "0-1");
	mk_event(made.s.mk, "cpu-clock:u", PROF_UNIT_NS);
	mk_root(made.s.mk, mk_thread(made.s.mk, _i ? PROF_THREAD_UNKNOWN : PROF_THREAD_INITIAL, 1));
	made_end();
	if (_i) {
		made_not_found(FINDING_PROCESSES);
		return;
	}
	f = made_found(FINDING_PROCESSES);
	made_says(f, "2 processes of this run had 3 OpenMP threads at a time, for 2 CPUs");
}
END_TEST

/* Two runtimes with three threads on two CPUs; one runtime; or enough CPUs. */
START_TEST(two_runtimes_in_a_process)
{
	set(PROF_INFO_CPUS, _i == 2 ? "0-3" : "0-1");
	/* The other one is the scene's. */
	set(PROF_INFO_RUNTIME, _i == 1 ? "LLVM OpenMP 5.0" : "GNU libgomp");
	made_worker();
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, 100);
		made_scheduled(i, 600, 400);
	}
	made_scheduled(2, 600, 0);
	made_end();
	if (_i) {
		made_not_found(FINDING_RUNTIMES);
		return;
	}
	made_says(made_found(FINDING_RUNTIMES),
		  "are in the process, each with threads of its own: together 3 for 2 CPUs");
	made_says(made_found(FINDING_RUNTIMES), "OMP_WAIT_POLICY=passive");
	made_not_found(FINDING_NO_CPU);
}
END_TEST

/* ---- the kernel ------------------------------------------------------ */

/* User and system CPU time in ms, page faults, KiB. */
static void use(const char *usage)
{
	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, usage);
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 900);
	made_time(1, BODY, WORK, 900);
	made_end();
}

START_TEST(memory_that_is_touched_first)
{
	const struct finding *f;

	use("1800000000 200000000 100000 0 400000 0 0");
	f = made_found(FINDING_FAULTS);
	made_equal_ms(f->gain_ns, 100);
	made_says(f, "200 ms of CPU time (10 %) in the kernel, with 100,000 page faults");
	made_says(f, "the first touch of memory");
}
END_TEST

/* The initial thread alone was in the kernel, both were, or that is not known. */
START_TEST(who_touches_memory_first)
{
	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, "1800000000 200000000 100000 0 400000 0 0");
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 800);
		if (_i < 2)
			made_scheduled(i, i && !_i ? 800 : 1000, 0);
	}
	made_end();
	made_says(made_found(FINDING_FAULTS),
		  _i ? "where one thread does it" : "by all threads, in a parallel region");
	if (!_i)
		made_says(made_found(FINDING_FAULTS), "the first touch of memory, by thread 0");
}
END_TEST

START_TEST(memory_that_is_mapped_again)
{
	use("1800000000 200000000 100000 0 4000 0 0");
	made_says(made_found(FINDING_FAULTS), "no more than 4 MiB were resident at a time");
}
END_TEST

/* Too little time, or too few faults for it. */
START_TEST(kernel_time_of_something_else)
{
	use(_i ? "1800000000 90000000 100000 0 4000 0 0" : "1800000000 200000000 19000 0 4000 0 0");
	made_not_found(FINDING_FAULTS);
	if (_i)
		made_not_found(FINDING_KERNEL);
	else
		made_says(made_found(FINDING_KERNEL), "200 ms of CPU time (10 %) in the kernel");
}
END_TEST

/* Who finds a lock taken again and again sleeps and is woken in the kernel. */
START_TEST(kernel_time_of_a_lock)
{
	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, _i ? "1600000000 400000000 1000 0 4000 40 0" :
				  "1600000000 400000000 1000 0 4000 20000 0");
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 700);
		made_time(i, "solve._omp_fn.0:16 omp!omp_set_lock", PROF_STATE_LOCK, 100);
		made_scheduled(i, 1000, 0);
	}
	made_end();
	made_says(made_found(FINDING_KERNEL),
		  _i ? "to see where it is" : "200 are for lock in solve (app.c:16)");
	made_says(made_found(FINDING_KERNEL), _i ? "cpu-clock:uk" : "less time under that lock");
}
END_TEST

/* Threads that wait for others while they wait for CPUs are in the kernel to give these up; those
   that only work are there for something else. */
START_TEST(kernel_time_beside_waits_for_cpus)
{
	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	set(PROF_INFO_USAGE, "1800000000 200000000 1000 0 4000 0 0");
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, _i ? 500 : 450);
		made_time(i, BODY, PROF_STATE_BARRIER_IMPLICIT, _i ? 0 : 50);
		made_scheduled(i, 600, 300);
	}
	made_end();
	made_found(FINDING_NO_CPU);
	if (_i)
		made_found(FINDING_KERNEL);
	else
		made_not_found(FINDING_KERNEL);
}
END_TEST

/* Half of the time neither ran nor waited; scheduled: that is known of so many threads. */
static void block(uint64_t ms, unsigned scheduled)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++)
		made_time(i, BODY, WORK, 1000 - ms);
	for (unsigned i = 0; i < scheduled; i++)
		made_scheduled(i, 1000 - ms, 0);
	made_end();
}

START_TEST(threads_that_are_blocked)
{
	const struct finding *f;

	block(500, 2);
	f = made_found(FINDING_BLOCKED);
	made_equal_ms(f->gain_ns, 500);
	made_says(f, "neither ran nor waited for a CPU");
	made_says(f, "ompcount -e wall");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* Little of it is a wait for CPUs: that is none of the sleep. */
START_TEST(short_waits_for_a_cpu_are_not_blocked)
{
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 900);
		made_scheduled(i, 900, 40);
	}
	made_end();
	made_not_found(FINDING_NO_CPU);
	made_equal_ms(made_found(FINDING_BLOCKED)->gain_ns, 60);
}
END_TEST

/* 1 s of sleep at 10,000 waits or at 4,000, by a setting; or without one; or beside others. */
START_TEST(a_setting_by_which_threads_sleep)
{
	static const struct {
		const char *setting, *usage;
		uint64_t waited;
		bool why;
	} with[] = {
		{ "OMP_WAIT_POLICY=passive", "1000000000 0 0 0 4000 10000 0", 0, true },
		{ "OMP_WAIT_POLICY=passive", "1000000000 0 0 0 4000 4000 0", 0, false },
		{ "OMP_WAIT_POLICY=active", "1000000000 0 0 0 4000 10000 0", 0, false },
		{ "OMP_WAIT_POLICY=passive", "1000000000 0 0 0 4000 10000 0", 100, false },
	};

	set(PROF_INFO_ENV, with[_i].setting);
	set(PROF_INFO_USAGE, with[_i].usage);
	made_region(10, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 500);
		made_scheduled(i, 500, with[_i].waited);
	}
	made_end();
	ck_assert_int_eq(made_found(FINDING_BLOCKED)->setting != NULL, with[_i].why);
	made_says(made_found(FINDING_BLOCKED),
		  with[_i].why ? "spin before they sleep" : "ompcount -e wall");
}
END_TEST

START_TEST(threads_that_are_hardly_blocked)
{
	block(15, 2);
	made_not_found(FINDING_BLOCKED);
}
END_TEST

START_TEST(threads_of_which_the_scheduler_does_not_tell)
{
	block(500, 1);
	made_not_found(FINDING_BLOCKED);
}
END_TEST

START_TEST(few_samples_show_no_blocked_threads)
{
	made.sample_ms = 90;
	block(300, 2);
	made_not_found(FINDING_BLOCKED);
}
END_TEST

/* The other one slept at the barrier: the scheduler reports that it did not wait for a CPU. */
START_TEST(a_late_thread_for_which_the_other_slept)
{
	const struct finding *f;

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 400);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 100);
	made_scheduled(0, 1000, 0);
	made_scheduled(1, 500, 0);
	made_end();
	f = made_found(FINDING_LATE_THREAD);
	made_equal_ms(f->gain_ns, 300);
	made_equal_ms(f->asleep_ns, 250);
	made_says(f, "for 250 ms of it the others slept");
	ck_assert_uint_eq(made_losses(), 1);
}
END_TEST

/* Asleep at the end of a single region: for its tasks, or for whatever it does. */
START_TEST(sleep_at_the_end_of_a_single_region)
{
	made_region(1, 1000, 2);
	if (_i)
		made_time(0, BODY, WORK, 1000);
	else
		made_tasks(0, 40, 1000);
	made_time(1, BODY, WORK, 200);
	made_inside(1, PROF_CONSTRUCT_SINGLE_OTHER, "solve:16",
		    "solve._omp_fn.0:16 omp!__kmpc_barrier", PROF_STATE_BARRIER_WORKSHARE, 20);
	made_scheduled(0, 1000, 0);
	made_scheduled(1, 220, 0);
	made_end();
	if (_i)
		made_equal_ms(made_found(FINDING_BLOCKED)->gain_ns, 390);
	else
		made_equal_ms(made_found(FINDING_TASK_WAITS)->asleep_ns, 390);
}
END_TEST

/* Where threads do not spin, by a setting, no sample sees them wait: that they sleep is all there is;
   elsewhere it may be in other calls. */
START_TEST(a_late_thread_for_which_the_other_slept_at_once)
{
	static const char *const settings[] = { "OMP_WAIT_POLICY=PASSIVE", "GOMP_SPINCOUNT=0",
						"KMP_BLOCKTIME=0", "OMP_WAIT_POLICY=active",
						"GOMP_SPINCOUNT=01" };
	const bool passive = _i < 3;

	set(PROF_INFO_ENV, settings[_i]);
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 400);
	made_scheduled(0, 1000, 0);
	made_scheduled(1, 400, 0);
	made_end();
	ck_assert_uint_eq(made_losses(), 1);
	if (passive)
		made_equal_ms(made_found(FINDING_LATE_THREAD)->asleep_ns, 300);
	else
		made_equal_ms(made_found(FINDING_BLOCKED)->gain_ns, 300);
}
END_TEST

/* Where OMP_DYNAMIC lets the runtime choose, it may choose one thread. */
START_TEST(one_thread_by_choice_of_the_runtime)
{
	made_teardown();
	made = (struct made){ .sample_ms = 1 };
	scene_init(&made.s);
	mk_event(made.s.mk, "cpu-clock:u", PROF_UNIT_NS);
	made.root[0] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_INITIAL, 100));
	made.nthreads = 1;
	made.context = made_other("main:20 solve:12");
	set(PROF_INFO_CPUS, "0-1");
	set(PROF_INFO_ENV, _i ? "OMP_DYNAMIC=false" : "OMP_DYNAMIC=true");
	made_region(10, 1000, 1);
	made_time(0, BODY, WORK, 1000);
	made_end();
	made_says(made_found(FINDING_ONE_THREAD),
		  _i ? "no setting of the environment asks for that" : "OMP_DYNAMIC=true");
}
END_TEST

/* ---- memory ---------------------------------------------------------- */

static void sampled(unsigned event, unsigned thread, uint64_t samples, uint64_t weight)
{
	const uint32_t at = scene_path(&made.s,
				       mk_boundary(made.s.mk, made.root[thread], made.context,
						   PROF_BOUNDARY_REGION),
				       BODY);

	mk_leaf(made.s.mk, at, event, WORK, PROF_CAUSE_NONE, samples, weight);
}

/* A thread of the region works all the time, with so many instructions and misses in 10^9
   cycles, each event with so many samples. */
static void memory(uint64_t instructions, uint64_t misses, uint64_t stalled, uint64_t samples)
{
	const struct {
		const char *label;
		uint64_t n;
	} events[] = { { "cycles:u", 1000000000 },
		       { "instructions:u", instructions },
		       { "cache-misses:u", misses },
		       { "stalled-cycles-backend:u", stalled } };

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 1000);
	for (unsigned i = 0; i < 4; i++)
		if (events[i].n)
			sampled(mk_event(made.s.mk, events[i].label, PROF_UNIT_EVENTS), 0, samples,
				events[i].n);
}

START_TEST(work_that_waits_for_memory)
{
	static const struct {
		uint64_t instructions, misses, stalled;
		const char *says;
	} with[] = {
		{ 500000000, 5000000, 0, "0.50 instructions a cycle, 10.0 cache-misses:u" },
		{ 0, 0, 600000000, "60 % of cycles stalled at the back end" },
	};
	const struct finding *f;

	memory(with[_i].instructions, with[_i].misses, with[_i].stalled, 1000);
	made_end();
	f = made_found(FINDING_MEMORY);
	ck_assert(f->gain_ns <= 0);
	ck_assert_double_eq(f->part, 1);
	made_says(f, with[_i].says);
	made_says(f, "100.0 % of the run is work there");
	made_says(f, "first touch");
}
END_TEST

START_TEST(work_that_does_not_wait_for_memory)
{
	static const struct {
		uint64_t instructions, misses, stalled, samples;
	} with[] = {
		{ 800000000, 8000000, 0, 1000 }, /* enough instructions a cycle */
		{ 500000000, 2000000, 0, 1000 }, /* few misses */
		{ 500000000, 0, 0, 1000 },	 { 0, 5000000, 0, 1000 },
		{ 0, 0, 450000000, 1000 },	 { 500000000, 5000000, 600000000, 99 },
	};

	memory(with[_i].instructions, with[_i].misses, with[_i].stalled, with[_i].samples);
	made_end();
	made_not_found(FINDING_MEMORY);
}
END_TEST

/* Of the events, cycles had the hardware counter for so many parts in 10 of the time. */
START_TEST(work_whose_events_are_multiplexed)
{
	static const struct {
		uint64_t instructions, running;
		bool found;
	} with[] = {
		{ 500000000, 10, true },
		{ 500000000, 5, true },	 /* 0.25 instructions a cycle */
		{ 1000000000, 5, true }, /* 0.5, not 1.0 */
		{ 1500000000, 5, false },
	};
	struct prof_thread *t;

	memory(with[_i].instructions, 15000000, 0, 1000);
	t = mk_thread_record(made.s.mk, 0);
	for (unsigned e = 1; e < 4; e++)
		t->values[e] =
			(struct prof_value){ 1, 1000, e == 1 ? with[_i].running * 100 : 1000 };
	t->values_known |= 14;
	made_end();
	if (with[_i].found)
		made_found(FINDING_MEMORY);
	else
		made_not_found(FINDING_MEMORY);
}
END_TEST

/* What is not known for what it costs comes last, whatever its part of the run. */
START_TEST(unknown_gains_come_last)
{
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 60);
	memory(500000000, 5000000, 0, 1000);
	made_end();
	ck_assert_uint_ge(made.findings.n, 2);
	ck_assert_int_eq(made.findings.all[made.findings.n - 1].rule, FINDING_MEMORY);
}
END_TEST

/* ---- instructions ---------------------------------------------------- */

static void counted(unsigned event, unsigned thread, uint64_t instructions)
{
	const struct prof_value value = { instructions, 1000 * MS, 1000 * MS };

	mk_count(made.s.mk,
		 mk_boundary(made.s.mk, made.root[thread], made.context, PROF_BOUNDARY_REGION),
		 event, PROF_PART_WORK, &value, 0);
}

/* Thread 0 works 900 ms and thread 1 300 ms: half as much again as the mean, and half of that less.
   Instructions by samples, or counted. */
START_TEST(a_late_thread_and_its_instructions)
{
	static const struct {
		uint64_t late, other, samples;
		const char *says;
	} with[] = {
		{ 1500, 500, 100, "its instructions are 1.50 times the mean: it has more to do" },
		{ 1380, 620, 100, "1.38 times the mean: it has more to do" },
		{ 1250, 750, 100, "1.25 times the mean: more to do is a part of it" },
		{ 1120, 880, 100, "1.12 times the mean: not more work, but slower" },
		{ 1000, 1000, 100, "1.00 times the mean: not more work, but slower" },
		{ 1500, 500, 99, NULL }, /* too few samples */
		{ 0, 0, 100, NULL },
	};
	const unsigned event = mk_event(made.s.mk, "instructions:u", PROF_UNIT_EVENTS);
	const int i = _i / 2;
	const bool exact = _i % 2, known = with[i].says || (exact && with[i].late);
	struct finding_words w;

	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 900);
	made_time(1, BODY, WORK, 300);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 600);
	if (exact)
		mk_header(made.s.mk)->events[event].flags |= PROF_EVENT_COUNT_ONLY;
	for (unsigned t = 0; t < 2 && with[i].late; t++) {
		const uint64_t n = t ? with[i].other : with[i].late;

		if (exact)
			counted(event, t, n);
		else
			sampled(event, t, with[i].samples, n);
	}
	made_end();
	finding_words(made.view, made_found(FINDING_LATE_THREAD), &w);
	ck_assert_int_eq(strstr(w.why, "instructions") != NULL, known);
	if (with[i].says)
		ck_assert_msg(strstr(w.why, with[i].says), "%s", w.why);
	finding_words_fini(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("findings_cpus");
	TCase *c = tcase_create("findings_cpus");

	tcase_add_checked_fixture(c, made_setup, made_teardown);
	tcase_add_test(c, more_threads_than_cpus_that_spin);
	tcase_add_loop_test(c, who_asked_for_so_many_threads, 0, 2);
	tcase_add_loop_test(c, a_mask_from_the_start, 0, 2);
	tcase_add_test(c, sleep_beside_busy_cpus_gains_nothing);
	tcase_add_test(c, more_threads_than_cpus_that_sleep);
	tcase_add_test(c, more_threads_than_cpus_that_do_not_wait);
	tcase_add_test(c, threads_that_share_a_cpu);
	tcase_add_loop_test(c, threads_that_nothing_binds_do_not_share, 0, 2);
	tcase_add_test(c, what_little_sharing_costs_hides_nothing);
	tcase_add_test(c, threads_that_wait_for_a_cpu);
	tcase_add_test(c, threads_that_hardly_wait_for_a_cpu);
	tcase_add_test(c, other_threads_that_wait_for_a_cpu);
	tcase_add_test(c, waiting_for_a_cpu_is_found_once);
	tcase_add_loop_test(c, a_quota, 0, 2);
	tcase_add_loop_test(c, a_quota_that_is_not_why, 0, 3);
	tcase_add_loop_test(c, a_mask_that_something_set, 0, 2);
	tcase_add_loop_test(c, threads_that_are_not_openmps, 0, 2);
	tcase_add_test(c, threads_that_are_the_runtimes);
	tcase_add_loop_test(c, passive_waiting_is_advised_once, 0, 4);
	tcase_add_loop_test(c, threads_that_do_not_have_the_cpus, 0, 2);
	tcase_add_loop_test(c, threads_that_leave_no_room, 0, 2);
	tcase_add_loop_test(c, threads_that_hardly_spin, 0, 2);
	tcase_add_loop_test(c, one_thread_by_choice_of_the_runtime, 0, 2);
	tcase_add_loop_test(c, a_setting_by_which_threads_sleep, 0, 4);
	tcase_add_loop_test(c, processes_that_use_openmp, 0, 2);
	tcase_add_test(c, memory_that_is_touched_first);
	tcase_add_loop_test(c, who_touches_memory_first, 0, 3);
	tcase_add_loop_test(c, two_runtimes_in_a_process, 0, 3);
	tcase_add_loop_test(c, kernel_time_of_a_lock, 0, 2);
	tcase_add_loop_test(c, kernel_time_beside_waits_for_cpus, 0, 2);
	tcase_add_test(c, memory_that_is_mapped_again);
	tcase_add_loop_test(c, kernel_time_of_something_else, 0, 2);
	tcase_add_test(c, threads_that_are_blocked);
	tcase_add_test(c, threads_that_are_hardly_blocked);
	tcase_add_test(c, short_waits_for_a_cpu_are_not_blocked);
	tcase_add_test(c, threads_of_which_the_scheduler_does_not_tell);
	tcase_add_test(c, few_samples_show_no_blocked_threads);
	tcase_add_test(c, a_late_thread_for_which_the_other_slept);
	tcase_add_loop_test(c, sleep_at_the_end_of_a_single_region, 0, 2);
	tcase_add_loop_test(c, a_late_thread_for_which_the_other_slept_at_once, 0, 5);
	tcase_add_loop_test(c, work_that_waits_for_memory, 0, 2);
	tcase_add_loop_test(c, work_whose_events_are_multiplexed, 0, 4);
	tcase_add_loop_test(c, work_that_does_not_wait_for_memory, 0, 6);
	tcase_add_test(c, unknown_gains_come_last);
	tcase_add_loop_test(c, a_late_thread_and_its_instructions, 0, 14);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
