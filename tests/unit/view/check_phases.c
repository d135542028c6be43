/* SPDX-License-Identifier: BSD-3-Clause */
/* check_phases.c - the phases that a program named, of several processes, and --phase. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/base/message.h"
#include "src/filter/filter.h"
#include "src/tables/tables.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;
static struct view *v;

static uint64_t hash(const char *name)
{
	return PROF_PHASE_HASH(fnv(FNV_BEGIN, name, strlen(name)));
}

static uint32_t phase(uint32_t parent, const char *name, uint32_t flags)
{
	const struct prof_node n = { .parent = parent,
				     .info = PROF_NODE_INFO(PROF_NODE_PHASE, 0, 0, flags),
				     .value = hash(name) };

	return mk_node(s.mk, 0, &n);
}

/* So many begins, which have ended. */
#define BEGUN(n) ((uint64_t)(n) << 32 | (n))

static void sample(uint32_t parent, uint64_t n)
{
	mk_leaf(s.mk, scene_path(&s, parent, "main:3 solve:10"), 0, PROF_STATE_SERIAL, 0, n, n);
}

/* A process with 1 sample in no phase, 2 in solve, 4 in inner, 8 in a thread's own phase within,
   and a phase that was empty. */
static void process(const char *const names[])
{
	const uint32_t thread = mk_thread(s.mk, PROF_THREAD_INITIAL, 1);
	const uint32_t root = mk_root(s.mk, thread), solve = phase(root, "solve", 0);
	const uint32_t inner = phase(solve, "inner", 0);

	mk_event(s.mk, "cpu-clock", PROF_UNIT_NS);
	for (size_t i = 0; names[i]; i++)
		mk_text(s.mk, PROF_INFO_PHASE, names[i]);
	sample(root, 1);
	sample(solve, 2);
	sample(inner, 4);
	sample(phase(inner, "inner", PROF_PHASE_THREAD), 8);
	mk_stats(s.mk, solve, PROF_STATS_PHASE, BEGUN(3), 1000);
	/* Killed in one of them. */
	mk_stats(s.mk, inner, PROF_STATS_PHASE, BEGUN(4) - (UINT64_C(1) << 32), 1000);
	mk_stats(s.mk, phase(root, "empty", 0), PROF_STATS_PHASE, BEGUN(5), 0);
	mk_end(s.mk);
	scene_process(&s);
}

/* The first process does not have all names: its file had no room. */
static void setup(void)
{
	scene_init(&s);
	process((const char *const[]){ "solve", "odd", NULL });
	process((const char *const[]){ "empty", "inner", "solve", NULL });
	v = scene_view(&s, VIEW_USER);
}

static void teardown(void)
{
	view_free(v);
	scene_fini(&s);
}

START_TEST(processes_have_the_same)
{
	static const struct {
		const char *label;
		uint64_t samples, entries;
		bool of_thread;
	} expected[] = {
		{ "(no phase)", 2, 0, false },	  { "solve", 4, 6, false },
		{ "solve / inner", 8, 8, false }, { "solve / inner / inner", 16, 0, true },
		{ "empty", 0, 10, false },
	};
	struct table t;

	ck_assert_uint_eq(v->nphases, 5);
	table_build(v, TABLE_PHASE, &t);
	ck_assert_uint_eq(t.n, 5);
	for (size_t i = 0; i < t.n; i++) {
		const struct view_phase *p = &v->phases[t.rows[i].key];
		char *label = view_phase_label(v, (uint32_t)t.rows[i].key);

		ck_assert_str_eq(label, expected[i].label);
		ck_assert_uint_eq(cost_sum(t.rows[i].self, 0).samples, expected[i].samples);
		ck_assert_uint_eq(p->entries, expected[i].entries);
		ck_assert_int_eq(p->elapsed_known, p->entries != 8);
		ck_assert_int_eq(p->of_thread, expected[i].of_thread);
		free(label);
	}
	table_fini(&t);
}
END_TEST

START_TEST(a_phase_is_selected)
{
	static const struct {
		const char *value;
		uint64_t left;
	} all[] = {
		{ "solve", 28 }, { "inner", 24 }, { "solve / inner", 24 },     { "(no phase)", 2 },
		{ "*", 30 },	 { "olv", 28 },	  { "solve / inner / *", 16 },
	};
	struct filter_options o = { { NULL } };
	struct filtered f;
	struct trouble t;

	o.value[FILTER_PHASE] = all[_i].value;
	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	ck_assert_uint_eq(filtered_left(&f), all[_i].left);
	filtered_fini(&f);
}
END_TEST

START_TEST(no_phase_has_that_name)
{
	struct filter_options o = { { NULL } };
	struct filtered f;
	struct trouble t;

	o.value[FILTER_PHASE] = _i ? "empty" : "insider";
	ck_assert_int_eq(filter_select(v, &o, &f, &t), -ENOENT);
	ck_assert_str_eq(t.why, "no sample is in such a phase");
	filtered_fini(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("phases");
	TCase *c = tcase_create("phases");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, processes_have_the_same);
	tcase_add_loop_test(c, a_phase_is_selected, 0, 7);
	tcase_add_loop_test(c, no_phase_has_that_name, 0, 2);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
