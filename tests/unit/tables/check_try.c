/* SPDX-License-Identifier: BSD-3-Clause */
/* check_try.c - what `ompcount try' tries against which finding, and what it concludes. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/diff/tried.h"
#include "src/model/model.h"
#include "src/tables/remedies.h"
#include "src/view/view.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"
#define LOOP "solve._omp_fn.0:17"

/* ---- what is tried --------------------------------------------------- */

/* The environment that the program was started with. */
static const char *environment[8];

static const char *present(const char *name)
{
	for (size_t i = 0; environment[i]; i++)
		if (!strncmp(environment[i], name, strlen(name)) &&
		    environment[i][strlen(name)] == '=')
			return environment[i] + strlen(name) + 1;
	return NULL;
}

/* Both outside of the program and in it; the profile has the latter. */
static void set(const char *setting)
{
	size_t n = 0;

	while (environment[n])
		n++;
	environment[n] = setting;
	mk_text(made.s.mk, PROF_INFO_ENV, setting);
}

static void setup(void)
{
	memset(environment, 0, sizeof(environment));
	made_setup();
}

static struct remedies find(void)
{
	struct remedies r;

	remedies_find(made.view, &made.placement, &made.findings, present, &r);
	return r;
}

/* The scene's runtime is LLVM's: after made_end() it is GCC's, whose name is shorter. */
static void be_libgomp(void)
{
	struct prof_file *f = made.s.files[0];

	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_RUNTIME)
			strcpy(f->texts[i].text, "GNU libgomp");
}

/* What is tried, in this order: "OMP_NUM_THREADS=1; OMP_WAIT_POLICY=active". */
static void tries(const char *expected)
{
	const struct remedies r = find();
	char all[1024] = "";
	size_t at = 0;

	for (size_t i = 0; i < r.n; i++)
		at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s", i ? "; " : "",
				       r.all[i].settings);
	ck_assert_str_eq(all, expected);
}

static void short_regions(void)
{
	mk_text(made.s.mk, PROF_INFO_CPUS, "0-1");
	made_region(20000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 600);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 400);
	}
	made_end();
	made_found(FINDING_SHORT_REGIONS);
}

/* Threads sleep at barriers; or the initial one does outside of regions, where nobody spins for
   it. */
START_TEST(no_spinning_for_who_sleeps_outside)
{
	made_region(10, _i ? 400 : 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 400);
		made_scheduled(i, 400, 0);
	}
	made_end();
	made_found(FINDING_BLOCKED);
	tries(_i ? "" : "OMP_WAIT_POLICY=active");
}
END_TEST

START_TEST(short_regions_want_spinning_or_fewer_threads)
{
	short_regions();
	tries("OMP_WAIT_POLICY=active; OMP_NUM_THREADS=1");
	ck_assert_int_eq(find().all[0].finding->rule, FINDING_SHORT_REGIONS);
}
END_TEST

START_TEST(what_is_in_force_is_not_tried)
{
	set("OMP_WAIT_POLICY=ACTIVE");
	short_regions();
	tries("OMP_NUM_THREADS=1");
}
END_TEST

START_TEST(another_value_is_tried)
{
	set("OMP_WAIT_POLICY=passive");
	short_regions();
	tries("OMP_WAIT_POLICY=active; OMP_NUM_THREADS=1");
}
END_TEST

/* A script sets it, so what is set outside of that has no effect; or it unsets it. */
START_TEST(what_a_script_sets_is_not_tried)
{
	if (_i)
		environment[0] = "OMP_WAIT_POLICY=passive";
	else
		mk_text(made.s.mk, PROF_INFO_ENV, "OMP_WAIT_POLICY=passive");
	short_regions();
	tries("OMP_NUM_THREADS=1");
}
END_TEST

/* These go before OMP_WAIT_POLICY, each in its runtime. */
START_TEST(the_variable_that_counts_is_tried)
{
	set(_i ? "GOMP_SPINCOUNT=100" : "KMP_BLOCKTIME=0");
	set(_i ? "KMP_BLOCKTIME=0" : "GOMP_SPINCOUNT=100");
	short_regions();
	if (_i)
		be_libgomp();
	tries(_i ? "GOMP_SPINCOUNT=infinity; OMP_NUM_THREADS=1" :
		   "KMP_BLOCKTIME=infinite; OMP_NUM_THREADS=1");
}
END_TEST

