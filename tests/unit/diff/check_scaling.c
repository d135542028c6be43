/* SPDX-License-Identifier: BSD-3-Clause */
/* check_scaling.c - speed-up and efficiency, the serial part, and problems that grow. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "tests/support/suite_main.h"

enum { N = 4 };

static const uint32_t threads[N] = { 1, 2, 4, 8 };
static struct side sides[N];
static double mean[N], deviation[N];
static struct scaling_row row = { .mean_ns = mean, .deviation_ns = deviation };

static struct scaling scaling_of(bool weak, uint32_t cpus, double serial, double shared)
{
	for (size_t i = 0; i < N; i++)
		mean[i] = serial + shared / threads[i];
	return (struct scaling){
		.how = { weak, cpus }, .threads = threads, .sides = sides, .n = N
	};
}

START_TEST(the_serial_part_is_amdahls)
{
	struct scaling s = scaling_of(false, 0, 2e9, 8e9);
	struct scaling_amdahl a = scaling_amdahl(&s, &row);

	ck_assert(a.known);
	ck_assert_double_eq_tol(a.serial, 0.2, 1e-9);
	ck_assert_double_eq_tol(a.limit, 5, 1e-9);
	/* Nothing is serial, and a little less than nothing. */
	s = scaling_of(false, 0, 0, 8e9);
	a = scaling_amdahl(&s, &row);
	ck_assert(a.known && a.serial < 1e-9);
	mean[3] *= 0.9;
	a = scaling_amdahl(&s, &row);
	ck_assert(a.known && isinf(a.limit) && a.serial == 0);
}
END_TEST

/* What more threads than CPUs do is no law's. */
START_TEST(threads_beyond_cpus_do_not_count)
{
	struct scaling s = scaling_of(false, 4, 2e9, 8e9);

	mean[3] = 20e9;
	ck_assert(!scaling_is_beyond(&s, 2));
	ck_assert(scaling_is_beyond(&s, 3));
	ck_assert_double_eq_tol(scaling_amdahl(&s, &row).serial, 0.2, 1e-9);
	s.how.cpus = 1;
	ck_assert(!scaling_amdahl(&s, &row).known);
}
END_TEST

START_TEST(what_is_slower_has_no_serial_part)
{
	struct scaling s = scaling_of(false, 0, 2e9, 8e9);

	for (size_t i = 0; i < N; i++)
		mean[i] = 1e9 * (double)(i + 1);
	ck_assert(!scaling_amdahl(&s, &row).known);
	mean[0] = 0;
	ck_assert(!scaling_amdahl(&s, &row).known);
}
END_TEST

START_TEST(a_problem_that_grows_has_its_speedup)
{
	struct scaling s = scaling_of(true, 0, 5e9, 0);

	ck_assert_double_eq_tol(scaling_speedup(&s, &row, 3), 8, 1e-9);
	ck_assert_double_eq_tol(scaling_efficiency(&s, &row, 3), 1, 1e-9);
	mean[3] = 10e9;
	ck_assert_double_eq_tol(scaling_efficiency(&s, &row, 3), 0.5, 1e-9);
	ck_assert(!scaling_amdahl(&s, &row).known);
	s.how.weak = false;
	ck_assert_double_eq_tol(scaling_speedup(&s, &row, 3), 0.5, 1e-9);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scaling");
	TCase *c = tcase_create("all");

	tcase_add_test(c, the_serial_part_is_amdahls);
	tcase_add_test(c, threads_beyond_cpus_do_not_count);
	tcase_add_test(c, what_is_slower_has_no_serial_part);
	tcase_add_test(c, a_problem_that_grows_has_its_speedup);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
