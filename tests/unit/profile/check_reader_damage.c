/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are truncated, incomplete, damaged, or malicious.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/reader_fixture.h"

/* ---- at any instant ----------------------------------------------------------- */

START_TEST(truncated_anywhere)
{
	uint64_t most = 0;

	make_small();
	for (size_t size = 0; size < mk_size(m); size++) {
		enum prof_read_error err = read_cut(size);

		if (size < PROF_HEADER_BYTES) {
			ck_assert_int_eq(err, size ? PROF_READ_TRUNCATED : PROF_READ_EMPTY);
			continue;
		}
		ck_assert_int_eq(err, PROF_READ_OK);
		ck_assert_uint_eq(f->missing_bytes, mk_size(m) - size);
		ck_assert_uint_ge(promise_samples(f), most);
		most = promise_samples(f);
	}
	ck_assert_uint_eq(most, SMALL_SAMPLES);
}
END_TEST

START_TEST(half_written_is_unfinished)
{
	uint32_t root = make_root(), at = mk_frame(m, root, PROF_LOC(1, 1), 0);
	struct prof_node half = { .parent = at, .value = PROF_LOC(1, 2) };

	mk_node(m, 0, &half);
	mk_info(m, PROF_INFO_PENDING, "half a re", 9);
	mk_leaf(m, at, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, 3, 3);
	mk_text(m, PROF_INFO_HOST, "whole");
	read_m(0, 2);
	ck_assert_uint_eq(f->nnodes, 3);
	ck_assert_uint_eq(promise_samples(f), 3);
	ck_assert_str_eq(prof_text(f, PROF_INFO_HOST), "whole");
}
END_TEST

/* While the writer works, a page may be read before a node in it was whole,
   and that node's child afterwards. */
START_TEST(a_child_read_after_its_parent)
{
	uint32_t root = make_root(), parent = mk_frame(m, root, PROF_LOC(1, 1), 0), boundary;

	mk_leaf(m, parent, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, 3, 3);
	boundary = mk_boundary(m, root, parent, PROF_BOUNDARY_REGION);
	mk_leaf(m, boundary, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 4, 4);
	*mk_node_at(m, parent) = (struct prof_node){ 0 };
	read_m(0, 2);
	ck_assert_uint_eq(promise_samples(f), 4);
	/* A dead process leaves no such thing. */
	mk_end(m);
	read_m(2, 0);
}
END_TEST

/* ---- damaged -------------------------------------------------------------------- */

START_TEST(every_byte_flipped)
{
	static const unsigned char masks[] = { 0x01, 0x80, 0xff };

	make_small();
	for (size_t i = 0; i < mk_size(m); i++) {
		mk_bytes(m)[i] ^= masks[_i];
		read_bytes(mk_bytes(m), mk_size(m));
		mk_bytes(m)[i] ^= masks[_i];
	}
	read_m(0, 0);
}
END_TEST

static size_t chunk_of(uint32_t node)
{
	return (size_t)node * PROF_GRANULE / PROF_PAGE * PROF_PAGE;
}

static struct prof_chunk *chunk_at(size_t offset)
{
	return (struct prof_chunk *)(mk_bytes(m) + offset);
}

/* Two threads, a chunk each; the second one's samples. */
static size_t make_two_chunks(void)
{
	uint32_t first = make_root(), second;

	mk_leaf(m, first, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, 1, 1);
	second = mk_root(m, mk_thread(m, PROF_THREAD_WORKER, 2));
	mk_leaf(m, second, 0, PROF_STATE_IDLE, PROF_CAUSE_NONE, 20, 20);
	return chunk_of(first);
}

START_TEST(a_lost_header_costs_one_chunk)
{
	size_t at = make_two_chunks();

	chunk_at(at)->magic ^= 1;
	read_m(0, 0);
	ck_assert_uint_eq(promise_samples(f), 20);
	chunk_at(at)->magic ^= 1;
	chunk_at(at)->offset += PROF_PAGE;
	read_m(1, 0);
	ck_assert_uint_eq(promise_samples(f), 20);
}
END_TEST

static const uint64_t bad_sizes[] = {
	0,
	1,
	32,
	4095,
	4097,
	UINT64_MAX,
	UINT64_MAX - 4095,
	INT64_MIN,
	(uint64_t)1 << 40,
	2 * PROF_PAGE,
	3 * PROF_PAGE,
};

