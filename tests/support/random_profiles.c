/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_profiles.c - writes profiles of a program that never ran, with all kinds of nodes.
 *
 * random_profiles PROGRAM PLACES FOLDER N
 *
 * PLACES has a line for each place in PROGRAM's code: "call ADDRESS" behind a call, "body
 * ADDRESS" in a function that was outlined, "code ADDRESS" where any other begins.  Writes
 * FOLDER/0.omphwc to FOLDER/N-1.omphwc.  Frames are places in any order: so the reader meets
 * functions, lines, regions, tasks and constructs in all ways, hundreds of each.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mkprofile.h"

enum { PLACES_MOST = 20000, NODES_MOST = 6000, THREADS = 4, BUCKETS = 32, CELLS = 400 };

struct places {
	uint64_t at[PLACES_MOST];
	unsigned n;
};

static struct places calls, bodies, codes;

/* What a profile consists of, and the nodes that frames can lie on. */
struct random {
	struct mkprofile *m;
	unsigned kind;
	uint32_t program, runtime, root[THREADS];
	uint32_t nodes[NODES_MOST];
	unsigned n, nevents;
	struct prof_cell cells[THREADS][CELLS];
	uint32_t ncells[THREADS];
};

static uint32_t some(uint32_t below)
{
	static uint64_t state = 4711;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((state >> 33) % below);
}

static uint64_t one_of(const struct random *r, const struct places *p)
{
	return PROF_LOC(r->program, p->n != 0 ? p->at[some(p->n)] : 0x1000 + some(0x1000));
}

static bool read_places(const char *path)
{
	FILE *f = fopen(path, "re");
	char kind[8];
	uint64_t at;

	if (!f)
		return false;
	while (fscanf(f, "%7s %" SCNx64, kind, &at) == 2) {
		struct places *p = strcmp(kind, "call") == 0 ? &calls :
				   strcmp(kind, "body") == 0 ? &bodies :
							       &codes;

		if (p->n < PLACES_MOST)
			p->at[p->n++] = at;
	}
	fclose(f);
	return calls.n != 0 && bodies.n != 0;
}

/* ---- nodes ------------------------------------------------------------- */

static uint32_t add(struct random *r, uint32_t node)
{
	if (r->n < NODES_MOST)
		r->nodes[r->n++] = node;
	return node;
}

static uint32_t frame(struct random *r, uint32_t parent, const struct places *p)
{
	static const uint32_t flags[] = { 0, 0, 0, PROF_FRAME_EXACT, PROF_FRAME_GUESSED };

	return add(r, mk_frame(r->m, parent, one_of(r, p), flags[some(5)]));
}

static uint32_t runtime_frame(struct random *r, uint32_t parent)
{
	return add(r, mk_frame(r->m, parent, PROF_LOC(r->runtime, 0x1000 + some(64)),
			       PROF_FRAME_RUNTIME));
}

static void leaves(struct random *r, uint32_t parent, uint32_t thread)
{
	uint32_t at = parent, leaf, state;

	if (some(6) == 0)
		at = mk_construct(r->m, at, one_of(r, &calls),
				  (enum prof_construct_kind)(1 + some(13)));
	if (some(10) == 0)
		at = mk_object(r->m, at, one_of(r, &codes), some(2));
	else if (some(10) == 0)
		at = mk_data(r->m, at, PROF_LOC(r->program, 0x4000 + 64 * some(100)),
			     (enum prof_data_kind)(1 + some(5)), (enum prof_data_source)some(9));
	for (unsigned e = 0; e < r->nevents; e++) {
		state = some(PROF_STATES);
		leaf = mk_leaf(r->m, at, e, (enum prof_state)state,
			       some(9) != 0 ? PROF_CAUSE_NONE : (enum prof_cause)some(6), 2, 2000);
		if (r->ncells[thread] < CELLS)
			r->cells[thread][r->ncells[thread]++] = (struct prof_cell){
				.node = leaf,
				.bucket = some(BUCKETS),
				.weight = 1000,
				.samples = 1 << PROF_CELL_SAMPLES_SHIFT | PROF_CELL_KEY(e, state),
			};
	}
}

static void numbers(struct random *r, uint32_t parent)
{
	const enum prof_stats_kind kinds[] = {
		PROF_STATS_REGION,    PROF_STATS_TEAM,	PROF_STATS_TASK,      PROF_STATS_TASK_RUN,
		PROF_STATS_TASK_TIME, PROF_STATS_ALLOC, PROF_STATS_TEAM_TIME, PROF_STATS_LONGEST,
	};
	const uint64_t two = UINT64_C(2) << 32 | 4;
	uint32_t at;

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (some(2) == 0)
			mk_stats(r->m, parent, kinds[i],
				 kinds[i] == PROF_STATS_TEAM ? two : some(9), some(100000));
	at = mk_construct(r->m, parent, one_of(r, &calls),
			  (enum prof_construct_kind)(some(2) ? 1 + some(13) : 32 + some(9)));
	mk_stats(r->m, at, PROF_STATS_CONSTRUCT, 1 + some(9), some(100000));
	mk_stats(r->m, at, PROF_STATS_END, 1 + some(9), some(100000));
	mk_stats(r->m, at, PROF_STATS_COUNT, two, 100);
	mk_stats(r->m, at, PROF_STATS_OBJECT, one_of(r, &codes), one_of(r, &codes));
}

