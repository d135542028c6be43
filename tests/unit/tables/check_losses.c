/* SPDX-License-Identifier: BSD-3-Clause */
/* check_losses.c - where the threads' time went, in profiles whose answer is known. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/construct_kind.h"
#include "src/tables/construct_time.h"
#include "src/tables/losses.h"
#include "src/tables/tables.h"
#include "src/tables/unsampled.h"
#include "src/view/view.h"
#include "tests/support/json_schema.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

/* A tick is a nanosecond, and a unit of the event too. */
enum { MS = 1000000 };

static struct scene s;
static struct losses l;
static struct view *v;
static uint32_t master, worker, context;

static void setup(void)
{
	scene_init(&s);
	s.losses = true;
	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	worker = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
	context = scene_path(&s, master, "main:20 solve:12");
}

static void teardown(void)
{
	losses_fini(&l);
	view_free(v);
	v = NULL;
	scene_fini(&s);
}

static uint64_t after(uint64_t ms)
{
	return mk_header(s.mk)->start_monotonic_ns + ms * MS;
}

static uint32_t boundary(uint32_t root)
{
	return mk_boundary(s.mk, root, context, PROF_BOUNDARY_REGION);
}

/* Samples of the thread in the region. */
static void sampled(uint32_t root, enum prof_state state, uint64_t ms)
{
	mk_leaf(s.mk, scene_path(&s, boundary(root), "solve._omp_fn.0:13"), 0, state, 0, ms,
		ms * MS);
}

/* What the counts of the region with that boundary say; team: of each entry. */
static void counted_at(uint32_t at, uint64_t entries, uint64_t ms, uint64_t team, uint64_t open)
{
	mk_stats(s.mk, at, PROF_STATS_REGION, entries, ms * MS);
	mk_stats(s.mk, at, PROF_STATS_TEAM, entries ? team << 32 | team : 0, entries * team);
	mk_stats(s.mk, at, PROF_STATS_TEAM_TIME, 0, open);
}

static void counted(uint64_t entries, uint64_t ms, uint64_t team, uint64_t open)
{
	counted_at(boundary(master), entries, ms, team, open);
}

/* The process has no end; its last reading of the clocks was then. */
static void killed(uint64_t ms)
{
	struct prof_header *h = mk_header(s.mk);

	h->latest[0] = (struct prof_reading){ after(ms), after(ms) };
	h->nlatest = 1;
}

static void build(void)
{
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	losses_build(v, &l);
}

static void equal_ms(double ns, double ms)
{
	ck_assert_msg(fabs(ns / MS - ms) < 0.001, "%f ms instead of %f", ns / MS, ms);
}

/* All parts together. */
static void adds_up(void)
{
	double sum = l.run.work;

	for (unsigned i = 0; i < LOSSES; i++)
		sum += l.run.lost[i];
	ck_assert(fabs(sum - l.run.all) < 1);
}

static uint64_t open_since(uint64_t ms, uint64_t team)
{
	return PROF_OPEN(after(ms)) | team;
}

/* ---- without an end -------------------------------------------------- */

START_TEST(killed_between_regions)
{
	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 400);
	sampled(worker, PROF_STATE_PARALLEL, 300);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 90);
	mk_leaf(s.mk, context, 0, PROF_STATE_SERIAL, 0, 50, 50 * MS);
	killed(500);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert(l.cut_short);
	equal_ms(l.elapsed_ns, 500);
	equal_ms(l.run.all, 1000);
	equal_ms(l.run.work, 750);
	equal_ms(l.run.lost[LOSS_IMBALANCE], 90);
	equal_ms(l.run.lost[LOSS_SERIAL], 100);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 10 + 50);
	adds_up();
}
END_TEST

/* A process may be killed while it stores a reading: the one before is whole. */
START_TEST(the_last_whole_reading_counts)
{
	struct prof_header *h = mk_header(s.mk);

	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 100);
	killed(500);
	h->latest[1] = (struct prof_reading){ after(600), after(600) };
	h->nlatest = 2 + (unsigned)_i;
	build();
	equal_ms(l.elapsed_ns, _i ? 500 : 600);
}
END_TEST

START_TEST(an_end_counts_more_than_a_reading)
{
	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 100);
	killed(500);
	mk_end(s.mk);
	build();
	ck_assert(!l.cut_short);
	equal_ms(l.elapsed_ns, 1000);
}
END_TEST

START_TEST(without_any_reading)
{
	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 400);
	build();
	ck_assert_ptr_nonnull(strstr(l.unknown, "elapsed time is not known"));
}
END_TEST

/* Readings from before the start, at it, and beyond all: nothing leaves its type's range. */
START_TEST(readings_that_make_no_sense)
{
	static const uint64_t clock[] = { 0, 1, 1000000000, UINT64_MAX };
	struct prof_header *h = mk_header(s.mk);

	counted(UINT64_MAX, UINT64_MAX, UINT32_MAX, _i & 1 ? UINT64_MAX - 1 : 1);
	sampled(master, PROF_STATE_PARALLEL, 400);
	h->latest[0] = h->latest[1] = (struct prof_reading){ clock[_i / 4], clock[_i % 4] };
	h->nlatest = UINT64_MAX;
	build();
	free(scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0));
	free(scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0));
}
END_TEST

