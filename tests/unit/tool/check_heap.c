/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_heap.c - heap blocks: the allocator's functions are interposed as in
 * libomphwc_heap.so, and the profile shows where the blocks that samples accessed were
 * allocated.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ompt_tool/program/program.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/heap_link.h"
#include "ompt_tool/tool/tool.h"
#include "ompt_tool/tree/blocks.h"
#include "ompt_tool/tree/process.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

void free_sized(void *p, size_t bytes);
void free_aligned_sized(void *p, size_t align, size_t bytes);

enum { LARGE = 1 << 20 };

/* The compiler knows these functions: it would leave calls out, or change them. */
static void *(*volatile do_malloc)(size_t) = malloc;
static void *(*volatile do_calloc)(size_t, size_t) = calloc;
static void *(*volatile do_realloc)(void *, size_t) = realloc;
static void *(*volatile do_reallocarray)(void *, size_t, size_t) = reallocarray;
static void (*volatile do_free)(void *) = free;

static void setup(void)
{
	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_EVENTS", "page-faults", 1);
	setenv("OMPHWC_PERIOD", "1", 1);
	setenv("OMPHWC_PAUSED", "1", 1);
}

/* The context that allocated what is there; 0: it is not known. */
static uint32_t context(const void *p)
{
	return blocks_find((uintptr_t)p);
}

static uint64_t allocated(uint64_t *bytes)
{
	const struct prof_file *f = read_back();
	uint64_t n = 0;

	*bytes = 0;
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_ALLOC) {
			n += f->nodes[i].a;
			*bytes += f->nodes[i].b;
		}
	return n;
}

START_TEST(blocks_are_known_by_all_functions)
{
	uint64_t bytes;
	void *p[8];

	ck_assert(tool_start());
	ck_assert_uint_ge(omphwc_heap.least, BLOCKS_LEAST_BYTES);
	ck_assert_uint_lt(omphwc_heap.least, LARGE);
	p[0] = do_malloc(LARGE);
	p[1] = do_calloc(1024, LARGE / 1024);
	p[2] = do_reallocarray(NULL, 1024, LARGE / 1024);
	ck_assert_int_eq(posix_memalign(&p[3], 4096, LARGE), 0);
	p[4] = aligned_alloc(4096, LARGE);
	p[5] = memalign(4096, LARGE);
	p[6] = valloc(LARGE);
	p[7] = pvalloc(LARGE);
	for (int i = 0; i < 8; i++) {
		ck_assert_ptr_nonnull(p[i]);
		ck_assert_uint_ne(context(p[i]), 0);
		ck_assert_uint_eq(context((char *)p[i] + LARGE / 2), context(p[i]));
	}
	for (int i = 1; i < 8; i++)
		ck_assert_uint_ne(context(p[i]), context(p[i - 1]));
	ck_assert_uint_ge(allocated(&bytes), 8);
	ck_assert_uint_ge(bytes, 8 * LARGE);
	for (int i = 0; i < 6; i++)
		do_free(p[i]);
	free_sized(p[6], LARGE);
	free_aligned_sized(p[7], 4096, LARGE);
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(context(p[i]), 0);
}
END_TEST

START_TEST(blocks_that_change_their_size)
{
	ck_assert(tool_start());
	char *p = do_malloc(LARGE);

	memset(p, 'x', LARGE);
	char *q = do_realloc(p, 4 * LARGE);

	ck_assert_ptr_nonnull(q);
	ck_assert_int_eq(q[LARGE - 1], 'x');
	const uint32_t was = context(q);

	ck_assert_uint_ne(was, 0);
	/* It could not be had: the old one is what it was. */
	errno = 0;
	ck_assert_ptr_null(do_realloc(q, PTRDIFF_MAX));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_uint_eq(context(q), was);
	ck_assert_ptr_null(do_reallocarray(q, PTRDIFF_MAX, 1));
	ck_assert_uint_eq(context(q), was);
	ck_assert_ptr_null(do_reallocarray(q, SIZE_MAX / 2, 4));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_uint_eq(context(q), was);
	/* Small ones are not reported. */
	p = do_realloc(q, 16);
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(context(p), 0);
	do_free(p);
	do_free(NULL);
}
END_TEST

