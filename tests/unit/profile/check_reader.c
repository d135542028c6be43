/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/reader_fixture.h"

/* ---- sound files ---------------------------------------------------------- */

START_TEST(reads_what_was_written)
{
	make_small();
	read_m(0, 0);
	ck_assert_uint_eq(version, PROF_VERSION);
	ck_assert_uint_eq(f->missing_bytes, 0);
	ck_assert_uint_eq(f->nthreads, 2);
	ck_assert_uint_eq(f->threads[1].t.tid, 101);
	ck_assert_uint_eq(f->threads[0].t.samples[0], 100);
	ck_assert_uint_eq(f->nmodules, 2);
	ck_assert_str_eq(prof_module_by_id(f, 2)->path, "/usr/lib/libomp.so");
	ck_assert_ptr_null(prof_module_by_id(f, 3));
	ck_assert_ptr_null(prof_module_by_id(f, 0));
	ck_assert_str_eq(prof_text(f, PROF_INFO_HOST), "node17");
	ck_assert_ptr_null(prof_text(f, PROF_INFO_RANK));
	ck_assert_str_eq(f->header.events[1].label, "cpu-clock");
	ck_assert_uint_eq(f->nnodes, SMALL_NODES);
	ck_assert_uint_eq(promise_samples(f), SMALL_SAMPLES);
}
END_TEST

START_TEST(arguments_keep_their_bounds)
{
	make_small();
	read_m(0, 0);
	ck_assert_uint_eq(f->texts[0].kind, PROF_INFO_ARGV);
	ck_assert_uint_eq(f->texts[0].bytes, 8);
	ck_assert_mem_eq(f->texts[0].text, "./app\0-x", 9);
}
END_TEST

START_TEST(links_follow_numbers)
{
	uint32_t root = make_root(), at = root, context;

	context = mk_path(m, root, PROF_LOC(1, 0x10), PROF_LOC(1, 0x20));
	at = mk_boundary(m, root, context, PROF_BOUNDARY_TASK);
	mk_leaf(m, mk_frame(m, at, PROF_LOC(1, 0x30), PROF_FRAME_EXACT), 0, PROF_STATE_TASKWAIT,
		PROF_CAUSE_DEPTH, 7, 70);
	read_m(0, 0);
	ck_assert_uint_eq(f->nnodes, 6);
	ck_assert_uint_eq(f->nodes[3].kind, PROF_NODE_BOUNDARY);
	ck_assert_uint_eq(f->nodes[3].parent, 0);
	ck_assert_uint_eq(f->nodes[3].context, 2);
	ck_assert_uint_eq(f->nodes[4].a, PROF_LOC(1, 0x30));
	ck_assert_uint_eq(f->nodes[4].flags, PROF_FRAME_EXACT);
	ck_assert_uint_eq(f->nodes[5].state, PROF_STATE_TASKWAIT);
	ck_assert_uint_eq(f->nodes[5].flags, PROF_CAUSE_DEPTH);
	ck_assert_uint_eq(f->nodes[5].a, 7);
	ck_assert_uint_eq(f->nodes[5].b, 70);
}
END_TEST

/* A worker's chunk may lie before the one with its creation context. */
/* A leaf's state has a bit beside it; other nodes' states have none. */
START_TEST(who_sleeps_is_kept)
{
	const uint32_t root = make_root(), at = mk_frame(m, root, PROF_LOC(1, 0x10), 0);
	struct prof_node stats = {
		.parent = at,
		.info = PROF_NODE_INFO(PROF_NODE_STATS, 0, PROF_ASLEEP | PROF_STATE_LOCK,
				       PROF_STATS_BLAME),
	};

	mk_leaf(m, at, 0, (enum prof_state)(PROF_ASLEEP | PROF_STATE_LOCK), 0, 1, 1);
	mk_leaf(m, at, 0, (enum prof_state)(PROF_ASLEEP | PROF_STATES), 0, 1, 1);
	mk_node(m, 0, &stats);
	read_m(2, 0);
	ck_assert_uint_eq(f->nodes[2].state, PROF_ASLEEP | PROF_STATE_LOCK);
	ck_assert_uint_eq(f->nodes[3].state, PROF_ASLEEP | PROF_STATE_UNDEFINED);
	ck_assert_uint_eq(f->nodes[4].state, PROF_STATE_UNDEFINED);
}
END_TEST