/* Cycles are time by what the counters say at threads' ends. */
START_TEST(cycles_of_a_killed_process)
{
	memcpy(mk_header(s.mk)->events[0].label, "cycles:u", 9);
	mk_header(s.mk)->events[0].unit = PROF_UNIT_EVENTS;
	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 100);
	killed(500);
	build();
	ck_assert_ptr_nonnull(strstr(l.unknown, "rates are not known"));
}
END_TEST

#define WITHOUT_COUNTER "threads had no counter of the event that measures time"

/* A region of two threads of 1000 ms, which work, and count 1000 cycles in that time while the
   event has a counter. */
static void cycles(void)
{
	memcpy(mk_header(s.mk)->events[0].label, "cycles:u", 9);
	mk_header(s.mk)->events[0].unit = PROF_UNIT_EVENTS;
	counted(1, 1000, 2, 0);
	mk_end(s.mk);
}

static void cycles_of(uint32_t thread, uint64_t value, uint64_t enabled_ms, uint64_t running_ms)
{
	const uint32_t root = thread ? worker : master;
	struct prof_thread *t = mk_thread_record(s.mk, thread);

	t->values_known |= 1;
	t->values[0] = (struct prof_value){ value, enabled_ms * MS, running_ms * MS };
	if (value)
		mk_leaf(s.mk, scene_path(&s, boundary(root), "solve._omp_fn.0:13"), 0,
			PROF_STATE_PARALLEL, 0, 100, value);
}

/* Other events have the counter for three quarters of the master's time, and half of the worker's,
   who sleeps for 200 ms: samples stand for the time without a counter, too. */
START_TEST(cycles_that_are_multiplexed)
{
	cycles();
	cycles_of(0, 250, 1000, 250);
	cycles_of(1, 400, 800, 400);
	build();
	ck_assert_ptr_null(l.unknown);
	equal_ms(l.run.all, 2000);
	equal_ms(l.run.work, 1800);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 200);
	adds_up();
}
END_TEST

/* A worker without a counter: not opened or taken away (its bit), or never free for it. Its time
   is not known; but for the shortest ones, or where it had none of the program's work. */
static const struct {
	enum prof_thread_kind kind;
	uint32_t known;
	uint64_t value, enabled_ms, lived_ms;
	bool sees_all;
} uncounted[] = {
	{ PROF_THREAD_WORKER, 0, 0, 0, 1000, true }, /* its values were not read, as ever */
	{ PROF_THREAD_WORKER, 1u << PROF_VALUES_MISSING, 0, 0, 1000, false },
	{ PROF_THREAD_WORKER, 1 | 1u << PROF_VALUES_MISSING, 500, 500, 1000, false },
	{ PROF_THREAD_WORKER, 2u << PROF_VALUES_MISSING, 0, 0, 1000, true }, /* another event */
	{ PROF_THREAD_WORKER, 1u << PROF_VALUES_MISSING, 0, 0, 4, true },
	{ PROF_THREAD_OTHER, 1u << PROF_VALUES_MISSING, 0, 0, 1000, true },
	{ PROF_THREAD_UNKNOWN, 1u << PROF_VALUES_MISSING, 0, 0, 1000, true },
	{ PROF_THREAD_WORKER, 1, 0, 900, 1000, false },
	{ PROF_THREAD_WORKER, 1, 0, 4, 1000, true },
	{ PROF_THREAD_WORKER, 1, 0, 0, 1000, true }, /* it never had a CPU */
};

enum { NUNCOUNTED = sizeof(uncounted) / sizeof(*uncounted) };

START_TEST(threads_without_a_counter)
{
	struct prof_thread *t;

	cycles();
	cycles_of(0, 1000, 1000, 1000);
	t = mk_thread_record(s.mk, mk_thread(s.mk, uncounted[_i].kind, 102));
	t->end_ns = after(uncounted[_i].lived_ms);
	t->values_known = uncounted[_i].known;
	t->values[0] = (struct prof_value){ uncounted[_i].value, uncounted[_i].enabled_ms * MS,
					    uncounted[_i].value * MS };
	build();
	if (uncounted[_i].sees_all)
		ck_assert_ptr_null(l.unknown);
	else
		ck_assert_str_eq(l.unknown,
				 "threads had no counter of the event that measures time");
}
END_TEST

/* The same for a clock whose timers the kernel did not give to every thread. */
START_TEST(a_clock_that_not_every_thread_has)
{
	counted(1, 1000, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 1000);
	mk_end(s.mk);
	if (_i)
		mk_thread_record(s.mk, 1)->values_known = 1u << PROF_VALUES_MISSING;
	build();
	ck_assert_str_eq(l.unknown ? l.unknown : "", _i ? WITHOUT_COUNTER : "");
}
END_TEST

