/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lanes.c - what a profile's timelines show: sums, phases, parts of the time, longest
   entries. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/filter/filter.h"
#include "src/model/moments.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/phases.h"
#include "src/view/view.h"
#include "tests/support/demo_scene.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;
static struct lanes l;
static struct view *v;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	lanes_fini(&l);
	view_free(v);
	v = NULL;
	scene_fini(&s);
}

static void build(size_t event)
{
	v = scene_view(&s, VIEW_USER);
	lanes_build(v, event, &l);
}

static uint64_t weight_of(uint32_t first, uint32_t end, int class)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l.ncells; i++)
		if (l.cells[i].bucket >= first && l.cells[i].bucket < end &&
		    (class < 0 || l.cells[i].class == class))
			sum += l.cells[i].weight;
	return sum;
}

/* All samples are placed, and cells are in order. */
static void check_sums(void)
{
	uint64_t sum[OMP_CLASSES] = { 0 };

	for (size_t i = 0; i < l.ncells; i++) {
		sum[l.cells[i].class] += l.cells[i].weight;
		ck_assert_uint_lt(l.cells[i].bucket, l.nbuckets);
		ck_assert(i == 0 || l.cells[i].thread > l.cells[i - 1].thread ||
			  (l.cells[i].thread == l.cells[i - 1].thread &&
			   l.cells[i].bucket >= l.cells[i - 1].bucket));
	}
	for (int c = 0; c < OMP_CLASSES; c++)
		ck_assert_uint_eq(sum[c], l.placed[c].weight);
}

static void check_complete(void)
{
	check_sums();
	for (int c = 0; c < OMP_CLASSES; c++) {
		ck_assert_uint_eq(l.placed[c].weight, l.all[c].weight);
		ck_assert_uint_eq(l.placed[c].samples, l.all[c].samples);
	}
}

/* ---- sums --------------------------------------------------------------- */

START_TEST(the_demo)
{
	demo_scene(&s);
	scene_process(&s);
	build((size_t)_i);
	ck_assert_ptr_null(l.unknown);
	ck_assert_uint_eq(l.nbuckets, 39);
	ck_assert(fabs(l.end_ns - 5e9) < 1);
	check_sums();
	/* Two samples of the demo are in no cell. */
	ck_assert_uint_eq(l.all[OMP_WORK].samples - l.placed[OMP_WORK].samples, _i == 0 ? 2 : 0);
	ck_assert_uint_eq(l.all[OMP_WAIT].samples, l.placed[OMP_WAIT].samples);
	ck_assert_uint_eq(l.all[OMP_OVERHEAD].samples, l.placed[OMP_OVERHEAD].samples);
}
END_TEST

/* A thread with leaves at several depths, and the cells of its time. */
static uint32_t root, outer, inner;

static void plant(void)
{
	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	outer = scene_path(&s, root, "main:20");
	inner = scene_path(&s, outer, "solve:12");
}

static void leaf(uint32_t parent, const char *path, enum prof_state state, uint64_t samples)
{
	mk_leaf(s.mk, scene_path(&s, parent, path), 0, state, 0, samples, samples * 1000);
}

static struct prof_cell cell(uint32_t node, uint32_t bucket, enum prof_state state,
			     uint64_t samples)
{
	return (struct prof_cell){
		.node = node,
		.bucket = bucket,
		.weight = samples * 1000,
		.samples = samples << PROF_CELL_SAMPLES_SHIFT | PROF_CELL_KEY(0, state),
	};
}

static void timeline(unsigned shift, const struct prof_cell *cells, uint32_t n)
{
	mk_timeline(s.mk, 0, shift, cells, n);
	mk_end(s.mk);
	scene_process(&s);
	build(0);
}