START_TEST(context_comes_first_wherever_it_lies)
{
	uint32_t worker, boundary, context;

	mk_event(m, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread(m, PROF_THREAD_INITIAL, 1);
	worker = mk_root(m, mk_thread(m, PROF_THREAD_WORKER, 2));
	boundary = mk_boundary(m, worker, 0, PROF_BOUNDARY_REGION);
	mk_leaf(m, boundary, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 5, 5);
	context = mk_path(m, mk_root(m, 0), PROF_LOC(0, 1), PROF_LOC(0, 2));
	mk_node_at(m, boundary)->value = context;
	read_m(0, 0);
	ck_assert_uint_eq(f->nnodes, 6);
	ck_assert_uint_eq(f->nodes[0].thread, 1);
	ck_assert_uint_eq(f->nodes[4].kind, PROF_NODE_BOUNDARY);
	ck_assert_uint_eq(f->nodes[f->nodes[4].context].a, PROF_LOC(0, 2));
	ck_assert_uint_eq(promise_samples(f), 5);
}
END_TEST

START_TEST(nothing_but_a_header)
{
	read_m(0, 0);
	ck_assert_uint_eq(f->nnodes + f->nthreads + f->nmodules + f->ntexts, 0);
	ck_assert_ptr_null(prof_module_by_id(f, 1));
}
END_TEST

START_TEST(sums_stay_below_the_largest_number)
{
	ck_assert_uint_eq(prof_add(1, 2), 3);
	ck_assert_uint_eq(prof_add(UINT64_MAX, 0), UINT64_MAX);
	ck_assert_uint_eq(prof_add(UINT64_MAX - 1, 1), UINT64_MAX);
	ck_assert_uint_eq(prof_add(UINT64_MAX - 1, 7), UINT64_MAX);
	ck_assert_uint_eq(prof_add(UINT64_MAX, UINT64_MAX), UINT64_MAX);
}
END_TEST

/* ---- later minor versions ------------------------------------------------- */

START_TEST(a_longer_header_is_skipped)
{
	size_t extra = PROF_PAGE, size;
	unsigned char *bytes;

	make_small();
	size = mk_size(m);
	bytes = calloc(1, size + extra);
	memcpy(bytes, mk_bytes(m), PROF_HEADER_BYTES);
	memset(bytes + PROF_HEADER_BYTES, 0x5a, extra);
	((struct prof_header *)bytes)->header_bytes += extra;
	((struct prof_header *)bytes)->version = PROF_VERSION + 1;
	/* Chunks that lie a page further on are foreign to their old offset. */
	memcpy(bytes + PROF_HEADER_BYTES + extra, mk_bytes(m) + PROF_HEADER_BYTES,
	       size - PROF_HEADER_BYTES);
	for (size_t at = PROF_HEADER_BYTES + extra; at < size + extra; at += PROF_PAGE) {
		struct prof_chunk *c = (struct prof_chunk *)(bytes + at);

		if (c->magic == PROF_CHUNK_MAGIC)
			c->offset += extra;
	}
	ck_assert_int_eq(read_bytes(bytes, size + extra), PROF_READ_OK);
	ck_assert_uint_eq(f->nthreads, 2);
	ck_assert_str_eq(prof_text(f, PROF_INFO_HOST), "node17");
	free(bytes);
}
END_TEST

START_TEST(unknown_kinds_are_skipped)
{
	uint32_t root = make_root(), at;
	struct prof_node strange = { .info = PROF_NODE_INFO(200, 0, 0, 0) };
	unsigned char longer[sizeof(struct prof_thread) + 64] = { 0 };

	mk_header(m)->version = PROF_VERSION + 1;
	mk_info(m, 77, "what", 4);
	mk_chunk(m, 99, 0, PROF_PAGE);
	longer[0] = 1;
	mk_info(m, PROF_INFO_THREAD, longer, sizeof(longer));
	at = mk_frame(m, root, PROF_LOC(1, 0x10), 0);
	mk_stats(m, at, 99, 1, 2);
	strange.parent = root;
	strange.info = PROF_NODE_INFO(PROF_NODE_COUNT, 0, 0, 77);
	mk_node(m, 0, &strange);
	strange.info = PROF_NODE_INFO(200, 0, 0, 0);
	strange.parent = at;
	strange.parent = mk_node(m, 0, &strange);
	at = mk_node(m, 0, &strange);
	mk_leaf(m, at, 0, PROF_STATES + 3, PROF_CAUSE_NONE, 9, 9);
	read_m(0, 0);
	/* The samples beneath what is not known hang beneath what is. */
	ck_assert_uint_eq(f->nthreads, 2);
	ck_assert_uint_eq(f->nnodes, 3);
	ck_assert_uint_eq(f->nodes[2].parent, 1);
	ck_assert_uint_eq(f->nodes[2].a, 9);
	ck_assert_uint_eq(f->nodes[2].state, PROF_STATE_UNDEFINED);
}
END_TEST

/* ---- not for this reader ---------------------------------------------------- */

static const struct refused {
	size_t offset;
	uint32_t value;
	enum prof_read_error err;
} refused[] = {
	{ offsetof(struct prof_header, magic), 0x46454c46, PROF_READ_FOREIGN },
	{ offsetof(struct prof_header, magic) + 4, 0x0a0d0a43, PROF_READ_FOREIGN },
	/* "OMPHWC\r\n": before version 1.0 */
	{ offsetof(struct prof_header, magic) + 4, 0x0a0d4357, PROF_READ_OLDER },
	{ offsetof(struct prof_header, version), 2u << 16, PROF_READ_NEWER },
	{ offsetof(struct prof_header, version), 0xffff0000, PROF_READ_NEWER },
	{ offsetof(struct prof_header, version), 7, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, byte_order), 0x04030201, PROF_READ_ORDER },
	{ offsetof(struct prof_header, byte_order), 0x01020305, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, header_bytes), 0, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, header_bytes), 4095, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, header_bytes), 4128, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, granule_bytes), 64, PROF_READ_DAMAGED },
	{ offsetof(struct prof_header, features), 2, PROF_READ_NEWER },
	{ offsetof(struct prof_header, features) + 4, 1u << 31, PROF_READ_NEWER },
	{ offsetof(struct prof_header, nevents), PROF_EVENTS_MAX + 1, PROF_READ_DAMAGED },
};

