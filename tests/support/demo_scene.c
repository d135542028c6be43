/* SPDX-License-Identifier: BSD-3-Clause */
/* demo_scene.c - one designed scene, and many random ones. */
#include "config.h"

#include <stdlib.h>

#include "tests/support/demo_scene.h"
#include "tests/support/scene.h"

#define START "_start libc!__libc_start_main_impl libc!__libc_start_call_main "
#define FORK "omp!__kmpc_fork_call omp!__kmp_fork_call omp!__kmp_invoke_microtask "
#define POOL "libc!clone3 libc!start_thread omp!__kmp_launch_worker omp!__kmp_invoke_microtask "

enum { CLOCK = 0, MISSES = 1, TICK = 1003009 };

/* Buckets of 131 ms: the run has 38 of them. */
enum { SHIFT = 17, BUCKETS = 38, NOTED_MOST = 64 };

/* When what is added next is sampled. */
struct demo_when {
	uint32_t first, end; /* buckets */
};

static const struct demo_when reading = { 0, 6 }, solving = { 6, 32 }, reducing = { 32, BUCKETS };
static struct demo_when now;

/* The samples so far, for the timelines. */
static struct demo_noted {
	struct demo_when when;
	struct prof_cell all;
} noted[NOTED_MOST];
static size_t nnoted;

static void demo_note(uint32_t at, unsigned event, enum prof_state state, uint64_t samples,
		      uint64_t weight)
{
	noted[nnoted++] = (struct demo_noted){
		.when = now,
		.all = { .node = at,
			 .weight = weight,
			 .samples = samples << PROF_CELL_SAMPLES_SHIFT |
				    PROF_CELL_KEY(event, state) },
	};
}

/* So many samples of the clock, and a few misses with them. */
static void demo_leaf(struct scene *s, uint32_t at, enum prof_state state, uint64_t samples)
{
	mk_leaf(s->mk, at, CLOCK, state, PROF_CAUSE_NONE, samples, samples * TICK);
	demo_note(at, CLOCK, state, samples, samples * TICK);
	if (samples < 10)
		return;
	mk_leaf(s->mk, at, MISSES, state, PROF_CAUSE_NONE, samples / 10, samples / 10 * 1000);
	demo_note(at, MISSES, state, samples / 10, samples / 10 * 1000);
}

/* An equal part of what was noted, but for what is over. */
static struct prof_cell demo_cell(const struct demo_noted *d, uint32_t bucket)
{
	const uint64_t n = d->when.end - d->when.first, i = bucket - d->when.first;
	const uint64_t samples = d->all.samples >> PROF_CELL_SAMPLES_SHIFT;
	const uint64_t before = samples * i / n, after = samples * (i + 1) / n;
	const uint64_t each = samples ? d->all.weight / samples : 0;

	return (struct prof_cell){
		.node = d->all.node,
		.bucket = bucket,
		.weight = (after - before) * each,
		.samples = (after - before) << PROF_CELL_SAMPLES_SHIFT | (uint16_t)d->all.samples,
	};
}

static bool demo_is_in(struct scene *s, uint32_t node, uint32_t root)
{
	while (node && node != root)
		node = mk_node_at(s->mk, node)->parent;
	return node == root;
}

static void demo_timeline(struct scene *s, uint32_t thread, uint32_t root)
{
	static struct prof_cell cells[NOTED_MOST * BUCKETS];
	uint32_t n = 0;

	for (uint32_t b = 0; b < BUCKETS; b++)
		for (size_t i = 0; i < nnoted; i++)
			if (b >= noted[i].when.first && b < noted[i].when.end &&
			    demo_is_in(s, noted[i].all.node, root))
				cells[n++] = demo_cell(&noted[i], b);
	mk_timeline(s->mk, thread, SHIFT, cells, n);
}

static void demo_events(struct scene *s)
{
	struct prof_event *e;

	mk_event(s->mk, "cpu-clock:u", PROF_UNIT_NS);
	mk_event(s->mk, "cache-misses:u", PROF_UNIT_EVENTS);
	e = mk_header(s->mk)->events;
	snprintf(e[CLOCK].requested, sizeof(e[CLOCK].requested), "cycles");
	e[CLOCK].flags |= PROF_EVENT_SUBSTITUTED;
	e[CLOCK].period = TICK;
	e[CLOCK].freq_hz = 997;
	e[MISSES].period = 1000;
}

