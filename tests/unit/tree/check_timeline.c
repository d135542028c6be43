/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_timeline.c - a thread's timeline: every sample is in one cell, whatever is made coarser,
 * however long the run, and at every instruction.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/tree/timeline.h"
#include "src/profile/reader/reader.h"
#include "tests/support/interrupt.h"
#include "tests/support/writer_fixture.h"

enum { EVENTS = 3, NODES = 6000, BYTES = 49 * 4096 };

#define GHZ3 UINT64_C(3000000000)

static _Alignas(8) unsigned char memory[BYTES];
static struct prof_node nodes[NODES];
static struct timeline tl;
static uint64_t added[EVENTS][PROF_STATES], samples;

static uint64_t random_state = 88172645463325252u;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* 1 the root, 2 a boundary beneath it, 3 the runtime's frame that was entered, beneath a frame 4
   of the user; all others are frames, those from NODES / 2 on the runtime's. */
static void plant(void)
{
	memset(nodes, 0, sizeof(nodes));
	nodes[1] = (struct prof_node){ .info = PROF_NODE_INFO(PROF_NODE_ROOT, 0, 0, 0) };
	nodes[2] = (struct prof_node){ .info = PROF_NODE_BOUNDARY, .parent = 1 };
	nodes[4] = (struct prof_node){ .info = PROF_NODE_FRAME, .parent = 2 };
	nodes[3] = (struct prof_node){
		.info = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, PROF_FRAME_RUNTIME),
		.parent = 4,
	};
	for (uint32_t i = 5; i < NODES; i++)
		nodes[i] = (struct prof_node){
			.info = PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0,
					       i < NODES / 2 ? 0 : PROF_FRAME_RUNTIME),
			.parent = i < NODES / 2 ? 4 : 3,
		};
}

static void begin(uint32_t bytes)
{
	memset(memory, 0, sizeof(memory));
	memset(added, 0, sizeof(added));
	samples = 0;
	plant();
	process.writer.base = (unsigned char *)nodes;
	process.writer.nodes = NODES;
	timeline_init(&tl, memory, bytes, &process.writer, GHZ3);
}

static void add(uint32_t node, unsigned event, unsigned state, uint64_t weight, uint64_t ticks)
{
	const struct timeline_sample s = {
		.node = node,
		.event = (uint8_t)event,
		.state = (uint8_t)state,
		.weight = weight,
		.ticks = GHZ3 + ticks,
	};

	added[event][state] += weight;
	samples++;
	timeline_add(&tl, &s);
}

/* ---- what a reader of the memory finds -------------------------------- */

struct seen {
	const struct prof_cell *cells;
	uint32_t n;
	unsigned shift;
	uint64_t sum[EVENTS][PROF_STATES], samples;
	uint32_t buckets;
};

static void look(struct seen *s)
{
	const struct prof_timeline *h = (const void *)memory;
	const uint64_t now = h->now;

	*s = (struct seen){
		.n = (uint32_t)(now >> 32),
		.shift = (unsigned)(now >> 1 & 63),
	};
	s->cells = (const struct prof_cell *)(h + 1) + (now & 1) * h->cells;
	ck_assert_uint_le(s->n, h->cells);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct prof_cell *c = &s->cells[i];

		ck_assert(i == 0 || c->bucket >= c[-1].bucket);
		s->buckets += i == 0 || c->bucket != c[-1].bucket;
		s->sum[c->samples >> 8 & 0xff][c->samples & 0xff] += c->weight;
		s->samples += c->samples >> PROF_CELL_SAMPLES_SHIFT;
	}
}

static void all_there(struct seen *s)
{
	look(s);
	ck_assert(memcmp(s->sum, added, sizeof(added)) == 0);
	ck_assert_uint_eq(s->samples, samples);
}

/* ---- sums --------------------------------------------------------------- */

START_TEST(sums)
{
	uint64_t ticks = 0;
	struct seen s;

	begin(BYTES);
	for (int i = 0; i < 300000; i++) {
		ticks += draw() % 10000000;
		add(5 + (uint32_t)(draw() % 20), (unsigned)(draw() % EVENTS),
		    (unsigned)(draw() % PROF_STATES), 1 + draw() % 1000, ticks);
		if (i % 1000 == 0)
			all_there(&s);
	}
	all_there(&s);
	ck_assert_uint_ge(s.buckets, TIMELINE_BUCKETS_FEW);
}
END_TEST

