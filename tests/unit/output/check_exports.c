/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_exports.c - formats for other tools: their texts, their totals, and names in them.
 *
 * pprof's is in check_pprof.c; t-exports.sh has the tools themselves.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/output/columns/cells.h"
#include "src/output/csv/csv_table.h"
#include "src/profile/reader/reader.h"
#include "tests/support/csv_text.h"
#include "tests/support/demo_scene.h"
#include "tests/support/golden_text.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

/* ---- golden texts ---------------------------------------------------- */

static const struct {
	const char *name, *format;
	enum output_by by;
	bool lines;
	const char *columns;
} goldens[] = {
	{ "regions.csv", "csv", BY_REGION, false, NULL },
	{ "constructs.csv", "csv", BY_CONSTRUCT, false, NULL },
	{ "functions.csv", "csv", BY_FUNCTION, false, NULL },
	{ "lines.csv", "csv", BY_LINE, false, NULL },
	{ "paths.csv", "csv", BY_PATH, false, NULL },
	{ "paths-lines.csv", "csv", BY_PATH, true, "parent,node,function,line,weight" },
	{ "threads.csv", "csv", BY_THREAD, false, NULL },
	{ "states.csv", "csv", BY_STATE, false, NULL },
	{ "modules.csv", "csv", BY_MODULE, false, NULL },
	{ "files.csv", "csv", BY_FILE, false, NULL },
	{ "cpus.csv", "csv", BY_CPU, false, NULL },
	{ "memory.csv", "csv", BY_ADDRESS, false, NULL },
	{ "blame.csv", "csv", BY_BLAME, false, NULL },
	{ "tasks.csv", "csv", BY_TASK, false, NULL },
	{ "counts.csv", "csv", BY_COUNT, false, NULL },
	{ "columns.csv", "csv", BY_REGION, false, "work,region,cache*samples" },
	{ "columns-help.txt", "csv", BY_FUNCTION, false, "help" },
	{ "tasks.txt", "text", BY_TASK, false, NULL },
	{ "lines.folded", "folded", BY_PATH, true, NULL },
	{ "threads-lines.folded", "folded", BY_THREAD, true, NULL },
	{ "paths.speedscope.json", "speedscope", BY_PATH, false, NULL },
	{ "threads.speedscope.json", "speedscope", BY_THREAD, true, NULL },
	{ "demo.callgrind", "callgrind", BY_PATH, false, NULL },
	{ "demo.hatchet.json", "hatchet", BY_PATH, false, NULL },
	{ "lines.hatchet.json", "hatchet", BY_PATH, true, NULL },
};

START_TEST(golden_exports)
{
	char *text;

	demo_scene(&s);
	scene_process(&s);
	s.lines = goldens[_i].lines;
	s.wanted = goldens[_i].columns;
	s.losses = true;
	text = scene_write(&s, VIEW_USER, goldens[_i].format, goldens[_i].by, 0, 0);
	golden_check(goldens[_i].name, text);
	free(text);
}
END_TEST

/* ---- totals ---------------------------------------------------------- */

static uint64_t true_total(size_t event)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < s.model.nprocesses; p++) {
		const struct model_process *process = &s.model.processes[p];

		for (size_t i = 0; i < process->file->nnodes; i++) {
			const struct prof_rnode *n = &process->file->nodes[i];

			if (n->kind == PROF_NODE_LEAF && process->event[n->event] == event)
				sum += n->b;
		}
	}
	return sum;
}

/* Each table of all samples; work, wait, overhead and what is blocked add up to it. */
static void csv_totals(enum view_kind view, enum output_by by)
{
	static const char *const parts[] = { "work", "wait", "overhead", "blocked" };
	char *text = scene_write(&s, view, "csv", by, 0, 0), name[64];
	struct csv_text t;

	csv_text_read(&t, text);
	for (size_t e = 0; e < s.model.nevents; e++) {
		const char *unit = s.model.events[e].unit == PROF_UNIT_NS ? "ns" : "events";
		uint64_t sum = 0;

		snprintf(name, sizeof(name), "%s_%s", s.model.events[e].label, unit);
		ck_assert_uint_eq(csv_text_sum(&t, name), true_total(e));
		for (size_t i = 0; i < 4 && by != BY_CPU; i++) {
			snprintf(name, sizeof(name), "%s_%s_%s", s.model.events[e].label, parts[i],
				 unit);
			if (i < 3 || strstr(text, name))
				sum += csv_text_sum(&t, name);
		}
		if (by != BY_CPU)
			ck_assert_uint_eq(sum, true_total(e));
	}
	csv_text_free(&t);
	free(text);
}

