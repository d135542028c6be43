/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_page.c - what the HTML page is made of: paths without the small ones, and data that no
 * name can end.
 */
#include "config.h"

#include <check.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/tables/flame.h"
#include "src/tables/tables.h"
#include "src/view/view.h"
#include "tests/support/demo_scene.h"
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

/* ---- sums ------------------------------------------------------------ */

static void check_sum(const struct flame_tree *t, const struct cost *total, size_t nevents)
{
	const size_t block = nevents * OMP_CLASSES;
	struct cost *sum = calloc(block + 1, sizeof(*sum));

	for (size_t i = 0; i < t->tree.n; i++)
		cost_add(sum, &t->self[i * block], nevents);
	for (size_t i = 0; i < block; i++) {
		ck_assert_uint_eq(sum[i].weight, total[i].weight);
		ck_assert_uint_eq(sum[i].samples, total[i].samples);
	}
	free(sum);
}

static void check_view(enum view_kind kind)
{
	struct view *v = scene_view(&s, kind);
	struct table t;
	struct flame f;

	flame_build(v, &f);
	table_build(v, TABLE_STATE, &t);
	check_sum(&f.callees, t.total, f.nevents);
	check_sum(&f.callers, t.total, f.nevents);
	table_fini(&t);
	/* It has copies of what it needs. */
	view_free(v);
	ck_assert_str_eq(f.functions[0].name, "(small)");
	flame_fini(&f);
}

START_TEST(sums_are_the_total)
{
	random_scene(&s, (unsigned)_i);
	for (unsigned kind = 0; kind < VIEW_KINDS; kind++)
		check_view((enum view_kind)kind);
}
END_TEST

/* The own cost of a node's descendants. */
static uint64_t weight_below(const struct flame_tree *t, uint32_t node)
{
	uint64_t *all = calloc(t->tree.n, sizeof(*all)), below;

	for (size_t i = t->tree.n; i-- > 0;) {
		all[i] += cost_sum(&t->self[i * OMP_CLASSES], 0).weight;
		if (i)
			all[t->tree.nodes[i].parent] += all[i];
	}
	below = all[node];
	free(all);
	return below;
}

/* Each function's own cost is that of its node beneath the root of the callers. */
START_TEST(callers_begin_with_own_costs)
{
	struct view *v;
	struct table t;
	struct flame f;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));

	mk_leaf(s.mk, scene_path(&s, root, "main:1 a:2 c:3"), 0, PROF_STATE_SERIAL, 0, 1, 10);
	mk_leaf(s.mk, scene_path(&s, root, "main:1 b:2 c:3"), 0, PROF_STATE_SERIAL, 0, 1, 20);
	mk_leaf(s.mk, scene_path(&s, root, "main:1 b:2"), 0, PROF_STATE_SERIAL, 0, 1, 5);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	flame_build(v, &f);
	table_build(v, TABLE_FUNCTION, &t);
	for (size_t i = 0; i < t.n; i++) {
		const char *name = v->names.functions[t.rows[i].key].name;
		uint64_t found = 0;

		for (uint32_t n = 1; n < f.callers.tree.n; n++)
			if (!f.callers.tree.nodes[n].parent &&
			    !strcmp(f.functions[f.callers.tree.nodes[n].function].name, name))
				found = weight_below(&f.callers, n);
		ck_assert_uint_eq(found, cost_sum(t.rows[i].self, 0).weight);
	}
	/* all, c, b, a, and main four times: above b, above a and b above c. */
	ck_assert_uint_eq(f.callers.tree.n, 8);
	table_fini(&t);
	view_free(v);
	flame_fini(&f);
}
END_TEST

/* ---- pruning --------------------------------------------------------- */

enum { WIDE = 28 };