/* Bodies that were called directly, beneath calls that pass other bodies: each of these is met
   for the first time while a region is made of the one above it. */
static void serialized(struct random *r)
{
	uint32_t at;

	for (unsigned i = 0; i < calls.n && i < 300; i++) {
		at = mk_frame(r->m, r->root[0],
			      PROF_LOC(r->program, calls.at[(i + 60 * r->kind) % calls.n]), 0);
		at = mk_frame(r->m, at, one_of(r, &bodies), 0);
		leaves(r, at, 0);
	}
}

static uint32_t created(struct random *r, uint32_t parent, uint32_t context)
{
	const uint32_t at = some(3) == 0 ? parent : runtime_frame(r, parent);

	return add(r, mk_boundary(r->m, at, some(8) == 0 ? 0 : context,
				  some(3) != 0 ? PROF_BOUNDARY_REGION : PROF_BOUNDARY_TASK));
}

static void stacks(struct random *r)
{
	for (uint32_t t = 0; t < THREADS; t++)
		add(r, r->root[t]);
	for (unsigned i = 0; i < 300; i++) {
		const uint32_t on = r->nodes[some(r->n)], thread = some(THREADS);
		uint32_t at = some(4) == 0 ? r->root[thread] : on;

		if (some(3) == 0)
			at = created(r, at, frame(r, on, &calls));
		for (unsigned k = some(4); k != 0; k--)
			at = frame(r, at, some(3) == 0 ? &bodies : &calls);
		if (some(6) == 0)
			at = frame(r, runtime_frame(r, at), &bodies);
		leaves(r, at, thread);
		if (some(4) == 0)
			numbers(r, at);
	}
}

static void counts(struct random *r)
{
	const struct prof_value v = { 4000000, 3000000, 2000000 };

	for (unsigned i = 0; i < 50 && r->n != 0; i++)
		mk_count(r->m, r->nodes[some(r->n)], some(r->nevents),
			 (enum prof_part)some(PROF_PARTS), &v, some(100000));
}

static void times(struct random *r)
{
	struct prof_traced events[200];

	for (uint32_t t = 0; t < THREADS; t++) {
		for (unsigned i = 0; i < 200; i++)
			events[i] = (struct prof_traced){
				.ticks = 1000 * (i + 1),
				.context = r->nodes[some(r->n)],
				.kind = (uint8_t)(1 + some(PROF_TRACE_KINDS - 1)),
				.state = (uint8_t)some(PROF_STATES),
			};
		mk_timeline(r->m, t, 10, r->cells[t], r->ncells[t]);
		mk_trace(r->m, t, events, 200);
	}
}

/* ---- profiles ---------------------------------------------------------- */

static void begin(struct random *r, const char *program)
{
	static const char *const runtimes[] = { "LLVM OpenMP 5.0", "GNU libgomp 12", NULL };
	const char *runtime = runtimes[r->kind % 3];

	mk_header(r->m)->pid = 1000 + r->kind;
	mk_header(r->m)->start_monotonic_ns = 1000000000;
	mk_text(r->m, PROF_INFO_HOST, r->kind % 2 == 0 ? "even" : "odd");
	if (runtime)
		mk_text(r->m, PROF_INFO_RUNTIME, runtime);
	r->program = mk_module(r->m, program, PROF_MODULE_MAIN);
	r->runtime = mk_module(r->m, "/nowhere/libgomp.so.1", PROF_MODULE_RUNTIME);
	mk_module(r->m, "/nowhere/libc.so.6", 0);
	mk_event(r->m, "cpu-clock", PROF_UNIT_NS);
	r->nevents = 1 + r->kind % 2;
	if (r->nevents == 2)
		mk_event(r->m, "cache-misses", PROF_UNIT_EVENTS);
	for (uint32_t t = 0; t < THREADS; t++) {
		mk_thread(r->m, t == 0 ? PROF_THREAD_INITIAL : PROF_THREAD_WORKER, 100 + t);
		r->root[t] = mk_root(r->m, t);
		mk_stats(r->m, r->root[t], PROF_STATS_MOVES, 3, 0);
		mk_cpu(r->m, r->root[t], 0, t, 5, 5000);
	}
}

static int write_one(const char *program, const char *folder, unsigned kind)
{
	struct random *r = calloc(1, sizeof(*r));
	char path[4096];
	int err;

	if (!r)
		return -1;
	r->kind = kind;
	r->m = mk_new();
	begin(r, program);
	if (kind % 4 != 3)
		serialized(r);
	if (kind % 4 != 0)
		stacks(r);
	if (kind % 3 == 0)
		counts(r);
	if (kind % 4 == 2)
		times(r);
	if (kind % 5 != 4)
		mk_end(r->m);
	snprintf(path, sizeof(path), "%s/%u.omphwc", folder, kind);
	err = mk_write(r->m, path);
	mk_free(r->m);
	free(r);
	return err;
}

int main(int argc, char **argv)
{
	const unsigned n = argc == 5 ? (unsigned)atoi(argv[4]) : 0;

	if (n == 0 || !read_places(argv[2])) {
		fprintf(stderr, "Usage: random_profiles PROGRAM PLACES FOLDER N\n");
		return 2;
	}
	for (unsigned kind = 0; kind < n; kind++)
		if (write_one(argv[1], argv[3], kind) != 0) {
			perror(argv[3]);
			return 1;
		}
	return 0;
}
