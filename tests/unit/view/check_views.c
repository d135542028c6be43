/* SPDX-License-Identifier: BSD-3-Clause */
/* check_views.c - the views of the same samples. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/model/construct_kind.h"
#include "src/tables/constructs.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/tables/tasks.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "
#define FORK "omp!__kmpc_fork_call omp!__kmp_fork_call omp!__kmp_invoke_microtask "
#define POOL "libc!clone3 libc!start_thread omp!__kmp_launch_worker omp!__kmp_invoke_microtask "

static struct scene s;
static uint32_t master, worker; /* roots */

static void setup(void)
{
	scene_init(&s);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	worker = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
}

static void teardown(void)
{
	scene_fini(&s);
}

static void leaf(uint32_t at, enum prof_state state, uint64_t samples)
{
	mk_leaf(s.mk, at, 0, state, PROF_CAUSE_NONE, samples, samples);
}

static uint32_t region(uint32_t at, uint32_t context)
{
	return mk_boundary(s.mk, at, context, PROF_BOUNDARY_REGION);
}

static uint32_t task(uint32_t at, uint32_t context)
{
	return mk_boundary(s.mk, at, context, PROF_BOUNDARY_TASK);
}

static void shows(enum view_kind kind, const char *expected)
{
	char *text = scene_folded(&s, kind);

	ck_assert_str_eq(text, expected);
	free(text);
}

/* main calls solve, whose region calls kernel: context, and both threads in it. */
static uint32_t make_region(void)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t at = region(scene_path(&s, context, FORK), context);

	leaf(scene_path(&s, at, ".omp_outlined.:12 .omp_outlined._debug__:15 kernel:5"),
	     PROF_STATE_PARALLEL, 10);
	at = region(scene_path(&s, worker, POOL), context);
	leaf(scene_path(&s, at, ".omp_outlined.:12 .omp_outlined._debug__:15 kernel:5"),
	     PROF_STATE_PARALLEL, 7);
	leaf(scene_path(&s, at, ".omp_outlined.:12 .omp_outlined._debug__:16"), PROF_STATE_PARALLEL,
	     3);
	return context;
}

START_TEST(one_path_for_all_threads)
{
	make_region();
	scene_process(&s);
	shows(VIEW_USER, "main;solve 3\nmain;solve;kernel 17\n");
	shows(VIEW_EXPERT,
	      "main;solve;solve -- OMP parallel region from line 12 [.omp_outlined.] 3\n"
	      "main;solve;solve -- OMP parallel region from line 12 [.omp_outlined.];kernel 17\n");
	shows(VIEW_MACHINE,
	      "_start;__libc_start_main_impl;__libc_start_call_main;main;solve;__kmpc_fork_call;"
	      "__kmp_fork_call;__kmp_invoke_microtask;.omp_outlined.;.omp_outlined._debug__;"
	      "kernel 10\n"
	      "clone3;start_thread;__kmp_launch_worker;__kmp_invoke_microtask;.omp_outlined.;"
	      ".omp_outlined._debug__ 3\n"
	      "clone3;start_thread;__kmp_launch_worker;__kmp_invoke_microtask;.omp_outlined.;"
	      ".omp_outlined._debug__;kernel 7\n");
}
END_TEST

/* The body is the body, whatever it is called: a stripped program's. */
START_TEST(body_without_a_name)
{
	uint32_t context = scene_path(&s, master, START "main:20 app+0x1100");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context), "app+0x1200 kernel:5"),
	     PROF_STATE_PARALLEL, 4);
	scene_process(&s);
	shows(VIEW_USER, "main;app+0x1100;kernel 4\n");
	shows(VIEW_EXPERT, "main;app+0x1100;app+0x1100 -- OMP parallel region [app+0x1200];"
			   "kernel 4\n");
}
END_TEST

/* The body called solve_inner last, and so is not on the stack. */
START_TEST(body_that_left_no_frame)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context), "inner:30 kernel:5"),
	     PROF_STATE_PARALLEL, 4);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;inner;kernel 4\n");
	shows(VIEW_EXPERT, "main;solve;inner;kernel 4\n");
}
END_TEST

START_TEST(start_is_left_out)
{
	leaf(scene_path(&s, master, START "main:20 work:3"), PROF_STATE_SERIAL, 1);
	/* A stripped C library, and what it runs before main. */
	leaf(scene_path(&s, master, "_start libc!libc.so.6+0x27 libc!libc.so.6+0x28 init:4"),
	     PROF_STATE_SERIAL, 2);
	leaf(scene_path(&s, worker,
			"libc!clone3 libc!start_thread tool!trampoline start_thread:7"
			" libc!qsort compare:9"),
	     PROF_STATE_NO_OPENMP, 3);
	/* A static executable. */
	leaf(scene_path(&s, worker, "clone3 start_thread run:2"), PROF_STATE_NO_OPENMP, 4);
	/* Nothing but the C library: a row of its own, whatever it was. */
	leaf(scene_path(&s, master, "libc!_dl_start libc!_dl_relocate"), PROF_STATE_NO_OPENMP, 5);
	leaf(scene_path(&s, master, "_start"), PROF_STATE_NO_OPENMP, 6);
	leaf(scene_path(&s, master, "libc!_dl_init libc!call_init tool!begin libc!malloc"),
	     PROF_STATE_NO_OPENMP, 7);
	leaf(scene_path(&s, worker, "libc!clone3 libc!start_thread libc!free"),
	     PROF_STATE_NO_OPENMP, 8);
	scene_process(&s);
	for (int k = VIEW_USER; k <= VIEW_EXPERT; k++)
		shows((enum view_kind)k,
		      "(C library alone) 8\n(before or after main) 18\ninit 2\nmain;work 1\nrun 4\n"
		      "start_thread;qsort;compare 3\n");
}
END_TEST

START_TEST(idle_is_the_whole_stack)
{
	leaf(scene_path(&s, worker, POOL "omp!__kmp_wait libc!sched_yield"), PROF_STATE_IDLE, 9);
	scene_process(&s);
	shows(VIEW_USER, "<OMP-idle> 9\n");
	shows(VIEW_EXPERT, "<OMP-idle> 9\n");
	shows(VIEW_MACHINE, "clone3;start_thread;__kmp_launch_worker;__kmp_invoke_microtask;"
			    "__kmp_wait;sched_yield 9\n");
}
END_TEST

START_TEST(waits_are_leaves)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), body;

	/* At the region's end: no frame of the user's. */
	leaf(region(scene_path(&s, worker, POOL "omp!__kmp_join_barrier"), context),
	     PROF_STATE_BARRIER_IMPLICIT, 1);
	body = scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined.:13");
	leaf(scene_path(&s, body, "omp!__kmpc_barrier libc!sched_yield"),
	     PROF_STATE_BARRIER_EXPLICIT, 2);
	leaf(scene_path(&s, body, "omp!__kmpc_omp_taskwait omp!__kmp_wait"), PROF_STATE_PARALLEL,
	     3);
	leaf(scene_path(&s, body, "kernel:5 omp!omp_get_thread_num"), PROF_STATE_PARALLEL, 4);
	leaf(mk_object(s.mk, scene_path(&s, body, "omp!__kmpc_critical omp!__kmp_acquire"),
		       scene_object(&s, ".gomp_critical_user_queue.var"), 1),
	     PROF_STATE_LOCK, 5);
	leaf(mk_object(s.mk, scene_path(&s, body, "omp!omp_set_lock"), 0xdead, 0), PROF_STATE_LOCK,
	     6);
	/* The master joins: no boundary, but the entry says whose end it is. */
	leaf(scene_path(&s, context, "omp!__kmpc_fork_call omp!__kmp_join_call"),
	     PROF_STATE_OVERHEAD, 7);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;<OMP-critical_section_wait> 5\n"
			 "main;solve;<OMP-explicit_barrier> 2\n"
			 "main;solve;<OMP-fork_join> 7\n"
			 "main;solve;<OMP-implicit_barrier> 1\n"
			 "main;solve;<OMP-lock_wait> 6\n"
			 "main;solve;<OMP-taskwait> 3\n"
			 "main;solve;kernel;<OMP-overhead> 4\n");
}
END_TEST