/* A cell of each bucket for each key, and no two. */
START_TEST(cells_are_unique)
{
	struct seen s;

	begin(BYTES);
	for (uint64_t i = 0; i < 200000; i++)
		add(5 + i % 7, i % 2, i % 3, 1, i * 1000000);
	all_there(&s);
	for (uint32_t i = 0; i < s.n; i++)
		for (uint32_t k = i + 1; k < s.n && s.cells[k].bucket == s.cells[i].bucket; k++)
			ck_assert(s.cells[i].node != s.cells[k].node ||
				  (uint16_t)s.cells[i].samples != (uint16_t)s.cells[k].samples);
}
END_TEST

/* A day at 3 GHz and 100 samples a second: three phases, an eighth, a half, the rest. */
START_TEST(a_day)
{
	const uint64_t day = 86400 * GHZ3, step = GHZ3 / 100;
	const uint64_t ends[] = { day / 8, day / 8 * 5, day };
	uint64_t weight[3] = { 0 }, at = 0;
	struct seen s;

	begin(BYTES);
	for (unsigned p = 0; p < 3; p++)
		for (; at < ends[p]; at += step)
			add(5 + p, 0, p + 1, 10, at);
	all_there(&s);
	ck_assert_uint_ge(s.buckets, TIMELINE_BUCKETS_LEAST);
	ck_assert_uint_eq(tl.room * 2 * sizeof(struct prof_cell) / 4096, BYTES / 4096 - 1);
	for (uint32_t i = 0; i < s.n; i++) {
		const unsigned p = s.cells[i].node - 5;
		const uint64_t from = (uint64_t)s.cells[i].bucket << s.shift;

		ck_assert_uint_lt(p, 3);
		weight[p] += s.cells[i].weight;
		/* Within one bucket of the boundary. */
		ck_assert(from < ends[p]);
		ck_assert(p == 0 || from + (UINT64_C(1) << s.shift) > ends[p - 1]);
	}
	for (unsigned p = 0; p < 3; p++)
		ck_assert_uint_eq(weight[p], (ends[p] - (p ? ends[p - 1] : 0)) / step * 10);
}
END_TEST

/* ---- nodes nearer the root --------------------------------------------- */

START_TEST(nodes_climb)
{
	uint32_t entered = 0, boundary = 0, same = 0;
	struct seen s;

	begin(BYTES);
	for (uint64_t i = 0; i < 200000; i++)
		add(5 + (uint32_t)(draw() % (NODES - 5)), 0, PROF_STATE_PARALLEL, 1, i * 3000000);
	all_there(&s);
	for (uint32_t i = 0; i < s.n; i++) {
		entered += s.cells[i].node == 3;
		boundary += s.cells[i].node == 2;
		same += s.cells[i].node > 4;
	}
	ck_assert_uint_gt(entered, 0);
	ck_assert_uint_gt(boundary, 0);
	ck_assert_uint_eq(entered + boundary + same, s.n);
	ck_assert_uint_ge(s.buckets, TIMELINE_BUCKETS_LEAST);
}
END_TEST

/* So many boundaries that only the root is left. */
START_TEST(at_last_the_root)
{
	uint32_t roots = 0;
	struct seen s;

	begin(BYTES);
	for (uint32_t i = 2; i < NODES; i++)
		nodes[i] = (struct prof_node){ .info = PROF_NODE_BOUNDARY, .parent = 1 };
	for (uint64_t i = 0; i < 200000; i++)
		add(2 + (uint32_t)(draw() % (NODES - 2)), (unsigned)(draw() % EVENTS),
		    (unsigned)(draw() % PROF_STATES), 1, i * 3000000);
	all_there(&s);
	for (uint32_t i = 0; i < s.n; i++)
		roots += s.cells[i].node == 1;
	ck_assert_uint_gt(roots, 0);
}
END_TEST