static void demo_solve(struct scene *s, const uint32_t thread[3], uint32_t context)
{
	static const char body[] = ".omp_outlined.:12 .omp_outlined._debug__:15";
	static const uint64_t work[3] = { 3000, 1500, 1500 };
	static const char *const ways[3] = { FORK, POOL, POOL };

	for (size_t i = 0; i < 3; i++) {
		uint32_t from = i ? thread[i] : context;
		uint32_t at = mk_boundary(s->mk, scene_path(s, from, ways[i]), context,
					  PROF_BOUNDARY_REGION);

		demo_leaf(s, scene_path(s, scene_path(s, at, body), "kernel:5"),
			  PROF_STATE_PARALLEL, work[i]);
		demo_leaf(s, scene_path(s, at, body), PROF_STATE_PARALLEL, 40);
		if (!i)
			continue;
		demo_leaf(s,
			  mk_boundary(s->mk,
				      scene_path(s, from,
						 "libc!clone3 libc!start_thread "
						 "omp!__kmp_join_barrier"),
				      context, PROF_BOUNDARY_REGION),
			  PROF_STATE_BARRIER_IMPLICIT, 1480);
		at = scene_path(s, at, body);
		demo_leaf(s,
			  mk_construct(s->mk, at, scene_object(s, "solve:16"),
				       PROF_CONSTRUCT_LOOP_DYNAMIC),
			  PROF_STATE_PARALLEL, 12);
		demo_leaf(s,
			  mk_object(s->mk, scene_path(s, at, "omp!__kmpc_critical omp!__kmp_lock"),
				    scene_object(s, ".gomp_critical_user_queue.var"), 1),
			  PROF_STATE_LOCK, 25 * i);
	}
}

static void demo_other(struct scene *s, const uint32_t thread[3], uint32_t main_at)
{
	uint32_t context = scene_path(s, main_at, "reduce_all:44");

	for (size_t i = 1; i < 3; i++)
		demo_leaf(s,
			  scene_path(s,
				     mk_boundary(s->mk, scene_path(s, thread[i], POOL), context,
						 PROF_BOUNDARY_REGION),
				     ".omp_outlined..2:45 omp!__kmpc_dispatch_next_4"),
			  PROF_STATE_PARALLEL, 9);
	demo_leaf(s, scene_path(s, context, "omp!__kmpc_fork_call omp!__kmp_join_call"),
		  PROF_STATE_OVERHEAD, 11);
	now = reading;
	demo_leaf(s, scene_path(s, main_at, "read_input:70 libc!fgets"), PROF_STATE_SERIAL, 800);
	demo_leaf(s, scene_path(s, thread[1], POOL "omp!__kmp_wait libc!sched_yield"),
		  PROF_STATE_IDLE, 790);
	mk_leaf(s->mk, scene_path(s, thread[2], "jit+0x10"), CLOCK, PROF_STATE_PARALLEL,
		PROF_CAUSE_NO_RULES, 2, 2 * TICK);
}

/* reduce_all's body makes tasks, which thread 2 runs, and waits for them. */
static void demo_tasks(struct scene *s, const uint32_t thread[3], uint32_t main_at)
{
	const uint32_t region = scene_path(s, main_at, "reduce_all:44");
	const uint32_t body = scene_path(s,
					 mk_boundary(s->mk, scene_path(s, thread[1], POOL), region,
						     PROF_BOUNDARY_REGION),
					 ".omp_outlined..2:46");
	uint32_t at = mk_boundary(s->mk, scene_path(s, thread[2], POOL "omp!__kmp_invoke_task"),
				  body, PROF_BOUNDARY_TASK);

	demo_leaf(s, scene_path(s, at, ".omp_task_entry.:46 part:60"), PROF_STATE_PARALLEL, 120);
	demo_leaf(s,
		  scene_path(s,
			     mk_boundary(s->mk, scene_path(s, thread[1], POOL), region,
					 PROF_BOUNDARY_REGION),
			     ".omp_outlined..2:48 omp!__kmpc_omp_taskwait"),
		  PROF_STATE_PARALLEL, 70);
	mk_stats(s->mk, mk_boundary(s->mk, thread[1], body, PROF_BOUNDARY_TASK), PROF_STATS_TASK,
		 50, 0);
	at = mk_boundary(s->mk, thread[2], body, PROF_BOUNDARY_TASK);
	mk_stats(s->mk, at, PROF_STATS_TASK_RUN, 47, 47);
	mk_stats(s->mk, at, PROF_STATS_TASK_TIME, 120000, 3);
	at = mk_construct(s->mk, mk_boundary(s->mk, thread[2], region, PROF_BOUNDARY_REGION),
			  scene_object(s, "reduce_all:50"), PROF_CONSTRUCT_SECTIONS);
	mk_stats(s->mk, at, PROF_STATS_CONSTRUCT, 5, 600);
	mk_stats(s->mk, at, PROF_STATS_COUNT, UINT64_C(3) << 32 | 3, 15);
}

