/* SPDX-License-Identifier: BSD-3-Clause */
/* check_library_calls.c - code that the program has no source of is shown as the call of it. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/construct_kind.h"
#include "src/path/sites.h"
#include "src/profile/reader/reader.h"
#include "src/tables/tables.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;
static uint32_t master;
static uint64_t jump; /* of what answer_jump() answers; 0: none */

static void setup(void)
{
	scene_init(&s);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	jump = 0;
}

static void teardown(void)
{
	scene_fini(&s);
}

static void leaf(uint32_t at, uint64_t samples)
{
	mk_leaf(s.mk, at, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, samples, samples);
}

/* The code at lines from 100 on names the function that it calls; a jump is at line 30. */
static void answer_called(void *self, const struct question *q, struct answer *a)
{
	const struct resolver names = { scene_answer, self };
	unsigned line;

	if (q->query != QUERY_CALLED) {
		scene_answer(self, q, a);
		return;
	}
	line = ask(&names, q->file, QUERY_RESOLVE, q->loc, q->exact).location->frames[0].line;
	if (q->exact ? line == 30 : line >= 100)
		a->text = q->exact ? "memcpy" : line == 199 ? "GOMP_barrier" : "cos";
}

static void answer_jump(void *self, const struct question *q, struct answer *a)
{
	answer_called(self, q, a);
	if (q->query == QUERY_TAIL && jump)
		*a = (struct answer){ .known = true, .at = jump, .construct = CONSTRUCT_SERIAL };
}

static void answer_nothing(void *self, const struct question *q, struct answer *a)
{
	(void)self;
	(void)q;
	(void)a;
}

/* ---- paths ----------------------------------------------------------- */

static const struct shown {
	const char *path, *user, *unfolded, *called;
	unsigned line; /* of the program's */
} shown[] = {
	{ "main:20 solve:12", "main;solve", "main;solve", NULL, 12 },
	{ "main:20 solve:12 libc!qsort libc!msort", "main;solve;qsort", "main;solve;qsort;msort",
	  "qsort", 12 },
	/* The program's name of it, where its code has one */
	{ "main:20 solve:112 libc!__cos_fma libc!round", "main;solve;cos",
	  "main;solve;__cos_fma;round", "cos", 112 },
	/* The loader looks for what is called, which is not the library's. */
	{ "main:20 solve:199 libc!_dl_runtime_resolve libc!_dl_fixup",
	  "main;solve;_dl_runtime_resolve", "main;solve;_dl_runtime_resolve;_dl_fixup",
	  "_dl_runtime_resolve", 199 },
	/* What a library calls back is the program's, and so is what that calls. */
	{ "main:20 libc!qsort libc!msort compare:9", "main;qsort;compare",
	  "main;qsort;msort;compare", NULL, 9 },
	{ "main:20 libc!qsort libc!msort compare:9 libc!strcmp", "main;qsort;compare;strcmp",
	  "main;qsort;msort;compare;strcmp", "strcmp", 9 },
	/* What is inlined of a header is the line's own. */
	{ "main:20 solve:12^std::at:1", "main;solve", "main;solve;std::at", NULL, 12 },
	{ "main:20 solve:12^std::at:1^std::ref:2 libc!malloc", "main;solve;malloc",
	  "main;solve;std::at;std::ref;malloc", "malloc", 12 },
	{ "main:20 solve:12^std::at:1^body:5", "main;solve;body", "main;solve;std::at;body", NULL,
	  5 },
	/* A header's function has the name by which the program calls it, inlined or not. */
	{ "main:20 solve:12 std::sort:1 std::loop:2", "main;solve;std::sort",
	  "main;solve;std::sort;std::loop", "std::sort", 12 },
	{ "main:20 solve:12^std::sort:1 std::loop:2 libc!memmove", "main;solve;std::sort",
	  "main;solve;std::sort;std::loop;memmove", "std::sort", 12 },
	{ "main:20 solve:12^std::sort:1 std::loop:2 less:5", "main;solve;std::sort;less",
	  "main;solve;std::sort;std::loop;less", NULL, 5 },
	/* A stub is a part of the call. */
	{ "main:20 solve:12 malloc@plt", "main;solve", "main;solve;malloc@plt", NULL, 12 },
	/* Nobody called it. */
	{ "std::run:9 work:5", "std::run;work", "std::run;work", NULL, 5 },
	{ "std::run:9", "std::run", "std::run", NULL, 9 },
};

START_TEST(paths_end_with_the_call)
{
	const struct shown *x = &shown[_i];
	const struct view_record *r;
	char *text, expected[200];
	uint32_t called;
	struct view *v;

	s.resolver.answer = answer_called;
	leaf(scene_path(&s, master, x->path), 10);
	scene_process(&s);
	for (int unfold = 0; unfold < 2; unfold++) {
		s.unfold = unfold;
		snprintf(expected, sizeof(expected), "%s 10\n", unfold ? x->unfolded : x->user);
		text = scene_folded(&s, VIEW_USER);
		ck_assert_str_eq(text, expected);
		free(text);
	}
	text = scene_folded(&s, VIEW_EXPERT);
	ck_assert_str_eq(text, expected);
	free(text);
	s.unfold = false;
	v = scene_view(&s, VIEW_USER);
	r = &v->records[0];
	called = view_called(v, r->node);
	ck_assert_uint_eq(v->names.lines[r->line].line, x->line);
	ck_assert_uint_eq(!called, !x->called);
	if (called)
		ck_assert_str_eq(v->names.functions[called].name, x->called);
	view_free(v);
}
END_TEST

