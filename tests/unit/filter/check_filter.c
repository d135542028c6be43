/* SPDX-License-Identifier: BSD-3-Clause */
/* check_filter.c - selected records, hidden modules, and names that a user typed. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/pattern.h"
#include "src/filter/filter.h"
#include "src/filter/find.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "tests/support/demo_scene.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "

static struct scene s;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

/* ---- patterns -------------------------------------------------------- */

START_TEST(patterns_match)
{
	static const struct {
		const char *pattern, *name;
		enum pattern_level level;
	} cases[] = {
		{ "solve", "solve", PATTERN_EXACT },
		{ "solve", "resolve_all", PATTERN_PART },
		{ "solve", "sol", PATTERN_NONE },
		{ "", "solve", PATTERN_NONE },
		{ "*", "", PATTERN_WHOLE },
		{ "s*e", "solve", PATTERN_WHOLE },
		{ "s?lve", "solve", PATTERN_WHOLE },
		{ "s?lve", "slve", PATTERN_NONE },
		{ "f<...>(int)", "f<a, b<c>>(int)", PATTERN_WHOLE },
		{ "f<...>(int)", "void f<a>(int) [clone]", PATTERN_PART },
		{ "f(int*)", "f(int*)", PATTERN_EXACT },
		{ "f(int*)", "f(int**)", PATTERN_WHOLE },
		{ "operator[]", "a::operator[](int)", PATTERN_PART },
		{ "a*b*c", "a1b2b3c", PATTERN_WHOLE },
		{ "a*b*c", "a1b2b3", PATTERN_NONE },
		{ "aab", "aaab", PATTERN_PART },
		{ "ab*", "xxaxab", PATTERN_PART },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(pattern_level(cases[i].pattern, cases[i].name) == cases[i].level,
			      "%s, %s", cases[i].pattern, cases[i].name);
}
END_TEST

START_TEST(near_names_are_told)
{
	struct near n;
	char text[128];

	near_init(&n, "kernl");
	near_add(&n, "colonel_x");
	near_add(&n, "ns::Kernel<int>(double*)");
	near_add(&n, "kern");
	near_add(&n, "kern");
	near_add(&n, "main");
	near_text(&n, "none", text, sizeof(text));
	ck_assert_str_eq(text, "did you mean ns::Kernel<int>(double*), kern?");
	near_text(&n, "none", text, 8);
	ck_assert_uint_lt(strlen(text), 8);
	near_init(&n, "kernl");
	near_add(&n, "main");
	near_text(&n, "see there", text, sizeof(text));
	ck_assert_str_eq(text, "see there");
	near_init(&n, "f");
	for (unsigned i = 0; i < 3 * NEAR_MAX; i++) {
		snprintf(text, sizeof(text), "f%u", i);
		near_add(&n, text);
	}
	ck_assert_uint_eq(n.n, NEAR_MAX);
	ck_assert_str_eq(n.best[0].name, "f0");
}
END_TEST

/* ---- selection ------------------------------------------------------- */

static struct view *view_of(enum view_kind kind, bool lines)
{
	const struct view_options o = { .kind = kind, .resolver = &s.resolver, .lines = lines };

	return view_build(&s.model, &o);
}

static struct cost sum_of(const struct view *v)
{
	struct cost sum = { 0 };

	for (size_t i = 0; i < v->nrecords; i++) {
		sum.samples += v->records[i].samples;
		sum.weight += v->records[i].weight;
	}
	return sum;
}

/* The sum of what an option leaves of the scene in a view; none: 0. */
static struct cost left_by(enum view_kind kind, enum filter_kind filter, const char *value)
{
	struct filter_options o = { { 0 } };
	struct view *user = view_of(VIEW_USER, false), *v = view_of(kind, false);
	struct filtered f;
	struct trouble t;
	struct cost sum = { 0 };
	int err;

	o.value[filter] = value;
	err = filter_select(user, &o, &f, &t);
	ck_assert(!err || err == -ENOENT);
	if (!err) {
		ck_assert_uint_eq(user->nrecords, v->nrecords);
		filter_apply(v, &f);
		sum = sum_of(v);
		ck_assert_uint_eq(filtered_left(&f), sum.samples);
	}
	view_free(user);
	view_free(v);
	filtered_fini(&f);
	return sum;
}

static void whole_is(enum view_kind kind, struct cost sum)
{
	struct view *v = view_of(kind, false);
	const struct cost whole = sum_of(v);

	ck_assert_uint_eq(sum.samples, whole.samples);
	ck_assert_uint_eq(sum.weight, whole.weight);
	view_free(v);
}

static void add(struct cost *sum, struct cost part)
{
	cost_plus(sum, &part);
}

static void filter_scene(int seed)
{
	if (seed)
		random_scene(&s, (unsigned)seed);
	else
		demo_scene(&s);
	scene_process(&s);
}

START_TEST(parts_of_functions_add_up)
{
	static const char *const regexes[] = { "solve", "^main$", "OMP-", "e|a" };

	filter_scene(_i);
	for (unsigned k = 0; k < VIEW_KINDS; k++)
		for (size_t i = 0; i < sizeof(regexes) / sizeof(*regexes); i++) {
			struct cost sum = left_by(k, FILTER_FOCUS, regexes[i]);
			const struct cost rest = left_by(k, FILTER_IGNORE, regexes[i]);

			if (!sum.samples && !rest.samples)
				continue;
			add(&sum, rest);
			whole_is(k, sum);
		}
}
END_TEST

/* Random threads may share a number. */
static bool thread_again(uint32_t thread)
{
	for (uint32_t i = 0; i < thread; i++)
		if (s.model.threads[i].t->index == s.model.threads[thread].t->index)
			return true;
	return false;
}

START_TEST(parts_of_threads_and_modules_add_up)
{
	struct view *v;
	struct table t;
	struct cost sum;
	char number[16];

	filter_scene(_i);
	v = view_of(VIEW_USER, false);
	table_build(v, TABLE_MODULE, &t);
	for (unsigned k = 0; k < VIEW_KINDS; k++) {
		sum = (struct cost){ 0 };
		for (uint32_t i = 0; i < s.model.nthreads; i++) {
			if (thread_again(i))
				continue;
			snprintf(number, sizeof(number), "%u", s.model.threads[i].t->index);
			add(&sum, left_by(k, FILTER_THREAD, number));
		}
		whole_is(k, sum);
		sum = (struct cost){ 0 };
		for (size_t i = 0; i < t.n; i++)
			add(&sum, left_by(k, FILTER_MODULE, (const char *)t.rows[i].key));
		whole_is(k, sum);
	}
	table_fini(&t);
	view_free(v);
}
END_TEST

START_TEST(regions_are_found_by_their_names)
{
	static const struct {
		const char *pattern;
		uint64_t samples;
	} cases[] = {
		{ "solve:12 (app.c)", 3 }, { "solve:12", 3 },	 { "app.c:12", 3 },
		{ "src/app.c:12", 3 },	   { "app.c:1", 3 + 4 }, /* a part: 12 and 17 */
		{ "solve", 3 + 4 },	   { "solve_all", 8 },	 { "solve*", 3 + 4 + 8 },
		{ "app.c", 3 + 4 + 8 },	   { "olve:1", 3 + 4 },	 { "(serial)", 1 },
		{ "nothing", 0 },
	};
	static const char *const calls[] = { "main:1 solve:12", "main:2 solve:17",
					     "main:3 solve_all:20" };
	static const uint64_t samples[] = { 3, 4, 8 };
	uint32_t root;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	mk_leaf(s.mk, scene_path(&s, root, START "main:9"), 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE,
		1, 1);
	for (size_t i = 0; i < 3; i++) {
		const uint32_t context = scene_path(&s, scene_path(&s, root, START), calls[i]);
		const uint32_t at = mk_boundary(s.mk,
						scene_path(&s, context,
							   "omp!__kmpc_fork_call omp!__kmp_invoke"),
						context, PROF_BOUNDARY_REGION);

		mk_leaf(s.mk, scene_path(&s, at, ".omp_outlined.:30"), 0, PROF_STATE_PARALLEL,
			PROF_CAUSE_NONE, samples[i], samples[i]);
	}
	scene_process(&s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (unsigned k = 0; k < VIEW_KINDS; k++)
			ck_assert_msg(left_by(k, FILTER_REGION, cases[i].pattern).samples ==
					      cases[i].samples,
				      "%s", cases[i].pattern);
}
END_TEST

static void with_rank(const char *rank, uint64_t samples)
{
	uint32_t root;

	if (rank)
		mk_text(s.mk, PROF_INFO_RANK, rank);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	mk_leaf(s.mk, scene_path(&s, root, START "main:9"), 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE,
		samples, samples);
	scene_process(&s);
}

START_TEST(ranks_are_selected)
{
	with_rank("0", 1);
	with_rank("2", 2);
	with_rank("10", 4);
	with_rank(NULL, 8);
	with_rank("3x", 16);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_RANK, "0").samples, 1);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_RANK, "1-9").samples, 2);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_RANK, "10,0").samples, 5);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_RANK, "0-4294967295").samples, 7);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_RANK, "3").samples, 0);
	ck_assert_uint_eq(left_by(VIEW_USER, FILTER_THREAD, "0").samples, 31);
}
END_TEST

