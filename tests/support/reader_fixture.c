/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/reader_fixture.h"
#include "tests/support/suite_main.h"

#include <stdlib.h>
#include <string.h>

struct mkprofile *m;
struct prof_file *f;
uint32_t version;

void setup(void)
{
	m = mk_new();
	f = NULL;
	version = 0;
}

void teardown(void)
{
	prof_free(f);
	mk_free(m);
}

enum prof_read_error read_bytes(const void *bytes, size_t size)
{
	enum prof_read_error err;
	const char *broken;

	prof_free(f);
	f = NULL;
	err = prof_read_memory(bytes, size, "memory", &f, &version);
	if (err != PROF_READ_OK) {
		ck_assert_ptr_null(f);
		return err;
	}
	broken = promise_broken(f);
	ck_assert_msg(!broken, "%s", broken);
	return err;
}

void read_m(size_t damaged, size_t unfinished)
{
	ck_assert_int_eq(read_bytes(mk_bytes(m), mk_size(m)), PROF_READ_OK);
	ck_assert_uint_eq(f->damaged, damaged);
	ck_assert_uint_eq(f->unfinished, unfinished);
}

enum prof_read_error read_cut(size_t size)
{
	void *bytes = malloc(size ? size : 1);
	enum prof_read_error err;

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, mk_bytes(m), size);
	err = read_bytes(bytes, size);
	free(bytes);
	return err;
}

void make_small(void)
{
	uint32_t app, omp, t0, t1, context, at, root;

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
	context = mk_path(m, mk_root(m, t0), PROF_LOC(app, 0x1000), PROF_LOC(app, 0x2000));
	mk_stats(m, context, PROF_STATS_REGION, 3, 3000);
	at = mk_frame(m, context, PROF_LOC(omp, 0x100), PROF_FRAME_RUNTIME);
	at = mk_boundary(m, at, context, PROF_BOUNDARY_REGION);
	at = mk_frame(m, at, PROF_LOC(app, 0x3000), PROF_FRAME_EXACT);
	mk_leaf(m, at, 0, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 100, 100000);
	root = mk_root(m, t1);
	at = mk_frame(m, root, PROF_LOC(omp, 0x200), PROF_FRAME_RUNTIME);
	at = mk_boundary(m, at, context, PROF_BOUNDARY_REGION);
	at = mk_frame(m, at, PROF_LOC(app, 0x3000), PROF_FRAME_EXACT);
	mk_leaf(m, at, 1, PROF_STATE_PARALLEL, PROF_CAUSE_NONE, 10, 10000);
	at = mk_construct(m, at, PROF_LOC(app, 0x3004), PROF_CONSTRUCT_LOOP_DYNAMIC);
	at = mk_object(m, at, 0xdeadbeef, 0);
	mk_leaf(m, at, 0, PROF_STATE_LOCK, PROF_CAUSE_NONE, 1, 1000);
	mk_count(m, root, 1, PROF_PART_WAIT, &(struct prof_value){ 5, 20, 10 }, 30);
	mk_end(m);
}

uint32_t make_root(void)
{
	mk_event(m, "cycles:u", PROF_UNIT_EVENTS);
	mk_module(m, "/tmp/app", PROF_MODULE_MAIN);
	return mk_root(m, mk_thread(m, PROF_THREAD_INITIAL, 1));
}

int run_suite(const char *name, void (*add)(TCase *))
{
	Suite *s = suite_create(name);
	TCase *t = tcase_create(name);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	add(t);
	suite_add_tcase(s, t);
	return suite_main(s);
}