/* Teams of two where the environment asks for four: the program decides. */
START_TEST(threads_that_the_program_decides_on_are_not_tried)
{
	set("OMP_NUM_THREADS=4");
	short_regions();
	tries("OMP_WAIT_POLICY=active");
}
END_TEST

/* Four threads on two CPUs, since the environment asks for them, or the program. */
START_TEST(as_many_threads_as_cpus)
{
	made_worker();
	made_worker();
	mk_text(made.s.mk, PROF_INFO_CPUS, "0-1");
	if (!_i)
		set("OMP_NUM_THREADS=4");
	made_region(10, 1000, 4);
	for (unsigned i = 0; i < 4; i++) {
		made_time(i, BODY, WORK, 500);
		made_scheduled(i, 500, 500);
	}
	made_end();
	made_found(FINDING_CROWDED);
	tries(_i ? "OMP_WAIT_POLICY=passive; KMP_BLOCKTIME=1" :
		   "OMP_NUM_THREADS=2; OMP_WAIT_POLICY=passive; KMP_BLOCKTIME=1");
}
END_TEST

/* Whoever had the CPUs, spinning is not what helps; nor is it tried for another finding. */
START_TEST(no_spinning_where_cpus_are_few)
{
	mk_text(made.s.mk, PROF_INFO_CPUS, "0-1");
	mk_text(made.s.mk, PROF_INFO_QUOTA, "150000 100000");
	mk_text(made.s.mk, PROF_INFO_THROTTLED, "900000000 10 9");
	made_region(20000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 400);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 200);
		made_scheduled(i, 600, 400);
	}
	made_end();
	made_found(FINDING_QUOTA);
	made_found(FINDING_SHORT_REGIONS);
	tries("OMP_NUM_THREADS=1");
}
END_TEST

