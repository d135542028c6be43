/* SPDX-License-Identifier: BSD-3-Clause */
/* check_history.c - which changes of many runs are more than chance, and what is one region. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/history.h"
#include "src/diff/lasting.h"
#include "src/diff/points.h"
#include "src/output/runs_formats.h"
#include "tests/support/json_schema.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

enum { TICK = 1000000, SECOND = 1000000000, MOST = 400 };

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "

/* ---- lasting changes ------------------------------------------------------------ */

static struct lasting lasting;
static double values[MOST];
static size_t at[MOST];

static double chance_number(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += drand48();
	return sum;
}

/* Values that differ by 1 (standard deviation), and by `more` from one place to another. */
static size_t found_in(size_t n, size_t from, size_t to, double more, double chance)
{
	for (size_t i = 0; i < n; i++)
		values[i] = 100 + chance_number() + (i >= from && i < to ? more : 0);
	return lasting_find(&lasting, values, n, chance, at);
}

static void lasting_setup(void)
{
	srand48(4711);
}

static void lasting_teardown(void)
{
	lasting_fini(&lasting);
}

/* Of 1000 sequences 50 in the mean, with a standard deviation of 7. */
START_TEST(chance_finds_no_more_than_was_asked_for)
{
	const size_t n = _i ? 30 : 200;
	size_t alarms = 0;

	for (int i = 0; i < 1000; i++)
		alarms += found_in(n, 0, 0, 0, 0.05) > 0;
	ck_assert_uint_le(alarms, 75);
	ck_assert_uint_ge(alarms, 10);
}
END_TEST

/* Also where the values are of few kinds, or some are far away. */
START_TEST(no_distribution_is_assumed)
{
	size_t alarms = 0;

	for (int i = 0; i < 400; i++) {
		for (size_t k = 0; k < 100; k++)
			values[k] = _i ? floor(4 * drand48()) : exp(3 * chance_number());
		alarms += lasting_find(&lasting, values, 100, 0.05, at) > 0;
	}
	ck_assert_uint_le(alarms, 36);
}
END_TEST

START_TEST(a_step_is_found_where_it_is)
{
	size_t found = 0, close = 0;

	for (int i = 0; i < 100; i++)
		if (found_in(200, 120, 200, 2, 0.001) == 1) {
			found++;
			close += labs((long)at[0] - 120) <= 3;
		}
	ck_assert_uint_ge(found, 97);
	ck_assert_uint_ge(close, 95);
}
END_TEST

/* A level that was there for ten values: no step divides them. */
START_TEST(a_short_level_is_found)
{
	size_t found = 0;

	for (int i = 0; i < 100; i++)
		found += found_in(200, 90, 100, 4, 0.001) == 2 && labs((long)at[0] - 90) <= 2 &&
			 labs((long)at[1] - 100) <= 2;
	ck_assert_uint_ge(found, 90);
}
END_TEST

/* Some values before it happen to be among the larger ones of their level. */
START_TEST(where_a_level_begins_values_decide)
{
	found_in(100, 0, 0, 0, 0.001);
	for (size_t i = 0; i < 100; i++)
		values[i] = i == 38 || i == 39 ? 102 : values[i] + (i >= 40 && i < 60 ? 20 : 0);
	ck_assert_uint_eq(lasting_find(&lasting, values, 100, 0.001, at), 2);
	ck_assert_uint_eq(at[0], 40);
	ck_assert_uint_eq(at[1], 60);
}
END_TEST

START_TEST(one_value_far_away_is_no_level)
{
	found_in(200, 0, 0, 0, 0.001);
	values[100] = 1e6;
	ck_assert_uint_eq(lasting_find(&lasting, values, 200, 0.001, at), 0);
	for (size_t i = 0; i < 200; i++)
		values[i] = 7;
	ck_assert_uint_eq(lasting_find(&lasting, values, 200, 0.5, at), 0);
	ck_assert_uint_eq(lasting_find(&lasting, values, 0, 0.5, at), 0);
}
END_TEST

START_TEST(few_values_show_nothing)
{
	const size_t needed = lasting_needed(&lasting, 0.01, 40);

	ck_assert_uint_gt(needed, LASTING_LEAST);
	ck_assert_uint_lt(needed, 20);
	ck_assert_uint_eq(found_in(needed - 1, needed / 2, needed, 1000, 0.01), 0);
	ck_assert_uint_eq(found_in(needed, needed / 2, needed, 1000, 0.01), 1);
	ck_assert_uint_eq(at[0], needed / 2);
	ck_assert_double_eq(lasting_median((double[]){ 3, 1, 2, 9 }, 4), 2.5);
}
END_TEST