START_TEST(header_is_refused)
{
	const struct refused *r = &refused[_i];

	make_small();
	memcpy(mk_bytes(m) + r->offset, &r->value, sizeof(r->value));
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), r->err);
	if (r->err == PROF_READ_NEWER)
		ck_assert_uint_eq(version, mk_header(m)->version);
}
END_TEST

START_TEST(a_header_beyond_the_file_leaves_nothing)
{
	make_small();
	mk_header(m)->header_bytes = UINT32_C(0xfffff000);
	read_m(0, 0);
	ck_assert_uint_eq(f->nnodes + f->nthreads, 0);
}
END_TEST

START_TEST(labels_are_ended)
{
	make_small();
	memset(mk_header(m)->events[0].label, 'x', sizeof(mk_header(m)->events[0].label));
	mk_header(m)->run = 99;
	read_m(1, 0);
	ck_assert_uint_eq(strlen(f->header.events[0].label), 47);
	ck_assert_uint_eq(f->header.run, PROF_RUN_RUNNING);
}
END_TEST

/* ---- from disk ------------------------------------------------------------- */

static char path[] = "check_reader.XXXXXX";

START_TEST(reads_files)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_EMPTY);
	make_small();
	ck_assert_int_eq(mk_write(m, path), 0);
	ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(promise_samples(f), SMALL_SAMPLES);
	ck_assert_uint_eq(f->file_bytes, mk_size(m));
	ck_assert_str_eq(f->path, path);
	unlink(path);
}
END_TEST

START_TEST(says_what_the_system_said)
{
	ck_assert_int_eq(prof_read("/nonexistent/profile", &f, &version), PROF_READ_SYSTEM);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(prof_read("/tmp", &f, &version), PROF_READ_SYSTEM);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_int_eq(prof_read("/dev/null", &f, &version), PROF_READ_EMPTY);
	ck_assert_int_eq(prof_read("/dev/zero", &f, &version), PROF_READ_FOREIGN);
	ck_assert_int_eq(prof_read("/proc/self/exe", &f, &version), PROF_READ_FOREIGN);
	ck_assert_uint_eq(version, 0);
}
END_TEST

/* A sparse file may claim more than the machine has. */
START_TEST(refuses_more_than_memory)
{
	int fd = mkstemp(path);

	make_small();
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(mk_write(m, path), 0);
	if (!ftruncate(fd, (off_t)1 << 43)) {
		ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_SYSTEM);
		ck_assert_int_eq(errno, ENOMEM);
	}
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(reads_a_pipe)
{
	char name[64];
	int ends[2];

	make_small();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_ge(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20), (int)mk_size(m));
	ck_assert_int_eq(write(ends[1], mk_bytes(m), mk_size(m)), (ssize_t)mk_size(m));
	close(ends[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	ck_assert_int_eq(prof_read(name, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(promise_samples(f), SMALL_SAMPLES);
	close(ends[0]);
}
END_TEST

static void add(TCase *t)
{
	tcase_add_test(t, reads_what_was_written);
	tcase_add_test(t, arguments_keep_their_bounds);
	tcase_add_test(t, links_follow_numbers);
	tcase_add_test(t, who_sleeps_is_kept);
	tcase_add_test(t, context_comes_first_wherever_it_lies);
	tcase_add_test(t, nothing_but_a_header);
	tcase_add_test(t, sums_stay_below_the_largest_number);
	tcase_add_test(t, a_longer_header_is_skipped);
	tcase_add_test(t, unknown_kinds_are_skipped);
	tcase_add_loop_test(t, header_is_refused, 0, sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(t, a_header_beyond_the_file_leaves_nothing);
	tcase_add_test(t, labels_are_ended);
	tcase_add_test(t, reads_files);
	tcase_add_test(t, says_what_the_system_said);
	tcase_add_test(t, refuses_more_than_memory);
	tcase_add_test(t, reads_a_pipe);
}

int main(void)
{
	return run_suite("reader", add);
}