START_TEST(tasks_hang_where_they_were_created)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t inner = scene_path(&s, region(scene_path(&s, worker, POOL), context),
				    ".omp_outlined.:13 produce:30");
	uint32_t at = task(scene_path(&s, master,
				      START "main:20 solve:12 " FORK
					    "omp!__kmp_execute_tasks omp!__kmp_invoke_task"),
			   inner);

	at = scene_path(&s, at, ".omp_task_entry.:30 .omp_task_body.:31 consume:40");
	leaf(at, PROF_STATE_PARALLEL, 8);
	/* A task of a task. */
	at = task(scene_path(&s, worker, POOL "omp!__kmp_invoke_task"), at);
	leaf(scene_path(&s, at, ".omp_task_entry..7:41 deep:50"), PROF_STATE_PARALLEL, 2);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;produce;consume 8\nmain;solve;produce;consume;deep 2\n");
	shows(VIEW_EXPERT,
	      "main;solve;solve -- OMP parallel region from line 12 [.omp_outlined.];produce;"
	      "produce -- OMP task from line 30 [.omp_task_entry.];consume 8\n"
	      "main;solve;solve -- OMP parallel region from line 12 [.omp_outlined.];produce;"
	      "produce -- OMP task from line 30 [.omp_task_entry.];consume;"
	      "consume -- OMP task from line 40 [.omp_task_entry..7];deep 2\n");
}
END_TEST

START_TEST(nested_regions)
{
	uint32_t outer = scene_path(&s, master, START "main:20 solve:12");
	uint32_t inner = scene_path(&s, region(scene_path(&s, worker, POOL), outer),
				    ".omp_outlined.:13 sweep:50");
	uint32_t other = scene_path(&s, region(scene_path(&s, worker, POOL), outer),
				    ".omp_outlined.:14 sweep:50");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), inner), ".omp_outlined..2:51 f:9"),
	     PROF_STATE_PARALLEL, 1);
	leaf(scene_path(&s, region(scene_path(&s, master, POOL), other), ".omp_outlined..2:51 f:9"),
	     PROF_STATE_PARALLEL, 2);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;sweep;f 3\n");
}
END_TEST

/* The body was called like a function: a region for all that. */
START_TEST(serialized_regions)
{
	struct view *v;

	leaf(scene_path(&s, master,
			START "main:20 solve:12 .omp_outlined.:13 "
			      ".omp_outlined._debug__:14 kernel:5"),
	     PROF_STATE_PARALLEL, 3);
	/* An undeferred task is none. */
	leaf(scene_path(&s, master, START "main:21 .omp_task_entry.:22 kernel:5"),
	     PROF_STATE_SERIAL, 4);
	scene_process(&s);
	shows(VIEW_USER, "main;kernel 4\nmain;solve;kernel 3\n");
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 1);
	ck_assert_uint_eq(v->names.lines[v->regions[REGION_SPECIALS].line].line, 12);
	ck_assert_uint_eq(v->records[0].region, REGION_SPECIALS);
	ck_assert_uint_eq(v->records[1].region, REGION_SERIAL);
	view_free(v);
}
END_TEST

/* gcc calls the body of a task as it calls a region's. */
START_TEST(tasks_that_look_like_regions)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at;
	struct view *v;

	at = scene_path(&s, region(scene_path(&s, worker, POOL), context), "solve._omp_fn.0:13");
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), at), "solve._omp_fn.1:14 kernel:5"),
	     PROF_STATE_PARALLEL, 3);
	scene_process(&s);
	shows(VIEW_EXPERT, "main;solve;solve -- OMP parallel region from line 12 [solve._omp_fn.0];"
			   "solve -- OMP task from line 13 [solve._omp_fn.1];kernel 3\n");
	v = scene_view(&s, VIEW_EXPERT);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 1);
	ck_assert_int_eq(v->names.functions[v->tasks[1].body].outlined, SYM_OUTLINED_TASK);
	ck_assert_int_eq(v->names.functions[v->regions[REGION_SPECIALS].body].outlined,
			 SYM_OUTLINED_REGION);
	view_free(v);
}
END_TEST

/* The same where the body is met first without the task's boundary: it is no region. */
START_TEST(tasks_without_a_boundary_at_first)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at, region_at;
	struct view *v;

	region_at = region(scene_path(&s, worker, POOL), context);
	leaf(scene_path(&s, region_at,
			"solve._omp_fn.0:13 omp!GOMP_taskwait omp!run solve._omp_fn.1:14 kernel:5"),
	     PROF_STATE_PARALLEL, 2);
	at = scene_path(&s, region_at, "solve._omp_fn.0:13");
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), at), "solve._omp_fn.1:14 kernel:5"),
	     PROF_STATE_PARALLEL, 3);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 1);
	ck_assert_str_eq(v->names.functions[v->regions[REGION_SPECIALS].body].linkage,
			 "solve._omp_fn.0");
	view_free(v);
}
END_TEST

/* A region's body is the inner function, in whatever order both are met. */
START_TEST(bodies_in_any_order)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t at = region(scene_path(&s, worker, POOL), context);
	struct view *v;

	leaf(scene_path(&s, at, ".omp_outlined.:12 .omp_outlined._debug__:13 kernel:5"),
	     PROF_STATE_PARALLEL, 2);
	leaf(scene_path(&s, at, ".omp_outlined.:12 tail:13"), PROF_STATE_PARALLEL, 2);
	/* A task's, which runs in the region without its boundary. */
	leaf(scene_path(&s, at, ".omp_outlined.:12 omp!__kmpc_barrier .omp_task_entry.:30 f:9"),
	     PROF_STATE_PARALLEL, 1);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->nregions, REGION_SPECIALS + 1);
	ck_assert_str_eq(v->names.functions[v->regions[REGION_SPECIALS].body].linkage,
			 ".omp_outlined._debug__");
	view_free(v);
}
END_TEST

/* What a wrapper calls is merged into its frame, and nothing else: a region that
   a task's body calls like a function is one of its own. */
START_TEST(wrappers_are_one_frame)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at;
	struct view *v;

	at = task(scene_path(&s, worker, POOL), context);
	leaf(scene_path(&s, at,
			".omp_task_entry.:12^.omp_task_body.:13 .omp_outlined..5:14"
			"^.omp_outlined..5_debug__:15 kernel:5"),
	     PROF_STATE_PARALLEL, 3);
	/* The wrapper called the body last; its creator's frame is another's. */
	context =
		scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined.:13");
	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context),
			".omp_outlined..7_debug__:16 kernel:5"),
	     PROF_STATE_PARALLEL, 4);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;kernel 7\n");
	shows(VIEW_EXPERT,
	      "main;solve;solve -- OMP parallel region from line 12 [.omp_outlined.];"
	      "solve -- OMP parallel region from line 13 [.omp_outlined..7_debug__];kernel 4\n"
	      "main;solve;solve -- OMP task from line 12 [.omp_task_entry.];"
	      "solve -- OMP parallel region from line 13 [.omp_outlined..5];kernel 3\n");
	v = scene_view(&s, VIEW_EXPERT);
	ck_assert_uint_ge(v->records[0].region, REGION_SPECIALS);
	ck_assert_uint_eq(v->names.lines[v->regions[v->records[0].region].line].line, 13);
	view_free(v);
}
END_TEST

/* ---- bodies that make a tail call to the C library --------------------- */

static enum callsite_way way;
static struct answer lost;

static void answer_way(void *self, const struct question *q, struct answer *a)
{
	if (q->query == QUERY_WAY)
		a->way = way;
	else
		scene_answer(self, q, a);
}

static void take_lost(const struct question *q, struct answer *a, const char *callee)
{
	*a = (struct answer){ .known = lost.at && !strcmp(q->callee, callee),
			      .entry = lost.entry,
			      .at = lost.at,
			      .end = lost.end };
}

static void answer_body(void *self, const struct question *q, struct answer *a)
{
	answer_way(self, q, a);
	if (q->query != QUERY_BODY)
		return;
	ck_assert(!q->exact);
	take_lost(q, a, *q->callee ? "memset" : "");
}