/* The nearest cell above a leaf has it; what this leaves goes to the next one. */
START_TEST(nearest_first)
{
	plant();
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, 12);
	leaf(outer, "other:9", PROF_STATE_SERIAL, 10);
	leaf(root, "idle:9", PROF_STATE_IDLE, 8);
	timeline(20,
		 (struct prof_cell[]){
			 cell(inner, 0, PROF_STATE_SERIAL, 4), cell(inner, 1, PROF_STATE_SERIAL, 5),
			 cell(outer, 2, PROF_STATE_SERIAL, 6), cell(root, 3, PROF_STATE_SERIAL, 7),
			 cell(root, 3, PROF_STATE_IDLE, 8) },
		 5);
	check_complete();
	ck_assert_uint_eq(weight_of(0, 1, OMP_WORK), 4000);
	ck_assert_uint_eq(weight_of(1, 2, OMP_WORK), 5000);
	ck_assert_uint_eq(weight_of(2, 3, OMP_WORK), 6000);
	ck_assert_uint_eq(weight_of(3, 4, OMP_WORK), 7000);
	ck_assert_uint_eq(weight_of(3, 4, OMP_WAIT), 8000);
}
END_TEST

/* Waits and work of one state beneath one node are shared by proportion, and add up. */
START_TEST(shared_in_whole_numbers)
{
	struct prof_cell cells[100];

	plant();
	leaf(inner, "kernel:5", PROF_STATE_PARALLEL, 333);
	leaf(inner, "omp!__kmpc_omp_taskwait omp!wait", PROF_STATE_PARALLEL, 167);
	for (uint32_t i = 0; i < 100; i++)
		cells[i] = cell(outer, i, PROF_STATE_PARALLEL, 5);
	timeline(20, cells, 100);
	check_complete();
	ck_assert_uint_eq(l.all[OMP_WAIT].samples, 167);
	for (uint32_t i = 0; i < 100; i++) {
		ck_assert_uint_eq(weight_of(i, i + 1, -1), 5000);
		ck_assert(weight_of(i, i + 1, OMP_WAIT) >= 1500 &&
			  weight_of(i, i + 1, OMP_WAIT) <= 1850);
	}
}
END_TEST

/* More in cells than in leaves (a process that goes on meanwhile), and less (no room). */
START_TEST(more_and_less)
{
	plant();
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, 10);
	leaf(inner, "other:5", PROF_STATE_IDLE, 10);
	timeline(20,
		 (struct prof_cell[]){ cell(root, 0, PROF_STATE_SERIAL, 8),
				       cell(root, 1, PROF_STATE_SERIAL, 8),
				       cell(root, 2, PROF_STATE_IDLE, 4) },
		 3);
	check_sums();
	ck_assert_uint_eq(l.placed[OMP_WORK].samples, 10);
	ck_assert_uint_eq(weight_of(1, 2, OMP_WORK), 2000);
	ck_assert_uint_eq(l.placed[OMP_WAIT].samples, 4);
	ck_assert_uint_eq(l.all[OMP_WAIT].samples, 10);
}
END_TEST

START_TEST(nothing_kept)
{
	plant();
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, 10);
	mk_end(s.mk);
	scene_process(&s);
	build(0);
	ck_assert_ptr_nonnull(l.unknown);
	ck_assert_uint_eq(l.ncells, 0);
}
END_TEST

/* Whatever the cells say: damaged profiles. */
START_TEST(at_random)
{
	struct prof_cell cells[300];
	uint32_t node[4];

	srand((unsigned)_i);
	plant();
	node[0] = root;
	node[1] = outer;
	node[2] = inner;
	node[3] = scene_path(&s, inner, "kernel:5 deeper:6 deepest:7");
	for (int i = 0; i < 20; i++)
		mk_leaf(s.mk, node[rand() % 4], 0, (enum prof_state)(rand() % PROF_STATES), 0,
			(uint64_t)rand() % 50, rand() % 5 ? (uint64_t)rand() : UINT64_MAX / 3);
	for (uint32_t i = 0; i < 300; i++) {
		cells[i] = cell(node[rand() % 4], i * (rand() % 2 ? 1 : 12345678u / 300),
				(enum prof_state)(rand() % PROF_STATES), (uint64_t)rand() % 50);
		if (rand() % 9 == 0)
			cells[i].weight = UINT64_MAX / 2;
	}
	timeline((unsigned)rand() % 64, cells, 300);
	for (size_t i = 0; i < l.ncells; i++)
		ck_assert_uint_lt(l.cells[i].bucket, l.nbuckets);
	ck_assert_uint_le(l.nbuckets, LANES_BUCKETS_MOST);
}
END_TEST