START_TEST(a_wrong_size_swallows_nothing)
{
	size_t at = make_two_chunks();

	chunk_at(at)->size_bytes = bad_sizes[_i];
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), PROF_READ_OK);
	ck_assert_uint_ge(f->damaged, 1);
	ck_assert_uint_ge(promise_samples(f), 20);
}
END_TEST

START_TEST(records_with_wrong_lengths)
{
	static const uint32_t wrong[] = { 1, 4, 7, 12, 4096, 0x7ffffff8, 0xfffffff8, 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		size_t at;

		teardown();
		setup();
		mk_text(m, PROF_INFO_HOST, "before");
		at = mk_info(m, PROF_INFO_CWD, "wrong", 5) - sizeof(struct prof_info);
		memcpy(mk_bytes(m) + at, &wrong[i], sizeof(wrong[i]));
		read_m(1, 0);
		ck_assert_uint_eq(f->ntexts, 1);
		ck_assert_str_eq(f->texts[0].text, "before");
	}
}
END_TEST

START_TEST(modules_that_contradict_themselves)
{
	struct prof_module good = { .id = 1, .map_start = 1, .map_end = 2 };
	struct prof_module bad;
	size_t at;

	mk_module_full(m, &good, "/good");
	bad = good, bad.id = 0;
	mk_module_full(m, &bad, "/zero");
	bad.id = 65536;
	mk_module_full(m, &bad, "/too-large");
	bad = good, bad.id = 2, bad.build_id_bytes = 33;
	mk_module_full(m, &bad, "/build-id");
	bad = good, bad.id = 2, bad.map_end = 0;
	mk_module_full(m, &bad, "/ends-before-it-starts");
	mk_module_full(m, &good, "/twice");
	mk_info(m, PROF_INFO_MODULE, &good, sizeof(good) - 8);
	good.id = 3;
	at = mk_info(m, PROF_INFO_MODULE, &good, sizeof(good));
	((struct prof_module *)(mk_bytes(m) + at))->path_bytes = UINT32_MAX;
	read_m(7, 0);
	ck_assert_uint_eq(f->nmodules, 1);
	ck_assert_uint_eq(f->modules[0].id, 1);
}
END_TEST

START_TEST(threads_that_contradict_themselves)
{
	struct prof_thread t = { .index = 0 };

	make_root();
	mk_info(m, PROF_INFO_THREAD, &t, sizeof(t));
	t.index = UINT32_MAX;
	mk_info(m, PROF_INFO_THREAD, &t, sizeof(t));
	t.index = 0x7fffffff;
	mk_info(m, PROF_INFO_THREAD, &t, sizeof(t));
	mk_info(m, PROF_INFO_THREAD, &t, sizeof(t) - 8);
	read_m(4, 0);
	ck_assert_uint_eq(f->nthreads, 1);
	ck_assert_uint_eq(f->threads[0].t.tid, 1);
}
END_TEST

START_TEST(a_tree_without_its_thread)
{
	uint32_t root = make_root();

	mk_node_at(m, root)->value = 3;
	mk_leaf(m, root, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE, 6, 6);
	read_m(0, 3); /* threads 1 to 3 have no record */
	ck_assert_uint_eq(f->nthreads, 4);
	ck_assert_uint_eq(f->nodes[1].thread, 3);
	ck_assert_uint_eq(promise_samples(f), 6);
	mk_node_at(m, root)->value = UINT64_MAX;
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), PROF_READ_OK);
	ck_assert_uint_eq(f->damaged, 2);
	ck_assert_uint_lt(f->nthreads, 100);
}
END_TEST

/* ---- links -------------------------------------------------------------------------- */

