/* SPDX-License-Identifier: BSD-3-Clause */
/* check_detail.c - details of a function or file. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/output/source.h"
#include "src/output/source_rules.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/view/label.h"
#include "src/view/names.h"
#include "tests/support/demo_scene.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "

static struct scene s;
static uint32_t root;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

static void one_thread(void)
{
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
}

static void leaf(const char *path, uint64_t samples)
{
	mk_leaf(s.mk, scene_path(&s, root, path), 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, samples,
		samples);
}

/* ---- names ----------------------------------------------------------- */

START_TEST(functions_are_matched)
{
	static const struct {
		const char *function, *linkage, *name;
		bool matches;
	} cases[] = {
		{ "solve", "solve", "solve", true },
		{ "solve", "solve", "solv", false },
		{ "solve(int, double)", "_Z5solveid", "solve", true },
		{ "solve(int, double)", "_Z5solveid", "_Z5solveid", true },
		{ "ns::grid<a::b>::step(int)", NULL, "step", true },
		{ "ns::grid<a::b>::step(int)", NULL, "ns::grid<a::b>::step", true },
		{ "ns::grid<a::b>::step(int)", NULL, "b>::step", false },
		{ "ns::f::operator()(int)", NULL, "operator()", true },
		{ "app+0x12", NULL, "app+0x12", true },
		{ "solve", "solve", "", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct function f = {
			.name = cases[i].function,
			.linkage = cases[i].linkage,
		};

		ck_assert_msg(match_function(&f, cases[i].name) == cases[i].matches, "%s, %s",
			      cases[i].function, cases[i].name);
	}
	ck_assert(match_file("/home/me/src/app.c", "app.c"));
	ck_assert(match_file("/home/me/src/app.c", "src/app.c"));
	ck_assert(!match_file("/home/me/src/app.c", "pp.c"));
	ck_assert(match_file("app.c", "app.c"));
	ck_assert(!match_file(NULL, "app.c"));
}
END_TEST

/* ---- callers and callees --------------------------------------------- */

static uint64_t of(const struct view *v, const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->rows[i].key == !name &&
		    (!name || !strcmp(v->names.functions[t->rows[i].key].name, name)))
			return cost_sum(t->rows[i].self, 0).weight;
	return 0;
}

START_TEST(calls_sum_to_what_is_inclusive)
{
	struct view *v;
	struct calls c;

	one_thread();
	leaf(START "main:1 a:2 work:3 x:4", 1);
	leaf(START "main:1 b:2 work:3", 2);
	/* Recursion: called by a once, and what the innermost called. */
	leaf(START "main:1 a:2 work:3 mid:4 work:3 y:5", 4);
	leaf(START "main:1 other:9", 8);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_int_eq(calls_build(v, "work", &c), 0);
	ck_assert_uint_eq(cost_sum(c.inclusive, 0).weight, 7);
	ck_assert_uint_eq(of(v, &c.callers, "a"), 5);
	ck_assert_uint_eq(of(v, &c.callers, "b"), 2);
	ck_assert_uint_eq(c.callers.n, 2);
	ck_assert_uint_eq(of(v, &c.callees, "x"), 1);
	ck_assert_uint_eq(of(v, &c.callees, "y"), 4);
	ck_assert_uint_eq(of(v, &c.callees, NULL), 2);
	ck_assert_uint_eq(c.callees.n, 3);
	calls_fini(&c);
	ck_assert_int_eq(calls_build(v, "main", &c), 0);
	ck_assert_uint_eq(of(v, &c.callers, NULL), 15);
	calls_fini(&c);
	ck_assert_int_eq(calls_build(v, "nothing", &c), -ENOENT);
	view_free(v);
}
END_TEST

START_TEST(calls_of_any_function_add_up)
{
	struct view *v;
	struct table t;

	random_scene(&s, (unsigned)_i);
	v = scene_view(&s, (enum view_kind)(_i % VIEW_KINDS));
	table_build(v, TABLE_FUNCTION, &t);
	table_add_inclusive(v, TABLE_FUNCTION, &t);
	for (size_t i = 0; i < t.n; i++) {
		const struct function *f = &v->names.functions[t.rows[i].key];
		struct calls c;

		/* Names that several functions have count for all of them. */
		ck_assert_int_eq(calls_build(v, f->name, &c), 0);
		ck_assert_uint_ge(cost_sum(c.inclusive, 0).weight,
				  cost_sum(t.rows[i].inclusive, 0).weight);
		ck_assert_uint_eq(cost_sum(c.callers.total, 0).weight,
				  cost_sum(c.callees.total, 0).weight);
		calls_fini(&c);
	}
	table_fini(&t);
	view_free(v);
}
END_TEST

/* ---- lines ----------------------------------------------------------- */

static const struct annotate_line *line_at(const struct annotate *a, unsigned line)
{
	for (size_t i = 0; i < a->nlines; i++)
		if (a->lines[i].line == line)
			return &a->lines[i];
	ck_abort_msg("no line %u", line);
	return NULL;
}