/* WIDE^3 paths of equal cost, and a large one. */
static void many_paths(void)
{
	uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));
	char name[3][32];

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	for (unsigned i = 0; i < WIDE * WIDE * WIDE; i++) {
		snprintf(name[0], sizeof(name[0]), "first%u:1", i % WIDE);
		snprintf(name[1], sizeof(name[1]), "second%u:1", i / WIDE % WIDE);
		snprintf(name[2], sizeof(name[2]), "third%u:1", i / WIDE / WIDE);
		uint32_t at = scene_path(&s, root, name[0]);

		at = scene_path(&s, scene_path(&s, at, name[1]), name[2]);
		mk_leaf(s.mk, at, 0, PROF_STATE_SERIAL, 0, 1, 100);
	}
	mk_leaf(s.mk, scene_path(&s, root, "large:1"), 0, PROF_STATE_SERIAL, 0, 1, 1000000);
	scene_process(&s);
}

/* Of each so many nodes, those of functions have the least share. */
static void check_pruned(const struct flame_tree *t)
{
	const uint64_t all = weight_below(t, 0);

	ck_assert_uint_le(t->tree.n, 2 * FLAME_NODES_MAX);
	ck_assert(t->least > 0);
	for (uint32_t i = 1; i < t->tree.n; i += t->tree.n / 500 + 1)
		if (t->tree.nodes[i].function)
			ck_assert((double)weight_below(t, i) >= t->least * (double)all);
}

START_TEST(small_paths_are_folded)
{
	struct view *v;
	struct table t;
	struct flame f;

	many_paths();
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_gt(v->tree.n, 2 * FLAME_NODES_MAX);
	flame_build(v, &f);
	table_build(v, TABLE_STATE, &t);
	check_sum(&f.callees, t.total, 1);
	check_sum(&f.callers, t.total, 1);
	check_pruned(&f.callees);
	check_pruned(&f.callers);
	table_fini(&t);
	view_free(v);
	flame_fini(&f);
}
END_TEST

/* ---- the page -------------------------------------------------------- */

static int occurrences(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

/* Names of functions and of files as a program may have them. */
static const char *const hostile[] = {
	"</script><img/src=x/onerror=alert(1)>",
	"<!--<script>",
	"\xe2\x80\xa8line\xe2\x80\xa9",
	"\xff\xfe\xc0",
	"\"];alert(1);//",
};

START_TEST(no_name_ends_the_data)
{
	char name[12000], *page, *data, *end;
	struct json_object *parsed;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 1));

	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++)
		mk_leaf(s.mk, scene_path(&s, root, hostile[i]), 0, PROF_STATE_SERIAL, 0, 1, 10);
	memset(name, 'x', 10000);
	name[10000] = '\0';
	mk_leaf(s.mk, scene_path(&s, root, name), 0, PROF_STATE_SERIAL, 0, 1, 10);
	mk_text(s.mk, PROF_INFO_NOTE, "</script><script>alert(1)</script>");
	scene_process(&s);
	page = scene_write(&s, VIEW_USER, "html", BY_REGION, 0, 0);
	ck_assert_int_eq(occurrences(page, "</script"), 2);
	ck_assert_int_eq(occurrences(page, "<script"), 2);
	ck_assert_int_eq(occurrences(page, "<!--"), 0);
	data = strchr(strstr(page, " id=\"data\">"), '\n') + 1;
	end = strstr(data, "</script>");
	*end = '\0';
	ck_assert_ptr_null(strchr(data, '<'));
	parsed = json_tokener_parse(data);
	ck_assert_ptr_nonnull(parsed);
	ck_assert_ptr_nonnull(strstr(data, name));
	json_object_put(parsed);
	free(page);
}
END_TEST

