/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constructs - writes a profile with many constructs, like that of a generated program.
 *
 * constructs REGIONS FILE
 *
 * Each region has a call site and a body of its own, in a file that is not there: what is
 * measured is the command's own work, not the look-up of names.  There are four threads.
 * Every second region has a worksharing loop, every third ran with teams of two sizes, every
 * fourth creates tasks and waits for them.
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/mkprofile.h"

enum {
	THREADS = 4,
	PER_REGION = 0x100, /* bytes of code */
	/* Offsets in a region's code: */
	SITE = 0x10,
	BODY = 0x20,
	LOOP = 0x30,
	LOOP_CALL = 0x40,
	TASK_CALL = 0x50,
	TASK_BODY = 0x60,
	TASKWAIT_CALL = 0x70,
};

struct program {
	struct mkprofile *m;
	uint32_t module, runtime;
	uint32_t root[THREADS];
	uint32_t main; /* node of the first thread */
};

static uint64_t place(const struct program *p, unsigned region, unsigned offset)
{
	return PROF_LOC(p->module, 0x100000 + (uint64_t)region * PER_REGION + offset);
}

static uint32_t boundary(struct program *p, unsigned thread, uint32_t context,
			 enum prof_boundary_kind kind, unsigned team)
{
	const uint32_t b = mk_boundary(p->m, p->root[thread], context, kind);

	mk_node_at(p->m, b)->info = PROF_BOUNDARY_INFO(kind, team);
	return b;
}

/* Samples in a call that the code at that offset makes into the runtime. */
static void wait_at(struct program *p, uint32_t parent, uint64_t call, enum prof_state state)
{
	const uint32_t frame = mk_frame(p->m, parent, call, 0);
	const uint32_t inside = mk_frame(p->m, frame, PROF_LOC(p->runtime, 0x1000 + 0x10 * state),
					 PROF_FRAME_RUNTIME | PROF_FRAME_EXACT);

	mk_leaf(p->m, inside, 0, state, PROF_CAUSE_NONE, 2, 2000);
}

/* What a thread of the team did; returns the boundary. */
static uint32_t work(struct program *p, unsigned region, unsigned thread, uint32_t context,
		     unsigned team)
{
	const uint32_t b = boundary(p, thread, context, PROF_BOUNDARY_REGION, team);
	const uint32_t body = mk_frame(p->m, b, place(p, region, BODY), PROF_FRAME_EXACT);
	uint32_t loop;

	mk_leaf(p->m, body, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 3 + thread,
		1000 * (3 + thread));
	wait_at(p, b, place(p, region, LOOP_CALL), PROF_STATE_BARRIER_IMPLICIT);
	if (region % 2)
		return b;
	loop = mk_construct(p->m, mk_frame(p->m, b, place(p, region, LOOP), PROF_FRAME_EXACT),
			    place(p, region, LOOP_CALL), PROF_CONSTRUCT_LOOP_DYNAMIC);
	mk_leaf(p->m, loop, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 5, 5000);
	mk_stats(p->m,
		 mk_construct(p->m, b, place(p, region, LOOP_CALL), PROF_CONSTRUCT_LOOP_DYNAMIC),
		 PROF_STATS_CONSTRUCT, 1, 5000);
	return b;
}

/* Tasks that the first thread creates in the region, and that all of them run. */
static void tasks(struct program *p, unsigned region, uint32_t b, unsigned team)
{
	const uint32_t context = mk_frame(p->m, b, place(p, region, TASK_CALL), 0);

	wait_at(p, b, place(p, region, TASKWAIT_CALL), PROF_STATE_TASKWAIT);
	for (unsigned t = 0; t < team; t++) {
		const uint32_t task = boundary(p, t, context, PROF_BOUNDARY_TASK, team);
		const uint32_t body =
			mk_frame(p->m, task, place(p, region, TASK_BODY), PROF_FRAME_EXACT);

		mk_leaf(p->m, body, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 2, 2000);
		mk_stats(p->m, task, PROF_STATS_TASK_RUN, 10, 5);
		if (t == 0)
			mk_stats(p->m, task, PROF_STATS_TASK, 10 * team, 0);
	}
}

static void region(struct program *p, unsigned i)
{
	const uint32_t context = mk_frame(p->m, p->main, place(p, i, SITE), 0);
	const struct prof_value counted = { 1000, 1000, 1000 };

	for (unsigned team = i % 3 ? THREADS : THREADS / 2; team <= THREADS; team += THREADS / 2)
		for (unsigned t = 0; t < team; t++) {
			const uint32_t b = work(p, i, t, context, team);

			mk_count(p->m, b, 1, PROF_PART_WORK, &counted, 1000);
			if (t != 0)
				continue;
			mk_stats(p->m, b, PROF_STATS_REGION, 7, 70000);
			mk_stats(p->m, b, PROF_STATS_TEAM, (uint64_t)team << 32 | team, 7 * team);
			if (i % 4 == 0)
				tasks(p, i, b, team);
		}
}

int main(int argc, char **argv)
{
	const unsigned regions = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
	struct program p = { .m = mk_new() };

	if (!regions) {
		fprintf(stderr, "Usage: constructs REGIONS FILE\n");
		return 2;
	}
	mk_event(p.m, "cycles", PROF_UNIT_EVENTS);
	mk_header(p.m)->events[mk_event(p.m, "instructions", PROF_UNIT_EVENTS)].flags |=
		PROF_EVENT_COUNT_ONLY;
	mk_text(p.m, PROF_INFO_RUNTIME, "a runtime");
	p.module = mk_module(p.m, "/nowhere/generated", PROF_MODULE_MAIN);
	p.runtime = mk_module(p.m, "/nowhere/libomp.so", PROF_MODULE_RUNTIME);
	mk_chunk_bytes(p.m, 1 << 20);
	for (uint32_t t = 0; t < THREADS; t++) {
		mk_thread(p.m, t == 0 ? PROF_THREAD_INITIAL : PROF_THREAD_WORKER, 4711 + t);
		p.root[t] = mk_root(p.m, t);
	}
	p.main = mk_frame(p.m, p.root[0], PROF_LOC(p.module, 0x1000), 0);
	for (unsigned i = 0; i < regions; i++)
		region(&p, i);
	mk_end(p.m);
	if (mk_write(p.m, argv[2]) == 0)
		return 0;
	fprintf(stderr, "constructs: %s was not written\n", argv[2]);
	return 1;
}
