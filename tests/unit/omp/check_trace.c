/* SPDX-License-Identifier: BSD-3-Clause */
/* check_trace.c - the ring of a thread's last events: what is in it, and what was overwritten. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/trace.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/reader/reader.h"
#include "tests/support/writer_fixture.h"

static struct omp_thread t;

static void begin_in(size_t limit_bytes, uint64_t ring_bytes)
{
	memset(&t, 0, sizeof(t));
	ck_assert_int_eq(prof_create(&process.writer, profile, limit_bytes), 0);
	t.record = prof_info_append(&process.writer, PROF_INFO_PENDING, &(struct prof_thread){ 0 },
				    sizeof(*t.record), NULL, 0);
	prof_info_publish(t.record, PROF_INFO_THREAD);
	cct_init(&t.cct, &process.writer, 0);
	trace_prepare(ring_bytes);
}

static void begin(uint64_t ring_bytes)
{
	begin_in((size_t)8 << 20, ring_bytes);
}

static struct prof_file *end(void)
{
	struct prof_file *f;
	uint32_t version;

	prof_end(&process.writer, PROF_RUN_EXITED, 1);
	ck_assert_int_eq(prof_read(profile, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(f->damaged, 0);
	prof_abandon(&process.writer);
	return f;
}

/* Events carry their numbers as states, modulo the number of states. */
static void note(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		trace_note(&t, (enum prof_trace_kind)(1 + i % (PROF_TRACE_KINDS - 1)),
			   (uint8_t)(i % PROF_STATES), 0);
}

static void check_events(const struct prof_rtrace *r, uint64_t first, uint64_t n)
{
	ck_assert_uint_eq(r->n, n);
	ck_assert_uint_eq(r->lost, first);
	for (uint64_t i = 0; i < n; i++) {
		ck_assert_uint_eq(r->events[i].state, (first + i) % PROF_STATES);
		ck_assert_uint_eq(r->events[i].kind, 1 + (first + i) % (PROF_TRACE_KINDS - 1));
		ck_assert_uint_eq(r->events[i].context, PROF_NONE);
		ck_assert(i == 0 || r->events[i].ticks >= r->events[i - 1].ticks);
	}
}

START_TEST(all_of_them)
{
	struct prof_file *f;

	begin(4096);
	note(200);
	f = end();
	ck_assert_uint_eq(f->ntraces, 1);
	check_events(&f->traces[0], 0, 200);
	prof_free(f);
}
END_TEST

/* 256 records; the oldest one may be half overwritten. */
START_TEST(the_last_of_them)
{
	struct prof_file *f;
	uint64_t size;

	begin(4096);
	note(300);
	size = prof_header(&process.writer)->used_bytes;
	note(0);
	for (int i = 0; i < 1000; i++)
		trace_note(&t, PROF_TRACE_WAIT, 0, 0);
	ck_assert_uint_eq(prof_header(&process.writer)->used_bytes, size);
	f = end();
	ck_assert_uint_eq(f->traces[0].n, 255);
	ck_assert_uint_eq(f->traces[0].lost, 1300 - 255);
	prof_free(f);
	begin(4096 + 4095);
	note(1000);
	f = end();
	check_events(&f->traces[0], 1000 - 255, 255);
	prof_free(f);
}
END_TEST

/* A task's event names its context. */
START_TEST(of_a_context)
{
	struct prof_file *f;
	uint32_t root;

	begin(1 << 16);
	root = cct_root(&t.cct);
	trace_note(&t, PROF_TRACE_TASK, 0, task_token(root, 0));
	f = end();
	ck_assert_uint_eq(f->traces[0].n, 1);
	ck_assert_uint_ne(f->traces[0].events[0].context, PROF_NONE);
	ck_assert_uint_eq(f->nodes[f->traces[0].events[0].context].kind, PROF_NODE_ROOT);
	prof_free(f);
}
END_TEST

static uint64_t threads_note(uint32_t first, uint32_t n)
{
	for (uint32_t i = first; i < first + n; i++) {
		struct prof_thread *r = prof_info_append(&process.writer, PROF_INFO_PENDING,
							 &(struct prof_thread){ .index = 1 + i },
							 sizeof(*r), NULL, 0);

		prof_info_publish(r, PROF_INFO_THREAD);
		memset(&t.trace, 0, sizeof(t.trace));
		t.record = r;
		t.index = 1 + i;
		note(10);
		trace_end(&t);
	}
	return prof_header(&process.writer)->used_bytes;
}

/* A runtime that ends its threads and makes new ones: rings have a limit, and the last threads
   have some. */
START_TEST(threads_that_end)
{
	struct prof_file *f;
	uint32_t n;

	begin_in((size_t)1 << 30, 1 << 20);
	n = trace_rings_most();
	ck_assert_uint_ge(n, 64);
	const uint64_t full = threads_note(0, n);

	ck_assert_uint_lt(threads_note(n, 100) - full, 1 << 17);
	/* The same record's next thread goes on. */
	t.trace.refused = false;
	note(5);
	f = end();
	ck_assert_uint_eq(f->ntraces, n);
	bool last = false;

	for (size_t i = 0; i < f->ntraces; i++) {
		const struct prof_rtrace *r = &f->traces[i];

		ck_assert_uint_eq(r->n, r->thread == n + 100 ? 15 : 10);
		last = last || r->thread == n + 100;
	}
	ck_assert(last);
	ck_assert_uint_eq(f->ntexts, 1);
	prof_free(f);
}
END_TEST

/* A fork's child has no record until its first sample; and where nothing is traced. */
START_TEST(of_nobody)
{
	struct prof_file *f;

	begin(4096);
	struct prof_thread *const record = t.record;

	t.record = NULL;
	note(10);
	t.record = record;
	trace_prepare(0);
	ck_assert(!trace_on());
	note(10);
	f = end();
	ck_assert_uint_eq(f->ntraces, 0);
	prof_free(f);
}
END_TEST

/* No room for the ring: it is asked for once. */
START_TEST(no_room)
{
	struct prof_file *f;

	begin(UINT64_C(1) << 29);
	note(10);
	ck_assert(t.trace.refused);
	f = end();
	ck_assert_uint_eq(f->ntraces, 0);
	prof_free(f);
}
END_TEST

static void add_tests(TCase *c)
{
	tcase_add_test(c, all_of_them);
	tcase_add_test(c, the_last_of_them);
	tcase_add_test(c, of_a_context);
	tcase_add_test(c, threads_that_end);
	tcase_add_test(c, of_nobody);
	tcase_add_test(c, no_room);
}

int main(void)
{
	return run_writer_suite("trace", add_tests);
}
