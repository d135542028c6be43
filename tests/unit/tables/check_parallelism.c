/* SPDX-License-Identifier: BSD-3-Clause */
/* check_parallelism.c - how many threads worked, of profiles whose answer is known. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/filter/filter.h"
#include "src/tables/parallelism.h"
#include "src/tables/tables.h"
#include "src/view/view.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define FORK "omp!__kmpc_fork_call omp!__kmp_fork_call omp!__kmp_invoke_microtask "
#define POOL "libc!clone3 libc!start_thread omp!__kmp_launch_worker omp!__kmp_invoke_microtask "
#define BODY ".omp_outlined.:12 .omp_outlined._debug__:15 "

/* Buckets of 17 ms, of 16 samples. */
enum { SHIFT = 24, FULL = 16, HALF = FULL / 2, THREADS = 4, CELLS_MOST = 4000 };
#define SAMPLE ((uint64_t)1 << 20)
#define BUCKET ((double)((uint64_t)1 << SHIFT))

static struct scene s;
static struct parallelism p;
static struct view *v;
static struct prof_cell cells[THREADS][CELLS_MOST];
static uint32_t ncells[THREADS];
static uint32_t root[THREADS], code, context;

static void setup(void)
{
	scene_init(&s);
	memset(ncells, 0, sizeof(ncells));
}

static void teardown(void)
{
	parallelism_fini(&p);
	view_free(v);
	v = NULL;
	scene_fini(&s);
}

static void plant(const char *event)
{
	mk_event(s.mk, event, PROF_UNIT_NS);
	if (strcmp(event, "wall") == 0)
		mk_header(s.mk)->events[0].flags |= PROF_EVENT_WALL;
	for (uint32_t i = 0; i < THREADS; i++)
		root[i] =
			mk_root(s.mk, mk_thread(s.mk, i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL,
						100 + i));
	code = scene_path(&s, root[0], "main:20");
	context = scene_path(&s, code, "solve:12");
}

/* The place of a thread in the region's body. */
static uint32_t body(uint32_t thread)
{
	const uint32_t from = thread ? scene_path(&s, root[thread], POOL) :
				       scene_path(&s, context, FORK);

	return scene_path(&s, mk_boundary(s.mk, from, context, PROF_BOUNDARY_REGION), BODY);
}

/* So many samples in each bucket from first to before end. */
static void put(uint32_t thread, uint32_t at, unsigned state, uint32_t first, uint32_t end,
		uint64_t samples)
{
	const uint64_t all = samples * (end - first);

	mk_leaf(s.mk, at, 0, (enum prof_state)state, 0, all, all * SAMPLE);
	for (uint32_t b = first; b < end; b++)
		cells[thread][ncells[thread]++] = (struct prof_cell){
			.node = at,
			.bucket = b,
			.weight = samples * SAMPLE,
			.samples = samples << PROF_CELL_SAMPLES_SHIFT | PROF_CELL_KEY(0, state),
		};
}

/* What the runtime told of all entries together. */
static void told(double buckets)
{
	const uint32_t at = mk_boundary(s.mk, root[0], context, PROF_BOUNDARY_REGION);

	mk_stats(s.mk, at, PROF_STATS_REGION, 100, (uint64_t)(buckets * BUCKET));
	mk_stats(s.mk, at, PROF_STATS_TEAM, UINT64_C(4) << 32 | 4, 400);
}

static int cell_order(const void *a, const void *b)
{
	const struct prof_cell *x = a, *y = b;

	return x->bucket < y->bucket ? -1 : x->bucket > y->bucket;
}

static void run(uint32_t buckets)
{
	struct prof_header *h;

	for (uint32_t i = 0; i < THREADS; i++) {
		qsort(cells[i], ncells[i], sizeof(cells[i][0]), cell_order);
		if (ncells[i])
			mk_timeline(s.mk, i, SHIFT, cells[i], ncells[i]);
	}
	mk_end(s.mk);
	h = mk_header(s.mk);
	h->end_monotonic_ns = h->start_monotonic_ns + (uint64_t)(buckets * BUCKET);
	h->ticks_end = h->ticks_start + (uint64_t)(buckets * BUCKET);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	parallelism_build(v, &p);
}

/* In buckets; 0: no such row. */
static double row(size_t threads)
{
	return threads < p.nrows ? p.rows[threads].elapsed_ns / BUCKET : 0;
}

static double line(size_t threads, const char *function)
{
	double sum = 0;

	for (size_t i = 0; i < p.nlines; i++) {
		const uint64_t key = p.lines[i].line;
		const uint32_t f = (uint32_t)key ? v->names.lines[(uint32_t)key].function :
						   (uint32_t)(key >> TABLE_LINE_FUNCTION);

		if (p.lines[i].threads == threads && !strcmp(v->names.functions[f].name, function))
			sum += p.lines[i].elapsed_ns / BUCKET;
	}
	return sum;
}

