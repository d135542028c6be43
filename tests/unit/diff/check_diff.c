/* SPDX-License-Identifier: BSD-3-Clause */
/* check_diff.c - what is the same on both sides, and what chance explains. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/align.h"
#include "src/diff/diff.h"
#include "src/diff/noise.h"
#include "src/diff/scaling.h"
#include "src/output/runs_formats.h"
#include "tests/support/json_schema.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

enum { TICK = 1000000 };

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "

/* ---- noise ----------------------------------------------------------- */

START_TEST(one_run_has_the_error_of_its_samples)
{
	const double before = 10000, after = 12000, error = 100, more = 110;
	const double var_before = error * error, var_after = more * more;
	struct noise_mean b = noise_mean(&before, &var_before, 1);
	struct noise_mean a = noise_mean(&after, &var_after, 1);

	ck_assert(isnan(b.deviation));
	ck_assert_double_eq_tol(noise_bound(&b, &a), 3 * sqrt(var_before + var_after), 1e-9);
}
END_TEST

START_TEST(several_runs_have_a_spread)
{
	const double values[] = { 90, 100, 110 }, none[3] = { 0 };
	struct noise_mean m = noise_mean(values, none, 3), one = noise_mean(values, none, 1);

	ck_assert_double_eq_tol(m.mean, 100, 1e-9);
	ck_assert_double_eq_tol(m.deviation, 10, 1e-9);
	ck_assert_double_eq_tol(m.variance, 100. / 3, 1e-9);
	/* As many runs with the same spread: four degrees of freedom. */
	ck_assert_double_eq_tol(noise_bound(&m, &m), 3 * sqrt(200. / 3), 1e-9);
	/* A single run beside them is as uncertain as each of them. */
	noise_share(&one, 1, &m, 3);
	ck_assert_double_eq_tol(one.variance, 100, 1e-9);
	ck_assert_double_eq_tol(one.freedom, 2, 1e-9);
	ck_assert_double_eq_tol(noise_factor(one.freedom), 4.30, 1e-9);
	ck_assert_double_eq_tol(noise_factor(1), 12.71, 1e-9);
	ck_assert_double_eq_tol(noise_factor(INFINITY), 3, 1e-9);
}
END_TEST

/* Runs that are equal by chance have the error of their samples all the same. */
START_TEST(equal_runs_are_not_exact)
{
	const double values[] = { 100, 100 }, sampling[] = { 8, 8 };
	const struct noise_mean m = noise_mean(values, sampling, 2);

	ck_assert_double_eq_tol(m.variance, 4, 1e-9);
	ck_assert(isinf(m.freedom));
}
END_TEST

/* ---- alignment ------------------------------------------------------- */

static const struct {
	int64_t before[6], after[6]; /* 0 ends them */
	const char *match;	     /* a digit for each before; - for none */
} alignments[] = {
	{ { 5, 9, 12 }, { 5, 9, 12 }, "012" },
	/* Three lines inserted above. */
	{ { 5, 9, 12 }, { 8, 12, 15 }, "012" },
	/* As far as from one to the next: the same line numbers are other lines. */
	{ { 5, 10, 15 }, { 10, 15, 20 }, "012" },
	/* Inserted between. */
	{ { 5, 9, 12 }, { 5, 11, 14 }, "012" },
	/* A new one between. */
	{ { 5, 20 }, { 5, 12, 20 }, "02" },
	/* One removed. */
	{ { 5, 9, 20 }, { 5, 20 }, "0-1" },
	/* Only one, and it moved. */
	{ { 5 }, { 70 }, "0" },
	{ { 5 }, { 0 }, "-" },
	/* One that has few samples is not another that has few. */
	{ { 5, 9, 12 }, { 5, 10, 12 }, "0-2" },
};

static size_t length(const int64_t places[6])
{
	size_t n = 0;

	while (n < 6 && places[n])
		n++;
	return n;
}