static void uneven_loop(uint8_t kind)
{
	made_region(10, 1000, 2);
	made_inside(0, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", LOOP, WORK, 1000);
	made_inside(1, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", LOOP, WORK, 600);
	made_time(1, BODY, PROF_STATE_BARRIER_IMPLICIT, 400);
	made_end();
	made.view->constructs[made_found(FINDING_OTHER_LOOP)->construct].kind = kind;
}

START_TEST(schedules_of_a_runtime_loop)
{
	uneven_loop(CONSTRUCT_FOR_RUNTIME);
	tries("OMP_SCHEDULE=dynamic; OMP_SCHEDULE=guided");
}
END_TEST

START_TEST(libgomps_default_is_dynamic)
{
	if (_i)
		set("OMP_SCHEDULE=static");
	uneven_loop(CONSTRUCT_FOR_RUNTIME);
	be_libgomp();
	tries(_i ? "OMP_SCHEDULE=dynamic; OMP_SCHEDULE=guided" : "OMP_SCHEDULE=guided");
}
END_TEST

START_TEST(no_schedule_of_another_loop)
{
	uneven_loop(CONSTRUCT_FOR_DYNAMIC);
	tries("");
}
END_TEST

/* First touch, or the same memory again; with tunables already nothing is known of these. */
START_TEST(page_faults)
{
	mk_header(made.s.mk)->events[0].flags |= PROF_EVENT_USER_ONLY;
	mk_text(made.s.mk, PROF_INFO_USAGE,
		_i == 1 ? "1800000000 200000000 100000 0 4000 0 0" :
			  "1800000000 200000000 100000 0 400000 0 0");
	if (_i == 2)
		environment[0] = "GLIBC_TUNABLES=glibc.malloc.perturb=1";
	made_region(10, 1000, 2);
	made_time(0, BODY, WORK, 900);
	made_time(1, BODY, WORK, 900);
	made_end();
	made_found(FINDING_FAULTS);
	tries(_i == 2 ? "" :
	      _i == 1 ? FINDING_KEEP_BLOCKS "; " FINDING_HUGE_PAGES :
			FINDING_HUGE_PAGES);
}
END_TEST

/* The first of each finding, then the second of each; bound threads may be set free. */
START_TEST(each_finding_has_its_turn)
{
	if (_i)
		set("OMP_PROC_BIND=close");
	mk_text(made.s.mk, PROF_INFO_CPUS, "0-1");
	made_region(20000, 1000, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_time(i, BODY, WORK, 600);
		made_time(i, "omp!GOMP_parallel", PROF_STATE_OVERHEAD, 100);
		made_scheduled(i, 700, 300);
	}
	made_end();
	made_found(FINDING_NO_CPU);
	tries(_i ? "OMP_NUM_THREADS=1; OMP_WAIT_POLICY=active; OMP_PROC_BIND=false" :
		   "OMP_NUM_THREADS=1; OMP_WAIT_POLICY=active");
}
END_TEST

/* ---- what is concluded ----------------------------------------------- */

static const uint64_t before[] = { 100, 102, 98, 101, 99 }, half[] = { 50, 51, 49, 52, 50 },
		      same[] = { 101, 99, 100, 98, 103 };

START_TEST(a_gain_has_bounds)
{
	struct gain g;

	ck_assert(gain_of(before, 5, half, 5, 0.05, &g));
	ck_assert(fabs(g.gain - 0.5) < 0.01);
	ck_assert(g.least > 0.45 && g.least < g.gain && g.gain < g.most && g.most < 0.55);
	ck_assert(gain_of(before, 5, same, 5, 0.05, &g));
	ck_assert(g.least < 0 && g.most > 0);
	ck_assert(gain_of(half, 5, before, 5, 0.05, &g));
	ck_assert(fabs(g.gain + 1) < 0.05 && g.most < 0);
}
END_TEST

/* By the tables of the test for 5 %, two-sided: U is critical up to 0 of 4 and 4, 2 of 5 and 5, 5
   of 6 and 6; 1 of 4 and 5. So as many pairs at each end, and one more, are none of the bounds. */
START_TEST(bounds_are_those_of_the_test)
{
	static const struct {
		size_t n, m, critical;
	} rows[] = { { 4, 4, 0 }, { 5, 5, 2 }, { 6, 6, 5 },
		     { 4, 5, 1 }, { 5, 4, 1 }, { 20, 20, 127 } };
	const size_t n = rows[_i].n, m = rows[_i].m, pairs = n * m;
	uint64_t x[20] = { 0 }, y[20] = { 0 };
	size_t less = 0, more = 0;
	struct gain g;

	/* All gains of pairs differ. */
	for (size_t i = 0; i < n; i++)
		x[i] = 1000000 + i * 1000;
	for (size_t i = 0; i < m; i++)
		y[i] = 900000 + i * 23;
	ck_assert(gain_of(x, n, y, m, 0.05, &g));
	for (size_t i = 0; i < pairs; i++) {
		const double gain = 1 - (double)y[i % m] / (double)x[i / m];

		less += gain < g.least;
		more += gain > g.most;
	}
	ck_assert_uint_eq(less, rows[_i].critical);
	ck_assert_uint_eq(more, rows[_i].critical);
}
END_TEST

START_TEST(few_runs_have_no_bounds)
{
	struct gain g;

	ck_assert(!gain_of(before, 3, half, 3, 0.05, &g));
	ck_assert(fabs(g.gain - 0.5) < 0.01);
	ck_assert(isinf(g.least) && isinf(g.most));
	ck_assert(gain_of(before, 4, half, 4, 0.05, &g));
	ck_assert(!gain_of(before, 4, half, 4, 0.025, &g));
	ck_assert(gain_of(before, 1, half, 1, 2, &g));
	ck_assert_uint_eq(gain_runs(0.05), 4);
	ck_assert_uint_eq(gain_runs(0.025), 5);
	ck_assert_uint_eq(gain_runs(0.0002), 8);
}
END_TEST

/* Some runs of a machine that other programs use take several times as long. */
START_TEST(outliers_do_not_decide)
{
	static const uint64_t disturbed[] = { 52, 50, 400, 51, 49, 50, 51 },
			      calm[] = { 100, 101, 99, 900, 100, 98, 102 };
	struct gain g;

	ck_assert(gain_of(calm, 7, disturbed, 7, 0.05, &g));
	ck_assert(fabs(g.gain - 0.5) < 0.02 && g.least > 0);
}
END_TEST

/* The chance that bounds do not have the true gain, which is 0: as was asked for, of values of any
   distribution. 4,000 times with numbers that are the same each time. */
START_TEST(bounds_are_as_sure_as_they_say)
{
	enum { TIMES = 4000, RUNS = 6 };
	uint64_t x[2][RUNS], state = 1;
	unsigned wrong = 0;

	for (unsigned i = 0; i < TIMES; i++) {
		struct gain g;

		for (size_t k = 0; k < 2 * RUNS; k++) {
			state = state * 6364136223846793005U + 1442695040888963407U;
			x[k / RUNS][k % RUNS] =
				(uint64_t)(1e6 * exp((double)(state >> 40) / (1 << 22)));
		}
		gain_of(x[0], RUNS, x[1], RUNS, 0.05, &g);
		wrong += g.least > 0 || g.most < 0;
	}
	/* Exactly 4.1 %: that of U up to 5; 4.5 standard deviations are 1.4 %. */
	ck_assert_double_eq_tol((double)wrong / TIMES, 0.041, 0.014);
}
END_TEST

/* ---- the budget ------------------------------------------------------ */

START_TEST(the_budget_decides_how_many_are_tried)
{
	static const struct {
		size_t sides, runs, fit, rounds;
	} rows[] = {
		{ 4, 30, 4, 7 }, { 12, 30, 6, 5 },   { 3, 14, 2, 7 },  { 2, 8, 2, 4 },
		{ 2, 7, 1, 7 },	 { 2, 1000, 2, 50 }, { 1, 30, 1, 30 }, { 3, 0, 1, 0 },
	};
	size_t rounds;

	ck_assert_uint_eq(tried_fit(rows[_i].sides, rows[_i].runs, &rounds), rows[_i].fit);
	ck_assert_uint_eq(rounds, rows[_i].rounds);
	ck_assert(rounds * rows[_i].fit <= rows[_i].runs);
	ck_assert_uint_eq(tried_least(), 8);
}
END_TEST

static void put_side(struct tried *t, const uint64_t *ns)
{
	struct tried_side *s = &t->sides[t->n++];

	memcpy(s->ns, ns, sizeof(before));
	s->nruns = sizeof(before) / sizeof(*before);
}

/* The one that gains the most, if that is sure, and it was not refused. */
START_TEST(the_best_surely_gains)
{
	static const uint64_t less[] = { 90, 91, 89, 92, 90 },
			      hardly[] = { 994, 995, 993, 994, 995 },
			      exact[] = { 1000, 1001, 1001, 1000, 1000 };
	struct tried t = { 0 }, little = { 0 };

	put_side(&t, before);
	put_side(&t, same);
	tried_judge(&t);
	ck_assert_ptr_null(tried_best(&t));
	put_side(&t, less);
	put_side(&t, half);
	tried_judge(&t);
	ck_assert_ptr_eq(tried_best(&t), &t.sides[3]);
	strcpy(t.sides[3].refused, "it ended with status 1");
	ck_assert_ptr_eq(tried_best(&t), &t.sides[2]);
	put_side(&little, exact);
	put_side(&little, hardly);
	tried_judge(&little);
	ck_assert(little.sides[1].known && little.sides[1].gain.least > 0);
	ck_assert_ptr_null(tried_best(&little));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("try");
	TCase *c = tcase_create("remedies");

	tcase_add_checked_fixture(c, setup, made_teardown);
	tcase_add_loop_test(c, no_spinning_for_who_sleeps_outside, 0, 2);
	tcase_add_test(c, short_regions_want_spinning_or_fewer_threads);
	tcase_add_test(c, what_is_in_force_is_not_tried);
	tcase_add_test(c, another_value_is_tried);
	tcase_add_loop_test(c, what_a_script_sets_is_not_tried, 0, 2);
	tcase_add_loop_test(c, the_variable_that_counts_is_tried, 0, 2);
	tcase_add_test(c, threads_that_the_program_decides_on_are_not_tried);
	tcase_add_loop_test(c, as_many_threads_as_cpus, 0, 2);
	tcase_add_test(c, no_spinning_where_cpus_are_few);
	tcase_add_test(c, schedules_of_a_runtime_loop);
	tcase_add_loop_test(c, libgomps_default_is_dynamic, 0, 2);
	tcase_add_test(c, no_schedule_of_another_loop);
	tcase_add_loop_test(c, page_faults, 0, 3);
	tcase_add_loop_test(c, each_finding_has_its_turn, 0, 2);
	suite_add_tcase(suite, c);

	c = tcase_create("gains");
	tcase_add_test(c, a_gain_has_bounds);
	tcase_add_loop_test(c, bounds_are_those_of_the_test, 0, 6);
	tcase_add_test(c, few_runs_have_no_bounds);
	tcase_add_test(c, outliers_do_not_decide);
	tcase_add_test(c, bounds_are_as_sure_as_they_say);
	tcase_add_loop_test(c, the_budget_decides_how_many_are_tried, 0, 8);
	tcase_add_test(c, the_best_surely_gains);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