static void demo_stats(struct scene *s, uint32_t thread, uint32_t context)
{
	uint32_t at = mk_boundary(s->mk, thread, context, PROF_BOUNDARY_REGION);

	mk_stats(s->mk, at, PROF_STATS_REGION, 1000, 3100000);
	mk_stats(s->mk, at, PROF_STATS_TEAM, UINT64_C(3) << 32 | 3, 3000);
	mk_stats(s->mk, at, PROF_STATS_LONGEST, 9100, 2000000);
	mk_stats(s->mk, at, PROF_STATS_LONGEST_ENTRY, 417, 3);
}

void demo_scene(struct scene *s)
{
	uint32_t record[3], thread[3], main_at, context;
	struct prof_thread *t;

	demo_events(s);
	for (unsigned i = 0; i < 3; i++) {
		record[i] =
			mk_thread(s->mk, i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL, 4711 + i);
		thread[i] = mk_root(s->mk, record[i]);
	}
	main_at = scene_path(s, thread[0], START "main:20");
	context = scene_path(s, main_at, "solve:12");
	nnoted = 0;
	now = solving;
	demo_solve(s, thread, context);
	now = reducing;
	demo_other(s, thread, main_at);
	now = reducing;
	demo_tasks(s, thread, main_at);
	demo_stats(s, thread[0], context);
	t = mk_thread_record(s->mk, record[1]);
	t->lost[PROF_LOST_NO_ROOM] = 2;
	t->lost[PROF_LOST_OVERRUN] = 5;
	t->samples[CLOCK] += 3;
	t->values_known = 1;
	t->values[CLOCK] = (struct prof_value){ 4000000000, 4000000000, 3000000000 };
	mk_end(s->mk);
	mk_header(s->mk)->ticks_start = 1000;
	mk_header(s->mk)->ticks_end = 5001000;
	mk_header(s->mk)->end_monotonic_ns = 6000000000;
	for (unsigned i = 0; i < 3; i++)
		demo_timeline(s, record[i], thread[i]);
}

/* ---- at random ------------------------------------------------------- */

static const char *const frames[] = {
	"_start",
	"libc!__libc_start_main_impl",
	"libc!clone3",
	"main:3",
	"solve:12",
	"kernel:5",
	"outer:9^inner:3",
	"a;b:4",
	".omp_outlined.:12",
	".omp_outlined._debug__:15",
	".omp_task_entry.:30",
	".omp.reduction.reduction_func:9",
	"f._omp_fn.0:7",
	"omp!__kmpc_fork_call",
	"omp!__kmpc_barrier",
	"omp!__kmpc_reduce",
	"omp!__kmpc_omp_taskwait",
	"omp!omp_get_num_threads",
	"omp!GOMP_parallel",
	"libc!memcpy",
	"tool!trampoline",
};

enum { RANDOM_NODES = 400 };

static uint32_t random_node(struct scene *s, uint32_t parent, const uint32_t *nodes, size_t n)
{
	const size_t kinds = sizeof(frames) / sizeof(*frames);

	if (rand() % 5)
		return scene_path(s, parent, frames[(size_t)rand() % kinds]);
	return mk_boundary(s->mk, parent, rand() % 4 ? nodes[(size_t)rand() % n] : 0,
			   rand() % 2 ? PROF_BOUNDARY_REGION : PROF_BOUNDARY_TASK);
}

static void random_leaves(struct scene *s, uint32_t parent, unsigned nevents)
{
	if (rand() % 3)
		return;
	if (rand() % 8 == 0)
		parent = mk_object(s->mk, parent, scene_object(s, "lock"), rand() % 2);
	for (unsigned e = 0; e < nevents; e++)
		mk_leaf(s->mk, parent, e,
			(enum prof_state)(rand() % PROF_STATES |
					  (rand() % 3 ? 0 : (int)PROF_ASLEEP)),
			rand() % 6 ? PROF_CAUSE_NONE : (enum prof_cause)(rand() % 6),
			(uint64_t)(rand() % 5), (uint64_t)(rand() % 100000));
}

void random_scene(struct scene *s, unsigned seed)
{
	uint32_t nodes[RANDOM_NODES];
	size_t n = 0;
	unsigned nevents;

	srand(seed);
	for (unsigned process = 0; process < 1 + seed % 3; process++) {
		nevents = 1 + (unsigned)rand() % 3;
		for (unsigned e = 0; e < nevents; e++)
			mk_event(s->mk, e ? e > 1 ? "two" : "one" : "zero",
				 e ? PROF_UNIT_EVENTS : PROF_UNIT_NS);
		for (n = 0; n < 4; n++)
			nodes[n] =
				mk_root(s->mk, mk_thread(s->mk, (enum prof_thread_kind)(rand() % 4),
							 100 + (uint32_t)n));
		for (; n < RANDOM_NODES; n++) {
			nodes[n] = random_node(s, nodes[(size_t)rand() % n], nodes, n);
			random_leaves(s, nodes[n], nevents);
		}
		scene_process(s);
	}
}