static bool is(double value, double expected)
{
	return fabs(value - expected) < 1e-3;
}

/* All rows are the whole, and all records with nobody's. */
static void check_sums(double buckets)
{
	double rows = 0, records = p.nobody_ns;

	ck_assert_ptr_null(p.unknown);
	for (size_t i = 0; i < p.nrows; i++)
		rows += p.rows[i].elapsed_ns;
	for (size_t i = 0; i < v->nrecords; i++)
		records += p.record_ns[i];
	ck_assert(is(rows / BUCKET, buckets));
	ck_assert(is(records / BUCKET, buckets));
	ck_assert(is(p.elapsed_ns / BUCKET, buckets));
}

/* Serial code, then four threads, then nothing. */
START_TEST(one_after_the_other)
{
	plant("cpu-clock:u");
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 120, FULL);
	for (uint32_t i = 0; i < THREADS; i++)
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 120, 180, FULL);
	told(60);
	run(192);
	check_sums(192);
	ck_assert(is(row(0), 12) && is(row(1), 120) && is(row(4), 60));
	ck_assert(is(line(1, "init"), 120) && is(line(4, "kernel"), 60));
	ck_assert(is(p.work_ns / BUCKET, 120 + 4 * 60));
	ck_assert(is(p.nobody_ns / BUCKET, 12));
}
END_TEST

/* Regions that are shorter than a bucket: serial code has its true size, not a share of the
   bucket's threads.  Others spin meanwhile. */
START_TEST(within_a_bucket)
{
	plant("cpu-clock:u");
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, HALF);
	for (uint32_t i = 0; i < THREADS; i++) {
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 0, 100, HALF);
		if (i)
			put(i, scene_path(&s, root[i], POOL "omp!__kmp_wait"), PROF_STATE_IDLE, 0,
			    100, HALF);
	}
	if (_i)
		told(50);
	run(100);
	check_sums(100);
	ck_assert(is(row(0), 0) && is(row(1), 50) && is(row(4), 50));
	ck_assert(is(line(1, "init"), 50) && is(line(4, "kernel"), 50));
}
END_TEST

/* One thread works in a region, the others spin at its barrier. */
START_TEST(spinning_is_no_work)
{
	plant("cpu-clock:u");
	for (uint32_t i = 0; i < THREADS; i++) {
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 0, i ? 20 : 100,
		    FULL);
		if (i)
			put(i, scene_path(&s, body(i), "omp!__kmpc_barrier omp!__kmp_wait"),
			    PROF_STATE_BARRIER_EXPLICIT, 20, 100, FULL);
	}
	told(100);
	run(100);
	check_sums(100);
	ck_assert(is(row(1), 80) && is(row(4), 20) && is(row(0), 0));
	ck_assert(is(line(1, "kernel"), 80) && is(line(4, "kernel"), 20));
}
END_TEST

/* Threads that sleep at barriers take no samples of their CPU time: the region lasts as long as
   the runtime reports. */
START_TEST(sleeping_at_barriers)
{
	plant("cpu-clock:u");
	for (uint32_t i = 0; i < THREADS; i++)
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 0, 100, HALF);
	told(100);
	run(100);
	check_sums(100);
	ck_assert(is(row(2), 100) && is(line(2, "kernel"), 100));
}
END_TEST

/* A second initial thread: serial code beside regions. */
START_TEST(side_by_side)
{
	plant("cpu-clock:u");
	mk_thread_record(s.mk, 3)->kind = PROF_THREAD_INITIAL;
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, HALF);
	put(3, scene_path(&s, root[3], "libc!clone3 helper:8"), PROF_STATE_SERIAL, 0, 100, FULL);
	for (uint32_t i = 0; i < 3; i++)
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 0, 100, HALF);
	told(50);
	run(100);
	check_sums(100);
	/* Half of the time two, half of it four. */
	ck_assert(is(row(3), 100) && is(line(3, "helper"), 100 / 3.));
	ck_assert(is(line(3, "kernel"), 50) && is(line(3, "init"), 100 / 6.));
}
END_TEST

/* Where nobody works, elapsed time is that of calls that block, and then nobody's. */
START_TEST(blocked_alone)
{
	plant("wall");
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, HALF);
	put(0, scene_path(&s, code, "load:9 libc!read"), PROF_STATE_SERIAL | PROF_ASLEEP, 0, 100,
	    HALF / 2);
	run(100);
	check_sums(100);
	ck_assert(is(row(1), 50) && is(row(0), 50));
	ck_assert(is(p.nobody_ns / BUCKET, 25));
	ck_assert(is(line(0, "load") + line(0, "read"), 25));
}
END_TEST