/* libgomp reports a team's body as a task; its threads are unknown until the first region. */
START_TEST(teams_without_a_region)
{
	const uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_UNKNOWN, 102));
	const uint32_t at = scene_path(&s, root, "main:30");

	mk_thread_record(s.mk, 0)->kind = mk_thread_record(s.mk, 1)->kind = PROF_THREAD_UNKNOWN;
	if (_i)
		mk_leaf(s.mk,
			scene_path(&s, mk_boundary(s.mk, root, at, PROF_BOUNDARY_TASK),
				   "main._omp_fn.0:31"),
			0, PROF_STATE_SERIAL, 0, 100, 100 * MS);
	mk_end(s.mk);
	build();
	ck_assert_str_eq(l.unknown, _i ? "no parallel region was entered: teams or tasks alone" :
					 "no process used OpenMP");
}
END_TEST

/* ---- inside of a region ---------------------------------------------- */

/* Its first entry, or a later one. */
START_TEST(killed_in_a_region)
{
	const uint64_t before = _i ? 100 : 0;

	counted(_i ? 5 : 0, before, 2, open_since(200, 2));
	sampled(master, PROF_STATE_PARALLEL, before + 250);
	sampled(worker, PROF_STATE_PARALLEL, before + 300);
	killed(500);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert(l.parallel);
	equal_ms(l.run.all, 1000);
	equal_ms(l.run.work, 2 * (double)before + 550);
	equal_ms(l.run.lost[LOSS_SERIAL], 500 - 300 - (double)before);
	adds_up();
}
END_TEST

/* The team's size is not that of the entries before. */
START_TEST(an_open_region_has_a_team_of_its_own)
{
	counted(5, 100, 2, open_since(300, 1));
	sampled(master, PROF_STATE_PARALLEL, 100);
	killed(500);
	build();
	ck_assert_ptr_null(l.unknown);
	equal_ms(l.run.lost[LOSS_SMALL_TEAM], 200);
	adds_up();
	ck_assert_uint_eq(v->regions[REGION_SPECIALS].counts.team_least, 1);
	ck_assert_uint_eq(v->regions[REGION_SPECIALS].counts.team_most, 2);
}
END_TEST

START_TEST(open_regions_that_are_not_known)
{
	static const struct {
		uint64_t open, ms;
		const char *why;
	} with[] = {
		{ PROF_OPEN_LOST, 300, "had not ended" },
		{ 0, 300, "had not ended" },
		/* Begun after the last reading: no time of it is in the sums. */
		{ (uint64_t)-1 << 32 | 2, 300, "had not ended" },
	};

	counted(0, 0, 2, with[_i].open);
	sampled(worker, PROF_STATE_PARALLEL, with[_i].ms);
	killed(500);
	build();
	ck_assert_ptr_nonnull(l.unknown);
	ck_assert_ptr_nonnull(strstr(l.unknown, with[_i].why));
}
END_TEST

START_TEST(an_open_region_without_a_team)
{
	counted(0, 0, 2, open_since(200, 0));
	sampled(master, PROF_STATE_PARALLEL, 100);
	killed(500);
	build();
	ck_assert_ptr_nonnull(strstr(l.unknown, "or its team"));
}
END_TEST

/* A process with one thread waits for others in the first region of several, or of not known how
   many. */
START_TEST(an_open_region_whose_threads_are_missing)
{
	static const struct {
		uint64_t entries, team, threads;
		uint32_t alone;
	} with[] = {
		{ 0, 0, 1, 1 }, { 0, 2, 1, 1 }, { 5, 0, 1, 0 }, { 0, 1, 1, 0 }, { 0, 0, 2, 0 },
	};

	counted(with[_i].entries, 100, 1, open_since(200, with[_i].team));
	sampled(master, PROF_STATE_OVERHEAD, 100);
	killed(500);
	scene_process(&s);
	s.model.processes[0].threads.all = with[_i].threads;
	v = scene_view(&s, VIEW_USER);
	losses_build(v, &l);
	ck_assert_uint_eq(v->regions[REGION_SPECIALS].counts.alone, with[_i].alone);
}
END_TEST

/* The program exits there: the same, up to its end. */
START_TEST(ended_in_a_region)
{
	counted(0, 0, 2, open_since(200, 2));
	sampled(master, PROF_STATE_PARALLEL, 800);
	sampled(worker, PROF_STATE_PARALLEL, 800);
	mk_end(s.mk);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert(!l.cut_short);
	equal_ms(l.run.work, 1600);
	equal_ms(l.run.lost[LOSS_SERIAL], 200);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 200);
	adds_up();
}
END_TEST

/* ---- nested ---------------------------------------------------------- */

/* A function with a region, called outside of regions and by each thread of one: its paths are
   equal, but the time of nested entries is not the run's. */
