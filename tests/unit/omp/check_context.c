/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_context.c - creation contexts: the path is that of backtrace(3), a cached context
 * equals the one found by unwinding, and nothing that a runtime reports about its frames
 * makes us read outside the stack.
 *
 * The mock runtime replaces the real one: fork_call() makes the encountering call, invoke()
 * calls tasks.
 */
#include "config.h"

#include <check.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/omp/context_here.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/enter.h"
#include "tests/support/mock_runtime.h"
#include "tests/support/plugin_copy.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

enum { DEEP = 600 };

static struct thread thread;

/* What fork_call() says, and what it was given. */
static struct {
	uintptr_t exit; /* of the task that runs now; 0: none */
	uint64_t token;
	enum prof_boundary_kind kind;
	intptr_t enter_off; /* how wrong enter is */
	bool no_call, no_enter;
	bool learns; /* enter is put right where it can be */
	struct context context;
	uintptr_t call, enter;
	void *back[DEEP];
	int nback;
} rt;

/* The task body's return address: into invoke(). */
static void *stop_at;

static __attribute__((noinline)) void callback(uintptr_t call, uintptr_t enter)
{
	struct encounter e = {
		.call = rt.no_call ? 0 : call,
		.enter = rt.no_enter ? 0 : enter + (uintptr_t)rt.enter_off,
		.exit = rt.exit,
		.token = rt.token,
		.kind = rt.kind,
	};
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	rt.nback = backtrace(rt.back, DEEP);
	if (rt.learns)
		context_enter(&thread.omp.contexts, &e, here);
	rt.context = *context_here(&thread.omp.contexts, &e);
	if (rt.learns) {
		context_learn(&thread.omp.contexts, &e, here);
		rt.context.cfa += e.enter - enter;
	}
	rt.call = call;
	rt.enter = e.enter;
}

/* Each use is a call of its own. */
#define fork_call() mock_encounter(callback)

static void invoke(void (*body)(int), int n)
{
	mock_invoke(body, n, &rt.exit);
}

static void setup(void)
{
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	writer_setup();
	memset(&rt, 0, sizeof(rt));
	rt.kind = PROF_BOUNDARY_REGION;
	ck_assert_int_eq(prof_create(&process.writer, profile, LIMIT), 0);
	process_open();
	prof_header(&process.writer)->nthreads = 2;
	module_init(&process.writer, "/proc/self/exe");
	module_mark((const void *)(uintptr_t)mock_encounter, PROF_MODULE_RUNTIME);
	bounds_learn();
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	memset(&thread, 0, sizeof(thread));
	thread.omp.contexts.thread = &thread.omp;
	thread.omp.contexts.own.lo = (uintptr_t)lo;
	thread.omp.contexts.own.hi = (uintptr_t)lo + bytes;
	thread.omp.kind = PROF_THREAD_INITIAL;
	cct_init(&thread.omp.cct, &process.writer, 0);
	backtrace(rt.back, 1); /* loads what it needs */
}

static void teardown(void)
{
	prof_abandon(&process.writer);
	writer_teardown();
}

static const struct prof_node *node_at(uint32_t n)
{
	return cct_node(&process.writer, n);
}

/* The context's frames are those of the stack from the call on, up to the task's
   beginning; what is beneath is a node of this kind. */
static void check_path(uint32_t node, bool in_task)
{
	uint32_t flags;
	int i = 0;

	while (i < rt.nback && (uintptr_t)rt.back[i] != rt.call)
		i++;
	ck_assert_int_lt(i, rt.nback);
	for (; i < rt.nback && !(in_task && rt.back[i] == stop_at); i++) {
		const struct prof_node *n = node_at(node);

		ck_assert_uint_eq(n->info & 0xff, PROF_NODE_FRAME);
		ck_assert_uint_eq(n->value, module_locate((uintptr_t)rt.back[i], &flags));
		node = n->parent;
	}
	const struct prof_node *n = node_at(node);
	ck_assert_uint_eq(n->info & 0xff, rt.token != 0 ? PROF_NODE_BOUNDARY : PROF_NODE_ROOT);
	if (rt.token != 0)
		ck_assert_uint_eq(n->value, token_context(rt.token) >> 32);
}