/* ---- histories --------------------------------------------------------- */

static struct interner strings;
static struct scene scenes[64];
static size_t nscenes;
static struct point points[64];
static size_t npoints;
static struct history history;

static void setup(void)
{
	srand48(4711);
	nscenes = npoints = 0;
}

static void teardown(void)
{
	history_fini(&history);
	for (size_t i = 0; i < npoints; i++)
		side_fini(&points[i].side);
	for (size_t i = 0; i < nscenes; i++)
		scene_fini(&scenes[i]);
	interner_free(&strings);
	memset(&strings, 0, sizeof(strings));
}

/* A run of a region called at that line; 0: it has none, but serial code. */
static void add_run(struct point *p, unsigned line, uint64_t samples, double seconds,
		    uint32_t threads)
{
	const struct side_run run = {
		.path = "app.omphwc",
		.profiles = 1,
		.elapsed_ns = (uint64_t)(seconds * SECOND),
		.start_ns = (npoints + 1) * (uint64_t)SECOND,
		.threads = threads,
		.program = "app",
		.host = "made",
	};
	struct scene *s = &scenes[nscenes++];
	char path[128];

	scene_init(s);
	mk_event(s->mk, "cpu-clock:u", PROF_UNIT_NS);
	const uint32_t root = mk_root(s->mk, mk_thread(s->mk, PROF_THREAD_INITIAL, 4711));

	mk_leaf(s->mk, scene_path(s, root, START "main:20"), 0, PROF_STATE_SERIAL, 0, 1000,
		1000 * TICK);
	if (line) {
		snprintf(path, sizeof(path), START "main:20 solve:%u", line);
		const uint32_t context = scene_path(s, root, path);

		mk_leaf(s->mk,
			scene_path(s, mk_boundary(s->mk, root, context, PROF_BOUNDARY_REGION),
				   ".omp_outlined.:7"),
			0, PROF_STATE_PARALLEL, 0, samples, samples * TICK);
	}
	scene_process(s);
	struct view *v = scene_view(s, VIEW_USER);

	side_add(&p->side, &run, v, 0);
	view_free(v);
}

static struct point *add_point(const char *label, size_t runs)
{
	struct point *p = &points[npoints++];

	*p = (struct point){ .label = label, .start_ns = npoints * (uint64_t)SECOND };
	side_init(&p->side, &strings, runs);
	p->side.only = 1u << DIFF_RUN | 1u << DIFF_REGION;
	return p;
}

static const struct history_series *series_of(const char *name)
{
	const struct history_series *found = NULL;

	for (size_t i = 0; i < history.nseries; i++)
		if (history.series[i].item && !strcmp(history.series[i].item->name, name)) {
			ck_assert_ptr_null(found);
			found = &history.series[i];
		}
	return found;
}

static void check_json(void)
{
	struct points all = { .all = points, .n = npoints, .event = { "cpu-clock:u", 0, true } };
	const struct history_report r = { .history = &history, .points = &all };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	history_json_write(out, &r);
	ck_assert_int_eq(fclose(out), 0);
	json_schema_check("history.schema.json", text);
	free(text);
}

/* Its line moves, and it is not there for a while. */
START_TEST(a_region_is_one_series)
{
	static const unsigned lines[] = { 5, 5, 9, 9, 0, 0, 9, 12 };

	for (size_t i = 0; i < 8; i++)
		add_run(add_point("a", 1), lines[i], 500 + 10 * i, 2, 2);
	history_build(&history, points, npoints);
	const struct history_series *s = series_of("solve");

	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(s->item->place, 12);
	ck_assert_uint_eq(s->known, 6);
	ck_assert(isnan(s->mean[4]) && isnan(s->mean[5]));
	ck_assert_double_eq(s->mean[7], 570. * TICK);
	ck_assert(!s->time);
	check_json();
}
END_TEST

START_TEST(a_lasting_change_is_found)
{
	for (size_t i = 0; i < 40; i++)
		add_run(add_point("a", 1), 5,
			(uint64_t)((i < 20 ? 1000 : 1100) + 10 * chance_number()),
			2 + 0.01 * chance_number(), 2);
	history_build(&history, points, npoints);
	const struct history_series *s = series_of("solve");

	ck_assert_uint_eq(s->nchanges, 1);
	ck_assert_uint_eq(s->changes[0].at, 20);
	ck_assert(s->changes[0].worse);
	ck_assert_double_eq_tol(history_percent(s, s->changes[0].before, s->changes[0].after), 10,
				1);
	for (size_t i = 0; i < history.nseries; i++)
		ck_assert(history.series[i].nchanges == (s == &history.series[i]));
	check_json();
}
END_TEST