START_TEST(lines_are_found_where_they_moved)
{
	const size_t n = length(alignments[_i].before);
	uint32_t match[6];
	char found[7] = "";

	align(alignments[_i].before, n, alignments[_i].after, length(alignments[_i].after), match);
	for (size_t i = 0; i < n; i++)
		found[i] = match[i] == ALIGN_NONE ? '-' : (char)('0' + match[i]);
	ck_assert_str_eq(found, alignments[_i].match);
}
END_TEST

/* Longer than any function: only places that are equal. */
START_TEST(long_sequences_are_aligned_without_edits)
{
	enum { LONG = 3000 };
	static int64_t a[LONG], b[LONG];
	static uint32_t match[LONG];

	for (int i = 0; i < LONG; i++) {
		a[i] = 2 * i;
		b[i] = 3 * i;
	}
	align(a, LONG, b, LONG, match);
	for (uint32_t i = 0; i < LONG; i++)
		ck_assert_uint_eq(match[i], 2 * i % 3 == 0 ? 2 * i / 3 : (uint32_t)ALIGN_NONE);
}
END_TEST

/* Of one function the runs agree by chance; most functions show what the machine does. */
START_TEST(most_rows_tell_the_noise_of_one)
{
	const double even[] = { 100, 100, 100 }, apart[] = { 80, 100, 120 };
	const double sampling[] = { 100, 100, 100 };
	struct noise_mean lucky = noise_mean(even, sampling, 3);
	const struct noise_mean usual = noise_mean(apart, sampling, 3);
	double excesses[NOISE_EXCESSES];

	for (size_t i = 0; i < NOISE_EXCESSES; i++)
		excesses[i] = i < 3 ? noise_excess(&lucky, 3) : noise_excess(&usual, 3);
	ck_assert_double_eq(noise_common(excesses, NOISE_EXCESSES - 1), 1);
	/* 400 between the runs, of which the median of two degrees of freedom is 0.70. */
	const double common = noise_common(excesses, NOISE_EXCESSES);

	ck_assert_double_eq_tol(common, 4 / 0.7023, 0.01);
	noise_raise(&lucky, common);
	ck_assert_double_eq_tol(lucky.variance, common * 100 / 3, 1e-9);
	ck_assert(isinf(lucky.freedom));
	noise_raise(&lucky, 1);
	ck_assert_double_eq_tol(lucky.variance, common * 100 / 3, 1e-9);
	ck_assert(isnan(noise_excess(&lucky, 1)));
}
END_TEST

/* ---- sides ----------------------------------------------------------- */

static struct interner strings;
static struct scene scenes[8];
static size_t nscenes;
static struct side sides[SIDES];
static struct diff diff;

static void setup(void)
{
	nscenes = 0;
	side_init(&sides[BEFORE], &strings, 4);
	side_init(&sides[AFTER], &strings, 4);
}

static void teardown(void)
{
	diff_fini(&diff);
	side_fini(&sides[BEFORE]);
	side_fini(&sides[AFTER]);
	interner_free(&strings);
	memset(&strings, 0, sizeof(strings));
	for (size_t i = 0; i < nscenes; i++)
		scene_fini(&scenes[i]);
}

/* A path below main, and its samples. */
struct cost_of {
	const char *path;
	uint64_t samples;
};

/* A region with its samples of work, in main. */
static void region(struct scene *s, uint32_t thread, const char *call, uint64_t samples)
{
	char path[128];

	snprintf(path, sizeof(path), START "main:20 %s", call);
	const uint32_t context = scene_path(s, thread, path);

	mk_leaf(s->mk,
		scene_path(s, mk_boundary(s->mk, context, context, PROF_BOUNDARY_REGION),
			   ".omp_outlined.:7"),
		0, PROF_STATE_PARALLEL, 0, samples, samples * TICK);
}