START_TEST(parents_of_the_wrong_kind)
{
	static const uint32_t allowed[] = {
		/* bit: parent's kind */
		[PROF_NODE_FRAME] = 0x0e,   [PROF_NODE_BOUNDARY] = 0x0e,
		[PROF_NODE_OBJECT] = 0x58e, [PROF_NODE_LEAF] = 0x59e,
		[PROF_NODE_STATS] = 0x59e,  [PROF_NODE_CONSTRUCT] = 0x50e,
		[PROF_NODE_DATA] = 0x0e,    [PROF_NODE_COUNT] = 0x0a,
		[PROF_NODE_BLOCK] = 0x0e,
	};
	uint32_t parents[PROF_NODE_BLOCK + 1], root = make_root();
	size_t bad = 0;

	parents[PROF_NODE_ROOT] = root;
	parents[PROF_NODE_FRAME] = mk_frame(m, root, 1, 0);
	parents[PROF_NODE_BOUNDARY] = mk_boundary(m, root, 0, PROF_BOUNDARY_TASK);
	parents[PROF_NODE_OBJECT] = mk_object(m, root, 1, 0);
	parents[PROF_NODE_LEAF] = mk_leaf(m, root, 0, PROF_STATE_SERIAL, 0, 1, 1);
	parents[PROF_NODE_STATS] = mk_stats(m, root, PROF_STATS_TASK, 1, 1);
	parents[PROF_NODE_CONSTRUCT] = mk_construct(m, root, 1, PROF_CONSTRUCT_LOOP);
	parents[PROF_NODE_DATA] = mk_data(m, root, 1, PROF_DATA_OTHER, PROF_SOURCE_RAM);
	parents[PROF_NODE_COUNT] =
		mk_count(m, root, 0, PROF_PART_WORK, &(struct prof_value){ 1, 2, 2 }, 3);
	parents[PROF_NODE_BLOCK] = mk_block(m, root, 0, PROF_SOURCE_RAM);
	for (unsigned kind = PROF_NODE_FRAME; kind <= PROF_NODE_BLOCK; kind++) {
		for (unsigned p = PROF_NODE_ROOT; p <= PROF_NODE_BLOCK; p++) {
			struct prof_node n = {
				.parent = parents[p],
				.info = PROF_NODE_INFO(kind, 0, 0,
						       kind == PROF_NODE_STATS ||
							       kind == PROF_NODE_COUNT),
			};

			mk_node(m, 0, &n);
			bad += !(allowed[kind] & 1u << p);
		}
	}
	read_m(bad, 0);
	ck_assert_uint_eq(f->nnodes, 11 + 90 - bad);
}
END_TEST

START_TEST(parents_that_are_nowhere)
{
	uint32_t root = make_root(), at = mk_frame(m, root, 1, 0);
	static const uint32_t nowhere[] = { 0,	       1, 127, 128, 200, 1u << 20, UINT32_MAX - 1,
					    UINT32_MAX };

	mk_leaf(m, mk_frame(m, at, 2, 0), 0, PROF_STATE_SERIAL, 0, 1, 1);
	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		mk_node_at(m, at)->parent = nowhere[i];
		mk_header(m)->run = PROF_RUN_EXITED;
		read_m(3, 0);
		ck_assert_uint_eq(f->nnodes, 1);
	}
}
END_TEST

START_TEST(events_out_of_range)
{
	uint32_t root = make_root();

	mk_leaf(m, root, 1, PROF_STATE_SERIAL, 0, 1, 1);
	mk_leaf(m, root, 0, PROF_STATES, 0, 2, 2);
	read_m(2, 0);
	ck_assert_uint_eq(promise_samples(f), 2);
	ck_assert_uint_eq(f->nodes[1].state, PROF_STATE_UNDEFINED);
}
END_TEST

START_TEST(counts_of_what_is_not_there)
{
	const struct prof_value v = { 5, 6, 7 };
	uint32_t root = make_root();

	mk_count(m, root, 1, PROF_PART_WORK, &v, 1); /* two nodes: no such event */
	mk_count(m, root, 255, PROF_PART_WORK, &v, 1);
	mk_count(m, root, 0, PROF_PARTS, &v, 1); /* kept: part not known */
	mk_count(m, root, 0, PROF_PART_IDLE, &v, 1);
	read_m(6, 0);
	ck_assert_uint_eq(f->nnodes, 5);
	ck_assert_uint_eq(f->nodes[1].state, PROF_PART_MIXED);
	ck_assert_uint_eq(f->nodes[2].state, PROF_PART_MIXED);
	ck_assert_uint_eq(f->nodes[3].state, PROF_PART_IDLE);
	ck_assert_uint_eq(f->nodes[3].a, 5);
	ck_assert_uint_eq(f->nodes[4].a, 7);
}
END_TEST