START_TEST(lines_have_their_costs)
{
	struct view_options o = { .kind = VIEW_USER, .resolver = &s.resolver, .lines = true };
	uint32_t context, at;
	struct annotate a;

	one_thread();
	leaf(START "main:1 work:3 x:4", 1);
	leaf(START "main:1 work:3", 2);
	leaf(START "main:1 work:5 work:3", 4);
	/* A region's body counts for the lines of the function it is in. */
	context = scene_path(&s, root, START "main:1 work:7");
	at = mk_boundary(s.mk, root, context, PROF_BOUNDARY_REGION);
	mk_leaf(s.mk, scene_path(&s, at, ".omp_outlined.:8 x:4"), 0, PROF_STATE_PARALLEL, 0, 8, 8);
	mk_leaf(s.mk, at, 0, PROF_STATE_BARRIER_IMPLICIT, 0, 16, 16);
	scene_process(&s);
	struct view *v = view_build(&s.model, &o);
	ck_assert_int_eq(annotate_build(v, &s.resolver, "work", &a), 0);
	ck_assert_uint_eq(a.nspans, 1);
	ck_assert_uint_eq(a.spans[0].first, 3);
	ck_assert_uint_eq(a.spans[0].last, 8);
	ck_assert_uint_eq(cost_sum(line_at(&a, 3)->self, 0).weight, 6);
	ck_assert_uint_eq(cost_sum(line_at(&a, 3)->inclusive, 0).weight, 7);
	ck_assert_uint_eq(cost_sum(line_at(&a, 5)->self, 0).weight, 0);
	ck_assert_uint_eq(cost_sum(line_at(&a, 5)->inclusive, 0).weight, 4);
	ck_assert_uint_eq(cost_sum(line_at(&a, 8)->inclusive, 0).weight, 8);
	ck_assert_uint_eq(cost_at(line_at(&a, 7)->self, 0, OMP_WAIT)->weight, 16);
	annotate_fini(&a);
	/* A file: all functions' lines. */
	ck_assert_int_eq(annotate_build(v, &s.resolver, "app.c", &a), 0);
	ck_assert_uint_eq(cost_sum(line_at(&a, 1)->inclusive, 0).weight, 31);
	ck_assert_uint_eq(cost_sum(line_at(&a, 4)->self, 0).weight, 9);
	annotate_fini(&a);
	ck_assert_int_eq(annotate_build(v, &s.resolver, "nothing.c", &a), -ENOENT);
	view_free(v);
}
END_TEST

/* ---- sources --------------------------------------------------------- */

START_TEST(sources_are_found)
{
	char folder[] = "/tmp/check_detail.XXXXXX", path[64];
	struct source_place named = { .folder = folder }, here = { .folder = NULL };
	struct source source;
	FILE *f;

	named.model = here.model = &s.model;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/app.c", folder);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	fputs("one\ntwo\n\nfour", f);
	fclose(f);
	/* Nothing says that it is of the program's project, until the working folder does. */
	ck_assert_int_eq(source_open(&source, path, &here), -EPERM);
	ck_assert_ptr_nonnull(source.refused);
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(source_open(&source, path, &here), 0);
	ck_assert_uint_eq(source.nlines, 4);
	ck_assert_str_eq(source_line(&source, 2), "two");
	ck_assert_str_eq(source_line(&source, 4), "four");
	ck_assert_ptr_null(source_line(&source, 0));
	ck_assert_ptr_null(source_line(&source, 5));
	source_close(&source);
	/* Where it was compiled is not where it is now. */
	ck_assert_int_eq(source_open(&source, "/elsewhere/src/app.c", &named), 0);
	ck_assert_str_eq(source.path, path);
	source_close(&source);
	ck_assert_int_eq(source_open(&source, "app.c", &named), 0);
	source_close(&source);
	ck_assert_int_eq(source_open(&source, "/elsewhere/src/none.c", &named), -ENOENT);
	ck_assert_int_eq(source_open(&source, folder, &here), -EINVAL);
	unlink(path);
	rmdir(folder);
}
END_TEST

START_TEST(projects)
{
	static const struct {
		const char *folder, *project;
	} cases[] = {
		{ "/home/user/project/build/x", "/home/user/project" },
		{ "/home/user/project", "/home/user/project" },
		{ "/home/user", "/home/user" },
		{ "/home", NULL },
		{ "/", NULL },
		{ "/..", NULL },
		{ "relative", NULL },
		{ "/tmp", "/tmp" },
		{ "/tmp//a/./b/../c", "/tmp/a" },
		{ "/tmp/a/../../etc/x/y", "/etc/x" },
		{ "/work/here/project/build", "/work/here/project" },
		{ "/work/hereabouts/project/build", "/work/hereabouts" },
	};

	setenv("HOME", "/work/here/", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char project[64];
		const bool found = source_project(cases[i].folder, project, sizeof(project));

		ck_assert_msg(found == (cases[i].project != NULL), "%s", cases[i].folder);
		if (found)
			ck_assert_str_eq(project, cases[i].project);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("detail");
	TCase *c = tcase_create("detail");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, functions_are_matched);
	tcase_add_test(c, calls_sum_to_what_is_inclusive);
	tcase_add_loop_test(c, calls_of_any_function_add_up, 0, 6);
	tcase_add_test(c, lines_have_their_costs);
	tcase_add_test(c, sources_are_found);
	tcase_add_test(c, projects);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