START_TEST(csv_has_all)
{
	static const enum output_by all[] = { BY_REGION, BY_FUNCTION, BY_LINE,	    BY_PATH,
					      BY_THREAD, BY_STATE,    BY_MODULE,    BY_FILE,
					      BY_CPU,	 BY_ADDRESS,  BY_CONSTRUCT, BY_PHASE };

	random_scene(&s, (unsigned)_i);
	for (int view = 0; view < VIEW_KINDS; view++)
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			csv_totals((enum view_kind)view, all[i]);
}
END_TEST

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	ck_assert_msg(json_object_object_get_ex(o, key, &value), "no %s", key);
	return value;
}

static struct json_object *parsed(char *text)
{
	struct json_object *o = json_tokener_parse(text);

	ck_assert_ptr_nonnull(o);
	free(text);
	return o;
}

/* The weights of one profile, whose stacks have frames that there are. */
static uint64_t speedscope_sum(struct json_object *profile, size_t nframes)
{
	struct json_object *samples = member(profile, "samples");
	struct json_object *weights = member(profile, "weights");
	uint64_t sum = 0;

	ck_assert_uint_eq(json_object_array_length(samples), json_object_array_length(weights));
	for (size_t i = 0; i < json_object_array_length(weights); i++) {
		struct json_object *stack = json_object_array_get_idx(samples, i);

		for (size_t f = 0; f < json_object_array_length(stack); f++)
			ck_assert_uint_lt(json_object_get_uint64(
						  json_object_array_get_idx(stack, f)),
					  nframes);
		sum += json_object_get_uint64(json_object_array_get_idx(weights, i));
	}
	ck_assert_uint_eq(json_object_get_uint64(member(profile, "endValue")), sum);
	return sum;
}

static uint64_t speedscope_total(struct json_object *file, const char *label)
{
	struct json_object *profiles = member(file, "profiles");
	struct json_object *frames = member(member(file, "shared"), "frames");
	uint64_t sum = 0;

	for (size_t i = 0; i < json_object_array_length(profiles); i++) {
		struct json_object *p = json_object_array_get_idx(profiles, i);
		const char *name = json_object_get_string(member(p, "name"));
		const size_t n = strlen(label);

		if (!strncmp(name, label, n) && (!name[n] || name[n] == ','))
			sum += speedscope_sum(p, json_object_array_length(frames));
	}
	return sum;
}

START_TEST(speedscope_has_all)
{
	random_scene(&s, (unsigned)_i);
	for (int view = 0; view < VIEW_KINDS; view++)
		for (unsigned by = BY_PATH; by <= BY_THREAD; by++) {
			struct json_object *o;

			s.lines = view == VIEW_EXPERT;
			o = parsed(scene_write(&s, (enum view_kind)view, "speedscope",
					       (enum output_by)by, 0, 0));
			for (size_t e = 0; e < s.model.nevents; e++)
				ck_assert_uint_eq(speedscope_total(o, s.model.events[e].label),
						  true_total(e));
			json_object_put(o);
		}
}
END_TEST

/* The sum of a metric over nodes; inclusive: that of the children and the node's own. */
static uint64_t hatchet_sum(struct json_object *nodes, const char *metric)
{
	char inclusive[64];
	uint64_t sum = 0;

	snprintf(inclusive, sizeof(inclusive), "%s (inc)", metric);
	for (size_t i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		struct json_object *metrics = member(node, "metrics");
		uint64_t all = hatchet_sum(member(node, "children"), metric);

		ck_assert_ptr_nonnull(
			json_object_get_string(member(member(node, "frame"), "name")));
		all += json_object_get_uint64(member(metrics, metric));
		ck_assert_uint_eq(json_object_get_uint64(member(metrics, inclusive)), all);
		sum += all;
	}
	return sum;
}

START_TEST(hatchet_has_all)
{
	random_scene(&s, (unsigned)_i);
	for (int view = 0; view < VIEW_KINDS; view++) {
		struct json_tokener *deep = json_tokener_new_ex(4096);
		char *text = scene_write(&s, (enum view_kind)view, "hatchet", BY_PATH, 0, 0);
		struct json_object *o = json_tokener_parse_ex(deep, text, -1);

		ck_assert_ptr_nonnull(o);
		for (size_t e = 0; e < s.model.nevents; e++)
			ck_assert_uint_eq(hatchet_sum(o,
						      s.model.events[e].unit == PROF_UNIT_NS && !e ?
							      "time" :
							      s.model.events[e].label),
					  true_total(e));
		json_object_put(o);
		json_tokener_free(deep);
		free(text);
	}
}
END_TEST