START_TEST(values_that_are_none_are_refused)
{
	static const struct {
		enum filter_kind kind;
		const char *value;
	} cases[] = {
		{ FILTER_THREAD, "" },	 { FILTER_THREAD, "x" },   { FILTER_THREAD, "1," },
		{ FILTER_THREAD, "-1" }, { FILTER_THREAD, "3-1" }, { FILTER_THREAD, "4294967296" },
		{ FILTER_RANK, "1 2" },	 { FILTER_FOCUS, "(" },	   { FILTER_IGNORE, "[" },
		{ FILTER_THREAD, "1-" }, { FILTER_THREAD, ",1" },  { FILTER_RANK, "1-2-3" },
	};
	struct view *v;

	filter_scene(0);
	v = view_of(VIEW_USER, false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct filter_options o = { { 0 } };
		struct filtered f;
		struct trouble t = { .what = "" };

		o.value[cases[i].kind] = cases[i].value;
		ck_assert_msg(filter_select(v, &o, &f, &t) == -EINVAL, "%s", cases[i].value);
		ck_assert_uint_ne(strlen(t.what) && strlen(t.why) && strlen(t.todo), 0);
		filtered_fini(&f);
	}
	view_free(v);
}
END_TEST

/* What is not of samples is gone, or whole. */
START_TEST(no_number_is_of_something_else)
{
	const struct filter_options o = { { [FILTER_THREAD] = "1" } };
	struct view *v;
	struct regions regions;
	struct filtered f;
	struct trouble t;

	filter_scene(0);
	v = view_of(VIEW_USER, false);
	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	filter_apply(v, &f);
	regions_build(v, 0, false, &regions);
	for (size_t i = 0; i < regions.n; i++) {
		uint32_t slowest;

		ck_assert_uint_ne(cost_sum(regions.all[i].self, 0).samples, 0);
		ck_assert_uint_eq(regions.all[i].counts.entries, 0);
		ck_assert_double_le(region_imbalance(&regions.all[i], 0, &slowest), 1);
	}
	regions_fini(&regions);
	for (size_t i = 0; i < v->ntasks; i++)
		ck_assert(!view_counted(v, v->tasks[i].created, UNREPORTED_TASK_CREATE));
	for (size_t i = 0; i < v->nconstructs; i++)
		ck_assert_uint_eq(v->constructs[i].entries, 0);
	view_free(v);
	filtered_fini(&f);
}
END_TEST

