/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_screens.c - what people see on a terminal of 80 columns and 24 lines, and on one of 200
 * and 50: a report's first screen, the browser, a comparison, as golden files.
 *
 * The terminal is played (screen.h): keys come from a text, and each picture is kept.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/diff/diff.h"
#include "src/diff/side.h"
#include "src/output/runs_formats.h"
#include "src/output/text/text.h"
#include "src/screen/browser.h"
#include "src/screen/lines.h"
#include "src/screen/screen.h"
#include "src/screen/shown.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define IMPLICIT PROF_STATE_BARRIER_IMPLICIT
#define SPACE "galaxy::detail::"

static const struct size {
	size_t columns, rows;
	const char *name;
} sizes[] = { { 80, 24, "80x24" }, { 200, 50, "200x50" } };
enum { SIZES = sizeof(sizes) / sizeof(*sizes), COLUMNS_MAX = 200, ROWS_MAX = 50 };

/* ---- the terminal ---------------------------------------------------- */

static struct {
	struct size size;
	char *row[ROWS_MAX];
	enum screen_look look[ROWS_MAX];
	const int *keys; /* ended by 0 */
	FILE *out;	 /* the pictures */
} played;

size_t screen_rows(void)
{
	return played.size.rows;
}

size_t screen_columns(void)
{
	return played.size.columns;
}

bool screen_colours(void)
{
	return false;
}

void screen_clear(void)
{
	for (size_t i = 0; i < ROWS_MAX; i++) {
		free(played.row[i]);
		played.row[i] = NULL;
	}
}

void screen_line(size_t row, const char *text, size_t from, enum screen_look look)
{
	const size_t n = strlen(text);

	ck_assert_uint_lt(row, played.size.rows);
	free(played.row[row]);
	played.row[row] =
		alloc_printf("%.*s", (int)played.size.columns, text + (from < n ? from : n));
	played.look[row] = look;
}

/* A picture: ">" marks the row that is selected. */
void screen_show(void)
{
	for (size_t i = 0; i < played.size.rows; i++)
		fprintf(played.out, "%c%s\n", played.look[i] == SCREEN_SELECTED ? '>' : ' ',
			played.row[i] ? played.row[i] : "");
	memset(played.look, 0, sizeof(played.look));
}

int screen_key(int timeout_ms)
{
	static const struct {
		int key;
		const char *name;
	} names[] = { { SCREEN_DOWN, "down" },
		      { SCREEN_ENTER, "enter" },
		      { SCREEN_ESCAPE, "escape" } };
	const int key = *played.keys ? *played.keys++ : 'q';

	(void)timeout_ms;
	fputs("\n----- ", played.out);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].key == key)
			fputs(names[i].name, played.out);
	fprintf(played.out, key < 0x100 ? "%c\n" : "\n", key);
	return key;
}

/* ---- a program ------------------------------------------------------- */

/* Uneven work in a loop of that function, in a region of it. */
static void uneven(const char *name, uint64_t ms)
{
	char *call = alloc_printf("main:30 step:50 " SPACE "%s(double*,int):40", name);
	char *body = alloc_printf(SPACE "%s._omp_fn.0:41", name);
	const uint32_t context = made_other(call);

	made_other_region(context, 10, ms, 2);
	made_in(context, 0, body, WORK, ms);
	made_in(context, 1, body, WORK, ms / 2);
	made_in(context, 1, body, IMPLICIT, ms - ms / 2);
	free(call);
	free(body);
}

/* Of one second of two threads: uneven loops, serial code, and threads that wait for a CPU. */
static void program(uint64_t first_ms)
{
	made_setup();
	uneven("gravity", first_ms);
	uneven("drift", 150);
	uneven("collide", 100);
	uneven("exchange", 60);
	made_outside(0, "main:60 libc!memcpy", PROF_STATE_SERIAL, 120);
	made_outside(1, "", PROF_STATE_IDLE, 110);
	made_scheduled(0, 700, 250);
	made_scheduled(1, 700, 240);
	made_end();
}

static struct report report_of(const struct size *size)
{
	return (struct report){
		.model = &made.s.model,
		.view = made.view,
		.losses = &made.losses,
		.placement = &made.placement,
		.findings = &made.findings,
		.limit_percent = 0.5,
		.columns = size->columns,
	};
}

static void golden(const char *what, const struct size *size, char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "screen-%s-%s.txt", what, size->name);
	golden_check(name, text);
	free(text);
}

/* ---- the screens ----------------------------------------------------- */

/* The last line is the prompt's. */
START_TEST(the_first_screen)
{
	const struct size *size = &sizes[_i];
	struct report r;
	char *text = NULL;
	size_t bytes, lines = 0;
	FILE *out = open_memstream(&text, &bytes);

	program(300);
	r = report_of(size);
	r.rows = size->rows - 1;
	ck_assert_int_eq(scene_output("text")->write(out, &r), 0);
	fclose(out);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_uint_lt(lines, size->rows);
	golden("report", size, text);
	made_teardown();
}
END_TEST