/* solve called copy, which left by a jump to the library's function. */
START_TEST(functions_that_left_are_found)
{
	uint32_t at = scene_path(&s, master, "main:20 solve:12");

	s.resolver.answer = answer_jump;
	jump = scene_object(&s, "copy:30");
	leaf(scene_path(&s, at, "libc!__memmove_avx"), 10);
	scene_process(&s);
	char *text = scene_folded(&s, VIEW_USER);

	ck_assert_str_eq(text, "main;solve;copy;memcpy 10\n");
	free(text);
}
END_TEST

/* ---- tables ---------------------------------------------------------- */

static void tell(struct view *v, enum table_key by, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	uint64_t sum = 0;
	struct table t;

	table_build(v, by, &t);
	if (by == TABLE_CALL)
		table_add_inclusive(v, by, &t);
	table_sort(&t, 0);
	for (size_t i = 0; i < t.n; i++) {
		char *name = by == TABLE_CALL ? table_call_label(v, &t.rows[i]) :
						table_line_label(v, t.rows[i].key);

		fprintf(out, "%s %d", name, (int)cost_sum(t.rows[i].self, 0).weight);
		if (by == TABLE_CALL)
			fprintf(out, " of %d", (int)cost_sum(t.rows[i].inclusive, 0).weight);
		putc('\n', out);
		sum += cost_sum(t.rows[i].self, 0).weight;
		free(name);
	}
	ck_assert_uint_eq(sum, cost_sum(t.total, 0).weight);
	ck_assert_uint_eq(sum, 116);
	table_fini(&t);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(rows_name_the_caller)
{
	struct view *v;

	mk_module(s.mk, "/nowhere/libm.so.6", 0);
	leaf(scene_path(&s, master, "main:20 solve:12 libc!cos"), 40);
	leaf(scene_path(&s, master, "main:20 solve:13 libc!cos libc!round"), 30);
	leaf(scene_path(&s, master, "main:20 libc!cos"), 20);
	leaf(scene_path(&s, master, "main:20 solve:12"), 10);
	/* The entry left by a jump to another library. */
	s.resolver.answer = answer_called;
	leaf(scene_path(&s, master, "main:20 part:112 libm!__cos_fma"), 3);
	leaf(scene_path(&s, master, "main:20 part:112 libc!abort"), 2);
	leaf(scene_path(&s, master, "main:20 libc!qsort compare:9"), 8);
	leaf(scene_path(&s, master, "main:20 libc!qsort"), 3);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	tell(v, TABLE_LINE,
	     "cos(), called at solve (app.c:12) 40\n"
	     "cos(), called at solve (app.c:13) 30\n"
	     "cos(), called at main (app.c:20) 20\n"
	     "solve (app.c:12) 10\n"
	     "compare (app.c:9) 8\n"
	     "cos(), called at part (app.c:112) 5\n"
	     "qsort(), called at main (app.c:20) 3\n");
	tell(v, TABLE_CALL,
	     "cos(), called by solve (app.c) 70 of 70\n"
	     "cos(), called by main (app.c) 20 of 20\n"
	     "solve (app.c) 10 of 80\n"
	     "compare (app.c) 8 of 8\n"
	     "cos(), called by part (app.c) 5 of 5\n"
	     "qsort(), called by main (app.c) 3 of 11\n"
	     "main (app.c) 0 of 116\n"
	     "part (app.c) 0 of 5\n");
	view_free(v);
}
END_TEST

/* ---- whose code it is ------------------------------------------------ */

static const struct owned {
	const char *program, *module;
	bool systems;
} owned[] = {
	{ "/home/u/app", "/usr/lib/x86_64-linux-gnu/libopenblas.so.0", true },
	{ "/home/u/app", "/lib64/libm.so.6", true },
	{ "/home/u/app", "/opt/gcc-13/lib64/libstdc++.so.6", true },
	{ "/home/u/app", "/home/u/lib/libmodel.so", false },
	{ "/home/u/app", "/usr/local/lib/libmodel.so", false },
	{ "/usr/local/bin/app", "/usr/lib/libz.so.1", true },
	/* A program of the system's has libraries of its own there. */
	{ "/usr/bin/lmp", "/usr/lib/x86_64-linux-gnu/liblammps.so.0", false },
	{ "/usr/bin/lmp", "/usr/lib/x86_64-linux-gnu/libc.so.6", true },
	{ "/usr/lib/app/main", "/usr/lib/x86_64-linux-gnu/libm-2.31.so", true },
};

START_TEST(whose_modules_are)
{
	struct prof_rmodule modules[] = {
		{ .id = 1,
		  .flags = PROF_MODULE_MAIN,
		  .path = (char *)(uintptr_t)owned[_i].program },
		{ .id = 2, .path = (char *)(uintptr_t)owned[_i].module },
	};
	const struct prof_file f = { .modules = modules, .nmodules = 2 };
	const struct resolver r = { .answer = answer_nothing };
	struct sites sites;

	sites_init(&sites, NULL, &r, &f);
	ck_assert(!sites.systems[0]);
	ck_assert_int_eq(sites.systems[1], owned[_i].systems);
	sites_fini(&sites);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("library_calls");
	TCase *c = tcase_create("library_calls");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, paths_end_with_the_call, 0, sizeof(shown) / sizeof(*shown));
	tcase_add_test(c, functions_that_left_are_found);
	tcase_add_test(c, rows_name_the_caller);
	tcase_add_loop_test(c, whose_modules_are, 0, sizeof(owned) / sizeof(*owned));
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
