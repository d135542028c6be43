/* SPDX-License-Identifier: BSD-3-Clause */
/* check_view_entries.c - assigns entries of synchronization constructs to their constructs. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/construct_kind.h"
#include "src/tables/constructs.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "
#define POOL "libc!clone3 libc!start_thread omp!__kmp_launch_worker omp!__kmp_invoke_microtask "

static struct scene s;
static uint32_t thread[2]; /* what they count in the region of solve */
static uint32_t body;	   /* a sample's path in it */
static struct view *v;
static struct constructs c;

/* Whether a call is at that line of solve. */
static bool is_at(uint64_t loc, const char *place)
{
	return loc == scene_object(&s, place);
}

/* Line 14 enters a critical section, 15 has an explicit barrier, and so on. */
static const char *told_critical(uint64_t loc)
{
	return is_at(loc, "solve:14") ? ".gomp_critical_user_queue.var" :
	       is_at(loc, "solve:19") ? ".gomp_critical_user_.reduction.var" :
					NULL;
}

static enum construct_kind told_construct(uint64_t loc)
{
	return is_at(loc, "solve:16") ? CONSTRUCT_BARRIER :
	       is_at(loc, "solve:18") ? CONSTRUCT_TASKLOOP :
					CONSTRUCT_UNKNOWN;
}

static void answer(void *self, const struct question *q, struct answer *a)
{
	switch ((int)q->query) {
	case QUERY_CRITICAL: a->text = told_critical(q->loc); break;
	case QUERY_BARRIER:
		a->barrier = is_at(q->loc, "solve:15") ? BARRIER_EXPLICIT : BARRIER_UNKNOWN;
		break;
	case QUERY_CONSTRUCT: a->construct = told_construct(q->loc); break;
	default: scene_answer(self, q, a);
	}
}

static void setup(void)
{
	uint32_t context;

	scene_init(&s);
	s.resolver.answer = answer;
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	thread[0] = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	thread[1] = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
	context = scene_path(&s, thread[0], START "main:20 solve:12");
	body = mk_boundary(s.mk, scene_path(&s, thread[1], POOL), context, PROF_BOUNDARY_REGION);
	for (int i = 0; i < 2; i++)
		thread[i] = mk_boundary(s.mk, thread[i], context, PROF_BOUNDARY_REGION);
	/* Two nanoseconds a tick. */
	mk_end(s.mk);
	mk_header(s.mk)->ticks_start = 1;
	mk_header(s.mk)->ticks_end = 1001;
	mk_header(s.mk)->end_monotonic_ns = mk_header(s.mk)->start_monotonic_ns + 2000;
}

static void teardown(void)
{
	if (v != NULL) {
		constructs_fini(&c);
		view_free(v);
	}
	v = NULL;
	scene_fini(&s);
}

static uint32_t counted(int i, enum prof_construct_kind kind, const char *call, uint64_t entries,
			uint64_t ticks)
{
	uint32_t at = mk_construct(s.mk, thread[i], scene_object(&s, call), kind);

	mk_stats(s.mk, at, PROF_STATS_CONSTRUCT, entries, ticks);
	return at;
}

static void timed(int i, enum prof_construct_kind kind, const char *call, uint64_t entries,
		  uint64_t ticks, uint64_t ended, uint64_t longest)
{
	mk_stats(s.mk, counted(i, kind, call, entries, ticks), PROF_STATS_END, ended, longest);
}

static void build(void)
{
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	constructs_build(v, 0, &c);
}

/* The one construct of that kind at that line, or NULL. */
static const struct construct_row *find(enum construct_kind kind, unsigned line)
{
	const struct construct_row *found = NULL;

	for (size_t i = 0; i < c.n; i++)
		if (c.all[i].what->kind == kind &&
		    v->names.lines[c.all[i].what->line].line == line) {
			ck_assert_ptr_null(found);
			found = &c.all[i];
		}
	return found;
}

static const struct view_construct *have(enum construct_kind kind, unsigned line, uint64_t entries)
{
	const struct construct_row *found = find(kind, line);

	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->what->entries, entries);
	return found->what;
}

START_TEST(entries_and_waits_are_one_row)
{
	const struct construct_row *found;
	struct construct_inside in;

	mk_leaf(s.mk,
		mk_object(s.mk, scene_path(&s, body, ".omp_outlined.:14 omp!__kmpc_critical"),
			  scene_object(&s, ".gomp_critical_user_queue.var"), 1),
		0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 5, 5);
	timed(0, PROF_CONSTRUCT_CRITICAL, "solve:14", 10, 300, 10, 90);
	timed(1, PROF_CONSTRUCT_CRITICAL, "solve:14", 20, 100, 15, 30);
	build();
	found = find(CONSTRUCT_CRITICAL, 14);
	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found->what->object, "queue");
	ck_assert_uint_eq(found->what->entries, 30);
	ck_assert_uint_eq(found->what->ended, 25);
	ck_assert_uint_eq(found->what->elapsed_ns, 800);
	ck_assert_uint_eq(found->what->longest_ns, 180);
	ck_assert_uint_eq(found->what->nentrants, 2);
	ck_assert_uint_eq(cost_sum(found->self, 0).weight, 5);
	in = construct_inside(v, found->what);
	ck_assert_uint_eq(in.least, 200);
	ck_assert_uint_eq(in.most, 600);
	ck_assert_double_eq_tol(in.mean, 400, 1e-9);
}
END_TEST