/* Marks what is cached now, so that a context from the cache can be recognized. */
static void mark_cached(void)
{
	for (int i = 0; i < CONTEXT_ENTRIES; i++)
		thread.omp.contexts.cache.entry[i].context.stats = 1;
}

/* Asks for the place's context twice, with the cache and with an empty one; of
   the path, the last step differs. */
static int hits;

static __attribute__((noinline)) void encounter_twice(void)
{
	static struct context_cache keep;

	mark_cached();
	fork_call();
	uint32_t cached = rt.context.node;
	uintptr_t cfa = rt.context.cfa;

	ck_assert_uint_ne(cached, 0);
	hits += rt.context.stats != 0;
	keep = thread.omp.contexts.cache;
	context_forget(&thread.omp.contexts);
	fork_call();
	thread.omp.contexts.cache = keep;
	ck_assert_uint_eq(node_at(rt.context.node)->parent, node_at(cached)->parent);
	ck_assert_uint_eq(rt.context.cfa, cfa);
}

static uint64_t some_task(uint32_t n)
{
	return task_token(cct_child(&thread.omp.cct, cct_root(&thread.omp.cct),
				    PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0), 0x1000 + n),
			  0);
}

/* ---- many ways to the same call --------------------------------------------- */

static volatile long sink;
static uint64_t random_state = 1;

static unsigned draw(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33);
}

static void wander(int depth);

static __attribute__((noinline)) void by_one(int depth)
{
	wander(depth - 1);
	sink++;
}

static __attribute__((noinline)) void by_other(int depth)
{
	wander(depth - 1);
	sink += 2;
}

static __attribute__((noinline)) void by_room(int depth)
{
	volatile char *p = __builtin_alloca(16 + draw() % 4 * 64);

	p[0] = 1;
	wander(depth - 1);
	sink += p[0];
}

static __attribute__((noinline)) void wander(int depth)
{
	if (depth <= 0) {
		encounter_twice();
		return;
	}
	switch (draw() % 3) {
	case 0: by_one(depth); break;
	case 1: by_other(depth); break;
	default: by_room(depth);
	}
	sink++;
}

static void wander_about(int n)
{
	(void)n;
	stop_at = __builtin_return_address(0);
	hits = 0;
	for (int i = 0; i < 300; i++) {
		wander((int)(draw() % 4));
		check_path(rt.context.node, rt.exit != 0);
	}
}

static __attribute__((noinline)) void deep_cached(int n)
{
	if (n != 0)
		deep_cached(n - 1);
	else
		fork_call();
	sink++;
}

/* What one frame has more of, the next has less: only the frame pointer that the
   innermost one saved shows the difference. */
static volatile size_t room = 64;

static __attribute__((noinline)) void third(size_t bytes)
{
	volatile char *p = __builtin_alloca(bytes);

	p[0] = 1;
	encounter_twice();
	sink += p[0];
}

static __attribute__((noinline)) void second(size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	third(room);
	sink += p[0];
}

static __attribute__((noinline)) void first(size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	second(4096 - more);
	sink += p[0];
}

static __attribute__((noinline)) void other_first(size_t more)
{
	volatile char *p = __builtin_alloca(more);

	p[0] = 1;
	second(4096 - more);
	sink += 2 * p[0];
}

static void deceive(int n)
{
	(void)n;
	stop_at = __builtin_return_address(0);
	for (int i = 0; i < 500; i++) {
		size_t more = (draw() % 16 + 1) * 128;
		/* One call for both: their return addresses are the same. */
		void (*volatile one)(size_t) = draw() % 2 != 0 ? first : other_first;

		one(more);
		check_path(rt.context.node, rt.exit != 0);
	}
}

START_TEST(callers_that_are_alike)
{
	deceive(0);
	rt.token = some_task(1);
	invoke(deceive, 0);
	read_back();
}
END_TEST

static void in_one_task(int n)
{
	stop_at = __builtin_return_address(0);
	deep_cached(n);
	check_path(rt.context.node, true);
}