START_TEST(entered_at_the_top_and_nested)
{
	const uint32_t outer = scene_path(&s, master, "main:25");
	const uint32_t in = mk_boundary(s.mk, master, outer, PROF_BOUNDARY_REGION);
	const uint32_t nested = scene_path(&s, in, "main._omp_fn.1:26 solve:12");

	counted(2, 100, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 95);
	sampled(worker, PROF_STATE_PARALLEL, 100);
	counted_at(in, 1, 400, 2, 0);
	mk_leaf(s.mk, scene_path(&s, in, "main._omp_fn.1:27"), 0, PROF_STATE_PARALLEL, 0, 100,
		100 * MS);
	counted_at(mk_boundary(s.mk, master, nested, PROF_BOUNDARY_REGION), 2, 600, 1, 0);
	mk_leaf(s.mk,
		scene_path(&s, mk_boundary(s.mk, worker, nested, PROF_BOUNDARY_REGION),
			   "solve._omp_fn.0:13"),
		0, PROF_STATE_PARALLEL, 0, 550, 550 * MS);
	killed(1000);
	build();
	ck_assert_ptr_null(l.unknown);
	equal_ms(l.run.all, 2000);
	equal_ms(l.run.work, 95 + 100 + 100 + 550);
	equal_ms(l.run.lost[LOSS_SMALL_TEAM], 0);
	equal_ms(l.region[REGION_SERIAL].all, 500);
	equal_ms(l.run.lost[LOSS_SERIAL], 500);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 500 + 5 + (2 * 400 - 600 - 100) + 50);
	adds_up();
}
END_TEST

/* Beneath 500 ms of a team of two, one level each of 400, 300 and 200 ms, of which the second
   leads back to the outermost context. */
START_TEST(a_recursion_that_leads_back)
{
	const uint32_t at = boundary(master);
	const uint32_t inner = scene_path(&s, at, "solve._omp_fn.0:13 solve:12");
	const uint32_t in = mk_boundary(s.mk, master, inner, PROF_BOUNDARY_REGION);

	counted(1, 500, 2, 0);
	counted_at(in, 2, 400 + 200, 1, 0);
	counted_at(mk_boundary(s.mk, in, context, PROF_BOUNDARY_REGION), 1, 300, 1, 0);
	sampled(master, PROF_STATE_PARALLEL, 190);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 500);
	mk_leaf(s.mk, scene_path(&s, in, "solve._omp_fn.0:13"), 0, PROF_STATE_PARALLEL, 0, 300,
		300 * MS);
	killed(1000);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 2);
	ck_assert_uint_eq(v->nrecurrences, 1);
	equal_ms(l.region[REGION_SPECIALS].all, (2 * 500 - 400) + (300 - 200));
	equal_ms(l.region[REGION_SPECIALS + 1].all, (400 - 300) + 200);
	equal_ms(l.run.all, 2000);
	equal_ms(l.run.work, 490);
	equal_ms(l.run.lost[LOSS_IMBALANCE], 500);
	equal_ms(l.run.lost[LOSS_SMALL_TEAM], 0);
	equal_ms(l.run.lost[LOSS_SERIAL], 500);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 500 + 10);
	adds_up();
	/* Two threads work at once, whatever the depth. */
	ck_assert(fabs(l.width[REGION_SPECIALS] - 2) < 1e-6);
	ck_assert(fabs(l.width[REGION_SPECIALS + 1] - 2) < 1e-6);
}
END_TEST

/* The same with a team of two in the third level, too. What the threads of all regions could gain is
   what the outermost takes. */
START_TEST(a_recursion_that_leads_back_to_teams)
{
	const uint32_t at = boundary(master);
	const uint32_t inner = scene_path(&s, at, "solve._omp_fn.0:13 solve:12");
	const uint32_t in = mk_boundary(s.mk, master, inner, PROF_BOUNDARY_REGION);
	double sum = 0;

	counted(1, 500, 2, 0);
	counted_at(in, 2, 400 + 200, 1, 0);
	counted_at(mk_boundary(s.mk, in, context, PROF_BOUNDARY_REGION), 1, 300, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 190);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 500);
	killed(1000);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert_uint_eq(v->nrecurrences, 1);
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++)
		sum += losses_gain_of(&l, (uint32_t)i, l.region[i].all);
	equal_ms(sum, 500);
}
END_TEST

/* Samples deeper in a recursion than its reported entries are in the time of those around; another
   region that is not reported is none of these. */
START_TEST(samples_deep_in_a_recursion)
{
	const uint32_t at = boundary(master);
	const uint32_t inner =
		scene_path(&s, at,
			   _i ? "solve._omp_fn.0:13 other:12" : "solve._omp_fn.0:13 solve:12");

	counted(1, 500, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 190);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 500);
	mk_leaf(s.mk,
		scene_path(&s, mk_boundary(s.mk, master, inner, PROF_BOUNDARY_REGION),
			   _i ? "other._omp_fn.0:13" : "solve._omp_fn.0:13"),
		0, PROF_STATE_PARALLEL, 0, 300, 300 * MS);
	killed(1000);
	build();
	ck_assert_int_eq(l.unknown != NULL, _i);
	if (_i)
		return;
	equal_ms(l.run.work, 490);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 500 + 10);
	adds_up();
}
END_TEST