/* The program's first thread sleeps in pthread_join() while another one runs it all. */
START_TEST(asleep_beside)
{
	plant("wall");
	mk_thread_record(s.mk, 3)->kind = PROF_THREAD_INITIAL;
	put(3, scene_path(&s, root[3], "main:20 libc!pthread_join"),
	    PROF_STATE_SERIAL | PROF_ASLEEP, 0, 100, FULL);
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, HALF);
	for (uint32_t i = 0; i < 3; i++)
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 0, 100, HALF);
	run(100);
	check_sums(100);
	ck_assert(is(row(1), 50) && is(row(3), 50) && is(row(0), 0));
}
END_TEST

/* The view's paths become those of elapsed time. */
START_TEST(applied)
{
	uint64_t sum = 0;

	plant("cpu-clock:u");
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 30, FULL);
	for (uint32_t i = 0; i < THREADS; i++)
		put(i, scene_path(&s, body(i), "kernel:7"), PROF_STATE_PARALLEL, 30, 90, FULL);
	run(100);
	v->records_room = v->nrecords; /* as where the memory is full */
	parallelism_apply(v, &p);
	for (size_t i = 0; i < v->nrecords; i++)
		sum += v->records[i].weight;
	ck_assert(is((double)sum / BUCKET, 100));
	const struct view_record *last = &v->records[v->nrecords - 1];

	ck_assert_str_eq(v->names.functions[v->tree.nodes[last->node].function].name,
			 "(no thread worked)");
	ck_assert(is((double)last->weight / BUCKET, 10));
}
END_TEST

START_TEST(not_known)
{
	plant(_i == 0 ? "cpu-clock:u" : "page-faults");
	if (_i)
		mk_header(s.mk)->events[0].unit = PROF_UNIT_EVENTS;
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, FULL);
	if (!_i)
		ncells[0] = 0;
	run(100);
	ck_assert_ptr_nonnull(p.unknown);
	ck_assert(strstr(p.unknown, _i ? "-e " : "--timeline") != NULL);
}
END_TEST

/* Others' samples may be needed to know how many worked. */
START_TEST(not_known_of_some)
{
	static const struct filter_options o = { { [FILTER_THREAD] = "0" } };
	struct filtered f;
	struct trouble t;

	plant("cpu-clock:u");
	put(0, scene_path(&s, code, "init:5"), PROF_STATE_SERIAL, 0, 100, FULL);
	put(1, scene_path(&s, body(1), "kernel:7"), PROF_STATE_PARALLEL, 0, 100, FULL);
	run(100);
	parallelism_fini(&p);
	ck_assert_int_eq(filter_select(v, &o, &f, &t), 0);
	filter_apply(v, &f);
	parallelism_build(v, &p);
	ck_assert_ptr_nonnull(p.unknown);
	filtered_fini(&f);
}
END_TEST

/* Whatever is in the profile, no time is more than all. */
START_TEST(at_random)
{
	uint32_t at[THREADS][3];

	srand((unsigned)_i);
	plant(_i % 2 ? "wall" : "cpu-clock:u");
	for (uint32_t i = 0; i < THREADS; i++) {
		at[i][0] = root[i];
		at[i][1] = body(i);
		at[i][2] = scene_path(&s, at[i][1], "kernel:7");
	}
	for (int i = 0; i < 30; i++) {
		const uint32_t thread = (uint32_t)rand() % THREADS, first = (uint32_t)rand() % 90;

		put(thread, at[thread][rand() % 3],
		    (unsigned)rand() % PROF_STATES | (rand() % 4 ? 0 : PROF_ASLEEP), first,
		    first + (uint32_t)rand() % 10, (uint64_t)rand() % 40);
	}
	if (rand() % 2)
		told(rand() % 200);
	run((uint32_t)rand() % 100);
	if (p.unknown)
		return;
	check_sums(p.elapsed_ns / BUCKET);
	for (size_t i = 0; i < p.nrows; i++)
		ck_assert(p.rows[i].elapsed_ns >= -1);
	for (size_t i = 0; i < v->nrecords; i++)
		ck_assert(p.record_ns[i] >= 0 && p.record_ns[i] <= p.elapsed_ns);
}
END_TEST

static Suite *parallelism_suite(void)
{
	Suite *suite = suite_create("parallelism");
	TCase *c = tcase_create("parallelism");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	tcase_add_test(c, one_after_the_other);
	tcase_add_loop_test(c, within_a_bucket, 0, 2);
	tcase_add_test(c, spinning_is_no_work);
	tcase_add_test(c, sleeping_at_barriers);
	tcase_add_test(c, side_by_side);
	tcase_add_test(c, blocked_alone);
	tcase_add_test(c, asleep_beside);
	tcase_add_test(c, applied);
	tcase_add_loop_test(c, not_known, 0, 2);
	tcase_add_test(c, not_known_of_some);
	tcase_add_loop_test(c, at_random, 0, 50);
	suite_add_tcase(suite, c);
	return suite;
}

int main(void)
{
	return suite_main(parallelism_suite());
}