/* More contexts than entries, at one place. */
START_TEST(many_tasks_at_one_place)
{
	enum { TASKS = 5 * CONTEXT_ENTRIES };
	static uint32_t node[TASKS];

	for (int round = 0; round < 3; round++)
		for (uint32_t i = 0; i < TASKS; i++) {
			rt.token = some_task(i);
			invoke(in_one_task, 2);
			if (round == 0)
				node[i] = rt.context.node;
			ck_assert_uint_eq(node[i], rt.context.node);
		}
	read_back();
}
END_TEST

START_TEST(in_the_initial_task)
{
	wander_about(0);
	ck_assert_int_gt(hits, 30);
	read_back();
}
END_TEST

START_TEST(in_a_task)
{
	rt.token = some_task(0);
	for (int i = 0; i < 5; i++) {
		/* The same code, deeper or higher. */
		volatile char *p = __builtin_alloca(1000 * (size_t)(i + 1));

		p[0] = 0;
		invoke(wander_about, 0);
		ck_assert_int_gt(hits, 30);
	}
	read_back();
}
END_TEST

/* A cached context is found, or the cache is for nothing. */
START_TEST(the_cache_is_used)
{
	for (int i = 0; i < 10; i++) {
		deep_cached(5);
		ck_assert_uint_eq(rt.context.stats, i != 0);
		mark_cached();
	}
}
END_TEST

static __attribute__((noinline)) void create_both(int n)
{
	for (int i = 0; i < n; i++) {
		rt.kind = i % 2 == 0 ? PROF_BOUNDARY_REGION : PROF_BOUNDARY_TASK;
		fork_call();
		/* The caller's fields of the context are those of this kind. */
		ck_assert_uint_eq(rt.context.stats, i < 2 ? 0 : rt.kind);
		for (int j = 0; i < 2 && j < CONTEXT_ENTRIES; j++) {
			struct context *c = &thread.omp.contexts.cache.entry[j].context;

			if (c->node != 0 && c->stats == 0)
				c->stats = rt.kind;
		}
	}
}

/* Regions and tasks of one place whose call is not reported. */
START_TEST(two_kinds_without_a_call)
{
	rt.no_call = true;
	invoke(create_both, 10);
}
END_TEST

/* Nothing that was known is kept: the encountering task's own context may have changed. */
START_TEST(contexts_are_forgotten)
{
	for (int i = 0; i < 4; i++) {
		deep_cached(5);
		mark_cached();
	}
	ck_assert_ptr_nonnull(thread.omp.contexts.cache.last);
	context_forget(&thread.omp.contexts);
	ck_assert_ptr_null(thread.omp.contexts.cache.last);
	deep_cached(5);
	ck_assert_uint_eq(rt.context.stats, 0);
}
END_TEST

static void encounter_in_plugin(void)
{
	fork_call();
	__asm__ volatile("" : : : "memory");
}

/* The one place that calls a library. */
static __attribute__((noinline)) void call_library(walk_call *call)
{
	call(encounter_in_plugin);
	__asm__ volatile("" : : : "memory");
}

/* The same stack, through a library that took another's place. */
START_TEST(a_library_in_anothers_place)
{
	uint32_t node[6];
	walk_call *before = NULL;

	for (int i = 0; i < 6; i++) {
		walk_call *call;
		void *lib = plugin_load(i % 2 != 0, &call);

		before = i == 0 ? call : before;
		ck_assert_msg(call == before, "the loader uses another place");
		for (int k = 0; k < 2; k++) {
			call_library(call);
			check_path(rt.context.node, false);
		}
		node[i] = rt.context.node;
		dlclose(lib);
		object_epoch_advance();
	}
	ck_assert_uint_ne(node[0], node[1]);
	for (int i = 2; i < 6; i++)
		ck_assert_uint_eq(node[i], node[i % 2]);
}
END_TEST

/* Enter frames that say nothing: the first encounter by a call tells those to come. */
START_TEST(enter_frames_that_are_learned)
{
	const uintptr_t words[] = { 0, 0 };

	rt.learns = true;
	for (int i = 0; i < 3; i++) {
		rt.enter_off = i == 0 ? 24 : -40;
		rt.no_enter = i == 2;
		rt.token = i == 0 ? 0 : some_task(0);
		if (i == 0)
			wander_about(0);
		else
			invoke(wander_about, 0);
		/* Some machines' frames don't show it. */
		if (enter_of((uintptr_t)(words + 2), 0) != 0)
			ck_assert_int_gt(hits, 30);
	}
	read_back();
}
END_TEST

