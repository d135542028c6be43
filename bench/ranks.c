/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks - writes the profiles of a made job: many ranks with the same contexts.
 *
 * ranks FOLDER RANKS CONTEXTS THREADS
 *
 * Each thread of each rank was sampled in each context: an instruction of a function that the
 * body of one of some regions calls.  The program's file is not there: what is measured is the
 * command's own work.
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mkprofile.h"

enum { REGIONS = 20, PER_FUNCTION = 5, PERIOD = 1000003, TICK_NS = 1000 };

struct shape {
	const char *folder;
	uint32_t ranks, contexts, threads;
};

struct rank {
	struct mkprofile *m;
	uint32_t number, app;
	uint32_t site[REGIONS];
};

static uint64_t place(const struct rank *r, uint32_t offset)
{
	return PROF_LOC(r->app, 0x100000 + (uint64_t)offset * 0x10);
}

/* What a thread did in a region's contexts: later ranks and later threads had more to do. */
static void add_contexts(struct rank *r, const struct shape *s, uint32_t region, uint32_t thread,
			 uint32_t body)
{
	const uint32_t first = s->contexts / REGIONS * region;
	uint32_t function = body;

	for (uint32_t i = 0; i < s->contexts / REGIONS; i++) {
		const uint32_t context = first + i;
		const uint64_t samples = 1 + (context * 7 + r->number + thread * 3) % 13;
		uint32_t frame;

		if (i % PER_FUNCTION == 0)
			function = mk_frame(r->m, body, place(r, 0x10000 + context), 0);
		frame = mk_frame(r->m, function, place(r, 0x20000 + context), PROF_FRAME_EXACT);
		mk_leaf(r->m, frame, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, samples,
			samples * PERIOD);
	}
}

static void add_thread(struct rank *r, const struct shape *s, uint32_t thread)
{
	const uint32_t root = mk_root(r->m, thread);
	uint32_t main = root;

	if (!thread)
		main = mk_frame(r->m, root, place(r, 1), 0);
	for (uint32_t i = 0; i < REGIONS; i++) {
		uint32_t boundary, body, wait;

		if (!thread)
			r->site[i] = mk_frame(r->m, main, place(r, 0x100 + i), 0);
		boundary = mk_boundary(r->m, root, r->site[i], PROF_BOUNDARY_REGION);
		mk_node_at(r->m, boundary)->info =
			PROF_BOUNDARY_INFO(PROF_BOUNDARY_REGION, s->threads);
		body = mk_frame(r->m, boundary, place(r, 0x200 + i), 0);
		add_contexts(r, s, i, thread, body);
		wait = mk_frame(r->m, boundary, place(r, 0x300 + i), 0);
		mk_leaf(r->m, wait, 0, PROF_STATE_BARRIER_IMPLICIT, PROF_CAUSE_NONE,
			1 + (s->threads - thread), (1 + (s->threads - thread)) * (uint64_t)PERIOD);
		if (thread)
			continue;
		mk_stats(r->m, boundary, PROF_STATS_REGION, 100, 1000000 + r->number);
		mk_stats(r->m, boundary, PROF_STATS_TEAM, (uint64_t)s->threads << 32 | s->threads,
			 100 * (uint64_t)s->threads);
	}
}

static int write_rank(const struct shape *s, uint32_t number)
{
	struct rank r = { .m = mk_new(), .number = number };
	char text[4096];
	int err;

	mk_chunk_bytes(r.m, 64 << 10);
	mk_event(r.m, "cpu-clock", PROF_UNIT_NS);
	mk_header(r.m)->pid = 1000 + number;
	mk_header(r.m)->start_realtime_ns += number * (uint64_t)TICK_NS;
	mk_text(r.m, PROF_INFO_ARGV, "app");
	snprintf(text, sizeof(text), "node%u", number / 64);
	mk_text(r.m, PROF_INFO_HOST, text);
	mk_text(r.m, PROF_INFO_RUNTIME, "LLVM OMP version: 5.0.20140926");
	snprintf(text, sizeof(text), "%u", number);
	mk_text(r.m, PROF_INFO_RANK, text);
	mk_text(r.m, PROF_INFO_JOB, "1");
	r.app = mk_module(r.m, "/made/app", PROF_MODULE_MAIN);
	mk_module(r.m, "/made/libomp.so.5", PROF_MODULE_RUNTIME);
	for (uint32_t i = 0; i < s->threads; i++)
		mk_thread(r.m, i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL, 1000 + number + i);
	for (uint32_t i = 0; i < s->threads; i++)
		add_thread(&r, s, i);
	mk_end(r.m);
	snprintf(text, sizeof(text), "%s/app-r%u.omphwc", s->folder, number);
	err = mk_write(r.m, text);
	if (err)
		fprintf(stderr, "ranks: %s: %s\n", text, strerror(-err));
	mk_free(r.m);
	return err;
}

int main(int argc, char **argv)
{
	struct shape s;

	if (argc != 5) {
		fprintf(stderr, "ranks FOLDER RANKS CONTEXTS THREADS\n");
		return 2;
	}
	s.folder = argv[1];
	s.ranks = (uint32_t)strtoul(argv[2], NULL, 10);
	s.contexts = (uint32_t)strtoul(argv[3], NULL, 10);
	s.threads = (uint32_t)strtoul(argv[4], NULL, 10);
	for (uint32_t i = 0; i < s.ranks; i++)
		if (write_rank(&s, i))
			return 1;
	return 0;
}