/* A region's entries are of all its calling contexts, also of those without samples. */
START_TEST(a_region_keeps_all_its_entries)
{
	const struct filter_options o = { { [FILTER_REGION] = "solve" } };
	static const char *const calls[] = { "main:1 solve:12", "main:2 solve:12",
					     "main:3 other:20" };
	struct view *v;
	struct regions regions;
	struct filtered f;
	struct trouble t;
	uint32_t root;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	for (size_t i = 0; i < 3; i++) {
		const uint32_t context = scene_path(&s, scene_path(&s, root, START), calls[i]);
		const uint32_t at = mk_boundary(s.mk,
						scene_path(&s, context,
							   "omp!__kmpc_fork_call omp!__kmp_invoke"),
						context, PROF_BOUNDARY_REGION);

		mk_stats(s.mk, mk_boundary(s.mk, root, context, PROF_BOUNDARY_REGION),
			 PROF_STATS_REGION, 10, 5);
		if (i != 1)
			mk_leaf(s.mk, scene_path(&s, at, ".omp_outlined.:30"), 0,
				PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 3, 3);
	}
	scene_process(&s);
	v = view_of((enum view_kind)_i, false);
	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	filter_apply(v, &f);
	regions_build(v, 0, false, &regions);
	ck_assert_uint_eq(regions.n, 1);
	ck_assert_uint_eq(regions.all[0].counts.entries, 20);
	regions_fini(&regions);
	view_free(v);
	filtered_fini(&f);
}
END_TEST