/* More words than an entry has room for: never cached, always right. */
START_TEST(more_frames_than_slots)
{
	uint32_t node = 0;

	for (int i = 0; i < 5; i++) {
		deep_cached(CONTEXT_SLOTS + 10);
		ck_assert_uint_eq(rt.context.stats, 0);
		check_path(rt.context.node, false);
		ck_assert(node == 0 || node == rt.context.node);
		node = rt.context.node;
		mark_cached();
	}
}
END_TEST

START_TEST(deeper_than_can_be_walked)
{
	deep_cached(CONTEXT_FRAMES + 100);
	ck_assert_uint_ne(rt.context.node, 0);
	deep_cached(CONTEXT_FRAMES - 10);
	ck_assert_uint_ne(rt.context.node, 0);
	read_back();
}
END_TEST

/* ---- folding ---------------------------------------------------------------- */

static int left;
static struct context context_seen[64];
static int seen_contexts;

static void spawn(int n)
{
	uint64_t outer = rt.token;

	stop_at = __builtin_return_address(0);
	fork_call();
	if (seen_contexts < 64)
		context_seen[seen_contexts++] = rt.context;
	if (rt.context.node == 0 || left-- <= 0)
		return;
	rt.token = rt.kind == PROF_BOUNDARY_TASK ? task_token(rt.context.node, 0) : rt.token;
	if (rt.kind == PROF_BOUNDARY_REGION) {
		struct region *r = region_begin(&thread.omp.regions, 0);

		if (r == NULL)
			return;
		r->context = rt.context.node;
		rt.token = region_token(r);
		invoke(spawn, n);
		region_end(r);
	} else {
		invoke(spawn, n);
	}
	rt.token = outer;
}

static uint64_t bytes_of_spawning(enum prof_boundary_kind kind, int depth)
{
	rt.kind = kind;
	rt.token = 0;
	left = depth;
	invoke(spawn, 0);
	return read_back()->nnodes;
}

START_TEST(tasks_that_create_their_like)
{
	uint64_t nodes = bytes_of_spawning(PROF_BOUNDARY_TASK, 10);

	ck_assert_uint_eq(bytes_of_spawning(PROF_BOUNDARY_TASK, 150), nodes);
	ck_assert_uint_lt(nodes, 30);
}
END_TEST

/* Nested regions are distinguished, to a depth. */
START_TEST(regions_within_their_like)
{
	uint64_t shallow = bytes_of_spawning(PROF_BOUNDARY_REGION, 3);
	uint64_t five = bytes_of_spawning(PROF_BOUNDARY_REGION, 5);
	uint64_t deep = bytes_of_spawning(PROF_BOUNDARY_REGION, 25);

	ck_assert_uint_gt(five, shallow);
	ck_assert_uint_eq(bytes_of_spawning(PROF_BOUNDARY_REGION, 30), deep);
}
END_TEST

/* Where a recursion leads back to an outer context, it is known what the region was created in. */
START_TEST(what_is_around_a_recursion)
{
	uint32_t leads_back = 0;

	left = 30;
	rt.kind = PROF_BOUNDARY_REGION;
	seen_contexts = 0;
	invoke(spawn, 0);
	for (int i = 1; i < seen_contexts; i++) {
		const struct context *c = &context_seen[i];
		uint32_t outer = c->node;

		if (c->around == 0) {
			while ((node_at(outer)->info & 0xff) != PROF_NODE_BOUNDARY)
				outer = node_at(outer)->parent;
			outer = (uint32_t)node_at(outer)->value;
		} else {
			outer = c->around;
			leads_back++;
			ck_assert_uint_eq(c->around_kind, PROF_BOUNDARY_REGION);
		}
		ck_assert_uint_eq(outer, context_seen[i - 1].node);
	}
	ck_assert_uint_eq(leads_back, 1);
}
END_TEST

/* ---- a serialized region: its body runs on the encountering frame -------------- */