static void tail_calls(bool told)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t at = region(scene_path(&s, context, FORK), context);

	lost = (struct answer){ 0 };
	if (told)
		lost.entry = lost.at = scene_object(&s, "solve._omp_fn.0:15");
	leaf(scene_path(&s, at, "libc!memset"), PROF_STATE_PARALLEL, 10);
	/* A task of it, on another thread. */
	at = task(scene_path(&s, region(scene_path(&s, worker, POOL), context),
			     "omp!__kmpc_omp_taskwait omp!__kmp_invoke_task"),
		  scene_path(&s, at, "solve._omp_fn.0:14"));
	leaf(scene_path(&s, at, "libc!memset libc!memmove"), PROF_STATE_PARALLEL, 5);
	s.resolver.answer = answer_body;
	scene_process(&s);
}

START_TEST(library_functions_called_last)
{
	struct view *v;

	way = CALLSITE_POINTER;
	tail_calls(false);
	shows(VIEW_USER, "main;solve;memset 15\n");
	way = CALLSITE_UNKNOWN;
	shows(VIEW_USER, "main;solve;memset 15\n");
	for (int kind = 0; kind < VIEW_KINDS; kind++) {
		v = scene_view(&s, (enum view_kind)kind);
		for (size_t i = 0; i < v->nrecords; i++)
			ck_assert_int_eq(v->records[i].class, OMP_WORK);
		ck_assert_uint_ge(v->records[0].region, REGION_SPECIALS);
		view_free(v);
	}
}
END_TEST

START_TEST(library_functions_called_last_from_a_known_line)
{
	struct view *v;

	way = CALLSITE_POINTER;
	tail_calls(true);
	shows(VIEW_USER, "main;solve;memset 15\n");
	shows(VIEW_EXPERT,
	      "main;solve;solve -- OMP parallel region from line 12 [solve._omp_fn.0];memset 10\n"
	      "main;solve;solve -- OMP parallel region from line 12 [solve._omp_fn.0];"
	      "solve -- OMP task from line 14 [solve._omp_fn.0];memset;memmove 5\n");
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->names.lines[v->regions[REGION_SPECIALS].line].line, 12);
	view_free(v);
}
END_TEST

/* The body's last call is of a function that this profiler wraps, or (1) of another one. */
static void answer_wrapped(void *self, const struct question *q, struct answer *a)
{
	answer_way(self, q, a);
	if (q->query == QUERY_BODY)
		*a = lost;
	else if (q->query == QUERY_CALLED && q->exact && q->loc == lost.at)
		a->text = "usleep";
}

START_TEST(sleep_called_last)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), line = 0;
	uint32_t at = region(scene_path(&s, context, FORK), context);
	struct view *v;

	way = CALLSITE_POINTER;
	lost = (struct answer){ .known = true };
	lost.entry = lost.at = scene_object(&s, "solve._omp_fn.0:15");
	leaf(scene_path(&s, at, _i ? "tool!handler tool!mask" : "tool!usleep tool!mask"),
	     PROF_STATE_PARALLEL | PROF_ASLEEP, 10);
	s.resolver.answer = answer_wrapped;
	scene_process(&s);
	shows(VIEW_USER, _i ? "main;solve;<OMP-fork_join> 10\n" : "main;solve;usleep 10\n");
	v = scene_view(&s, VIEW_USER);
	for (size_t i = 0; i < v->nrecords; i++) {
		ck_assert_int_eq(v->records[i].leaf, _i ? LEAF_FORK_JOIN : LEAF_BLOCKED);
		line = v->names.lines[v->records[i].line].line;
	}
	ck_assert_uint_eq(line, _i ? 12 : 15);
	view_free(v);
}
END_TEST

/* Of a C library that is stripped of its names. */
START_TEST(library_without_names)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t at = region(scene_path(&s, context, FORK), context);

	way = CALLSITE_POINTER;
	lost = (struct answer){ 0 };
	lost.entry = lost.at = scene_object(&s, "solve._omp_fn.0:15");
	leaf(scene_path(&s, at, "libc!libc.so.6+0x30"), PROF_STATE_PARALLEL, 10);
	s.resolver.answer = answer_body;
	scene_process(&s);
	shows(VIEW_EXPERT, "main;solve;solve -- OMP parallel region from line 12 "
			   "[solve._omp_fn.0];libc.so.6+0x30 10\n");
}
END_TEST

/* A call by name is the runtime's own; so is what a frame was interrupted by. */
START_TEST(library_functions_of_the_runtime)
{
	way = CALLSITE_NAMED;
	tail_calls(true);
	shows(VIEW_USER, "main;solve;<OMP-fork_join> 10\nmain;solve;<OMP-overhead> 5\n");
}
END_TEST

/* Where no boundary says that the body begins there, only the code may say so. */
START_TEST(library_functions_without_a_boundary)
{
	leaf(scene_path(&s, master, START "main:20 solve:12 omp!GOMP_parallel libc!memset"),
	     PROF_STATE_PARALLEL, 10);
	s.resolver.answer = answer_way;
	scene_process(&s);
	way = CALLSITE_UNKNOWN;
	shows(VIEW_USER, "main;solve;<OMP-fork_join> 10\n");
	way = CALLSITE_POINTER;
	shows(VIEW_USER, "main;solve;memset 10\n");
}
END_TEST

/* The plugin's call of it leaves no frame of the runtime's. */
START_TEST(code_that_a_plugin_runs_is_work)
{
	leaf(scene_path(&s, worker, "libc!clone3 libc!start_thread offload:3 kernel:5"),
	     PROF_STATE_OVERHEAD, 3);
	leaf(scene_path(&s, worker, "libc!clone3 libc!start_thread omp!__kmp_launch_worker"),
	     PROF_STATE_OVERHEAD, 4);
	mk_leaf(s.mk, scene_path(&s, worker, "kernel:5"), 0, PROF_STATE_OVERHEAD,
		PROF_CAUSE_NO_RULES, 5, 5);
	scene_process(&s);
	shows(VIEW_USER, "<OMP-overhead> 4\n<unknown>;(no unwind rules);kernel;<OMP-overhead> 5\n"
			 "offload;kernel 3\n");
}
END_TEST

static void answer_barrier(void *self, const struct question *q, struct answer *a)
{
	if (q->query == QUERY_BARRIER)
		a->barrier = q->loc == lost.end ? BARRIER_EXPLICIT : BARRIER_UNKNOWN;
	else if (q->query == QUERY_BODY)
		take_lost(q, a, "__kmpc_barrier");
	else
		scene_answer(self, q, a);
}

/* An explicit barrier that is the last of a region; the one at its end is the runtime's. */
START_TEST(barriers_called_last)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t at = region(scene_path(&s, worker, POOL), context);

	lost.at = scene_object(&s, "solve._omp_fn.0:15");
	lost.end = lost.at + 5;
	leaf(scene_path(&s, at, "omp!__kmpc_barrier omp!__kmp_wait"), PROF_STATE_BARRIER, 3);
	leaf(scene_path(&s, at, "omp!__kmp_join_barrier omp!__kmp_wait"), PROF_STATE_BARRIER, 4);
	s.resolver.answer = answer_barrier;
	scene_process(&s);
	shows(VIEW_USER, "main;solve;<OMP-explicit_barrier> 3\n"
			 "main;solve;<OMP-implicit_barrier> 4\n");
}
END_TEST

START_TEST(inlined_functions_are_frames)
{
	uint32_t context = scene_path(&s, master, START "main:20^solve:12");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context),
			".omp_outlined.:12^.omp_outlined._debug__:15^kernel:5"),
	     PROF_STATE_PARALLEL, 6);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;kernel 6\n");
}
END_TEST

/* Where the compiler doesn't say that solve was inlined, its region does. */
START_TEST(lost_frames_are_found)
{
	uint32_t context = scene_path(&s, master, START "main:20");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context),
			"solve._omp_fn.0:12 kernel:5"),
	     PROF_STATE_PARALLEL, 6);
	leaf(scene_path(&s, context, "omp!GOMP_parallel omp!join"), PROF_STATE_OVERHEAD, 2);
	/* A copy of solve is solve. */
	context = scene_path(&s, master, START "main:21 solve.constprop.0:9");
	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context), "solve._omp_fn.1:12"),
	     PROF_STATE_PARALLEL, 3);
	/* Met by itself later: the same function. */
	leaf(scene_path(&s, master, START "main:22 solve:10"), PROF_STATE_SERIAL, 1);
	scene_process(&s);
	shows(VIEW_USER, "main;solve 1\nmain;solve;<OMP-fork_join> 2\nmain;solve;kernel 6\n"
			 "main;solve.constprop.0 3\n");
	shows(VIEW_EXPERT,
	      "main;solve 1\nmain;solve;<OMP-fork_join> 2\n"
	      "main;solve;solve -- OMP parallel region from line 20 [solve._omp_fn.0];kernel 6\n"
	      "main;solve.constprop.0;solve -- OMP parallel region from line 9 [solve._omp_fn.1] 3\n");
}
END_TEST