/* On the host it is a part of serial code, though libgomp reports no region. */
START_TEST(a_target_region_on_the_host)
{
	counted(1, 100, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 100);
	sampled(worker, PROF_STATE_PARALLEL, 100);
	mk_leaf(s.mk, scene_path(&s, master, "main:30 omp!GOMP_target_ext main._omp_fn.1:31"), 0,
		PROF_STATE_SERIAL, 0, 300, 300 * MS);
	mk_leaf(s.mk, scene_path(&s, master, "main:40"), 0, PROF_STATE_SERIAL, 0, 50, 50 * MS);
	killed(500);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 2);
	ck_assert_uint_eq(v->regions[REGION_SPECIALS + 1].kind, CONSTRUCT_TARGET);
	equal_ms(l.region[REGION_SPECIALS + 1].all, 300);
	equal_ms(l.region[REGION_SERIAL].all, 100);
	equal_ms(l.run.all, 1000);
	equal_ms(l.run.work, 200 + 300 + 50);
	equal_ms(l.run.lost[LOSS_SERIAL], 400);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 50);
	adds_up();
}
END_TEST

/* libomp's hidden helpers are in no team: what they execute is work beside the teams' time, and
   their waiting costs nothing. */
START_TEST(helpers_beside_the_teams)
{
	const uint32_t helper = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_OTHER, 103));
	const uint32_t created = scene_path(&s, boundary(master), "solve._omp_fn.0:14");

	counted(1, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 400);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 390);
	mk_leaf(s.mk,
		scene_path(&s, mk_boundary(s.mk, helper, created, PROF_BOUNDARY_TASK),
			   "omp!__kmp_invoke_task solve._omp_fn.1:15"),
		0, PROF_STATE_PARALLEL, 0, 200, 200 * MS);
	mk_leaf(s.mk, scene_path(&s, helper, "omp!__kmp_fork_barrier"), 0, PROF_STATE_IDLE, 0, 70,
		70 * MS);
	killed(500);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert_uint_eq(l.threads, 2);
	equal_ms(l.helpers_ns, 200);
	equal_ms(l.run.all, 2 * 500 + 200);
	equal_ms(l.run.work, 400 + 200);
	equal_ms(l.run.lost[LOSS_IMBALANCE], 390);
	equal_ms(l.run.lost[LOSS_SERIAL], 100);
	equal_ms(l.run.lost[LOSS_SMALL_TEAM], 0);
	equal_ms(l.run.lost[LOSS_NOT_RUNNING], 10 + 100);
	adds_up();
}
END_TEST

START_TEST(the_report_says_until_when)
{
	char *text;

	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 400);
	killed(500);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, "% until the last sample: ") &&
			      strstr(text, "instead of 500 ms if 2 threads only"),
		      "%s", text);
	free(text);
	text = scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "\"until_last_sample\":true"));
	free(text);
}
END_TEST

/* ---- what has no sample ---------------------------------------------- */

/* Makes n threads of that many microseconds each, of which every k-th has a sample of a
   millisecond, and so many lost ones more. */
static void brief(uint32_t n, uint64_t us, uint32_t k, uint64_t lost)
{
	mk_header(s.mk)->events[0].period = MS;
	mk_header(s.mk)->events[0].flags = PROF_EVENT_USER_ONLY;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t thread = mk_thread(s.mk, PROF_THREAD_UNKNOWN, 200 + i);
		struct prof_thread *t;

		if (i % k == 0)
			mk_leaf(s.mk, scene_path(&s, mk_root(s.mk, thread), "main:30"), 0,
				PROF_STATE_NO_OPENMP, 0, 1, MS);
		t = mk_thread_record(s.mk, thread);
		t->values_known = 1;
		t->values[0] = (struct prof_value){ us * 1000, us * 1000, us * 1000 };
		t->samples[0] += i == 0 ? lost : 0;
	}
	mk_thread_record(s.mk, 0)->values_known = mk_thread_record(s.mk, 1)->values_known = 1;
	mk_thread_record(s.mk, 0)->lost[PROF_LOST_NO_ROOM] = lost;
	mk_end(s.mk);
}

static const struct {
	uint32_t n, k;
	uint64_t us, lost;
	double rest, lost_ms, kernel, chance;
	size_t without;
	const char *says;
} briefs[] = {
	{ 1000, 2, 500, 0, 0, 0, 0, 15.811, 500, "500 threads counted 250 ms and have no sample" },
	{ 1000, 2, 520, 0, 20, 0, 0, 16.396, 500, "500 threads counted 260 ms and have no sample" },
	{ 1000, 2, 900, 0, 400, 0, 400, 17.670, 500, "not shown: 400 ms (44.4 %) in the kernel" },
	{ 1000, 2, 600, 100, 100, 100, 0, 15.492, 500,
	  "not shown: 100 ms (16.7 %) of lost samples" },
	{ 100, 1, 1000, 0, 0, 0, 0, 0, 0, ": 100 samples" },
	/* That long, but in the kernel. */
	{ 10, 2, 62000, 0, 615, 0, 615, 2.227, 0, "not shown: 615 ms (99.2 %) in the kernel" },
};

START_TEST(what_was_counted_without_samples)
{
	struct unsampled u;
	char *text;

	brief(briefs[_i].n, briefs[_i].us, briefs[_i].k, briefs[_i].lost);
	scene_process(&s);
	const struct cost kept = { s.model.tally.kept, s.model.tally.kept * MS };

	u = unsampled_of(&s.model, 0, &kept);
	ck_assert(u.known);
	equal_ms(u.rest, briefs[_i].rest);
	equal_ms(u.lost, briefs[_i].lost_ms);
	equal_ms(u.kernel, briefs[_i].kernel);
	equal_ms(u.chance, briefs[_i].chance);
	ck_assert_uint_eq(u.brief, briefs[_i].without);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, briefs[_i].says), "%s", text);
	ck_assert((strstr(text, "in the kernel") != NULL) == (briefs[_i].kernel > 0));
	free(text);
}
END_TEST