static struct region *serialized;
static uint32_t outer_node;

static __attribute__((noinline)) void inner_encounter(void)
{
	fork_call();
	sink++;
}

static __attribute__((noinline)) void encounter_serialized(void)
{
	fork_call();
	outer_node = rt.context.node;
	serialized->context = outer_node;
	serialized->owner = thread.omp.index;
	serialized->cfa = rt.enter + rt.context.cfa;
	rt.token = region_token(serialized);
	inner_encounter();
	rt.token = 0;
	sink++;
}

START_TEST(a_serialized_region)
{
	const struct prof_node *n;

	serialized = region_begin(&thread.omp.regions, 0);
	encounter_serialized();
	/* inner_encounter, encounter_serialized, and then the region's context. */
	n = node_at(rt.context.node);
	ck_assert_uint_eq(n->info & 0xff, PROF_NODE_FRAME);
	n = node_at(n->parent);
	ck_assert_uint_eq(n->info & 0xff, PROF_NODE_FRAME);
	n = node_at(n->parent);
	ck_assert_uint_eq(n->info & 0xff, PROF_NODE_BOUNDARY);
	ck_assert_uint_eq(n->value, outer_node);
}
END_TEST

/* ---- what runtimes may say --------------------------------------------------------- */

static void say_anything(int n)
{
	static const intptr_t offsets[] = {
		0,  1,	   4,	    7,	      -1,   -8,	    -16,     8,		 16,
		64, -4096, -100000, -4000000, 4096, 100000, 8 << 20, INTPTR_MAX, INTPTR_MIN,
	};
	int k = sizeof(offsets) / sizeof(*offsets);
	uintptr_t exits[] = {
		0,
		1,
		thread.omp.contexts.own.lo,
		thread.omp.contexts.own.hi,
		thread.omp.contexts.own.hi - 1,
		thread.omp.contexts.own.hi - 8,
		(uintptr_t)&n,
		(uintptr_t)&n + 3,
		(uintptr_t)&exits,
		(uintptr_t)&sink,
		UINTPTR_MAX,
		UINTPTR_MAX - 7,
		thread.omp.contexts.own.hi + 8,
		(uintptr_t)&n + 200,
	};
	int m = sizeof(exits) / sizeof(*exits);

	for (int i = 0; i < k * m * 3; i++) {
		rt.enter_off = offsets[draw() % (unsigned)k];
		rt.exit = exits[draw() % (unsigned)m];
		rt.no_call = draw() % 3 == 0;
		rt.no_enter = draw() % 5 == 0;
		rt.learns = draw() % 2 == 0;
		rt.token = draw() % 2 != 0 ? 0 : (uint64_t)draw() << 32 | draw();
		fork_call();
		deep_cached((int)(draw() % 5));
	}
}

START_TEST(any_enter_and_exit)
{
	for (int i = 0; i < 30; i++)
		invoke(say_anything, i);
	ck_assert_int_eq(prof_header(&process.writer)->features, 0);
	read_back();
}
END_TEST

/* With nothing said, the walk starts in the callback, and what is our own and
   the runtime's is not skipped but by their objects: here there is none. */
START_TEST(nothing_said)
{
	rt.no_enter = true;
	deep_cached(3);
	check_path(rt.context.node, false);
	rt.no_call = true;
	deep_cached(3);
	ck_assert_uint_ne(rt.context.node, 0);
}
END_TEST

static __attribute__((noinline)) void descend(int n)
{
	volatile char *p = __builtin_alloca(500);

	p[0] = 0;
	if (n != 0)
		descend(n - 1);
	else
		fork_call();
	sink += p[0];
}

/* Nothing above the thread's stack is read, at whichever end a frame lies. */
static void *near_the_end(void *arg)
{
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	(void)arg;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	thread.omp.contexts.own.lo = (uintptr_t)lo;
	thread.omp.contexts.own.hi = (uintptr_t)lo + bytes;
	/* The nearer to the end, the less of what lay further out is there. */
	for (int i = 0; i < 2000; i++)
		descend((int)(draw() % 40));
	say_anything(0);
	return NULL;
}