/* Adds a run with these lines and regions; either list ends with a path of NULL. */
static void add_run(int side, const struct cost_of *lines, const struct cost_of *regions,
		    uint32_t threads)
{
	struct scene *s = &scenes[nscenes++];
	const struct side_run run = {
		.path = "app.omphwc", .profiles = 1, .elapsed_ns = 5, .threads = threads
	};
	char path[128];

	scene_init(s);
	mk_event(s->mk, "cpu-clock:u", PROF_UNIT_NS);
	const uint32_t root = mk_root(s->mk, mk_thread(s->mk, PROF_THREAD_INITIAL, 4711));

	for (; lines->path != NULL; lines++) {
		snprintf(path, sizeof(path), START "main:20 %s", lines->path);
		mk_leaf(s->mk, scene_path(s, root, path), 0, PROF_STATE_SERIAL, 0, lines->samples,
			lines->samples * TICK);
	}
	for (; regions->path != NULL; regions++)
		region(s, root, regions->path, regions->samples);
	scene_process(s);
	struct view *v = scene_view(s, VIEW_USER);

	side_add(&sides[side], &run, v, 0);
	view_free(v);
}

static const struct cost_of nothing[] = { { NULL, 0 } };

static void compare(enum diff_scaling scaling)
{
	diff_build(&diff, &sides[BEFORE], &sides[AFTER], scaling);
}