/* A task that the runtime ran where the region's own body should be: it names no one. */
START_TEST(one_own_body_is_enough)
{
	uint32_t context = scene_path(&s, master, START "main:20");

	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context), "fib._omp_fn.0:5"),
	     PROF_STATE_PARALLEL, 3);
	leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context), "main._omp_fn.0:21"),
	     PROF_STATE_PARALLEL, 6);
	scene_process(&s);
	shows(VIEW_EXPERT, "main;fib -- OMP parallel region from line 20 [fib._omp_fn.0] 3\n"
			   "main;main -- OMP parallel region from line 20 [main._omp_fn.0] 6\n");
}
END_TEST

/* The creating frame above the boundary is itself, not a body. */
START_TEST(creator_seen_again)
{
	uint32_t context = scene_path(&s, master, START "main:20^solve:12");
	uint32_t outside = scene_path(&s, master,
				      "_start libc!__libc_start_main_impl "
				      "libc!__libc_start_call_main");

	/* Making the team: the same call. */
	leaf(scene_path(&s, region(outside, context), "main:20^solve:12 omp!__kmpc_fork_call"),
	     PROF_STATE_OVERHEAD, 2);
	/* A serialized region's body, inlined there. */
	leaf(scene_path(&s, region(outside, context), "main:20^solve:13^kernel:5"),
	     PROF_STATE_PARALLEL, 3);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;<OMP-fork_join> 2\nmain;solve;kernel 3\n");
	shows(VIEW_EXPERT, "main;solve;<OMP-fork_join> 2\nmain;solve;kernel 3\n");
}
END_TEST

START_TEST(gcc_without_ompt)
{
	leaf(scene_path(&s, master,
			START "main:20 solve:12 omp!GOMP_parallel solve._omp_fn.0:13 "
			      "kernel:5"),
	     PROF_STATE_NO_OPENMP, 3);
	leaf(scene_path(&s, worker,
			"libc!clone3 libc!start_thread omp!gomp_thread_start "
			"solve._omp_fn.0:13 kernel:5"),
	     PROF_STATE_NO_OPENMP, 4);
	leaf(scene_path(&s, worker,
			"libc!clone3 libc!start_thread omp!gomp_thread_start "
			"omp!gomp_barrier_wait"),
	     PROF_STATE_NO_OPENMP, 5);
	scene_process(&s);
	shows(VIEW_USER, "<OMP-idle> 5\nmain;solve;kernel 3\nsolve;kernel 4\n");
	shows(VIEW_EXPERT,
	      "<OMP-idle> 5\n"
	      "main;solve;solve -- OMP parallel region from line 12 [solve._omp_fn.0];kernel 3\n"
	      "solve -- OMP parallel region [solve._omp_fn.0];kernel 4\n");
}
END_TEST

START_TEST(callbacks_are_user_code)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t body = scene_path(&s, region(scene_path(&s, worker, POOL), context),
				   ".omp_outlined.:13 omp!__kmpc_reduce omp!__kmp_barrier");

	leaf(body, PROF_STATE_BARRIER, 1);
	leaf(scene_path(&s, body, ".omp.reduction.reduction_func:14"), PROF_STATE_BARRIER, 2);
	leaf(scene_path(&s, body, ".omp.reduction.reduction_func:14 combine:60"),
	     PROF_STATE_BARRIER, 3);
	scene_process(&s);
	shows(VIEW_USER, "main;solve;<OMP-reduction> 3\nmain;solve;combine 3\n");
}
END_TEST

START_TEST(profiler_is_left_out)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");

	leaf(scene_path(&s, context, "omp!__kmpc_fork_call tool!on_parallel_begin libc!memcpy"),
	     PROF_STATE_SERIAL, 1);
	leaf(scene_path(&s, master, START "main:21 tool!pthread_create libc!pthread_create"),
	     PROF_STATE_SERIAL, 2);
	scene_process(&s);
	shows(VIEW_USER, "main;pthread_create 2\nmain;solve;<OMP-fork_join> 1\n");
}
END_TEST

static void broken(uint32_t at, enum prof_cause cause, uint64_t samples)
{
	mk_leaf(s.mk, at, 0, PROF_STATE_PARALLEL, cause, samples, samples);
}

START_TEST(unknown_has_its_cause)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");

	broken(scene_path(&s, master, "jit+0x10 kernel:5"), PROF_CAUSE_NO_RULES, 1);
	broken(master, PROF_CAUSE_BOUNDS, 2);
	broken(scene_path(&s, master, "fib:3 fib:3 fib:3"), PROF_CAUSE_DEPTH, 3);
	broken(scene_path(&s, region(scene_path(&s, worker, "omp!x"), 0), ".omp_outlined.:13 f:5"),
	       PROF_CAUSE_CONTEXT, 4);
	/* What is broken further out than the boundary is not missed. */
	broken(scene_path(&s, region(scene_path(&s, worker, "omp!x"), context),
			  ".omp_outlined.:13 f:5"),
	       PROF_CAUSE_NO_RULES, 5);
	leaf(worker, PROF_STATE_PARALLEL, 6);
	scene_process(&s);
	shows(VIEW_USER, "<unknown>;(no creation context);(a parallel region's body);f 4\n"
			 "<unknown>;(no frames) 6\n"
			 "<unknown>;(no unwind rules);jit+0x10;kernel 1\n"
			 "<unknown>;(stack deeper than the limit);fib;fib;fib 3\n"
			 "<unknown>;(unwinding left the stack) 2\n"
			 "main;solve;f 5\n");
	shows(VIEW_MACHINE, "<unknown>;(no frames) 6\n"
			    "<unknown>;(no unwind rules);jit+0x10;kernel 1\n"
			    "<unknown>;(no unwind rules);x;.omp_outlined.;f 5\n"
			    "<unknown>;(stack deeper than the limit);fib;fib;fib 3\n"
			    "<unknown>;(unwinding left the stack) 2\n"
			    "x;.omp_outlined.;f 4\n");
}
END_TEST

/* ---- constructs ------------------------------------------------------ */

/* The weight of the construct of that kind at that line, in every view. */
static void construct_costs(enum construct_kind kind, unsigned line, const char *object,
			    uint64_t weight)
{
	for (unsigned k = 0; k < VIEW_KINDS; k++) {
		struct view *v = scene_view(&s, (enum view_kind)k);
		struct constructs c;
		uint64_t found = 0;

		constructs_build(v, 0, &c);
		for (size_t i = 0; i < c.n; i++) {
			const struct view_construct *w = c.all[i].what;

			if (w->kind != kind || v->names.lines[w->line].line != line ||
			    (object ? !w->object || strcmp(w->object, object) : !!w->object))
				continue;
			found += cost_sum(c.all[i].self, 0).weight;
			if (line)
				ck_assert_str_eq(v->names.functions[v->names.lines[w->line]
									    .function]
							 .name,
						 "solve");
		}
		ck_assert_msg(found == weight, "%s view, %s at %u: %lu", view_name(v->kind),
			      construct_name(kind), line, (unsigned long)found);
		constructs_fini(&c);
		view_free(v);
	}
}