/* ---- parts of the time -------------------------------------------------- */

static int select_part(const char *from, const char *to, struct filtered *f)
{
	static struct filter_options o;
	struct trouble t;

	o = (struct filter_options){ { [FILTER_FROM] = from, [FILTER_TO] = to } };
	return filter_select(v, &o, f, &t);
}

/* Parts that touch each other have all samples together, and each record's. */
START_TEST(parts_add_up)
{
	static const char *const times[] = { NULL, "777ms", "1.2345678", "50%", "4", NULL };
	struct cost sum[2] = { { 0 } };
	struct filtered f;
	struct cost *records;

	demo_scene(&s);
	scene_process(&s);
	v = scene_view(&s, (enum view_kind)_i);
	records = calloc(v->nrecords + 1, sizeof(*records));
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(select_part(times[i], times[i + 1], &f), 0);
		for (size_t e = 0; e < 2; e++)
			cost_plus(&sum[e], &f.left[e]);
		for (size_t k = 0; k < v->nrecords; k++)
			cost_plus(&records[k], &f.within[k]);
		ck_assert(i == 0 || f.left[0].samples < f.all[0].samples);
		if (i < 4)
			filtered_fini(&f);
	}
	/* Two samples have no time. */
	ck_assert_uint_eq(sum[0].samples + 2, f.all[0].samples);
	ck_assert_uint_eq(sum[1].samples, f.all[1].samples);
	ck_assert_uint_eq(sum[1].weight, f.all[1].weight);
	for (size_t k = 0; k < v->nrecords; k++) {
		ck_assert_uint_le(records[k].samples, v->records[k].samples);
		ck_assert_uint_le(records[k].weight, v->records[k].weight);
	}
	free(records);
	filtered_fini(&f);
}
END_TEST

/* The applied filter's view has the part's records, and lanes of that time. */
START_TEST(a_part_is_shown)
{
	struct filtered f;

	demo_scene(&s);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_int_eq(select_part(NULL, "0.5", &f), 0);
	filter_apply(v, &f);
	lanes_build(v, 0, &l);
	for (size_t i = 0; i < v->nrecords; i++)
		ck_assert(v->records[i].leaf == LEAF_SERIAL || v->records[i].leaf == LEAF_IDLE ||
			  v->records[i].leaf == LEAF_PARALLEL || v->records[i].class == OMP_WAIT);
	for (size_t i = 0; i < l.ncells; i++)
		ck_assert((l.cells[i].bucket + 0.5) * l.bucket_ns < 5e8);
	ck_assert_uint_gt(l.ncells, 0);
	filtered_fini(&f);
}
END_TEST

START_TEST(no_such_part)
{
	static const struct {
		const char *from, *to;
		int err;
	} cases[] = {
		{ "x", NULL, -EINVAL },	    { NULL, "", -EINVAL },     { "1 s", NULL, -EINVAL },
		{ "-1", NULL, -EINVAL },    { "101%", NULL, -EINVAL }, { "3", "2", -EINVAL },
		{ "2", "2", -EINVAL },	    { "nan", NULL, -EINVAL },  { "7", NULL, -EINVAL },
		{ "1e400", NULL, -EINVAL },
	};
	struct filtered f;

	demo_scene(&s);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_int_eq(select_part(cases[_i].from, cases[_i].to, &f), cases[_i].err);
	filtered_fini(&f);
}
END_TEST

START_TEST(parts_of_nothing)
{
	struct filtered f;

	plant();
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, 10);
	mk_end(s.mk);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_int_eq(select_part("0", NULL, &f), -ENOENT);
	filtered_fini(&f);
}
END_TEST

/* ---- phases ------------------------------------------------------------- */

/* Three, of a quarter, a half and a quarter of 200 buckets with 10 samples each, some of which
   are of another kind by chance. */