START_TEST(on_a_threads_stack)
{
	size_t bytes = 256 << 10, page = 4096;
	pthread_attr_t attr;
	pthread_t t;
	char *p = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p + page, bytes, PROT_READ | PROT_WRITE);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, p + page, bytes);
	ck_assert_int_eq(pthread_create(&t, &attr, near_the_end, NULL), 0);
	pthread_join(t, NULL);
	read_back();
}
END_TEST

/* ---- on a stack that nobody told of -------------------------------------------------- */

static ucontext_t here, there;

static void coroutine(void)
{
	rt.exit = 0;
	deep_cached(7);
	check_path(rt.context.node, false);
	deep_cached(200);
	check_path(rt.context.node, false);
	invoke(wander_about, 0);
	invoke(say_anything, 0);
}

static void on_coroutine(bool above)
{
	size_t bytes = 128 << 10, page = 4096;
	/* Also where it lies above the thread's own, as far as that is known. */
	char *p = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (above) {
		thread.omp.contexts.own.lo = (uintptr_t)p - 65536;
		thread.omp.contexts.own.hi = (uintptr_t)p;
	}
	mprotect(p + page, bytes, PROT_READ | PROT_WRITE);
	getcontext(&there);
	there.uc_stack.ss_sp = p + page;
	there.uc_stack.ss_size = bytes;
	there.uc_link = &here;
	makecontext(&there, coroutine, 0);
	swapcontext(&here, &there);
	munmap(p, bytes + 2 * page);
	read_back();
}

START_TEST(in_a_coroutine)
{
	on_coroutine(false);
}
END_TEST

START_TEST(in_a_coroutine_above)
{
	on_coroutine(true);
}
END_TEST

/* ---- no room ------------------------------------------------------------------------------ */

START_TEST(without_room)
{
	prof_abandon(&process.writer);
	ck_assert_int_eq(prof_create(&process.writer, profile, 16 * PROF_PAGE), 0);
	prof_header(&process.writer)->nthreads = 1;
	/* The records of modules went with the profile before. */
	module_init(&process.writer, "/proc/self/exe");
	cct_init(&thread.omp.cct, &process.writer, 0);
	for (int i = 0; i < 3000; i++)
		cct_child(&thread.omp.cct, cct_root(&thread.omp.cct),
			  PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, 0), (uint64_t)i);
	for (int i = 0; i < 10; i++) {
		deep_cached(i);
		ck_assert_uint_eq(rt.context.node, 0);
	}
	read_back();
}

/* ---- constructs ------------------------------------------------------------ */

/* A thread that left a region without ending its single is lent to another region,
   before the first one's end is reported. */
START_TEST(a_construct_outlives_one_beneath_it)
{
	static struct region_pool other;
	const uint64_t first = region_token(region_begin(&other, 0));
	const uint64_t second = region_token(region_begin(&other, 0));
	const uint64_t inner = region_token(region_begin(&thread.omp.regions, 0));

	construct_begin(&thread.omp, PROF_CONSTRUCT_SINGLE, 0x1000, first, 0);
	construct_begin(&thread.omp, PROF_CONSTRUCT_LOOP, 0x2000, second, 0);
	region_end(region_live(first));
	construct_begin(&thread.omp, PROF_CONSTRUCT_LOOP, 0x3000, inner, 0);
	construct_end(&thread.omp, PROF_CONSTRUCT_LOOP, inner);
	const struct construct *c = construct_now(&thread.omp.constructs, second);

	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(c->begun.key, 0x2000);
	const uint32_t stats = c->stats;

	construct_end(&thread.omp, PROF_CONSTRUCT_LOOP, second);
	ck_assert_uint_gt(node_at(stats)->b, 0);
	/* On the top, what is over goes. */
	construct_begin(&thread.omp, PROF_CONSTRUCT_LOOP, 0x2000, inner, 0);
	ck_assert_uint_eq(thread.omp.constructs.n, 1);
}
END_TEST