START_TEST(constructs_are_told_apart)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), body, at;

	body = scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined.:13");
	leaf(body, PROF_STATE_PARALLEL, 1);
	at = mk_construct(s.mk, scene_path(&s, body, "kernel:5"), scene_object(&s, "solve:16"),
			  PROF_CONSTRUCT_LOOP_DYNAMIC);
	leaf(at, PROF_STATE_PARALLEL, 2);
	/* At the loop's end, when the runtime has left it: the directive's line. */
	leaf(scene_path(&s,
			scene_path(&s, region(scene_path(&s, worker, POOL), context),
				   ".omp_outlined.:16"),
			"omp!__kmpc_barrier"),
	     PROF_STATE_BARRIER_WORKSHARE, 4);
	/* At the region's end. */
	leaf(region(scene_path(&s, worker, POOL "omp!__kmp_join_barrier"), context),
	     PROF_STATE_BARRIER_IMPLICIT, 8);
	leaf(mk_object(s.mk,
		       mk_construct(s.mk, scene_path(&s, body, "omp!__kmpc_critical"),
				    scene_object(&s, "solve:16"), PROF_CONSTRUCT_SINGLE),
		       scene_object(&s, ".gomp_critical_user_queue.var"), 1),
	     PROF_STATE_LOCK, 16);
	leaf(scene_path(&s, body, "omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 32);
	leaf(scene_path(&s,
			scene_path(&s, region(scene_path(&s, worker, POOL), context),
				   ".omp_outlined.:30"),
			"omp!__kmpc_omp_task_alloc"),
	     PROF_STATE_PARALLEL, 64);
	at = scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined.:30");
	leaf(scene_path(&s, task(scene_path(&s, master, POOL "omp!__kmp_invoke_task"), at),
			".omp_task_entry.:31"),
	     PROF_STATE_PARALLEL, 128);
	leaf(scene_path(&s, context, "omp!__kmpc_fork_call"), PROF_STATE_OVERHEAD, 256);
	leaf(scene_path(&s, master, START "main:9"), PROF_STATE_SERIAL, 512);
	leaf(worker, PROF_STATE_IDLE, 1024);
	scene_process(&s);
	construct_costs(CONSTRUCT_PARALLEL, 12, NULL, 1 + 8 + 256);
	construct_costs(CONSTRUCT_FOR_DYNAMIC, 16, NULL, 2 + 4);
	construct_costs(CONSTRUCT_CRITICAL, 13, "queue", 16);
	construct_costs(CONSTRUCT_TASKWAIT, 13, NULL, 32);
	construct_costs(CONSTRUCT_TASK, 30, NULL, 64 + 128);
	construct_costs(CONSTRUCT_SERIAL, 0, NULL, 512);
	construct_costs(CONSTRUCT_IDLE, 0, NULL, 1024);
}
END_TEST

START_TEST(constructs_have_their_numbers)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at;
	struct constructs c;
	struct view *v;

	at = region(master, context);
	mk_stats(s.mk, at, PROF_STATS_REGION, 3, 3000);
	mk_stats(s.mk, mk_construct(s.mk, at, scene_object(&s, "solve:16"), PROF_CONSTRUCT_LOOP),
		 PROF_STATS_CONSTRUCT, 6, 2000);
	at = region(worker, context);
	mk_stats(s.mk, mk_construct(s.mk, at, scene_object(&s, "solve:16"), PROF_CONSTRUCT_LOOP),
		 PROF_STATS_CONSTRUCT, 5, 1000);
	mk_stats(s.mk, task(worker, context), PROF_STATS_TASK_RUN, 7, 2);
	mk_end(s.mk);
	mk_header(s.mk)->ticks_start = 1;
	mk_header(s.mk)->ticks_end = 1001;
	mk_header(s.mk)->end_monotonic_ns = mk_header(s.mk)->start_monotonic_ns + 2000;
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	constructs_build(v, 0, &c);
	ck_assert_uint_eq(c.n, 3);
	for (size_t i = 0; i < c.n; i++) {
		const struct view_construct *w = c.all[i].what;

		ck_assert_uint_eq(w->entries, w->kind == CONSTRUCT_FOR	? 11 :
					      w->kind == CONSTRUCT_TASK ? 7 :
									  3);
		ck_assert_uint_eq(w->elapsed_known, w->kind != CONSTRUCT_TASK);
		ck_assert_uint_eq(w->elapsed_ns, w->kind == CONSTRUCT_TASK ? 0 : 6000);
	}
	constructs_fini(&c);
	view_free(v);
}
END_TEST

/* A loop in a teams region: libomp reports no end of it. */
START_TEST(constructs_without_an_end_took_no_known_time)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at;
	struct view *v;

	at = region(worker, context);
	mk_stats(s.mk, mk_construct(s.mk, at, scene_object(&s, "solve:16"), PROF_CONSTRUCT_LOOP),
		 PROF_STATS_CONSTRUCT, 5, 0);
	mk_end(s.mk);
	mk_header(s.mk)->ticks_start = 1;
	mk_header(s.mk)->ticks_end = 1001;
	mk_header(s.mk)->end_monotonic_ns = mk_header(s.mk)->start_monotonic_ns + 2000;
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	for (size_t i = 0; i < v->nconstructs; i++)
		ck_assert(v->constructs[i].kind != CONSTRUCT_FOR ||
			  (v->constructs[i].entries == 5 && !v->constructs[i].elapsed_known));
	view_free(v);
}
END_TEST

/* Deeper than any buffer, and what two samples share is one path. */
START_TEST(deep_paths_hang_beneath_unknown_whole)
{
	enum { DEPTH = 1300 };
	uint32_t at = scene_path(&s, master, START "main:20"), both;
	struct view *v;
	size_t depth[2] = { 0 };

	for (int i = 0; i < DEPTH; i++)
		at = scene_path(&s, at, i % 2 ? "odd:3" : "even:2");
	both = scene_path(&s, at, "both:4");
	for (unsigned i = 0; i < 2; i++)
		mk_leaf(s.mk, scene_path(&s, both, i ? "two:6" : "one:5"), 0, PROF_STATE_SERIAL,
			PROF_CAUSE_BOUNDS, 1, 1);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->nrecords, 2);
	for (unsigned i = 0; i < 2; i++)
		for (uint32_t n = v->records[i].node; n; n = v->tree.nodes[n].parent)
			depth[i]++;
	/* <unknown>, its cause, main; both, and one or two */
	ck_assert_uint_eq(depth[0], DEPTH + 5);
	ck_assert_uint_eq(depth[1], DEPTH + 5);
	ck_assert_uint_eq(v->tree.nodes[v->records[0].node].parent,
			  v->tree.nodes[v->records[1].node].parent);
	view_free(v);
}
END_TEST

/* ---- tasks ----------------------------------------------------------- */

static const struct task_site *task_at(const struct tasks *t, const struct view *v, unsigned line)
{
	for (size_t i = 0; i < t->n; i++)
		if (v->names.lines[t->all[i].what->line].line == line)
			return &t->all[i];
	ck_abort_msg("no task at line %u", line);
	return NULL;
}

static void waited(const struct task_site *site, enum task_wait wait, uint64_t weight,
		   size_t sharing)
{
	ck_assert_uint_eq(cost_sum(site->waits[wait].self, 0).weight, weight);
	ck_assert_uint_eq(site->waits[wait].sharing, sharing);
}

/* A region whose body calls produce and other, which make tasks and wait; one
   kind of task makes some in its turn. */
static void make_tasks(void)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12");
	uint32_t body =
		scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined.:13");
	uint32_t one = scene_path(&s, body, "produce:30"), two = scene_path(&s, body, "produce:31");
	uint32_t other = scene_path(&s, body, "other:40"), at;

	leaf(scene_path(&s, one, "omp!__kmpc_omp_task_alloc"), PROF_STATE_PARALLEL, 1);
	leaf(scene_path(&s, body, "produce:32 omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 2);
	leaf(scene_path(&s, body, "other:41 omp!__kmpc_end_taskgroup"), PROF_STATE_PARALLEL, 4);
	/* Somebody who made none. */
	leaf(scene_path(&s, body, "idle:50 omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 8);
	leaf(region(scene_path(&s, worker, POOL "omp!__kmp_join_barrier"), context),
	     PROF_STATE_BARRIER_IMPLICIT, 16);
	at = scene_path(&s, task(scene_path(&s, worker, POOL "omp!__kmp_invoke_task"), one),
			".omp_task_entry.:30");
	leaf(at, PROF_STATE_PARALLEL, 32);
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), two), ".omp_task_entry.:31"),
	     PROF_STATE_PARALLEL, 64);
	/* Its tasks were created where it was, but for those at line 60. */
	at = scene_path(&s, task(scene_path(&s, worker, POOL), other), ".omp_task_entry..2:40");
	leaf(scene_path(&s, at, "other:41 omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 128);
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), scene_path(&s, at, "deep:60")),
			".omp_task_entry..3:60"),
	     PROF_STATE_PARALLEL, 256);
	at = task(worker, one);
	mk_stats(s.mk, at, PROF_STATS_TASK, 10, 0);
	mk_stats(s.mk, at, PROF_STATS_TASK_RUN, 6, 2);
	mk_stats(s.mk, at, PROF_STATS_TASK_TIME, 500, 3);
	at = task(master, one);
	mk_stats(s.mk, at, PROF_STATS_TASK_RUN, 1, 1);
	mk_stats(s.mk, at, PROF_STATS_TASK_TIME, 100, 0);
	mk_end(s.mk);
	mk_header(s.mk)->ticks_start = 1;
	mk_header(s.mk)->ticks_end = 1001;
	mk_header(s.mk)->end_monotonic_ns = mk_header(s.mk)->start_monotonic_ns + 2000;
}