/* Whatever is in a profile, the data are JSON with a root for each view and direction. */
START_TEST(any_data_are_json)
{
	static const char *const trees[] = { "callees", "callers" };
	struct json_object *page, *flames, *tree;
	char *text, *data;

	random_scene(&s, (unsigned)_i);
	text = scene_write(&s, VIEW_USER, "html", BY_REGION, 0, 0);
	data = strchr(strstr(text, " id=\"data\">"), '\n') + 1;
	*strstr(data, "</script>") = '\0';
	page = json_tokener_parse(data);
	ck_assert_ptr_nonnull(page);
	flames = json_object_object_get(page, "flames");
	for (unsigned kind = 0; kind < VIEW_KINDS; kind++)
		for (size_t t = 0; t < 2; t++) {
			tree = json_object_object_get(flames, view_name((enum view_kind)kind));
			tree = json_object_object_get(tree, trees[t]);
			ck_assert_uint_gt(json_object_array_length(
						  json_object_object_get(tree, "parent")),
					  0);
		}
	json_object_put(page);
	free(text);
}
END_TEST

/* Nothing is loaded, and nothing runs but what the policy has the hash of. */
START_TEST(page_is_by_itself)
{
	char *page;

	demo_scene(&s);
	scene_process(&s);
	page = scene_write(&s, VIEW_USER, "html", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(page, "content=\"default-src 'none'; script-src 'sha256-"));
	ck_assert_int_eq(occurrences(page, " src="), 0);
	ck_assert_int_eq(occurrences(page, "unsafe"), 0);
	ck_assert_int_eq(occurrences(page, "innerHTML"), 0);
	ck_assert_int_eq(occurrences(page, "@policy@"), 0);
	ck_assert_int_eq(occurrences(page, "\nimport "), 0);
	free(page);
}
END_TEST

/* ---- many threads ---------------------------------------------------- */

enum { THREADS = 600, EACH = 3 }; /* the least number with at most 256 rows */

/* The weight of work in each row of the page's only region. */
static void check_rows(struct json_object *page)
{
	struct json_object *regions = json_object_object_get(page, "regions");
	struct json_object *cells, *region = json_object_array_get_idx(regions, 0);
	int64_t sum = 0, weight;

	cells = json_object_array_get_idx(json_object_object_get(region, "rows"), 0);
	ck_assert_uint_eq(json_object_array_length(cells), THREADS / EACH * 4);
	for (size_t i = 0; i < json_object_array_length(cells); i += 4) {
		ck_assert_int_eq(json_object_get_int64(json_object_array_get_idx(cells, i)),
				 (int64_t)i / 4);
		weight = json_object_get_int64(json_object_array_get_idx(cells, i + 2));
		ck_assert_int_eq(weight, EACH * 10);
		sum += weight;
	}
	ck_assert_int_eq(sum, THREADS * 10);
}

START_TEST(many_threads_are_grouped)
{
	struct json_object *page;
	char *text, *data;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_OTHER, i + 1));

		mk_leaf(s.mk, scene_path(&s, root, "work:1"), 0, PROF_STATE_SERIAL, 0, 1, 10);
	}
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "html", BY_REGION, 0, 0);
	data = strchr(strstr(text, " id=\"data\">"), '\n') + 1;
	*strstr(data, "</script>") = '\0';
	page = json_tokener_parse(data);
	ck_assert_ptr_nonnull(page);
	ck_assert_int_eq(json_object_get_int(json_object_object_get(page, "row_threads")), EACH);
	ck_assert_uint_eq(json_object_array_length(json_object_object_get(page, "rows")),
			  THREADS / EACH);
	check_rows(page);
	json_object_put(page);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("page");
	TCase *t = tcase_create("page");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, sums_are_the_total, 0, 12);
	tcase_add_test(t, callers_begin_with_own_costs);
	tcase_add_test(t, small_paths_are_folded);
	tcase_add_test(t, no_name_ends_the_data);
	tcase_add_loop_test(t, any_data_are_json, 0, 8);
	tcase_add_test(t, page_is_by_itself);
	tcase_add_test(t, many_threads_are_grouped);
	suite_add_tcase(suite, t);
	return suite_main(suite);
}