START_TEST(who_is_not_told)
{
	static const volatile unsigned char dead;
	const volatile unsigned char *alive = process.alive;
	struct thread *t = thread_self;
	void *p;

	/* Before the tool is there. */
	p = do_malloc(LARGE);
	ck_assert_ptr_nonnull(p);
	do_free(p);
	ck_assert(tool_start());
	alive = process.alive;
	t = thread_self;
	thread_self = NULL;
	p = do_malloc(LARGE);
	thread_self = t;
	ck_assert_uint_eq(context(p), 0);
	do_free(p);
	process.alive = &dead;
	p = do_malloc(LARGE);
	process.alive = alive;
	ck_assert_uint_eq(context(p), 0);
	do_free(p);
	/* A thread without a record, as a fork's child's. */
	struct prof_thread *record = t->omp.record;

	t->omp.record = NULL;
	p = do_malloc(LARGE);
	t->omp.record = record;
	ck_assert_uint_eq(context(p), 0);
	do_free(p);
	p = do_malloc(LARGE);
	ck_assert_uint_ne(context(p), 0);
	do_free(p);
}
END_TEST

START_TEST(only_where_addresses_are_told)
{
	if (_i == 0) {
		setenv("OMPHWC_EVENTS", "cpu-clock", 1);
		unsetenv("OMPHWC_PERIOD");
	} else {
		setenv("OMPHWC_HEAP_MIN", "none", 1);
	}
	ck_assert(tool_start());
	void *p = do_malloc(LARGE);

	ck_assert_uint_eq(omphwc_heap.least, SIZE_MAX);
	ck_assert_ptr_null(thread_self->heap);
	do_free(p);
}
END_TEST

START_TEST(only_as_large_as_asked_for)
{
	setenv("OMPHWC_HEAP_MIN", "2097152", 1);
	ck_assert(tool_start());
	void *p = do_malloc(LARGE), *q = do_malloc(2 * LARGE);

	ck_assert_uint_eq(omphwc_heap.least, 2 * LARGE);
	ck_assert_uint_eq(context(p), 0);
	ck_assert_uint_ne(context(q), 0);
	do_free(p);
	do_free(q);
}
END_TEST

static void *(*volatile touch)(void *, int, size_t) = memset;

/* Samples of a block lead to who allocated it, not to an address. */
START_TEST(faults_of_a_block)
{
	unsetenv("OMPHWC_PAUSED");
	ck_assert(tool_start());
	char *p = do_malloc(LARGE);

	/* By the C library: this program has the tool in it, whose own faults are left out. */
	touch(p, 1, LARGE);
	program_hooks.ends(PROGRAM_EXITS);
	const struct prof_file *f = read_back();
	size_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		n += f->nodes[i].kind == PROF_NODE_BLOCK && f->nodes[i].context != PROF_NONE;
	ck_assert_uint_gt(n, 0);
	do_free(p);
}
END_TEST

/* gcc's own fork() for --coverage forgets what was done in the child before. */
static pid_t (*volatile make_child)(void) = fork;

/* What its parent allocated is in no tree of the child's. */
START_TEST(a_child_knows_none_of_its_parents)
{
	int how;

	ck_assert(tool_start());
	void *p = do_malloc(LARGE);
	pid_t child = make_child();

	if (child == 0) {
		fclose(stdout); /* what Check has in it is the parent's */
		exit(context(p) == 0 && !process_has_profile() ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &how, 0), child);
	ck_assert_int_eq(how, 0);
	ck_assert_uint_ne(context(p), 0);
	do_free(p);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, blocks_are_known_by_all_functions);
	tcase_add_test(c, blocks_that_change_their_size);
	tcase_add_test(c, who_is_not_told);
	tcase_add_loop_test(c, only_where_addresses_are_told, 0, 2);
	tcase_add_test(c, only_as_large_as_asked_for);
	tcase_add_test(c, faults_of_a_block);
	tcase_add_test(c, a_child_knows_none_of_its_parents);
}

int main(void)
{
	Suite *s = suite_create("heap");
	TCase *c = tcase_create("heap");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}