START_TEST(tasks_have_their_numbers)
{
	const struct task_site *t;
	struct tasks tasks;
	struct view *v;

	make_tasks();
	scene_process(&s);
	v = scene_view(&s, (enum view_kind)_i);
	tasks_build(v, 0, &tasks);
	ck_assert_uint_eq(tasks.n, 4);
	t = task_at(&tasks, v, 30);
	ck_assert_uint_eq(t->what->created, t->what->run + t->what->cancelled);
	ck_assert_uint_eq(t->what->created, 10);
	ck_assert_uint_eq(t->what->stolen, 3);
	ck_assert_uint_eq(t->what->cancelled, 3);
	ck_assert(t->what->body_known);
	ck_assert_uint_eq(t->what->body_ns, 1200);
	ck_assert_uint_eq(cost_sum(t->self, 0).weight, 32);
	waited(t, TASK_WAIT_TASKWAIT, 2 + 8, 3);
	waited(t, TASK_WAIT_BARRIER, 16, 3);
	waited(task_at(&tasks, v, 31), TASK_WAIT_TASKWAIT, 2 + 8, 3);
	t = task_at(&tasks, v, 40);
	waited(t, TASK_WAIT_TASKGROUP, 4, 1);
	/* What it waited itself, and what nobody else can be meant with. */
	waited(t, TASK_WAIT_TASKWAIT, 8 + 128, 3);
	ck_assert_uint_eq(t->what->creator, 0);
	t = task_at(&tasks, v, 60);
	ck_assert_uint_eq(t->what->creator, task_at(&tasks, v, 40)->what - v->tasks);
	waited(t, TASK_WAIT_TASKWAIT, 0, 0);
	tasks_fini(&tasks);
	view_free(v);
}
END_TEST

/* A task that creates others in its own body, and waits for them there. */
START_TEST(tasks_wait_for_what_they_create)
{
	const uint32_t region_context = scene_path(&s, master, START "main:20 solve:12");
	const uint32_t body = region(scene_path(&s, worker, POOL), region_context);
	const uint32_t one = scene_path(&s, body, ".omp_outlined.:14");
	const uint32_t at =
		scene_path(&s, task(scene_path(&s, worker, POOL), one), ".omp_task_entry.:16");
	const uint32_t next = task(scene_path(&s, worker, POOL),
				   scene_path(&s, task(scene_path(&s, worker, POOL), one),
					      ".omp_task_entry.:18"));
	struct tasks tasks;
	struct view *v;

	leaf(scene_path(&s, next, ".omp_task_entry..2:19"), PROF_STATE_PARALLEL, 1);
	leaf(scene_path(&s, at, "omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 2);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	tasks_build(v, 0, &tasks);
	ck_assert_uint_eq(tasks.n, 2);
	waited(task_at(&tasks, v, 18), TASK_WAIT_TASKWAIT, 2, 1);
	waited(task_at(&tasks, v, 14), TASK_WAIT_TASKWAIT, 0, 0);
	tasks_fini(&tasks);
	view_free(v);
}
END_TEST

/* One that makes more of its like, in the function that created it: with the other. */
START_TEST(tasks_wait_for_their_like)
{
	const uint32_t first = scene_path(&s, master, START "main:20 fib:5");
	const uint32_t at =
		scene_path(&s, task(scene_path(&s, worker, POOL), first), ".omp_task_entry.:5");
	const uint32_t second = scene_path(&s, at, "fib:7");
	struct tasks tasks;
	struct view *v;

	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), second), ".omp_task_entry..2:7"),
	     PROF_STATE_PARALLEL, 1);
	leaf(scene_path(&s, at, "fib:9 omp!__kmpc_omp_taskwait"), PROF_STATE_PARALLEL, 2);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	tasks_build(v, 0, &tasks);
	ck_assert_uint_eq(tasks.n, 2);
	waited(task_at(&tasks, v, 5), TASK_WAIT_TASKWAIT, 2, 2);
	waited(task_at(&tasks, v, 7), TASK_WAIT_TASKWAIT, 2, 2);
	tasks_fini(&tasks);
	view_free(v);
}
END_TEST

/* ---- what calls show ------------------------------------------------- */

static enum construct_kind told_construct(const char *name)
{
	return !name		       ? CONSTRUCT_UNKNOWN :
	       !strcmp(name, "league") ? CONSTRUCT_TEAMS :
	       !strcmp(name, "loop")   ? CONSTRUCT_TASKLOOP :
	       !strcmp(name, "work")   ? CONSTRUCT_FOR_RUNTIME :
					 CONSTRUCT_UNKNOWN;
}

static void answer_calls(void *self, const struct question *q, struct answer *a)
{
	const struct resolver names = { scene_answer, self };
	const char *name;

	if (q->query != QUERY_CONSTRUCT && q->query != QUERY_SPAN) {
		scene_answer(self, q, a);
		return;
	}
	name = ask(&names, q->file, QUERY_OBJECT, q->loc, false).text;
	if (q->query == QUERY_CONSTRUCT)
		a->construct = told_construct(name);
	else if (name && !strcmp(name, "grouped"))
		*a = (struct answer){
			.known = true, .at = scene_object(&s, "group:30"), .first = 30, .last = 39
		};
}

/* Each call passes a body of gcc's, which shows its directive. */
static void answer_directive(void *self, const struct question *q, struct answer *a)
{
	static const struct sym_function body = {
		.name = "solve._omp_fn.0",
		.linkage = "solve._omp_fn.0",
		.module = "app",
		.file = "src/app.c",
		.line = 12,
		.outlined = SYM_OUTLINED_REGION,
		.origin = "solve",
		.directive = true,
	};
	static const struct sym_frame frame = { .function = &body };
	static const struct sym_location there = { .frames = &frame, .nframes = 1 };

	if (q->query == QUERY_RESOLVE && PROF_LOC_ADDRESS(q->loc) == 1)
		a->location = &there;
	else if (q->query == QUERY_ENTRY)
		*a = (struct answer){ .known = q->loc != 0, .at = PROF_LOC(1, 1) };
	else
		scene_answer(self, q, a);
}

START_TEST(regions_within_those_of_unknown_calls)
{
	uint32_t at = scene_path(&s, master, START "main:20 solve:12");

	s.resolver.answer = answer_directive;
	at = scene_path(&s, region(scene_path(&s, at, "omp!GOMP_parallel"), 0),
			"omp!gomp_team_end");
	leaf(region(at, at), PROF_STATE_PARALLEL, 3);
	scene_process(&s);
	shows(VIEW_USER, "<unknown>;(no creation context);<OMP-fork_join> 3\n");
}
END_TEST