/* All tables, a source that is not there, the help. */
START_TEST(the_browser)
{
	static const int keys[] = {
		SCREEN_DOWN, 'p',	   SCREEN_DOWN, 'r', SCREEN_DOWN, 'c', 'f',
		'l',	     SCREEN_ENTER, 'q',		't', 'h',	  0
	};
	struct shown l = { .looks = false };
	char *text = NULL;
	size_t bytes;

	program(300);
	played.size = sizes[_i];
	played.keys = keys;
	played.out = open_memstream(&text, &bytes);
	l.view = made.view;
	l.lookup.resolver = made.s.resolver;
	l.report = report_of(&sizes[_i]);
	l.report.limit_percent = 0;
	browser_run(&l, NULL);
	screen_clear();
	fclose(played.out);
	golden("view", &sizes[_i], text);
	made_teardown();
}
END_TEST

/* Three runs a side, of which the second one's first loop takes less. */
START_TEST(a_comparison)
{
	const struct size *size = &sizes[_i];
	struct interner strings = { 0 };
	struct side sides[SIDES];
	struct diff diff;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	for (int side = 0; side < SIDES; side++) {
		side_init(&sides[side], &strings, 3);
		for (uint64_t i = 0; i < 3; i++) {
			const struct side_run run = {
				.profiles = 1,
				.elapsed_ns = (side ? 900 + 2 * i : 1000 + 3 * i) * MS,
				.threads = 2,
				.arguments = side ? "galaxy -n 4" : "galaxy -n 3",
				.host = "node17",
			};

			program((side ? 200 : 300) + i);
			side_add(&sides[side], &run, made.view, 0);
			made_teardown();
		}
	}
	diff_build(&diff, &sides[BEFORE], &sides[AFTER], DIFF_STRONG);
	const struct diff_report r = {
		.diff = &diff,
		.path = { "before", "after" },
		.event = "cpu-clock:u",
		.unit = PROF_UNIT_NS,
		.by = DIFF_BY_ALL,
		.limit_percent = 0.5,
		.columns = size->columns,
	};
	diff_text_write(out, &r);
	fclose(out);
	golden("diff", size, text);
	diff_fini(&diff);
	for (int side = 0; side < SIDES; side++)
		side_fini(&sides[side]);
	interner_free(&strings);
}
END_TEST

/* ---- lines ----------------------------------------------------------- */

/* Titles, then a row with two lines beneath it, five times, and a long text. */
static void many_lines(struct lines *l)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	const struct text t = { .out = out, .marked = true };

	fputs("titles\n", out);
	for (uint32_t i = 1; i <= 5; i++) {
		text_row(&t, i, 10 * i);
		fprintf(out, "row %u\nbeneath\nfurther\n", i);
	}
	for (int i = 0; i < 20; i++)
		fputs("text\n", out);
	fclose(out);
	*l = (struct lines){ .n = 0 };
	lines_set(l, text);
	lines_select(l, l->selected, 6);
}

/* Keys of the cursor: the row that is selected, and the first line that is seen. */
static const struct {
	const char *moves; /* d, u: a line; D, U: a page of 6; h, e: all */
	size_t number, top;
} moved[] = {
	{ "", 1, 1 },
	{ "d", 2, 1 },
	{ "dd", 3, 4 },
	{ "dddd", 5, 13 },
	{ "ddddd", 5, 14 },
	{ "dddddu", 5, 13 },
	{ "ddddddddddddu", 5, 20 },
	{ "u", 1, 1 },
	{ "D", 3, 7 },
	{ "DU", 1, 1 },
	{ "e", 5, 30 },
	{ "eh", 1, 1 },
	{ "euuuuuuuuuuuuuuuuu", 5, 13 },
};

START_TEST(only_rows_are_selected)
{
	struct lines l;

	many_lines(&l);
	for (const char *m = moved[_i].moves; *m; m++)
		lines_move(&l,
			   *m == 'd' ? 1 :
			   *m == 'u' ? -1 :
			   *m == 'D' ? 6 :
			   *m == 'U' ? -6 :
			   *m == 'h' ? -(long)l.n :
				       (long)l.n,
			   6);
	ck_assert_uint_eq(l.row[l.selected].number, moved[_i].number);
	ck_assert_uint_eq(l.row[l.selected].line, 10 * moved[_i].number);
	ck_assert_uint_eq(l.top, moved[_i].top);
	lines_fini(&l);
}
END_TEST

/* What is found may be beneath a row, or between rows; the next search goes on from there. */
START_TEST(a_search_selects_the_row)
{
	struct lines l;

	many_lines(&l);
	ck_assert(lines_search(&l, "further", false, 6));
	ck_assert_uint_eq(l.row[l.selected].number, 1);
	ck_assert(lines_search(&l, "FURTHER", false, 6));
	ck_assert_uint_eq(l.row[l.selected].number, 2);
	ck_assert(lines_search(&l, "text", true, 6));
	ck_assert_uint_eq(l.found, l.n - 1);
	ck_assert_uint_ge(l.found, l.top);
	ck_assert(!lines_search(&l, "nothing", false, 6));
	lines_fini(&l);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("screens");
	TCase *c = tcase_create("screens");

	tcase_add_loop_test(c, the_first_screen, 0, SIZES);
	tcase_add_loop_test(c, the_browser, 0, SIZES);
	tcase_add_loop_test(c, a_comparison, 0, SIZES);
	tcase_add_loop_test(c, only_rows_are_selected, 0, sizeof(moved) / sizeof(*moved));
	tcase_add_test(c, a_search_selects_the_row);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