/* Of 300 ms without samples a thread ran in the kernel, or none is known to have. */
START_TEST(time_in_the_kernel_is_not_called_sleep)
{
	const uint64_t ran[] = { 400, _i ? 400 : 100 };
	char *text;

	s.rows = 24;
	mk_header(s.mk)->events[0].period = MS;
	mk_header(s.mk)->events[0].flags = PROF_EVENT_USER_ONLY;
	counted(10, 400, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 400);
	sampled(worker, PROF_STATE_PARALLEL, 100);
	for (uint32_t i = 0; i < 2; i++) {
		struct prof_thread *t = mk_thread_record(s.mk, i);

		t->values_known = 1;
		t->values[0] = (struct prof_value){ ran[i] * MS, ran[i] * MS, ran[i] * MS };
	}
	mk_end(s.mk);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, _i ? "%  not running     300 ms in the kernel; else asleep "
					"or without a CPU\n" :
					"%  not running     asleep, or the CPU was another's\n"),
		      "%s", text);
	free(text);
}
END_TEST

/* ---- several processes ----------------------------------------------- */

/* A process of a second from then on; its threads work for a half of it. */
static void process_from(uint64_t ms)
{
	struct prof_header *h;

	counted(10, 800, 2, 0);
	sampled(master, PROF_STATE_PARALLEL, 500);
	sampled(worker, PROF_STATE_PARALLEL, 500);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 200);
	mk_text(s.mk, PROF_INFO_BOOT, "b1");
	mk_end(s.mk);
	h = mk_header(s.mk);
	h->start_realtime_ns = 1 + (uint64_t)s.nfiles; /* set by hand meanwhile */
	h->start_monotonic_ns += ms * MS;
	h->end_monotonic_ns += ms * MS;
	scene_process(&s);
	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	worker = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
	context = scene_path(&s, master, "main:20 solve:12");
}

static const struct {
	uint64_t from[7];
	size_t n;
	uint32_t most;
	double elapsed, at_once;
	const char *says;
} jobs[] = {
	{ { 0, 0, 0, 0 }, 4, 4, 1000, 4, "(4 processes)" },
	{ { 0, 1100, 2200 }, 3, 1, 3000, 1, "instead of 3.00 s" },
	{ { 2000, 0, 1000 }, 3, 1, 3000, 1, "(3 processes, one" },
	{ { 0, 0, 0, 1000, 1000, 1000 }, 6, 3, 2000, 3, " 3 at a time)" },
	{ { 0, 500, 1000, 1500, 5000 }, 5, 2, 3500, 5.0 / 3.5, " 2 at a time)" },
};

START_TEST(processes_run_side_by_side_or_one_after_another)
{
	double gain = 0;
	char *text;

	for (size_t i = 0; i < jobs[_i].n; i++)
		process_from(jobs[_i].from[i]);
	v = scene_view(&s, VIEW_USER);
	losses_build(v, &l);
	ck_assert_ptr_null(l.unknown);
	equal_ms(l.elapsed_ns, jobs[_i].elapsed);
	equal_ms(l.run.all, 2000.0 * (double)jobs[_i].n);
	ck_assert_double_eq_tol(l.at_once, jobs[_i].at_once, 1e-6);
	ck_assert_double_eq_tol(losses_efficiency(&l), 0.5, 1e-6);
	adds_up();
	/* Without any loss the run would take the time of its work. */
	for (uint32_t r = 0; r < v->nregions; r++)
		for (unsigned i = 0; i < LOSSES && !losses_is_outside(r); i++)
			gain += losses_gain_of(&l, r, l.region[r].lost[i]);
	equal_ms(gain, jobs[_i].elapsed / 2);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, jobs[_i].says), "%s", text);
	ck_assert_msg(strstr(text, " processes, 2 threads each\n"), "%s", text);
	free(text);
	text = scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0);
	json_schema_check("report.schema.json", text);
	free(text);
}
END_TEST

/* ---- constructs ------------------------------------------------------ */

/* Samples of the thread in the region's loop. */
static void in_loop(uint32_t root, enum prof_state state, uint64_t ms)
{
	const uint32_t at = scene_path(&s, boundary(root),
				       state == PROF_STATE_OVERHEAD ?
					       "solve._omp_fn.0:14 omp!GOMP_loop_dynamic_next" :
					       "solve._omp_fn.0:14");

	mk_leaf(s.mk,
		mk_construct(s.mk, at, scene_object(&s, "solve:16"), PROF_CONSTRUCT_LOOP_DYNAMIC),
		0, state, 0, ms, ms * MS);
}