START_TEST(calls_tell_what_they_are_for)
{
	static const struct {
		enum construct_kind kind;
		unsigned line;
		uint64_t weight;
	} expected[] = {
		{ CONSTRUCT_TEAMS, 12, 1 },	 { CONSTRUCT_TASKLOOP, 14, 2 },
		{ CONSTRUCT_MASKED, 15, 4 },	 { CONSTRUCT_FOR_RUNTIME, 16, 8 },
		{ CONSTRUCT_TASKGROUP, 30, 16 },
	};
	uint32_t context = scene_path(&s, master, START "main:20 league:12"), body, at;
	struct constructs c;
	struct view *v;

	s.resolver.answer = answer_calls;
	body = region(scene_path(&s, worker, POOL), context);
	leaf(scene_path(&s, body, ".omp_outlined.:13"), PROF_STATE_PARALLEL, 1);
	at = scene_path(&s, body, ".omp_outlined.:14^loop:14");
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), scene_path(&s, body, "loop:14")),
			".omp_task_entry.:14"),
	     PROF_STATE_PARALLEL, 2);
	at = scene_path(&s, body, ".omp_outlined.:13");
	leaf(mk_construct(s.mk, at, scene_object(&s, "other:15"), PROF_CONSTRUCT_MASKED),
	     PROF_STATE_PARALLEL, 4);
	leaf(mk_construct(s.mk, at, scene_object(&s, "work:16"), PROF_CONSTRUCT_LOOP_STATIC),
	     PROF_STATE_PARALLEL, 8);
	leaf(scene_path(&s, body, "grouped:40 omp!__kmpc_end_taskgroup"), PROF_STATE_PARALLEL, 16);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	constructs_build(v, 0, &c);
	for (size_t k = 0; k < sizeof(expected) / sizeof(*expected); k++) {
		uint64_t found = 0;

		for (size_t i = 0; i < c.n; i++) {
			const struct view_construct *w = c.all[i].what;

			if (w->kind != expected[k].kind ||
			    v->names.lines[w->line].line != expected[k].line)
				continue;
			found += cost_sum(c.all[i].self, 0).weight;
			if (w->kind == CONSTRUCT_TASKGROUP)
				ck_assert_uint_eq(w->last_line, 39);
		}
		ck_assert_msg(found == expected[k].weight, "%s at %u: %lu",
			      construct_name(expected[k].kind), expected[k].line,
			      (unsigned long)found);
	}
	constructs_fini(&c);
	view_free(v);
}
END_TEST

START_TEST(constructs_have_their_counts_and_threads)
{
	uint32_t context = scene_path(&s, master, START "main:20 solve:12"), at;
	const uint32_t third = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 102));
	const uint32_t roots[] = { master, worker, third };
	struct constructs c;
	struct spread_work w;
	struct view *v;
	char *title;

	for (unsigned i = 0; i < 3; i++) {
		at = mk_construct(s.mk, region(roots[i], context), scene_object(&s, "solve:16"),
				  PROF_CONSTRUCT_SECTIONS);
		mk_stats(s.mk, at, PROF_STATS_CONSTRUCT, 2, 10);
		mk_stats(s.mk, at, PROF_STATS_COUNT, UINT64_C(4) << 32 | 4, 8);
		if (i == 2) /* entered, without a sample */
			continue;
		at = scene_path(&s, region(scene_path(&s, roots[i], POOL), context),
				".omp_outlined.:17");
		leaf(mk_construct(s.mk, at, scene_object(&s, "solve:16"), PROF_CONSTRUCT_SECTIONS),
		     PROF_STATE_PARALLEL, 10 + 10 * i);
	}
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	constructs_build(v, 0, &c);
	ck_assert_uint_eq(c.n, 1);
	ck_assert_uint_eq(c.all[0].what->count_least, 4);
	ck_assert_uint_eq(c.all[0].what->count_most, 4);
	ck_assert_uint_eq(c.all[0].what->count_sum, 24);
	ck_assert_uint_eq(c.all[0].what->nthreads, 3);
	w = construct_work(&c.all[0], 0);
	ck_assert_uint_eq(w.least, 0);
	ck_assert_uint_eq(w.most, 20);
	ck_assert_uint_eq(w.nthreads, 3);
	ck_assert_double_eq_tol(w.mean, 10, 1e-9);
	title = construct_title(c.all[0].what);
	ck_assert_str_eq(title, "sections (4)");
	free(title);
	constructs_fini(&c);
	view_free(v);
}
END_TEST

/* ---- regions --------------------------------------------------------- */

static const struct region_row *region_at(const struct regions *r, const struct view *v,
					  unsigned line)
{
	for (size_t i = 0; i < r->n; i++)
		if (v->names.lines[r->all[i].line].line == line && r->all[i].line)
			return &r->all[i];
	ck_abort_msg("no region at line %u", line);
	return NULL;
}

static void check_region(enum view_kind kind)
{
	struct view *v = scene_view(&s, kind);
	const struct region_row *one;
	struct regions r;
	uint32_t slowest, node;
	uint64_t weight;

	regions_build(v, 0, false, &r);
	one = region_at(&r, v, 12);
	ck_assert_uint_eq(one->nthreads, 2);
	ck_assert_uint_eq(cost_sum(one->self, 0).weight, 25);
	ck_assert_uint_eq(cost_at(one->self, 0, OMP_WAIT)->weight, 5);
	ck_assert_uint_eq(one->counts.entries, 3);
	ck_assert_uint_eq(one->counts.team_most, 4);
	/* The most 10, of 20 over the 4 that took part. */
	ck_assert_double_eq_tol(region_imbalance(one, 0, &slowest), 2.0, 1e-9);
	ck_assert_uint_eq(slowest, 0);
	region_hot_node(v, one, 0, 0, &node, &weight);
	ck_assert_uint_eq(weight, 10);
	ck_assert_str_eq(v->names.functions[v->tree.nodes[node].function].name, "kernel");
	/* 7 of 10 in kernel, the others in what calls it. */
	region_hot_node(v, one, 1, 0, &node, &weight);
	ck_assert_uint_eq(weight, 7);
	region_hot_node(v, one, 7, 0, &node, &weight);
	ck_assert_uint_eq(node, 0);
	ck_assert_uint_eq(region_others_wait(one, 0, 0), 5);
	ck_assert_uint_eq(region_others_wait(one, 1, 0), 0);
	one = region_at(&r, v, 99);
	ck_assert_uint_eq(one->nthreads, 0);
	ck_assert_uint_eq(cost_sum(one->self, 0).weight, 0);
	ck_assert_uint_eq(one->counts.entries, 7);
	ck_assert_double_eq(region_imbalance(one, 0, &slowest), 0);
	regions_fini(&r);
	view_free(v);
}

START_TEST(regions_have_their_threads)
{
	uint32_t context = make_region();
	uint32_t quick = scene_path(&s, master, START "main:99"), at;

	leaf(region(scene_path(&s, worker, POOL "omp!__kmp_join_barrier"), context),
	     PROF_STATE_BARRIER_IMPLICIT, 5);
	at = region(master, context);
	mk_stats(s.mk, at, PROF_STATS_REGION, 3, 3000);
	mk_stats(s.mk, at, PROF_STATS_TEAM, UINT64_C(2) << 32 | 4, 10);
	mk_stats(s.mk, region(master, quick), PROF_STATS_REGION, 7, 70);
	scene_process(&s);
	check_region(VIEW_USER);
	check_region(VIEW_EXPERT);
	check_region(VIEW_MACHINE);
}
END_TEST

START_TEST(regions_of_two_callers_are_one_row)
{
	static const char *const callers[] = { START "main:20 solve:12",
					       START "main:21 b:2 solve:12" };
	struct view *v;
	struct regions r;

	for (size_t i = 0; i < 2; i++) {
		uint32_t context = scene_path(&s, master, callers[i]);

		leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context),
				".omp_outlined.:13"),
		     PROF_STATE_PARALLEL, 3);
	}
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	regions_build(v, 0, false, &r);
	ck_assert_uint_eq(r.n, 1);
	ck_assert_uint_eq(r.all[0].ncontexts, 2);
	ck_assert_uint_eq(cost_sum(r.all[0].self, 0).samples, 6);
	regions_fini(&r);
	view_free(v);
}
END_TEST

static size_t regions_in(const char *function)
{
	struct view *v = scene_view(&s, VIEW_USER);
	struct regions r;
	size_t n = 0;

	regions_build(v, 0, false, &r);
	for (size_t i = 0; i < r.n; i++) {
		const struct line *l = &v->names.lines[r.all[i].line];

		n += r.all[i].special == REGION_SPECIALS &&
		     !strcmp(v->names.functions[l->function].name, function);
	}
	regions_fini(&r);
	view_free(v);
	return n;
}

START_TEST(regions_without_lines_are_told_apart)
{
	static const char *const callers[] = {
		START "main:20 solve:0",
		START "main:20 solve:00",
		START "main:21 solve:0",
	};

	for (size_t i = 0; i < 3; i++) {
		uint32_t context = scene_path(&s, master, callers[i]);

		leaf(scene_path(&s, region(scene_path(&s, worker, POOL), context),
				i == 1 ? ".omp_outlined..1" : ".omp_outlined."),
		     PROF_STATE_PARALLEL, 3);
	}
	scene_process(&s);
	ck_assert_uint_eq(regions_in("solve"), 2);
	shows(VIEW_USER, "main;solve 9\n");
}
END_TEST