START_TEST(three_phases)
{
	static struct prof_cell cells[400];
	struct phase *phases;
	uint64_t in[2] = { 0 };
	uint32_t n = 0;
	size_t nphases;

	plant();
	srand(1);
	for (uint32_t i = 0; i < 200; i++) {
		const unsigned most = i >= 50 && i < 150;
		const uint64_t few = rand() % 10 == 0;

		cells[n++] = cell(root, i, PROF_STATE_SERIAL, most ? few : 10 - few);
		cells[n++] = cell(root, i, PROF_STATE_IDLE, most ? 10 - few : few);
		in[0] += cells[n - 2].weight / 1000;
		in[1] += cells[n - 1].weight / 1000;
	}
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, in[0]);
	leaf(inner, "kernel:6", PROF_STATE_IDLE, in[1]);
	timeline(22, cells, n);
	check_complete();
	phases_build(&l, &phases, &nphases);
	ck_assert_uint_ge(nphases, 3);
	ck_assert_uint_eq(phases[0].first, 0);
	ck_assert(phases[0].end >= 49 && phases[0].end <= 51);
	ck_assert(phases[1].end >= 149 && phases[1].end <= 151);
	for (size_t i = 1; i < nphases; i++)
		ck_assert_uint_eq(phases[i].first, phases[i - 1].end);
	free(phases);
}
END_TEST

/* An even run is one phase; and a solver's steps that come again and again are one. */
START_TEST(one_phase)
{
	static struct prof_cell cells[400];
	struct phase *phases;
	size_t nphases;

	plant();
	for (uint32_t i = 0; i < 200; i++)
		cells[i] = cell(root, i, _i && i % 2 ? PROF_STATE_IDLE : PROF_STATE_SERIAL, 10);
	leaf(inner, "kernel:5", PROF_STATE_SERIAL, _i ? 1000 : 2000);
	leaf(inner, "kernel:6", PROF_STATE_IDLE, _i ? 1000 : 0);
	timeline(22, cells, 200);
	phases_build(&l, &phases, &nphases);
	/* The end of the run has no samples. */
	ck_assert_uint_le(nphases, 2);
	ck_assert_uint_ge(phases[0].end, 198);
	free(phases);
}
END_TEST

/* ---- longest entries ---------------------------------------------------- */

START_TEST(longest)
{
	struct instance *all;
	uint32_t at;
	size_t n;

	plant();
	at = mk_boundary(s.mk, root, inner, PROF_BOUNDARY_REGION);
	mk_stats(s.mk, at, PROF_STATS_REGION, 10, 2000);
	mk_stats(s.mk, at, PROF_STATS_LONGEST, 900, 12345);
	mk_stats(s.mk, at, PROF_STATS_LONGEST_ENTRY, 4, 2);
	mk_end(s.mk);
	scene_process(&s);
	build(0);
	instances_build(v, &all, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(all[0].ns, 900);
	ck_assert(fabs(all[0].begin_ns - 12345) < 1);
	ck_assert_uint_eq(all[0].number, 4);
	ck_assert_uint_eq(all[0].team, 2);
	ck_assert_uint_eq(all[0].entries, 10);
	ck_assert_uint_eq(all[0].whole_ns, 2000);
	free(all);
}
END_TEST

static Suite *lanes_suite(void)
{
	Suite *suite = suite_create("lanes");
	TCase *c = tcase_create("lanes");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, the_demo, 0, 2);
	tcase_add_test(c, nearest_first);
	tcase_add_test(c, shared_in_whole_numbers);
	tcase_add_test(c, more_and_less);
	tcase_add_test(c, nothing_kept);
	tcase_add_loop_test(c, at_random, 0, 50);
	tcase_add_loop_test(c, parts_add_up, 0, VIEW_KINDS);
	tcase_add_test(c, a_part_is_shown);
	tcase_add_loop_test(c, no_such_part, 0, 10);
	tcase_add_test(c, parts_of_nothing);
	tcase_add_test(c, three_phases);
	tcase_add_loop_test(c, one_phase, 0, 2);
	tcase_add_test(c, longest);
	suite_add_tcase(suite, c);
	return suite;
}

int main(void)
{
	return suite_main(lanes_suite());
}