/* Adds up the functions' own costs; those of calls follow a line with calls=. */
static void callgrind_check(const char *text)
{
	uint64_t sum[MODEL_EVENTS_MAX] = { 0 }, total = 0;
	bool call = false;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		char *at;

		if (!strncmp(line, "calls=", 6))
			call = true;
		if (*line < '0' || *line > '9')
			continue;
		strtoul(line, &at, 10);
		for (size_t e = 0; e < s.model.nevents; e++)
			sum[e] += call ? strtoull(at, &at, 10) * 0 : strtoull(at, &at, 10);
		ck_assert_int_eq(*at, '\n');
		call = false;
	}
	text = strstr(text, "\ntotals:");
	ck_assert_ptr_nonnull(text);
	text += strlen("\ntotals:");
	for (size_t e = 0; e < s.model.nevents; e++) {
		total = strtoull(text, (char **)(uintptr_t)&text, 10);
		ck_assert_uint_eq(total, true_total(e));
		ck_assert_uint_eq(sum[e], total);
	}
}

START_TEST(callgrind_has_all)
{
	random_scene(&s, (unsigned)_i);
	for (int view = 0; view < VIEW_KINDS; view++) {
		char *text = scene_write(&s, (enum view_kind)view, "callgrind", BY_PATH, 0, 0);

		callgrind_check(text);
		free(text);
	}
}
END_TEST

/* A function that calls itself: its calls have each sample once. */
START_TEST(callgrind_counts_recursion_once)
{
	const uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));
	char *text;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	mk_leaf(s.mk, scene_path(&s, root, "main:3 fib:5 fib:6 fib:7"), 0, PROF_STATE_SERIAL, 0, 1,
		100);
	mk_leaf(s.mk, scene_path(&s, root, "main:3 fib:5"), 0, PROF_STATE_SERIAL, 0, 1, 10);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "callgrind", BY_PATH, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "calls=2 0\n3 110\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n5 10\n7 100\n"));
	ck_assert_ptr_null(strstr(strstr(text, "calls=") + 1, "calls="));
	free(text);
}
END_TEST

/* ---- names ----------------------------------------------------------- */

enum { LONG_NAME = 10000 };

/* A function whose name has everything; and one of 10,000 characters. */
static void odd_names(char *lengthy)
{
	const uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));
	char path[LONG_NAME + 64];

	memset(lengthy, 'n', LONG_NAME);
	lengthy[LONG_NAME] = '\0';
	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	snprintf(path, sizeof(path), "main:3 %s:4", lengthy);
	mk_leaf(s.mk, scene_path(&s, root, path), 0, PROF_STATE_SERIAL, 0, 1, 1);
	/* A path's names have no blanks: U+00A0 is one. */
	mk_leaf(s.mk,
		scene_path(&s, root,
			   "main:3 own::f<\"a,b\">::größe::函数(int,\xc2\xa0long):5 =1+cmd|'x':6"),
		0, PROF_STATE_SERIAL, 0, 1, 2);
	scene_process(&s);
}

static const char *const exports[] = { "csv", "speedscope", "callgrind", "hatchet", "folded" };

START_TEST(names_survive)
{
	char lengthy[LONG_NAME + 1], *text;

	odd_names(lengthy);
	text = scene_write(&s, VIEW_USER, exports[_i], BY_PATH, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, lengthy));
	ck_assert_ptr_nonnull(strstr(text, "größe::函数(int,\xc2\xa0long)"));
	ck_assert_ptr_nonnull(strstr(text, "=1+cmd|'x'"));
	free(text);
}
END_TEST

/* What a spreadsheet would take for a formula has an apostrophe before it. */
START_TEST(csv_has_no_formula)
{
	char lengthy[LONG_NAME + 1], *text;
	struct csv_text t;
	size_t column, found = 0;

	odd_names(lengthy);
	text = scene_write(&s, VIEW_USER, "csv", BY_FUNCTION, 0, 0);
	csv_text_read(&t, text);
	column = csv_text_column(&t, "function");
	for (size_t r = 1; r < t.nrows; r++) {
		found += !strcmp(t.rows[r][column], "'=1+cmd|'x'");
		found += !strcmp(t.rows[r][column],
				 "own::f<\"a,b\">::größe::函数(int,\xc2\xa0long)");
		found += !strcmp(t.rows[r][column], lengthy);
	}
	ck_assert_uint_eq(found, 3);
	csv_text_free(&t);
	free(text);
}
END_TEST