static char *write_narrow(int by, unsigned columns)
{
	const struct diff_report r = {
		.diff = &diff,
		.path = { "old", "new" },
		.event = "cpu-clock:u",
		.unit = PROF_UNIT_NS,
		.by = by,
		.columns = columns,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	diff_text_write(out, &r);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static char *write_text(int by)
{
	return write_narrow(by, 0);
}

START_TEST(a_moved_line_is_the_same)
{
	const struct cost_of before[] = { { "solve:5", 1000 }, { "solve:7", 300 }, { NULL, 0 } };
	const struct cost_of after[] = { { "solve:15", 1000 }, { "solve:17", 600 }, { NULL, 0 } };

	add_run(BEFORE, before, nothing, 1);
	add_run(AFTER, after, nothing, 1);
	compare(DIFF_STRONG);
	const struct diff_table *lines = &diff.by[DIFF_LINE];

	ck_assert_uint_eq(lines->n, 2);
	ck_assert_int_eq(lines->rows[0].side[BEFORE].item->place, 7);
	ck_assert_int_eq(lines->rows[0].side[AFTER].item->place, 17);
	ck_assert_double_eq_tol(lines->rows[0].change, 300. * TICK, 1e-3);
	ck_assert_double_eq_tol(lines->rows[0].noise, 3. * 30 * TICK, 1e-3);
	ck_assert(!diff_within_noise(&lines->rows[0]));
	ck_assert(diff_within_noise(&lines->rows[1]));
	char *text = write_text(DIFF_LINE);

	ck_assert_ptr_nonnull(strstr(text, "more          solve (app.c:17), was :7\n"));
	ck_assert_ptr_nonnull(strstr(text, "within noise  solve (app.c:15), was :5\n"));
	free(text);
}
END_TEST

/* Two regions of one function keep their order. */
START_TEST(a_moved_region_is_the_same)
{
	const struct cost_of before[] = { { "solve:5", 1000 }, { "solve:9", 400 }, { NULL, 0 } };
	const struct cost_of after[] = { { "solve:9", 1000 }, { "solve:13", 800 }, { NULL, 0 } };

	add_run(BEFORE, nothing, before, 1);
	add_run(AFTER, nothing, after, 1);
	compare(DIFF_STRONG);
	const struct diff_table *regions = &diff.by[DIFF_REGION];

	ck_assert_int_eq(regions->rows[0].side[BEFORE].item->place, 9);
	ck_assert_int_eq(regions->rows[0].side[AFTER].item->place, 13);
	ck_assert_double_eq_tol(regions->rows[0].change, 400. * TICK, 1e-3);
	ck_assert_double_eq_tol(regions->rows[1].change, 0, 1e-3);
}
END_TEST

START_TEST(one_side_only_is_said)
{
	const struct cost_of before[] = { { "gone:5", 900 }, { "few:3", 4 }, { NULL, 0 } };
	const struct cost_of after[] = { { "new:5", 800 }, { NULL, 0 } };

	add_run(BEFORE, before, nothing, 1);
	add_run(AFTER, after, nothing, 1);
	compare(DIFF_STRONG);
	char *text = write_text(DIFF_FUNCTION);

	ck_assert_ptr_nonnull(strstr(text, "only before   gone [app.c]\n"));
	ck_assert_ptr_nonnull(strstr(text, "only after    new [app.c]\n"));
	ck_assert_ptr_nonnull(strstr(text, "within noise  few [app.c], only before\n"));
	free(text);
}
END_TEST

START_TEST(runs_have_means)
{
	struct cost_of run[] = { { "solve:5", 0 }, { NULL, 0 } };

	for (int side = 0; side < SIDES; side++)
		for (unsigned i = 0; i < 3; i++) {
			run[0].samples = 10000 + 500 * i + (side == AFTER ? 4000 : 0);
			add_run(side, run, nothing, 2);
		}
	compare(DIFF_STRONG);
	const struct diff_row *all = &diff.by[DIFF_RUN].rows[0];

	ck_assert_double_eq_tol(all->side[BEFORE].all.mean, 10500. * TICK, 1e-3);
	ck_assert_double_eq_tol(all->side[AFTER].all.deviation, 500. * TICK, 1e-3);
	ck_assert_double_eq_tol(all->noise, 3 * sqrt(2 * 500 * 500. / 3) * TICK, 1);
	ck_assert(!diff_within_noise(all));
	ck_assert(!diff.scaled);
}
END_TEST

/* What a line has no room for is left out; the name and the change stay. */
START_TEST(lines_fit_the_terminal)
{
	static const struct {
		unsigned columns;
		const char *has, *has_not;
	} with[] = {
		{ 160, "ovhd", "..." },	       { 120, "noise", "ovhd" },   { 100, "sd%", "ovhd" },
		{ 80, "within noise", "sd%" }, { 50, "change", "within" },
	};
	const struct cost_of run[] = { { "a_function_with_a_long_name_that_is_cut:5", 900 },
				       { NULL, 0 } };

	for (int i = 0; i < 4; i++)
		add_run(i % 2 ? AFTER : BEFORE, run, nothing, 2);
	compare(DIFF_STRONG);
	char *text = write_narrow(DIFF_FUNCTION, with[_i].columns), *rest = NULL;
	char *const table = strstr(text, "\n\n");

	ck_assert_ptr_nonnull(strstr(table, with[_i].has));
	ck_assert_ptr_null(strstr(table, with[_i].has_not));
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ck_assert_msg(strlen(line) <= with[_i].columns, "%s", line);
	free(text);
}
END_TEST

/* The scene's runs take 5 ns each. */
START_TEST(the_first_line_judges)
{
	static const struct {
		uint64_t after;
		const char *first;
		bool above; /* 5 percent */
	} cases[] = {
		{ 1000, "elapsed 1.00 us -> 1.00 us (+0.0 %): within noise", false },
		{ 1040, "elapsed 1.00 us -> 1.04 us (+4.0 %): slower, beyond noise", false },
		{ 1200, "elapsed 1.00 us -> 1.20 us (+20.0 %): slower, beyond noise", true },
		{ 900, "elapsed 1.00 us -> 900 ns (-10.0 %): faster, beyond noise", false },
	};
	const struct cost_of run[] = { { "f:5", 900 }, { NULL, 0 } };

	for (int i = 0; i < 6; i++) {
		add_run(i % 2 ? AFTER : BEFORE, run, nothing, 2);
		sides[i % 2].runs[i / 2].elapsed_ns =
			(i % 2 ? cases[_i].after : 1000) + (uint64_t)(i / 2) - 1;
	}
	compare(DIFF_STRONG);
	char *text = write_narrow(DIFF_FUNCTION, 0);

	ck_assert_msg(strncmp(text, cases[_i].first, strlen(cases[_i].first)) == 0, "%s", text);
	ck_assert_int_eq(diff_is_above(&diff, 5), cases[_i].above);
	ck_assert(!diff_is_above(&diff, NAN));
	ck_assert_ptr_null(strstr(text, "differ\n"));
	free(text);
}
END_TEST

START_TEST(one_run_a_side_shows_no_noise)
{
	const struct cost_of run[] = { { "f:5", 900 }, { NULL, 0 } };

	add_run(BEFORE, run, nothing, 2);
	add_run(AFTER, run, nothing, 2);
	sides[AFTER].runs[0].elapsed_ns = 6;
	sides[AFTER].runs[0].arguments = "-n 3";
	sides[AFTER].runs[0].host = "other";
	compare(DIFF_STRONG);
	char *text = write_narrow(DIFF_FUNCTION, 0);

	ck_assert_ptr_eq(strstr(text, "elapsed 5 ns -> 6 ns (+20.0 %): one run a side\n"), text);
	ck_assert_ptr_nonnull(strstr(text, "!  arguments differ\n     before  (none)\n"
					   "     after   -n 3\n"));
	ck_assert_ptr_nonnull(strstr(text, "!  machines differ\n"));
	ck_assert(diff_is_above(&diff, 5));
	ck_assert(!diff_is_above(&diff, 20));
	free(text);
}
END_TEST

/* From 1 to 2 threads: solve scales, serial doesn't. */
START_TEST(more_threads_have_a_loss)
{
	const struct cost_of one[] = { { "solve:5", 9000 }, { "idle:7", 100 }, { NULL, 0 } };
	const struct cost_of two[] = { { "solve:5", 9000 }, { "idle:7", 900 }, { NULL, 0 } };
	const double loss[2][2] = { { 800, 0 }, { -9000, 700 } };
	const char *names[2][2] = { { "idle", "solve" }, { "solve", "idle" } };

	add_run(BEFORE, one, nothing, 1);
	add_run(AFTER, two, nothing, 2);
	compare(_i ? DIFF_WEAK : DIFF_STRONG);
	ck_assert(diff.scaled);
	for (size_t i = 0; i < 2; i++) {
		const struct diff_row *row = &diff.by[DIFF_FUNCTION].rows[i];

		ck_assert_str_eq(diff_item(row)->name, names[_i][i]);
		ck_assert_double_eq_tol(row->loss, loss[_i][i] * TICK, 1e-3);
	}
	char *text = write_text(DIFF_BY_ALL);

	ck_assert_ptr_nonnull(
		strstr(text, _i ? "ideal weak scaling from 1" : "ideal strong scaling from 1"));
	free(text);
}
END_TEST

/* The same function on two ways is two contexts. */
START_TEST(paths_are_contexts)
{
	const struct cost_of before[] = { { "left:5 f:1", 400 },
					  { "a:2 b:2 c:5 f:1", 400 },
					  { NULL, 0 } };
	const struct cost_of after[] = { { "left:6 f:1", 400 },
					 { "a:3 b:3 c:6 f:1", 700 },
					 { NULL, 0 } };

	add_run(BEFORE, before, nothing, 1);
	add_run(AFTER, after, nothing, 1);
	compare(DIFF_STRONG);
	ck_assert_uint_eq(diff.by[DIFF_PATH].n, 2);
	ck_assert_str_eq(diff_item(&diff.by[DIFF_PATH].rows[0])->name, "main > a > b > c > f");
	ck_assert(diff_within_noise(&diff.by[DIFF_PATH].rows[1]));
	char *text = write_text(DIFF_PATH);

	ck_assert_ptr_nonnull(strstr(text, "more          ... > a > b > c > f\n"));
	ck_assert_ptr_nonnull(strstr(text, "within noise  main > left > f\n"));
	free(text);
}
END_TEST

START_TEST(json_fits_its_schema)
{
	const struct cost_of before[] = { { "solve:5", 1000 }, { "gone:7", 300 }, { NULL, 0 } };
	const struct cost_of after[] = { { "solve:15", 1000 }, { "new:1", 6 }, { NULL, 0 } };
	const struct diff_report r = {
		.diff = &diff,
		.path = { "old", "new" },
		.event = "cpu-clock:u",
		.unit = PROF_UNIT_NS,
	};
	char *text = NULL;
	size_t size;

	add_run(BEFORE, before, after, 1);
	for (int i = 0; i < 3; i++)
		add_run(AFTER, after, before, _i == 2 && i == 1 ? 3 : 1 + (uint32_t)(_i % 2));
	side_unnamed(&sides[BEFORE], "/app", "stripped");
	side_unnamed(&sides[BEFORE], "/app", "stripped");
	ck_assert_uint_eq(sides[BEFORE].ntroubles, 1);
	compare(_i == 3 ? DIFF_WEAK : DIFF_STRONG);
	FILE *out = open_memstream(&text, &size);

	diff_json_write(out, &r);
	ck_assert_int_eq(fclose(out), 0);
	json_schema_check("diff.schema.json", text);
	free(text);
}
END_TEST

/* Work of all threads that grows: by more than chance, and of some part of the time. */
START_TEST(growing_work_is_named)
{
	const struct cost_of before[] = { { "grow:5", 1000 }, { "even:9", 1000 }, { "odd:12", 40 },
					  { "less:15", 900 }, { "tiny:17", 10 },  { NULL, 0 } };
	const struct cost_of after[] = { { "grow:5", 2100 }, { "even:9", 1080 }, { "odd:12", 50 },
					 { "less:15", 500 }, { "tiny:17", 60 },	 { "new:19", 200 },
					 { NULL, 0 } };
	struct growth g;

	for (int i = 0; i <= _i; i++) {
		add_run(BEFORE, nothing, before, 1);
		add_run(AFTER, nothing, after, 2);
	}
	growth_build(&g, &sides[BEFORE], &sides[AFTER]);
	/* A region and its line each. */
	ck_assert_uint_eq(g.n, 4);
	for (size_t i = 0; i < g.n; i++) {
		ck_assert_int_eq(g.rows[i].item->by, i % 2 ? DIFF_LINE : DIFF_REGION);
		ck_assert_str_eq(g.rows[i].item->name, i < 2 ? "grow" : "new");
		ck_assert_double_eq_tol(g.rows[i].factor, i < 2 ? 2.1 : 0, 1e-9);
		ck_assert_double_eq_tol(g.rows[i].share, (i < 2 ? 2100 : 200) / 3990., 1e-9);
	}
	ck_assert_double_eq_tol(g.rows[0].before, 1000. * TICK, 1e-3);
	growth_fini(&g);
}
END_TEST

/* Three runs that differ as much as that prove nothing. */
START_TEST(uneven_runs_prove_no_growth)
{
	static const uint64_t samples[2][3] = { { 1000, 1400, 700 }, { 1500, 900, 1300 } };
	struct growth g;

	for (int i = 0; i < 3; i++)
		for (int side = 0; side < SIDES; side++) {
			const struct cost_of one[] = { { "grow:5", samples[side][i] },
						       { NULL, 0 } };

			add_run(side, nothing, one, 1 + (uint32_t)side);
		}
	growth_build(&g, &sides[BEFORE], &sides[AFTER]);
	ck_assert_uint_eq(g.n, 0);
	growth_fini(&g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diff");
	TCase *pure = tcase_create("pure"), *c = tcase_create("sides");

	tcase_add_test(pure, one_run_has_the_error_of_its_samples);
	tcase_add_test(pure, most_rows_tell_the_noise_of_one);
	tcase_add_test(pure, several_runs_have_a_spread);
	tcase_add_test(pure, equal_runs_are_not_exact);
	tcase_add_loop_test(pure, lines_are_found_where_they_moved, 0,
			    sizeof(alignments) / sizeof(alignments[0]));
	tcase_add_test(pure, long_sequences_are_aligned_without_edits);
	suite_add_tcase(suite, pure);
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_moved_line_is_the_same);
	tcase_add_test(c, a_moved_region_is_the_same);
	tcase_add_test(c, one_side_only_is_said);
	tcase_add_loop_test(c, growing_work_is_named, 0, 2);
	tcase_add_test(c, uneven_runs_prove_no_growth);
	tcase_add_test(c, runs_have_means);
	tcase_add_loop_test(c, lines_fit_the_terminal, 0, 5);
	tcase_add_loop_test(c, the_first_line_judges, 0, 4);
	tcase_add_test(c, one_run_a_side_shows_no_noise);
	tcase_add_loop_test(c, more_threads_have_a_loss, 0, 2);
	tcase_add_test(c, paths_are_contexts);
	tcase_add_loop_test(c, json_fits_its_schema, 0, 4);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