/* Below one percent nothing is marked, however sure it is. */
START_TEST(a_small_change_is_none)
{
	for (size_t i = 0; i < 40; i++)
		add_run(add_point("a", 1), 5, i < 20 ? 10000 : 10050, 2, 2);
	history_build(&history, points, npoints);
	ck_assert_uint_eq(series_of("solve")->nchanges, 0);
}
END_TEST

/* The newest point beside the level before it. */
static const struct {
	double newest;
	bool within, above;
} newest_points[] = { { 2.02, true, false }, { 2.3, false, true }, { 1.8, false, false } };

START_TEST(the_newest_point_is_judged)
{
	for (size_t i = 0; i < 12; i++)
		add_run(add_point("a", 1), 5, 1000, i % 2 ? 2.01 : 1.99, 2);
	add_run(add_point("b", 1), 5, 1000, newest_points[_i].newest, 2);
	history_build(&history, points, npoints);
	ck_assert_ptr_null(history.latest.unknown);
	ck_assert_uint_eq(history.latest.points, 12);
	ck_assert_double_eq_tol(history.latest.before, 2. * SECOND, 1);
	ck_assert_int_eq(history_within_noise(&history), newest_points[_i].within);
	ck_assert_int_eq(history_is_above(&history, 5), newest_points[_i].above);
	ck_assert(!history_is_above(&history, 20));
	check_json();
}
END_TEST

/* Two points: their runs show the noise; of one run each nothing does. */
START_TEST(few_points_are_judged_by_their_runs)
{
	const size_t runs = _i ? 1 : 3;

	for (size_t i = 0; i < 2; i++) {
		struct point *p = add_point("a", runs);

		for (size_t run = 0; run < runs; run++)
			add_run(p, 5, 1000, (i ? 2.4 : 2) + 0.01 * (double)run, 2);
	}
	history_build(&history, points, npoints);
	ck_assert_int_eq(isnan(history.latest.noise), _i);
	ck_assert(!history_within_noise(&history));
	ck_assert(history_is_above(&history, 5));
	check_json();
}
END_TEST

START_TEST(other_threads_are_not_compared)
{
	for (size_t i = 0; i < 5; i++)
		add_run(add_point("a", 1), 5, 1000, i < 4 ? 2 : 4, i < 4 ? 4 : 2);
	history_build(&history, points, npoints);
	ck_assert_ptr_nonnull(history.latest.unknown);
	ck_assert(!history_is_above(&history, 5));
	ck_assert_uint_eq(history.differs[4], HISTORY_THREADS);
	ck_assert_uint_eq(history.differs[3], 0);
	check_json();
}
END_TEST

START_TEST(one_point_is_a_history)
{
	add_run(add_point("a", 1), 0, 0, 2, 1);
	history_build(&history, points, npoints);
	ck_assert_ptr_nonnull(history.latest.unknown);
	check_json();
}
END_TEST

/* Without an elapsed time the event decides. */
START_TEST(without_elapsed_time_it_is_the_event)
{
	for (size_t i = 0; i < 6; i++)
		add_run(add_point("a", 1), 5, i < 5 ? 1000 + i : 1900, i == 2 ? 0 : 2, 2);
	history_build(&history, points, npoints);
	ck_assert_int_eq(history.series[0].measure, HISTORY_TOTAL);
	ck_assert(history_is_above(&history, 5));
	check_json();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("history");
	TCase *c = tcase_create("lasting");

	tcase_add_checked_fixture(c, lasting_setup, lasting_teardown);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, chance_finds_no_more_than_was_asked_for, 0, 2);
	tcase_add_loop_test(c, no_distribution_is_assumed, 0, 2);
	tcase_add_test(c, a_step_is_found_where_it_is);
	tcase_add_test(c, a_short_level_is_found);
	tcase_add_test(c, where_a_level_begins_values_decide);
	tcase_add_test(c, one_value_far_away_is_no_level);
	tcase_add_test(c, few_values_show_nothing);
	suite_add_tcase(suite, c);
	c = tcase_create("history");
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_region_is_one_series);
	tcase_add_test(c, a_lasting_change_is_found);
	tcase_add_test(c, a_small_change_is_none);
	tcase_add_loop_test(c, the_newest_point_is_judged, 0, 3);
	tcase_add_loop_test(c, few_points_are_judged_by_their_runs, 0, 2);
	tcase_add_test(c, other_threads_are_not_compared);
	tcase_add_test(c, one_point_is_a_history);
	tcase_add_test(c, without_elapsed_time_it_is_the_event);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