/* No byte that a terminal obeys, whatever the profile's names are. */
START_TEST(nothing_hostile_is_exported)
{
	static const char evil[] = "main:3 e\x1b[31mvil\xc2\x9b\x07:4 \x9b\xff;two\r:5";
	const uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));
	char *text;

	mk_event(s.mk, "cy\x1b[31mcles\n", PROF_UNIT_EVENTS);
	mk_leaf(s.mk, scene_path(&s, root, evil), 0, PROF_STATE_SERIAL, 0, 1, 2);
	scene_process(&s);
	s.lines = true;
	text = scene_write(&s, VIEW_USER, exports[_i], BY_PATH, 0, 0);
	for (const unsigned char *u = (const unsigned char *)text; *u; u++) {
		ck_assert_msg(*u >= 0x20 || *u == '\n' || *u == '\t', "%s", text);
		ck_assert_msg(*u != 0x7f && !(*u == 0xc2 && u[1] < 0xa0), "%s", text);
		ck_assert_msg(*u < 0x80 || *u >= 0xa0 || u[-1] >= 0x80, "%s", text);
	}
	free(text);
}
END_TEST

/* ---- columns --------------------------------------------------------- */

START_TEST(columns_are_selected)
{
	static const struct {
		const char *wanted, *first, *why;
	} cases[] = {
		{ "function", "function\n", NULL },
		{ "line,function,line", "line,function,line\n", NULL },
		{ "weight,samples", "cpu-clock:u_ns,cpu-clock:u_samples\n", NULL },
		{ "cache*work*", "cache-misses:u_work_events\n", NULL },
		{ "functoin", NULL, "did you mean function?" },
		{ "function,", NULL, "--columns help lists them" },
	};
	char *text = NULL;
	struct trouble trouble = { 0 };
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct report r = { .model = &s.model, .by = BY_FUNCTION, .wanted = cases[_i].wanted };
	struct view *v;
	int err;

	demo_scene(&s);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	r.view = v;
	r.trouble = &trouble;
	err = scene_output("csv")->write(out, &r);
	fclose(out);
	if (cases[_i].first) {
		ck_assert_int_eq(err, 0);
		ck_assert_msg(!strncmp(text, cases[_i].first, strlen(cases[_i].first)), "%s", text);
	} else {
		ck_assert_int_eq(err, -EINVAL);
		ck_assert_str_eq(trouble.todo, cases[_i].why);
		ck_assert_uint_eq(size, 0);
	}
	view_free(v);
	free(text);
}
END_TEST

/* Every cell that a row has is a column's: a misspelt key is no empty column. */
static void misspelt_rows(const struct cells *c)
{
	cells_number(c, "samlpes", 1);
	cells_end(c, COSTS_NONE, NULL);
}

START_TEST(a_cell_has_a_column)
{
	static const struct column columns[] = { { "samples", "" }, { NULL, NULL } };
	static const struct flat_table table = { columns, COSTS_NONE, misspelt_rows };
	struct trouble trouble = { 0 };
	struct report r = { .model = &s.model, .trouble = &trouble };
	FILE *out = tmpfile();

	demo_scene(&s);
	scene_process(&s);
	ck_assert_int_eq(csv_table(out, &r, &table, NULL), -EINVAL);
	ck_assert_str_eq(trouble.what, "column samlpes");
	fclose(out);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("exports");
	TCase *c = tcase_create("exports");

	/* Seconds; enough on a busy machine. */
	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, golden_exports, 0, sizeof(goldens) / sizeof(*goldens));
	tcase_add_loop_test(c, csv_has_all, 0, 6);
	tcase_add_loop_test(c, speedscope_has_all, 0, 6);
	tcase_add_loop_test(c, hatchet_has_all, 0, 6);
	tcase_add_loop_test(c, callgrind_has_all, 0, 6);
	tcase_add_test(c, callgrind_counts_recursion_once);
	tcase_add_loop_test(c, names_survive, 0, sizeof(exports) / sizeof(*exports));
	tcase_add_test(c, csv_has_no_formula);
	tcase_add_loop_test(c, nothing_hostile_is_exported, 0, sizeof(exports) / sizeof(*exports));
	tcase_add_loop_test(c, columns_are_selected, 0, 6);
	tcase_add_test(c, a_cell_has_a_column);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