/* Entries of the thread, and its time inside. */
static void entered(uint32_t root, enum prof_construct_kind kind, const char *call, uint64_t n,
		    uint64_t ms)
{
	const uint32_t at = mk_construct(s.mk, boundary(root), scene_object(&s, call), kind);

	mk_stats(s.mk, at, PROF_STATS_CONSTRUCT, n, ms * MS);
	if (kind > PROF_CONSTRUCT_MASKED)
		mk_stats(s.mk, at, PROF_STATS_END, n, ms * MS);
}

/* A region of 10 entries in 400 ms of a second, with a loop of 500 ms of its threads. */
static void make_loop(void)
{
	counted(10, 400, 2, 0);
	entered(master, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", 10, 300);
	entered(worker, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", 10, 200);
	in_loop(master, PROF_STATE_PARALLEL, 250);
	in_loop(master, PROF_STATE_CRITICAL, 30);
	in_loop(worker, PROF_STATE_PARALLEL, 150);
	in_loop(worker, PROF_STATE_OVERHEAD, 20);
	sampled(worker, PROF_STATE_BARRIER_IMPLICIT, 100);
}

static const struct view_construct *construct(enum construct_kind kind)
{
	for (size_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++)
		if (v->constructs[i].kind == kind && v->constructs[i].entries)
			return &v->constructs[i];
	ck_abort_msg("no %s", construct_name(kind));
	return NULL;
}

static enum construct_unsplit time_of(enum construct_kind kind, struct time_split *split)
{
	struct construct_times t;
	enum construct_unsplit why;

	construct_times_build(v, &l, &t);
	why = construct_time(&t, construct(kind), split);
	construct_times_fini(&t);
	return why;
}

static void split_adds_up(const struct time_split *split)
{
	double sum = split->work;

	for (unsigned i = 0; i < LOSSES; i++)
		sum += split->lost[i];
	ck_assert(fabs(sum - split->all) < 1);
}

START_TEST(a_loop_from_entry_to_exit)
{
	struct time_split split;

	make_loop();
	mk_end(s.mk);
	build();
	ck_assert_int_eq(time_of(CONSTRUCT_FOR_DYNAMIC, &split), CONSTRUCT_SPLIT);
	equal_ms(split.all, 500);
	equal_ms(split.work, 400);
	equal_ms(split.lost[LOSS_LOCK], 30);
	equal_ms(split.lost[LOSS_DISPATCH], 20);
	equal_ms(split.lost[LOSS_IMBALANCE], 0);
	equal_ms(split.lost[LOSS_NOT_RUNNING], 50);
	split_adds_up(&split);
	ck_assert_int_eq(time_of(CONSTRUCT_PARALLEL, &split), CONSTRUCT_SPLIT);
	equal_ms(split.all, 800);
	equal_ms(split.work, 400);
	equal_ms(split.lost[LOSS_IMBALANCE], 100);
	split_adds_up(&split);
}
END_TEST

START_TEST(a_barrier_that_is_timed)
{
	struct time_split split;

	make_loop();
	entered(worker, PROF_CONSTRUCT_BARRIER, "solve:18", 10, 60);
	mk_leaf(s.mk, scene_path(&s, boundary(worker), "solve._omp_fn.0:18 omp!GOMP_barrier"), 0,
		PROF_STATE_BARRIER_EXPLICIT, 0, 50, 50 * MS);
	mk_end(s.mk);
	build();
	ck_assert_int_eq(time_of(CONSTRUCT_BARRIER, &split), CONSTRUCT_SPLIT);
	equal_ms(split.all, 60);
	equal_ms(split.work, 0);
	split_adds_up(&split);
}
END_TEST

/* What has no samples did not run, unless it was so short that none need have been taken. */
START_TEST(a_barrier_without_samples)
{
	struct time_split split;

	make_loop();
	entered(worker, PROF_CONSTRUCT_BARRIER, "solve:18", 10, _i == 0 ? 9 : 11);
	mk_end(s.mk);
	build();
	ck_assert_int_eq(time_of(CONSTRUCT_BARRIER, &split),
			 _i == 0 ? CONSTRUCT_SHORT : CONSTRUCT_SPLIT);
	if (_i == 1)
		equal_ms(split.lost[LOSS_NOT_RUNNING], 11);
}
END_TEST

/* Tasks that ran in a region may have run inside of its loop; a region that is nested in it, or
   that had not ended, too. The time that a lock is held has no samples of its own. */
START_TEST(what_is_not_split_up)
{
	static const enum construct_unsplit why[] = {
		CONSTRUCT_RUNS_TASKS,
		CONSTRUCT_RUNS_REGIONS,
		CONSTRUCT_UNFINISHED,
		CONSTRUCT_UNTIMED,
	};
	struct time_split split;
	uint32_t at;

	make_loop();
	at = scene_path(&s, boundary(master), "solve._omp_fn.0:15");
	if (_i == 0)
		mk_stats(s.mk, mk_boundary(s.mk, worker, at, PROF_BOUNDARY_TASK),
			 PROF_STATS_TASK_RUN, 3, 0);
	if (_i == 1)
		mk_leaf(s.mk, mk_boundary(s.mk, master, at, PROF_BOUNDARY_REGION), 0,
			PROF_STATE_PARALLEL, 0, 1, 1);
	if (_i == 2)
		mk_stats(s.mk, boundary(worker), PROF_STATS_TEAM_TIME, 0, open_since(900, 2));
	if (_i == 3)
		entered(master, PROF_CONSTRUCT_LOOP_DYNAMIC, "solve:16", 1, 0);
	entered(master, PROF_CONSTRUCT_CRITICAL, "solve:17", 5, 5);
	mk_end(s.mk);
	build();
	ck_assert_ptr_null(l.unknown);
	ck_assert_int_eq(time_of(CONSTRUCT_FOR_DYNAMIC, &split), why[_i]);
	ck_assert_int_eq(time_of(CONSTRUCT_CRITICAL, &split), CONSTRUCT_HELD);
}
END_TEST

/* Where the run's time is not known, nor is a construct's. */
START_TEST(constructs_of_a_run_without_time)
{
	struct time_split split;

	make_loop();
	build();
	ck_assert_ptr_nonnull(l.unknown);
	ck_assert_int_eq(time_of(CONSTRUCT_FOR_DYNAMIC, &split), CONSTRUCT_UNTIMED);
}
END_TEST

START_TEST(the_report_splits_constructs)
{
	char *text;

	make_loop();
	entered(master, PROF_CONSTRUCT_CRITICAL, "solve:17", 5, 5);
	mk_end(s.mk);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_CONSTRUCT, 0, 0);
	ck_assert_msg(strstr(text, "its threads' 500 ms: work 80.0 %, not running 10.0 %, "
				   "locks 6.0 %, dispatch 4.0 %\n"),
		      "%s", text);
	ck_assert_msg(strstr(text, "not split up: held, and"), "%s", text);
	free(text);
	text = scene_write(&s, VIEW_USER, "json", BY_CONSTRUCT, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "\"time\":{\"thread_ns\":500000000,"));
	json_schema_check("report.schema.json", text);
	free(text);
}
END_TEST