START_TEST(the_construct_that_a_task_left)
{
	static struct region_pool other;
	const uint64_t task = region_token(region_begin(&other, 0));
	const uint64_t another = region_token(region_begin(&other, 0));
	const struct construct_stack *s = &thread.omp.constructs;

	ck_assert_ptr_null(construct_left(s, task));
	construct_begin(&thread.omp, PROF_CONSTRUCT_LOOP, 0x1000, task, 0);
	ck_assert_ptr_null(construct_left(s, task));
	construct_end(&thread.omp, PROF_CONSTRUCT_LOOP, task);
	ck_assert_ptr_nonnull(construct_left(s, task));
	ck_assert_uint_eq(construct_left(s, task)->begun.key, 0x1000);
	ck_assert_ptr_null(construct_left(s, another));
	/* One whose beginning was not reported. */
	construct_end(&thread.omp, PROF_CONSTRUCT_SECTIONS, task);
	ck_assert_ptr_null(construct_left(s, task));
}
END_TEST

/* Each in a region of its own; then the same again, deeper. */
START_TEST(constructs_at_any_depth)
{
	enum { DEEPEST = 2000 };
	static uint64_t token[DEEPEST];

	for (int n = 10; n <= DEEPEST; n += 398) {
		for (int i = 0; i < n; i++) {
			token[i] = region_token(region_begin(&thread.omp.regions, 0));
			construct_begin(&thread.omp, PROF_CONSTRUCT_SECTIONS, 0x1000, token[i], 2);
		}
		for (int i = n; i-- > 0;) {
			const struct construct *c = construct_now(&thread.omp.constructs, token[i]);

			ck_assert_ptr_nonnull(c);
			ck_assert(token_same_task(c->begun.token, token[i]));
			construct_end(&thread.omp, PROF_CONSTRUCT_SECTIONS, token[i]);
			ck_assert_ptr_null(construct_now(&thread.omp.constructs, token[i]));
			region_end(region_live(token[i]));
		}
		ck_assert_uint_eq(thread.omp.constructs.n, 0);
	}
}
END_TEST

/* gcc's single on libomp: its end is not reported. Those of a region stay two, however often they
   are entered, and a loop is known among them. */
START_TEST(singles_without_an_end)
{
	const uint64_t r = region_token(region_begin(&thread.omp.regions, 0));

	for (int i = 0; i < 100; i++) {
		construct_begin(&thread.omp, PROF_CONSTRUCT_SINGLE, 0x1000, r, 0);
		construct_begin(&thread.omp, PROF_CONSTRUCT_SINGLE, 0x2000, r, 0);
		ck_assert_uint_le(thread.omp.constructs.n, 2);
		construct_begin(&thread.omp, PROF_CONSTRUCT_LOOP, 0x3000, r, 0);
		ck_assert_uint_eq(construct_now(&thread.omp.constructs, r)->begun.key, 0x3000);
		construct_end(&thread.omp, PROF_CONSTRUCT_LOOP, r);
	}
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, in_the_initial_task);
	tcase_add_test(c, in_a_task);
	tcase_add_test(c, callers_that_are_alike);
	tcase_add_test(c, many_tasks_at_one_place);
	tcase_add_test(c, the_cache_is_used);
	tcase_add_test(c, two_kinds_without_a_call);
	tcase_add_test(c, contexts_are_forgotten);
	tcase_add_test(c, a_library_in_anothers_place);
	tcase_add_test(c, enter_frames_that_are_learned);
	tcase_add_test(c, more_frames_than_slots);
	tcase_add_test(c, deeper_than_can_be_walked);
	tcase_add_test(c, tasks_that_create_their_like);
	tcase_add_test(c, regions_within_their_like);
	tcase_add_test(c, what_is_around_a_recursion);
	tcase_add_test(c, a_serialized_region);
	tcase_add_test(c, any_enter_and_exit);
	tcase_add_test(c, nothing_said);
	tcase_add_test(c, a_construct_outlives_one_beneath_it);
	tcase_add_test(c, constructs_at_any_depth);
	tcase_add_test(c, singles_without_an_end);
	tcase_add_test(c, the_construct_that_a_task_left);
	tcase_add_test(c, on_a_threads_stack);
	tcase_add_test(c, in_a_coroutine);
	tcase_add_test(c, in_a_coroutine_above);
	tcase_add_test(c, without_room);
}

int main(void)
{
	Suite *s = suite_create("context");
	TCase *c = tcase_create("context");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}