/* ---- clocks ------------------------------------------------------------- */

START_TEST(odd_clocks)
{
	struct seen s;

	begin(BYTES);
	add(5, 0, 1, 1, 1000);
	add(5, 0, 1, 1, (uint64_t)-5000); /* before the origin */
	add(5, 0, 1, 1, UINT64_C(1) << 50);
	add(5, 0, 1, 1, 12); /* another CPU's clock */
	add(5, 0, 1, 1, UINT64_C(1) << 62);
	add(5, 0, 1, 1, (UINT64_C(1) << 62) + 1);
	all_there(&s);
}
END_TEST

/* An hour's sleep is spread over its buckets, and its sample is in the last one. */
START_TEST(sleeps)
{
	const uint64_t hour = 3600 * GHZ3;
	uint64_t least = UINT64_MAX, most = 0;
	struct seen s;

	begin(BYTES);
	add(5, 0, 1, 1, 1000);
	timeline_add(&tl, &(struct timeline_sample){ .node = 6,
						     .state = 2,
						     .weight = 3600000000,
						     .since_ticks = GHZ3 + 1000,
						     .ticks = GHZ3 + hour });
	added[0][2] += 3600000000;
	samples++;
	all_there(&s);
	ck_assert_uint_ge(s.buckets, TIMELINE_BUCKETS_LEAST);
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.cells[i].node != 6)
			continue;
		least = s.cells[i].weight < least ? s.cells[i].weight : least;
		most = s.cells[i].weight > most ? s.cells[i].weight : most;
		ck_assert_uint_eq(s.cells[i].samples >> PROF_CELL_SAMPLES_SHIFT, i == s.n - 1);
	}
	ck_assert_uint_le(most, least + 1);
	for (uint64_t i = 1; i < 1000; i++)
		timeline_add(&tl, &(struct timeline_sample){ .node = 6,
							     .state = 2,
							     .weight = 3600000000,
							     .since_ticks = GHZ3 + hour * i,
							     .ticks = GHZ3 + hour * (i + 1) });
	added[0][2] += 999 * UINT64_C(3600000000);
	samples += 999;
	all_there(&s);
}
END_TEST

/* ---- at every instruction ---------------------------------------------- */

enum { STRIDE = 499, SMALL = sizeof(struct prof_timeline) + 2 * 40 * sizeof(struct prof_cell) };

static uint64_t ticks_at;

static void add_one(void *arg)
{
	(void)arg;
	add(5 + (uint32_t)(ticks_at % 3), 0, 1, 1, ticks_at);
}

/* What is killed here has all samples but the one that is being added. */
static void killed(void *arg)
{
	struct seen s;

	(void)arg;
	look(&s);
	ck_assert_uint_ge(s.sum[0][1] + 1, samples);
	ck_assert_uint_le(s.sum[0][1], samples + 1);
}

START_TEST(killed_anywhere)
{
	static unsigned char full[sizeof(memory)];
	struct timeline before;
	uint64_t had;
	int n = 1, coarser = 0;

	begin(SMALL);
	while (tl.fill.n < tl.room) {
		add_one(NULL);
		ticks_at += UINT64_C(1) << 21;
	}
	memcpy(full, memory, sizeof(memory));
	before = tl;
	had = samples;
	/* A prime: every kind of place is met, in some hundred instructions of many thousand. */
	for (bool more = true; more; n += STRIDE) {
		memcpy(memory, full, sizeof(memory));
		tl = before;
		samples = added[0][1] = had;
		more = interrupt_at(n, add_one, killed, NULL);
		coarser += tl.shift != before.shift;
	}
#if defined(__x86_64__)
	ck_assert_int_gt(coarser, 10);
#endif
}
END_TEST