/* ---- hidden modules -------------------------------------------------- */

static void hidden_is_nowhere(const struct view *v, const char *module)
{
	const struct function *functions = v->names.functions;

	for (size_t i = 1; i < v->tree.n; i++) {
		const char *of = functions[v->tree.nodes[i].function].module;

		ck_assert_uint_lt(v->tree.nodes[i].parent, i);
		ck_assert(!of || strcmp(of, module));
	}
	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_record *r = &v->records[i];
		const char *of = functions[v->names.lines[r->line].function].module;

		ck_assert(!of || strcmp(of, module));
		ck_assert_uint_lt(r->node, v->tree.n);
		ck_assert_uint_lt(r->region, v->nregions);
		ck_assert_uint_lt(r->task, v->ntasks);
		ck_assert_uint_lt(r->construct, v->nconstructs);
	}
}

static void hide(enum view_kind kind, const char *patterns, const char *module)
{
	const struct filter_options o = { { [FILTER_HIDE] = patterns } };
	struct view *v = view_of(kind, true);
	struct filtered f;
	struct trouble t;
	struct table table;
	int err;

	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	err = hide_modules(v, &f, false, &t);
	ck_assert(!err || err == -ENOENT);
	if (!err) {
		hidden_is_nowhere(v, module);
		whole_is(kind, sum_of(v));
		for (unsigned key = 0; key < TABLE_KEYS; key++) {
			table_build(v, (enum table_key)key, &table);
			table_fini(&table);
		}
	}
	view_free(v);
	filtered_fini(&f);
}

START_TEST(hidden_modules_keep_the_total)
{
	filter_scene(_i);
	for (unsigned k = 0; k < VIEW_KINDS; k++) {
		hide((enum view_kind)k, "libc", "libc.so.6");
		hide((enum view_kind)k, "app", "app");
		hide((enum view_kind)k, "lib*,app", "libc.so.6");
	}
}
END_TEST

/* Two contexts of a region are one without libc's functions: the numbers of the regions behind
   them change. */
START_TEST(hidden_modules_keep_the_nesting)
{
	static const char *const paths[] = { START "main:1 libc!qsort f:3", START "main:1 f:3" };
	const struct filter_options o = { { [FILTER_HIDE] = "libc.so.6" } };
	struct filtered f;
	struct trouble t;
	struct view *v;
	uint32_t root, outer, inner;
	const struct region_counts *both;
	const struct view_region *last;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	for (size_t i = 0; i < 2; i++) {
		const uint32_t at = mk_boundary(s.mk, root, scene_path(&s, root, paths[i]),
						PROF_BOUNDARY_REGION);

		mk_leaf(s.mk, at, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 1, 1);
		mk_stats(s.mk, at, PROF_STATS_REGION, 10, 100);
		mk_stats(s.mk, at, PROF_STATS_ASKED, 4, 32);
		mk_stats(s.mk, at, PROF_STATS_RESIZED, 3, 0);
	}
	outer = mk_boundary(s.mk, root, scene_path(&s, root, START "main:2 g:5"),
			    PROF_BOUNDARY_REGION);
	inner = mk_boundary(s.mk, root, scene_path(&s, outer, ".omp_outlined.:6 h:7"),
			    PROF_BOUNDARY_REGION);
	mk_leaf(s.mk, inner, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 1, 1);
	scene_process(&s);
	v = view_of(VIEW_USER, true);
	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	ck_assert_int_eq(hide_modules(v, &f, false, &t), 0);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 3);
	both = &v->regions[REGION_SPECIALS].counts;
	ck_assert_uint_eq(both->entries, 20);
	ck_assert_uint_eq(both->fewer, 8);
	ck_assert_uint_eq(both->asked, 64);
	ck_assert_uint_eq(both->resized, 6);
	last = &v->regions[v->nregions - 1];
	ck_assert_uint_eq(last->parent, v->nregions - 2);
	ck_assert_uint_eq(v->regions[last->parent].parent, REGION_SERIAL);
	view_free(v);
	filtered_fini(&f);
}
END_TEST

