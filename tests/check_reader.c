#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/reader.h"
#include "tests/mkprofile.h"

static struct mkprofile *m;
static struct prof_file *f;
static uint32_t version;

static void setup(void)
{
	m = mk_new();
	f = NULL;
	version = 0;
}

static void teardown(void)
{
	prof_free(f);
	mk_free(m);
}

static enum prof_read_error read_bytes(const void *bytes, size_t size)
{
	prof_free(f);
	f = NULL;
	return prof_read_memory(bytes, size, "memory", &f, &version);
}

static void read_ok(void)
{
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), PROF_READ_OK);
	ck_assert_ptr_nonnull(f);
}

/* What reader.h promises of every file. */
static void check_promises(const struct prof_file *p)
{
	ck_assert_uint_le(p->header.nevents, PROF_EVENTS_MAX);
	for (size_t i = 0; i < p->nthreads; i++)
		ck_assert_uint_eq(p->threads[i].t.index, i);
	for (size_t i = 1; i < p->nmodules; i++)
		ck_assert_uint_lt(p->modules[i - 1].id, p->modules[i].id);
	for (size_t i = 0; i < p->ntexts; i++)
		ck_assert_int_eq(p->texts[i].text[p->texts[i].bytes], 0);
	for (size_t i = 0; i < p->nnodes; i++) {
		const struct prof_rnode *n = &p->nodes[i];
		bool ok = n->thread < p->nthreads && n->state < PROF_STATES &&
			  n->kind >= PROF_NODE_ROOT && n->kind <= PROF_NODE_STATS &&
			  (n->kind == PROF_NODE_ROOT ? n->parent == PROF_NONE : n->parent < i) &&
			  (n->context == PROF_NONE ||
			   (n->context < i && n->kind == PROF_NODE_BOUNDARY)) &&
			  (n->kind != PROF_NODE_LEAF || n->event < p->header.nevents);

		ck_assert_msg(ok, "node %zu of %zu", i, p->nnodes);
	}
}

static uint64_t total_samples(const struct prof_file *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nnodes; i++)
		if (p->nodes[i].kind == PROF_NODE_LEAF)
			sum = prof_add(sum, p->nodes[i].a);
	return sum;
}

/* main and a worker, a region, a lock: something of each kind.  111 samples. */
static void make_small(void)
{
	uint32_t app, omp, t0, t1, master, context, worker, at;

	mk_event(m, "cycles:u", PROF_UNIT_EVENTS);
	mk_event(m, "cpu-clock", PROF_UNIT_NS);
	mk_info(m, PROF_INFO_ARGV, "./app\0-x", 9);
	mk_text(m, PROF_INFO_EXE, "/tmp/app");
	mk_text(m, PROF_INFO_HOST, "node17");
	mk_text(m, PROF_INFO_ENV, "OMP_NUM_THREADS=2");
	app = mk_module(m, "/tmp/app", PROF_MODULE_MAIN);
	omp = mk_module(m, "/usr/lib/libomp.so", PROF_MODULE_RUNTIME);
	t0 = mk_thread(m, PROF_THREAD_INITIAL, 100);
	t1 = mk_thread(m, PROF_THREAD_WORKER, 101);
	master = mk_path(m, mk_root(m, t0), PROF_LOC(app, 0x1000), PROF_LOC(app, 0x2000));
	context = master;
	mk_stats(m, context, PROF_STATS_REGION, 3, 3000);
	at = mk_boundary(m, mk_frame(m, context, PROF_LOC(omp, 0x100), PROF_FRAME_RUNTIME),
			 context, PROF_BOUNDARY_REGION);
	at = mk_frame(m, at, PROF_LOC(app, 0x3000), PROF_FRAME_EXACT);
	mk_leaf(m, at, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 100, 100000);
	worker = mk_frame(m, mk_root(m, t1), PROF_LOC(omp, 0x200), PROF_FRAME_RUNTIME);
	at = mk_boundary(m, worker, context, PROF_BOUNDARY_REGION);
	at = mk_frame(m, at, PROF_LOC(app, 0x3000), PROF_FRAME_EXACT);
	mk_leaf(m, at, 1, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 10, 10000);
	at = mk_object(m, at, 0xdeadbeef, 0);
	mk_leaf(m, at, 0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 1, 1000);
	mk_end(m);
}

START_TEST(reads_what_was_written)
{
	make_small();
	read_ok();
	check_promises(f);
	ck_assert_uint_eq(f->damaged, 0);
	ck_assert_uint_eq(f->unfinished, 0);
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
	ck_assert_str_eq(prof_text(f, PROF_INFO_ARGV) + 6, "-x");
	ck_assert_str_eq(f->header.events[1].label, "cpu-clock");
	ck_assert_uint_eq(f->nnodes, 15);
	ck_assert_uint_eq(total_samples(f), 111);
}
END_TEST

/* A buffer of exactly size bytes, so that a sanitizer sees the end. */
static enum prof_read_error read_cut(size_t size)
{
	void *bytes = malloc(size ? size : 1);
	enum prof_read_error err;

	memcpy(bytes, mk_bytes(m), size);
	err = read_bytes(bytes, size);
	free(bytes);
	return err;
}

START_TEST(truncated_anywhere)
{
	uint64_t most = 0;

	make_small();
	for (size_t size = 0; size < mk_size(m); size++) {
		enum prof_read_error err = read_cut(size);

		if (size < PROF_HEADER_BYTES) {
			ck_assert_int_eq(err, size ? PROF_READ_TRUNCATED : PROF_READ_EMPTY);
			ck_assert_ptr_null(f);
			continue;
		}
		ck_assert_int_eq(err, PROF_READ_OK);
		ck_assert_uint_eq(f->missing_bytes, mk_size(m) - size);
		check_promises(f);
		ck_assert_uint_ge(total_samples(f), most);
		most = total_samples(f);
	}
	ck_assert_uint_eq(most, 111);
}
END_TEST

START_TEST(every_byte_flipped)
{
	static const unsigned char masks[] = { 0x01, 0x80, 0xff };

	make_small();
	for (size_t i = 0; i < mk_size(m); i++) {
		for (size_t k = 0; k < sizeof(masks); k++) {
			mk_bytes(m)[i] ^= masks[k];
			if (read_bytes(mk_bytes(m), mk_size(m)) == PROF_READ_OK)
				check_promises(f);
			mk_bytes(m)[i] ^= masks[k];
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("reader");
	TCase *t = tcase_create("whole");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, reads_what_was_written);
	tcase_add_test(t, truncated_anywhere);
	tcase_add_test(t, every_byte_flipped);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