/* Whatever others write over the cells and nodes, samples are added in bounded time and place. */
START_TEST(overwritten)
{
	static unsigned char guard[sizeof(memory)];

	begin(SMALL);
	memset(guard, 0, sizeof(guard));
	for (int i = 0; i < 20000; i++) {
		const size_t at = sizeof(struct prof_timeline) +
				  draw() % (SMALL - sizeof(struct prof_timeline) - 8);

		add(1 + (uint32_t)draw() % (NODES - 1), 0, 1, 1, (uint64_t)i << 21);
		if (_i == 0)
			memset(memory + sizeof(struct prof_timeline), i, SMALL / 2);
		for (int k = 0; k < 100 && _i == 1; k++)
			memory[at] = (unsigned char)draw();
		for (size_t k = sizeof(struct prof_timeline); k < SMALL && _i == 2 && i % 500 == 0;
		     k++)
			memory[k] = (unsigned char)draw();
		nodes[draw() % NODES].parent = (uint32_t)draw();
		ck_assert_uint_le(tl.fill.n, tl.room);
		ck_assert_uint_le(tl.shift, PROF_TIMELINE_SHIFT_MOST);
	}
	ck_assert_mem_eq(memory + SMALL, guard + SMALL, sizeof(memory) - SMALL);
}
END_TEST

/* ---- the file ----------------------------------------------------------- */

static struct prof_file *profile_of_one(void)
{
	struct prof_file *f;
	uint32_t version;

	prof_end(&process.writer, PROF_RUN_EXITED, 1);
	ck_assert_int_eq(prof_read(profile, &f, &version), PROF_READ_OK);
	return f;
}

static void open_profile(size_t limit_bytes)
{
	ck_assert_int_eq(prof_create(&process.writer, profile, limit_bytes), 0);
	prof_header(&process.writer)->nevents = 1;
	prof_header(&process.writer)->ticks_start = 1000;
}

START_TEST(is_read_back)
{
	static struct timeline t;
	struct prof_thread *record;
	struct prof_file *f;
	struct cct tree;

	open_profile((size_t)8 << 20);
	record = prof_info_append(&process.writer, PROF_INFO_PENDING, &(struct prof_thread){ 0 },
				  sizeof(*record), NULL, 0);
	prof_info_publish(record, PROF_INFO_THREAD);
	cct_init(&tree, &process.writer, 0);
	for (uint64_t i = 0; i < 20000; i++)
		timeline_count(&t, 0,
			       &(struct timeline_sample){
				       .node = cct_root(&tree),
				       .state = i % 2 ? PROF_STATE_PARALLEL : PROF_STATE_IDLE,
				       .weight = 3,
				       .ticks = 1000 + i * (UINT64_C(1) << 20),
			       });
	f = profile_of_one();
	ck_assert_uint_eq(f->damaged, 0);
	ck_assert_uint_eq(f->ntimelines, 1);
	ck_assert_uint_eq(f->timelines[0].shift, t.shift);
	ck_assert_uint_eq(f->timelines[0].n, t.fill.n);
	uint64_t weight = 0, count = 0;

	for (size_t i = 0; i < f->timelines[0].n; i++) {
		weight += f->timelines[0].cells[i].weight;
		count += f->timelines[0].cells[i].samples;
	}
	ck_assert_uint_eq(weight, 60000);
	ck_assert_uint_eq(count, 20000);
	prof_free(f);
	prof_abandon(&process.writer);
}
END_TEST

/* The samples are in the tree all the same. */
START_TEST(no_room)
{
	static struct timeline t;

	open_profile(32 * 4096);
	for (uint64_t i = 0; i < 5000; i++)
		timeline_count(&t, 0, &(struct timeline_sample){ .node = 1, .weight = 1 });
	ck_assert_ptr_null(t.head);
	prof_abandon(&process.writer);
}
END_TEST

static void add_tests(TCase *c)
{
	tcase_set_timeout(c, 60);
	tcase_add_test(c, sums);
	tcase_add_test(c, cells_are_unique);
	tcase_add_test(c, a_day);
	tcase_add_test(c, nodes_climb);
	tcase_add_test(c, at_last_the_root);
	tcase_add_test(c, odd_clocks);
	tcase_add_test(c, sleeps);
	tcase_add_test(c, killed_anywhere);
	tcase_add_loop_test(c, overwritten, 0, 3);
	tcase_add_test(c, is_read_back);
	tcase_add_test(c, no_room);
}

int main(void)
{
	return run_writer_suite("timeline", add_tests);
}