START_TEST(parents_in_a_circle)
{
	uint32_t root = make_root(), a, b, c, on;

	a = mk_frame(m, root, 1, 0);
	b = mk_frame(m, a, 2, 0);
	c = mk_frame(m, b, 3, 0);
	on = mk_leaf(m, c, 0, PROF_STATE_SERIAL, 0, 1, 1);
	mk_leaf(m, root, 0, PROF_STATE_SERIAL, 0, 10, 10);
	mk_node_at(m, a)->parent = c;
	read_m(4, 0);
	ck_assert_uint_eq(promise_samples(f), 10);
	mk_node_at(m, a)->parent = a;
	read_m(4, 0);
	mk_node_at(m, a)->parent = root;
	mk_node_at(m, on)->parent = on;
	read_m(1, 0);
}
END_TEST

/* The sole node of a file, its own parent. */
START_TEST(one_node_in_a_circle)
{
	struct prof_node n = { .info = PROF_NODE_INFO(PROF_NODE_BOUNDARY, 0, 0, 1) };
	uint32_t at;

	at = mk_node(m, mk_thread(m, PROF_THREAD_INITIAL, 1), &n);
	mk_node_at(m, at)->parent = at;
	mk_node_at(m, at)->value = at;
	read_m(1, 0);
	ck_assert_uint_eq(f->nnodes, 0);
}
END_TEST

/* A region whose creation context lies within it: the link goes, its samples
   stay, and so does every other region's context. */
START_TEST(contexts_in_a_circle)
{
	uint32_t root = make_root(), good, bad, inside, worker, other;
	size_t boundaries = 0, linked = 0;

	bad = mk_boundary(m, root, 0, PROF_BOUNDARY_REGION);
	inside = mk_path(m, bad, PROF_LOC(1, 1), PROF_LOC(1, 2));
	mk_leaf(m, inside, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	mk_node_at(m, bad)->value = inside;
	worker = mk_root(m, mk_thread(m, PROF_THREAD_WORKER, 2));
	good = mk_boundary(m, worker, inside, PROF_BOUNDARY_REGION);
	other = mk_boundary(m, mk_frame(m, good, PROF_LOC(1, 3), 0), good, PROF_BOUNDARY_TASK);
	mk_leaf(m, other, 0, PROF_STATE_PARALLEL, 0, 10, 10);
	read_m(1, 0);
	ck_assert_uint_eq(promise_samples(f), 11);
	for (size_t i = 0; i < f->nnodes; i++) {
		boundaries += f->nodes[i].kind == PROF_NODE_BOUNDARY;
		linked += f->nodes[i].context != PROF_NONE;
	}
	ck_assert_uint_eq(boundaries, 3);
	ck_assert_uint_eq(linked, 2);
}
END_TEST

START_TEST(contexts_of_two_regions_in_a_circle)
{
	uint32_t root = make_root(), a, b;

	a = mk_boundary(m, root, 0, PROF_BOUNDARY_REGION);
	b = mk_boundary(m, root, mk_frame(m, a, 1, 0), PROF_BOUNDARY_REGION);
	mk_node_at(m, a)->value = mk_frame(m, b, 2, 0);
	mk_leaf(m, a, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	mk_leaf(m, b, 0, PROF_STATE_PARALLEL, 0, 2, 2);
	read_m(2, 0);
	ck_assert_uint_eq(promise_samples(f), 3);
}
END_TEST

START_TEST(contexts_that_are_none)
{
	uint32_t root = make_root(), at, leaf = mk_leaf(m, root, 0, PROF_STATE_SERIAL, 0, 1, 1);
	uint64_t none[] = { leaf,	mk_object(m, root, 1, 0),
			    1,		UINT32_MAX,
			    UINT64_MAX, ((uint64_t)root) | (uint64_t)1 << 32 };

	at = mk_boundary(m, root, 0, PROF_BOUNDARY_REGION);
	mk_leaf(m, at, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		mk_node_at(m, at)->value = none[i];
		read_m(1, 0);
		ck_assert_uint_eq(promise_samples(f), 2);
	}
}
END_TEST

/* The context that allocated a block, wherever it claims to be. */
START_TEST(blocks_allocated_nowhere)
{
	uint32_t root = make_root(), leaf = mk_leaf(m, root, 0, PROF_STATE_SERIAL, 0, 1, 1), at;
	uint32_t good = mk_frame(m, root, PROF_LOC(1, 3), 0);
	uint64_t none[] = { leaf,	mk_object(m, root, 1, 0),
			    1,		UINT32_MAX,
			    UINT64_MAX, ((uint64_t)good) | (uint64_t)1 << 32 };
	size_t linked = 0;

	at = mk_block(m, root, good, PROF_SOURCE_RAM);
	mk_leaf(m, at, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	read_m(0, 0);
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_BLOCK && f->nodes[i].context != PROF_NONE)
			linked += f->nodes[f->nodes[i].context].a == PROF_LOC(1, 3);
	ck_assert_uint_eq(linked, 1);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		mk_node_at(m, at)->value = none[i];
		read_m(1, 0);
		ck_assert_uint_eq(promise_samples(f), 2);
	}
	mk_node_at(m, at)->value = 0; /* not known, and no damage */
	read_m(0, 0);
}
END_TEST

/* A block that lies in what it was allocated by, and one in itself. */
START_TEST(blocks_in_a_circle)
{
	uint32_t root = make_root(), region, at, block;

	region = mk_boundary(m, root, 0, PROF_BOUNDARY_REGION);
	at = mk_frame(m, region, 1, 0);
	block = mk_block(m, at, at, PROF_SOURCE_RAM);
	mk_leaf(m, block, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	read_m(0, 0);
	mk_node_at(m, region)->value = block; /* both links lie on the circle */
	read_m(2, 0);
	ck_assert_uint_eq(promise_samples(f), 1);
	mk_node_at(m, block)->value = block;
	read_m(2, 0);
	ck_assert_uint_eq(promise_samples(f), 1);
}
END_TEST

/* Chains as deep as the file is long, each boundary's context beneath it:
   neither the stack nor the square of the length may be needed. */
START_TEST(deep_and_tangled)
{
	enum { DEPTH = 200000 };
	uint32_t root = make_root(), at = root, *all = calloc(DEPTH, sizeof(*all));
	uint32_t random = 1;

	mk_chunk_bytes(m, 1 << 20);
	for (size_t i = 0; i < DEPTH; i++) {
		if (i % 2)
			at = mk_frame(m, at, PROF_LOC(1, i), 0);
		else
			at = mk_boundary(m, at, 0, PROF_BOUNDARY_REGION);
		all[i] = at;
	}
	mk_leaf(m, at, 0, PROF_STATE_PARALLEL, 0, 1, 1);
	for (size_t i = 0; i < DEPTH; i += 2) {
		random = random * 1664525 + 1013904223;
		mk_node_at(m, all[i])->value = all[random % DEPTH];
	}
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), PROF_READ_OK);
	ck_assert_uint_eq(f->nnodes, DEPTH + 2);
	ck_assert_uint_gt(f->damaged, 0);
	/* A ring of all. */
	mk_node_at(m, all[0])->parent = at;
	read_m(DEPTH + 1, 0);
	free(all);
}
END_TEST