START_TEST(hidden_functions_are_their_callers)
{
	uint32_t root;
	char *text;
	const struct filter_options o = { { [FILTER_HIDE] = "libc.so.6" } };

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	mk_leaf(s.mk, scene_path(&s, root, START "main:1 libc!qsort libc!msort compare:5"), 0,
		PROF_STATE_SERIAL, PROF_CAUSE_NONE, 1, 1);
	mk_leaf(s.mk, scene_path(&s, root, START "main:1 libc!qsort libc!msort"), 0,
		PROF_STATE_SERIAL, PROF_CAUSE_NONE, 2, 2);
	mk_leaf(s.mk, scene_path(&s, root, START "main:2 libc!qsort"), 0, PROF_STATE_SERIAL,
		PROF_CAUSE_NONE, 4, 4);
	scene_process(&s);
	s.filters = &o;
	text = scene_write(&s, VIEW_USER, "folded", BY_PATH, 0, 0);
	ck_assert_str_eq(strchr(text, '\n') + 1, "main 6\nmain;compare 1\n");
	free(text);
	text = scene_write(&s, VIEW_USER, "text", BY_LINE, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "main (app.c:2)"));
	ck_assert_ptr_nonnull(strstr(text, "main (app.c:1)"));
	ck_assert_ptr_null(strstr(text, "qsort"));
	free(text);
}
END_TEST

/* ---- functions that a user means ------------------------------------- */

START_TEST(functions_are_found)
{
	static const struct {
		const char *wanted, *name; /* NULL: several */
		enum find_kind kind;
	} cases[] = {
		{ "solve<float>", "solve<float>", FIND_CALLED },
		{ "solve<float> (app.c)", "solve<float> (app.c)", FIND_CALLED },
		{ "solve<f...", "solve<float> (app.c)", FIND_CALLED },
		{ "solve<...>", NULL, FIND_CALLED },
		{ "olve<d", "solve<double> (app.c)", FIND_CALLED },
		{ "olve<d", "solve<double>", FIND_CODE },
		{ "app.c", "app.c", FIND_SOURCE },
		{ "p.c", "src/app.c", FIND_SOURCE },
		{ "a*.c", "src/app.c", FIND_SOURCE },
		{ "no_samples", "no_samples", FIND_CODE },
	};
	struct view *v;
	uint32_t root;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	mk_leaf(s.mk, scene_path(&s, root, START "main:1 solve<float>:2"), 0, PROF_STATE_SERIAL,
		PROF_CAUSE_NONE, 1, 1);
	mk_leaf(s.mk, scene_path(&s, root, START "main:1 solve<double>:3"), 0, PROF_STATE_SERIAL,
		PROF_CAUSE_NONE, 1, 1);
	scene_process(&s);
	v = view_of(VIEW_USER, true);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct found found;
		struct trouble t;
		const int err = find_target(v, cases[i].wanted, cases[i].kind, &found, &t);

		ck_assert_msg(err == (cases[i].name ? 0 : -ENOENT), "%s: %d", cases[i].wanted, err);
		if (cases[i].name)
			ck_assert_str_eq(found.name, cases[i].name);
		else
			ck_assert_uint_eq(found.n, 2);
		found_fini(&found);
	}
	view_free(v);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("filter");
	TCase *c = tcase_create("filter");

	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, patterns_match);
	tcase_add_test(c, near_names_are_told);
	tcase_add_loop_test(c, parts_of_functions_add_up, 0, 12);
	tcase_add_loop_test(c, parts_of_threads_and_modules_add_up, 0, 12);
	tcase_add_test(c, regions_are_found_by_their_names);
	tcase_add_test(c, ranks_are_selected);
	tcase_add_test(c, values_that_are_none_are_refused);
	tcase_add_test(c, no_number_is_of_something_else);
	tcase_add_loop_test(c, a_region_keeps_all_its_entries, 0, VIEW_KINDS);
	tcase_add_loop_test(c, hidden_modules_keep_the_total, 0, 40);
	tcase_add_test(c, hidden_modules_keep_the_nesting);
	tcase_add_test(c, hidden_functions_are_their_callers);
	tcase_add_test(c, functions_are_found);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