/* Tasks and constructs in a body without a line or a name. */
START_TEST(constructs_without_lines_are_told_apart)
{
	static const char *const bodies[] = { ".omp_outlined.", "app+0x1200" };
	const uint32_t context = scene_path(&s, master, START "main:20 solve");
	const uint32_t at = region(scene_path(&s, worker, POOL), context);
	static const char *const places[] = { ":0", ":00" };
	char path[32], rest[32];
	struct view *v;

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s", bodies[_i], places[i]);
		snprintf(rest, sizeof(rest), ".omp_task_entry..%zu", i);
		leaf(scene_path(&s, task(scene_path(&s, worker, POOL), scene_path(&s, at, path)),
				rest),
		     PROF_STATE_PARALLEL, 1);
		leaf(mk_construct(s.mk, scene_path(&s, at, path), scene_object(&s, path),
				  PROF_CONSTRUCT_LOOP_DYNAMIC),
		     PROF_STATE_PARALLEL, 1);
	}
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	ck_assert_uint_eq(v->ntasks, 3);
	for (size_t i = 1; i < v->ntasks; i++)
		ck_assert_str_eq(v->names.functions[v->names.lines[v->tasks[i].line].function].name,
				 "solve");
	for (size_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++)
		ck_assert_str_eq(v->names.functions[v->names.lines[v->constructs[i].line].function]
					 .name,
				 "solve");
	/* Two of each, and the region. */
	ck_assert_uint_eq(v->nconstructs, CONSTRUCT_SPECIALS + 5);
	view_free(v);
}
END_TEST

/* Its barrier is the only such construct's, but not one of several's. */
START_TEST(barriers_without_lines_find_their_construct)
{
	const uint32_t context = scene_path(&s, master, START "main:20 solve");
	const uint32_t at = region(scene_path(&s, worker, POOL), context);
	const uint32_t body = scene_path(&s, at, ".omp_outlined.");
	unsigned long waited = 0;
	struct view *v;

	for (int i = 0; i <= _i; i++)
		leaf(mk_construct(s.mk, body, scene_object(&s, i ? "solve:00" : "solve:0"),
				  PROF_CONSTRUCT_LOOP_DYNAMIC),
		     PROF_STATE_PARALLEL, 1);
	leaf(scene_path(&s, body, "omp!__kmpc_barrier"), PROF_STATE_BARRIER_WORKSHARE, 8);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	for (size_t i = 0; i < v->nrecords; i++)
		if (v->records[i].class == OMP_WAIT &&
		    v->constructs[v->records[i].construct].kind == CONSTRUCT_FOR_DYNAMIC)
			waited += v->records[i].samples;
	ck_assert_uint_eq(waited, _i ? 0 : 8);
	view_free(v);
}
END_TEST

/* A body without a line is in the function that it was taken from, all the same. */
START_TEST(tasks_of_bodies_without_lines)
{
	const uint32_t context = scene_path(&s, master, START "main:20 solve");
	uint32_t at =
		scene_path(&s, region(scene_path(&s, worker, POOL), context), ".omp_outlined..9");
	struct view *v;

	at = scene_path(&s, task(scene_path(&s, worker, POOL), at), ".omp_task_entry.");
	leaf(scene_path(&s, task(scene_path(&s, worker, POOL), at), ".omp_task_entry..2"),
	     PROF_STATE_PARALLEL, 1);
	scene_process(&s);
	shows(VIEW_EXPERT,
	      "main;solve;solve -- OMP parallel region [.omp_outlined..9];"
	      "solve -- OMP task [.omp_task_entry.];solve -- OMP task [.omp_task_entry..2] 1\n");
	v = scene_view(&s, VIEW_USER);
	for (size_t i = 1; i < v->ntasks; i++)
		ck_assert_str_eq(v->names.functions[v->names.lines[v->tasks[i].line].function].name,
				 "solve");
	view_free(v);
}
END_TEST

START_TEST(recursion_counts_once)
{
	struct view *v;
	struct table t;

	leaf(scene_path(&s, master, START "main:20 fib:3 fib:3 fib:3 leaf:1"), PROF_STATE_SERIAL,
	     5);
	leaf(scene_path(&s, master, START "main:20 fib:3 other:2 fib:3"), PROF_STATE_SERIAL, 2);
	scene_process(&s);
	v = scene_view(&s, VIEW_USER);
	table_build(v, TABLE_FUNCTION, &t);
	table_add_inclusive(v, TABLE_FUNCTION, &t);
	ck_assert_uint_eq(t.n, 4);
	for (size_t i = 0; i < t.n; i++) {
		const char *name = v->names.functions[t.rows[i].key].name;
		uint64_t self = cost_sum(t.rows[i].self, 0).weight;
		uint64_t all = cost_sum(t.rows[i].inclusive, 0).weight;

		ck_assert_uint_eq(self, !strcmp(name, "leaf") ? 5 : !strcmp(name, "fib") ? 2 : 0);
		ck_assert_uint_eq(all, !strcmp(name, "leaf") ? 5 : !strcmp(name, "other") ? 2 : 7);
	}
	table_fini(&t);
	view_free(v);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("views");
	TCase *c = tcase_create("views");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, one_path_for_all_threads);
	tcase_add_test(c, one_own_body_is_enough);
	tcase_add_test(c, body_without_a_name);
	tcase_add_test(c, body_that_left_no_frame);
	tcase_add_test(c, start_is_left_out);
	tcase_add_test(c, idle_is_the_whole_stack);
	tcase_add_test(c, waits_are_leaves);
	tcase_add_test(c, tasks_hang_where_they_were_created);
	tcase_add_test(c, nested_regions);
	tcase_add_test(c, serialized_regions);
	tcase_add_test(c, tasks_that_look_like_regions);
	tcase_add_test(c, tasks_without_a_boundary_at_first);
	tcase_add_test(c, bodies_in_any_order);
	tcase_add_test(c, wrappers_are_one_frame);
	tcase_add_test(c, library_functions_called_last);
	tcase_add_test(c, library_functions_called_last_from_a_known_line);
	tcase_add_test(c, library_without_names);
	tcase_add_test(c, library_functions_of_the_runtime);
	tcase_add_loop_test(c, sleep_called_last, 0, 2);
	tcase_add_test(c, library_functions_without_a_boundary);
	tcase_add_test(c, barriers_called_last);
	tcase_add_test(c, code_that_a_plugin_runs_is_work);
	tcase_add_test(c, inlined_functions_are_frames);
	tcase_add_test(c, lost_frames_are_found);
	tcase_add_test(c, creator_seen_again);
	tcase_add_test(c, gcc_without_ompt);
	tcase_add_test(c, callbacks_are_user_code);
	tcase_add_test(c, profiler_is_left_out);
	tcase_add_test(c, unknown_has_its_cause);
	tcase_add_test(c, constructs_are_told_apart);
	tcase_add_test(c, constructs_have_their_numbers);
	tcase_add_test(c, constructs_without_an_end_took_no_known_time);
	tcase_add_test(c, deep_paths_hang_beneath_unknown_whole);
	tcase_add_loop_test(c, tasks_have_their_numbers, 0, VIEW_KINDS);
	tcase_add_test(c, tasks_wait_for_what_they_create);
	tcase_add_test(c, tasks_wait_for_their_like);
	tcase_add_test(c, regions_within_those_of_unknown_calls);
	tcase_add_test(c, calls_tell_what_they_are_for);
	tcase_add_test(c, constructs_have_their_counts_and_threads);
	tcase_add_test(c, regions_have_their_threads);
	tcase_add_test(c, regions_of_two_callers_are_one_row);
	tcase_add_test(c, tasks_of_bodies_without_lines);
	tcase_add_test(c, regions_without_lines_are_told_apart);
	tcase_add_loop_test(c, constructs_without_lines_are_told_apart, 0, 2);
	tcase_add_loop_test(c, barriers_without_lines_find_their_construct, 0, 2);
	tcase_add_test(c, recursion_counts_once);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