static void add(TCase *t)
{
	tcase_add_test(t, truncated_anywhere);
	tcase_add_test(t, half_written_is_unfinished);
	tcase_add_test(t, a_child_read_after_its_parent);
	tcase_add_loop_test(t, every_byte_flipped, 0, 3);
	tcase_add_test(t, a_lost_header_costs_one_chunk);
	tcase_add_loop_test(t, a_wrong_size_swallows_nothing, 0,
			    sizeof(bad_sizes) / sizeof(bad_sizes[0]));
	tcase_add_test(t, records_with_wrong_lengths);
	tcase_add_test(t, modules_that_contradict_themselves);
	tcase_add_test(t, threads_that_contradict_themselves);
	tcase_add_test(t, a_tree_without_its_thread);
	tcase_add_test(t, parents_of_the_wrong_kind);
	tcase_add_test(t, parents_that_are_nowhere);
	tcase_add_test(t, events_out_of_range);
	tcase_add_test(t, counts_of_what_is_not_there);
	tcase_add_test(t, parents_in_a_circle);
	tcase_add_test(t, one_node_in_a_circle);
	tcase_add_test(t, contexts_in_a_circle);
	tcase_add_test(t, contexts_of_two_regions_in_a_circle);
	tcase_add_test(t, contexts_that_are_none);
	tcase_add_test(t, blocks_allocated_nowhere);
	tcase_add_test(t, blocks_in_a_circle);
	tcase_add_test(t, deep_and_tangled);
}

int main(void)
{
	return run_suite("reader damage", add);
}