/* Samples are chance: they may see more than there was. No share is above 100 %, and all are
   marked. */
START_TEST(samples_that_see_too_much)
{
	char *text;

	make_loop();
	in_loop(master, PROF_STATE_PARALLEL, 1000);
	in_loop(worker, PROF_STATE_PARALLEL, 1000);
	mk_end(s.mk);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_CONSTRUCT, 0, 0);
	ck_assert_msg(strstr(text, "its threads' 500 ms: work ~98.0 %, locks ~1.2 %, "
				   "dispatch ~0.8 %\n"),
		      "%s", text);
	free(text);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, "\nparallel efficiency ~100.0 %: 1.00 s instead of 1.00 s if "),
		      "%s", text);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("losses");
	TCase *c = tcase_create("losses");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, killed_between_regions);
	tcase_add_loop_test(c, the_last_whole_reading_counts, 0, 2);
	tcase_add_test(c, an_end_counts_more_than_a_reading);
	tcase_add_test(c, without_any_reading);
	tcase_add_loop_test(c, readings_that_make_no_sense, 0, 16);
	tcase_add_test(c, cycles_of_a_killed_process);
	tcase_add_test(c, cycles_that_are_multiplexed);
	tcase_add_loop_test(c, threads_without_a_counter, 0, NUNCOUNTED);
	tcase_add_loop_test(c, a_clock_that_not_every_thread_has, 0, 2);
	tcase_add_loop_test(c, teams_without_a_region, 0, 2);
	tcase_add_loop_test(c, killed_in_a_region, 0, 2);
	tcase_add_test(c, an_open_region_has_a_team_of_its_own);
	tcase_add_loop_test(c, open_regions_that_are_not_known, 0, 3);
	tcase_add_test(c, an_open_region_without_a_team);
	tcase_add_loop_test(c, an_open_region_whose_threads_are_missing, 0, 5);
	tcase_add_test(c, ended_in_a_region);
	tcase_add_test(c, entered_at_the_top_and_nested);
	tcase_add_loop_test(c, samples_deep_in_a_recursion, 0, 2);
	tcase_add_test(c, a_recursion_that_leads_back);
	tcase_add_test(c, a_recursion_that_leads_back_to_teams);
	tcase_add_test(c, a_target_region_on_the_host);
	tcase_add_test(c, helpers_beside_the_teams);
	tcase_add_test(c, the_report_says_until_when);
	tcase_add_loop_test(c, what_was_counted_without_samples, 0,
			    sizeof(briefs) / sizeof(briefs[0]));
	tcase_add_loop_test(c, time_in_the_kernel_is_not_called_sleep, 0, 2);
	tcase_add_loop_test(c, processes_run_side_by_side_or_one_after_another, 0,
			    sizeof(jobs) / sizeof(jobs[0]));
	tcase_add_test(c, a_loop_from_entry_to_exit);
	tcase_add_test(c, a_barrier_that_is_timed);
	tcase_add_loop_test(c, a_barrier_without_samples, 0, 2);
	tcase_add_loop_test(c, what_is_not_split_up, 0, 4);
	tcase_add_test(c, constructs_of_a_run_without_time);
	tcase_add_test(c, the_report_splits_constructs);
	tcase_add_test(c, samples_that_see_too_much);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
