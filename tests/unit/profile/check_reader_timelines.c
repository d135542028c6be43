/* SPDX-License-Identifier: BSD-3-Clause */
/* check_reader_timelines.c - timelines that contradict themselves or the rest of the file. */
#include "config.h"

#include <stdlib.h>

#include "tests/support/reader_fixture.h"

static struct prof_cell cell_of(uint32_t node, uint32_t bucket, unsigned event, unsigned state)
{
	return (struct prof_cell){
		.node = node,
		.bucket = bucket,
		.weight = 10,
		.samples = UINT64_C(2) << PROF_CELL_SAMPLES_SHIFT | PROF_CELL_KEY(event, state),
	};
}

START_TEST(cells_that_contradict)
{
	const uint32_t root = make_root();
	const uint32_t other = mk_root(m, mk_thread(m, PROF_THREAD_WORKER, 2));
	const uint32_t leaf = mk_leaf(m, root, 0, PROF_STATE_SERIAL, 0, 1, 10);
	const struct prof_cell cells[] = {
		cell_of(root, 5, 0, PROF_STATE_SERIAL),
		cell_of(root, 4, 0, PROF_STATE_SERIAL),	 /* before the one before */
		cell_of(root, 6, 1, PROF_STATE_SERIAL),	 /* no such event */
		cell_of(other, 6, 0, PROF_STATE_SERIAL), /* another thread's node */
		cell_of(UINT32_MAX, 6, 0, PROF_STATE_SERIAL),
		cell_of(leaf, 6, 0, PROF_STATE_SERIAL), /* nothing lies beneath a leaf */
		cell_of(root, 7, 0, 50),
		cell_of(root, 8, 0, PROF_ASLEEP | PROF_STATE_SERIAL),
		cell_of(root, 8, 0, PROF_ASLEEP | 50),
	};

	mk_timeline(m, 0, 20, cells, 9);
	mk_header(m)->run = PROF_RUN_EXITED;
	read_m(5, 0);
	ck_assert_uint_eq(f->ntimelines, 1);
	ck_assert_uint_eq(f->timelines[0].shift, 20);
	ck_assert_uint_eq(f->timelines[0].n, 4);
	ck_assert_uint_eq(f->timelines[0].cells[0].weight, 10);
	ck_assert_uint_eq(f->timelines[0].cells[0].samples, 2);
	ck_assert_uint_eq(f->timelines[0].cells[1].state, PROF_STATE_UNDEFINED);
	ck_assert_uint_eq(f->timelines[0].cells[2].state, PROF_ASLEEP | PROF_STATE_SERIAL);
	ck_assert_uint_eq(f->timelines[0].cells[3].state, PROF_ASLEEP | PROF_STATE_UNDEFINED);
}
END_TEST

START_TEST(timelines_that_contradict)
{
	static const struct {
		uint64_t now;
		uint32_t cells;
	} heads[] = {
		{ PROF_TIMELINE_NOW(0, 20, 3), 2 },    /* more than there is room for */
		{ PROF_TIMELINE_NOW(0, 64, 1), 2 },    /* a shift of 64 */
		{ PROF_TIMELINE_NOW(0, 20, 1), 1000 }, /* past the chunk */
		{ PROF_TIMELINE_NOW(0, 20, 1), UINT32_MAX },
	};
	const uint32_t root = make_root();
	const struct prof_cell cell = cell_of(root, 1, 0, PROF_STATE_SERIAL);
	struct prof_timeline *h;

	h = (struct prof_timeline *)(mk_bytes(m) + mk_timeline(m, 0, 20, &cell, 1));
	h->now = heads[_i].now;
	h->cells = heads[_i].cells;
	read_m(1, 0);
	ck_assert_uint_eq(f->ntimelines, 0);
}
END_TEST

/* Of two of one thread the first one counts; and one of a thread that is not there. */
START_TEST(timelines_of_whom)
{
	const uint32_t root = make_root();
	const struct prof_cell cell = cell_of(root, 1, 0, PROF_STATE_SERIAL);

	mk_timeline(m, 0, 20, &cell, 1);
	mk_timeline(m, 0, 21, &cell, 1);
	mk_timeline(m, 7, 20, &cell, 1);
	mk_timeline(m, UINT32_MAX, 20, &cell, 0);
	read_m(3, 0);
	ck_assert_uint_eq(f->ntimelines, 1);
	ck_assert_uint_eq(f->timelines[0].shift, 20);
}
END_TEST

/* ---- traces --------------------------------------------------------------------- */

START_TEST(rings_that_contradict)
{
	static const struct {
		uint64_t next;
		uint32_t records;
		unsigned damaged, n;
	} heads[] = {
		{ 4, 0, 1, 0 },	      { 4, 3, 1, 0 }, { 4, UINT32_MAX, 1, 0 },
		{ 4, 1 << 20, 1, 0 }, { 4, 4, 0, 3 }, { UINT64_MAX, 4, 0, 3 },
		{ 3, 4, 0, 3 },
	};
	const uint32_t root = make_root();
	struct prof_traced events[4];
	struct prof_trace *h;

	for (int i = 0; i < 4; i++)
		events[i] = (struct prof_traced){ .ticks = 1,
						  .context = i % 2 ? root : 77777,
						  .kind = PROF_TRACE_FORK };
	h = (struct prof_trace *)(mk_bytes(m) + mk_trace(m, 0, events, 4));
	h->next = heads[_i].next;
	h->records = heads[_i].records;
	read_m(heads[_i].damaged, 0);
	ck_assert_uint_eq(f->ntraces, !heads[_i].damaged);
	ck_assert(heads[_i].damaged || f->traces[0].n == heads[_i].n);
}
END_TEST

static void add(TCase *t)
{
	tcase_add_test(t, cells_that_contradict);
	tcase_add_loop_test(t, timelines_that_contradict, 0, 4);
	tcase_add_test(t, timelines_of_whom);
	tcase_add_loop_test(t, rings_that_contradict, 0, 7);
}

int main(void)
{
	return run_suite("reader timelines", add);
}