START_TEST(each_kind_is_what_it_is)
{
	timed(0, PROF_CONSTRUCT_ORDERED, "solve:15", 1, 10, 1, 10);
	timed(0, PROF_CONSTRUCT_ATOMIC, "solve:16", 2, 10, 2, 10);
	timed(0, PROF_CONSTRUCT_BARRIER, "solve:17", 3, 10, 3, 10);
	timed(0, PROF_CONSTRUCT_TASKGROUP, "solve:21", 4, 10, 4, 10);
	timed(0, PROF_CONSTRUCT_TASKWAIT, "solve:19", 5, 10, 5, 10);
	counted(1, PROF_CONSTRUCT_TASKWAIT, "solve:20", 6, 0);
	build();
	have(CONSTRUCT_ORDERED, 15, 1);
	have(CONSTRUCT_ATOMIC, 16, 2);
	have(CONSTRUCT_BARRIER, 17, 3);
	have(CONSTRUCT_TASKGROUP, 21, 4);
	ck_assert(have(CONSTRUCT_TASKWAIT, 19, 5)->elapsed_known);
	/* No end was reported: a time of 0 would be wrong. */
	ck_assert(!have(CONSTRUCT_TASKWAIT, 20, 6)->elapsed_known);
}
END_TEST

START_TEST(what_is_part_of_others_is_none)
{
	timed(0, PROF_CONSTRUCT_BARRIER_ANY, "solve:15", 1, 10, 1, 10);
	timed(0, PROF_CONSTRUCT_BARRIER_ANY, "solve:16", 2, 10, 2, 10);
	timed(0, PROF_CONSTRUCT_BARRIER_ANY, "solve:17", 3, 10, 3, 10);
	timed(0, PROF_CONSTRUCT_TASKGROUP, "solve:18", 4, 10, 4, 10);
	timed(0, PROF_CONSTRUCT_CRITICAL, "solve:19", 5, 10, 5, 10);
	build();
	have(CONSTRUCT_BARRIER, 15, 1);
	have(CONSTRUCT_BARRIER, 16, 2);
	ck_assert_uint_eq(c.n, 2);
}
END_TEST

START_TEST(locks_have_their_names)
{
	const uint64_t a = scene_object(&s, "lock_a"), b = scene_object(&s, "lock_b");
	const struct {
		const char *call;
		uint64_t low, high;
		const char *name;
	} calls[] = {
		{ "solve:15", a, a, "lock_a" },
		{ "solve:16", a, b, NULL },
		{ "solve:17", PROF_LOC(0, 0x7fff0000), PROF_LOC(0, 0x7fff0000), NULL },
		{ "solve:18", b, b, "lock_b" },
	};
	const uint32_t in_heap =
		mk_object(s.mk, scene_path(&s, body, ".omp_outlined.:20 omp!omp_set_lock"),
			  scene_object(&s, "bank_new:31"), PROF_OBJECT_MADE);

	for (size_t i = 0; i < 4; i++)
		mk_stats(s.mk, counted(0, PROF_CONSTRUCT_LOCK, calls[i].call, 1, 0),
			 PROF_STATS_OBJECT, calls[i].low, calls[i].high);
	/* Another thread's was another. */
	mk_stats(s.mk, counted(1, PROF_CONSTRUCT_LOCK, "solve:18", 1, 0), PROF_STATS_OBJECT, a, a);
	/* And what samples show. */
	mk_leaf(s.mk,
		mk_object(s.mk, scene_path(&s, body, ".omp_outlined.:15 omp!omp_set_lock"), a, 1),
		0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 5, 5);
	mk_leaf(s.mk,
		mk_object(s.mk, scene_path(&s, body, ".omp_outlined.:19 omp!omp_set_lock"), b, 1),
		0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 5, 5);
	mk_leaf(s.mk, in_heap, 0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 5, 5);
	build();
	for (size_t i = 0; i < 3; i++) {
		const struct view_construct *w = have(CONSTRUCT_LOCK, 15 + (unsigned)i, 1);

		if (calls[i].name)
			ck_assert_str_eq(w->object, calls[i].name);
		else
			ck_assert_ptr_null(w->object);
	}
	ck_assert_ptr_null(have(CONSTRUCT_LOCK, 18, 2)->object);
	ck_assert_str_eq(have(CONSTRUCT_LOCK, 19, 0)->object, "lock_b");
	ck_assert_str_eq(have(CONSTRUCT_LOCK, 20, 0)->object, "made in bank_new (app.c:31)");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("entries in views");
	TCase *t = tcase_create("entries");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, entries_and_waits_are_one_row);
	tcase_add_test(t, each_kind_is_what_it_is);
	tcase_add_test(t, what_is_part_of_others_is_none);
	tcase_add_test(t, locks_have_their_names);
	suite_add_tcase(suite, t);
	return suite_main(suite);
}
