/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_data.c - the memory that a sample accessed: its kind, where the hardware found it,
 * and that many addresses give few nodes.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "pmu/perf_event.h"
#include "tests/support/writer_fixture.h"

static struct thread thread;
static char global[1 << 20];

static void setup(void)
{
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	ck_assert_int_eq(prof_create(&process.writer, profile, 64 << 20), 0);
	process_open();
	prof_header(&process.writer)->nthreads = 1;
	module_init(&process.writer, "/proc/self/exe");
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	memset(&thread, 0, sizeof(thread));
	thread.own.lo = (uintptr_t)lo;
	thread.own.hi = (uintptr_t)lo + bytes;
	cct_init(&thread.omp.cct, &process.writer, 0);
	data_learn((uintptr_t)sbrk(0));
}

static void teardown(void)
{
	prof_abandon(&process.writer);
}

static const struct prof_node *accessed(uint64_t address, uint64_t source, uint64_t latency)
{
	const struct pmu_sample s = { .address = address, .source = source, .latency = latency };
	uint32_t root = cct_root(&thread.omp.cct), node = data_node(&thread, root, &s);

	ck_assert_uint_ne(node, 0);
	ck_assert_uint_ne(node, root);
	return cct_node(&process.writer, node);
}

static unsigned kind(const struct prof_node *n)
{
	ck_assert_uint_eq(n->info & 0xff, PROF_NODE_DATA);
	return n->info >> 24;
}

START_TEST(kinds)
{
	const struct pmu_sample none = { 0 };
	uint32_t root = cct_root(&thread.omp.cct);
	char local;
	void *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *heap = sbrk(64);
	const struct prof_node *n;

	ck_assert_uint_eq(data_node(&thread, root, &none), root);
	ck_assert_uint_eq(kind(accessed((uintptr_t)&local, 0, 0)), PROF_DATA_STACK);
	n = accessed((uintptr_t)&global[70], 0, 0);
	ck_assert_uint_eq(kind(n), PROF_DATA_GLOBAL);
	ck_assert_uint_ne(PROF_LOC_MODULE(n->value), 0);
	n = accessed((uintptr_t)mapped + 17, 0, 0);
	ck_assert_uint_eq(kind(n), PROF_DATA_OTHER);
	ck_assert_uint_eq(n->value, (uintptr_t)mapped);
	ck_assert_uint_eq(kind(accessed((uintptr_t)heap, 0, 0)), PROF_DATA_HEAP);
	ck_assert_uint_eq(kind(accessed(UINT64_C(0xffff888000001000), 0, 0)), PROF_DATA_KERNEL);
	ck_assert_uint_eq(kind(accessed(8, 0, 0)), PROF_DATA_OTHER);
	/* A tag in the upper bits, as far as the machine knows such. */
#if defined(__x86_64__)
	ck_assert_ptr_eq(accessed((uintptr_t)mapped + 17 + (UINT64_C(0x2a) << 57), 0, 0), n);
#else
	ck_assert_ptr_eq(accessed((uintptr_t)mapped + 17 + (UINT64_C(0xaa) << 56), 0, 0), n);
#endif
	ck_assert(data_is_own(&thread, (uintptr_t)&thread));
	ck_assert(!data_is_own(&thread, (uintptr_t)mapped));
	munmap(mapped, 4096);
}
END_TEST

/* As Intel's PEBS, AMD's IBS and Arm's SPE report them. */
static const struct {
	union perf_mem_data_src word;
	unsigned source;
} sources[] = {
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1 }, PROF_SOURCE_L1 },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB }, PROF_SOURCE_FILL_BUFFER },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2 }, PROF_SOURCE_L2 },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3 }, PROF_SOURCE_L3 },
	{ { .mem_lvl = PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3 }, PROF_SOURCE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM }, PROF_SOURCE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1 }, PROF_SOURCE_REMOTE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_CCE2 }, PROF_SOURCE_REMOTE_CACHE },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_UNC }, PROF_SOURCE_UNCACHED },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 1 }, PROF_SOURCE_L1 },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 3 }, PROF_SOURCE_L3 },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 3, .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_CACHE },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 11, .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_CACHE },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 12 }, PROF_SOURCE_FILL_BUFFER },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 13 }, PROF_SOURCE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 13, .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_NA, .mem_lvl_num = 15 }, PROF_SOURCE_UNKNOWN },
	{ { .mem_lvl = PERF_MEM_LVL_NA }, PROF_SOURCE_UNKNOWN },
	/* Intel's codes 0x00, 0x08, 0x0b, 0x0c, 0x0d and 0x0e */
	{ { .mem_lvl = PERF_MEM_LVL_MISS, .mem_lvl_num = 3 }, PROF_SOURCE_UNKNOWN },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_CCE1,
	    .mem_lvl_num = 3,
	    .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_CACHE },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1,
	    .mem_lvl_num = 3,
	    .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM, .mem_lvl_num = 13 },
	  PROF_SOURCE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1,
	    .mem_lvl_num = 13,
	    .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_IO, .mem_lvl_num = 15 },
	  PROF_SOURCE_UNCACHED },
	/* The same of Skylake, and stores that missed */
	{ { .mem_lvl = PERF_MEM_LVL_HIT, .mem_lvl_num = 13, .mem_remote = 1 },
	  PROF_SOURCE_REMOTE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_HIT, .mem_lvl_num = 14 }, PROF_SOURCE_RAM },
	{ { .mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS, .mem_lvl_num = 15 },
	  PROF_SOURCE_UNKNOWN },
};

START_TEST(where_it_was_found)
{
	const struct prof_node *n = accessed((uintptr_t)global, sources[_i].word.val, 0);

	ck_assert_uint_eq(n->info >> 8 & 0xff, sources[_i].source);
}
END_TEST

START_TEST(costs_add_up)
{
	const struct prof_node *n = accessed((uintptr_t)global, 0, 200), *stats;

	ck_assert_ptr_eq(accessed((uintptr_t)global, 0, 300), n);
	ck_assert_ptr_eq(accessed((uintptr_t)global, 0, 0), n);
	stats = cct_node(&process.writer, n->child);
	ck_assert_uint_eq(stats->info, PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_LATENCY));
	ck_assert_uint_eq(stats->a, 2);
	ck_assert_uint_eq(stats->b, 500);
}
END_TEST

/* A million pages of ten million, 40 GB of memory. */
START_TEST(many_addresses_few_nodes)
{
	uint64_t base = UINT64_C(0x100000000000), before;
	struct prof_file *f;

	before = prof_header(&process.writer)->used_bytes;
	for (uint64_t i = 0; i < 1000000; i++)
		accessed(base + (i * 0x9e3779b1 % (10 << 20)) * 4096, 0, 0);
	ck_assert_uint_lt(prof_header(&process.writer)->used_bytes - before, 5 << 19);
	prof_header(&process.writer)->nevents = 1;
	prof_end(&process.writer, PROF_RUN_EXITED, 0);
	f = read_back();
	ck_assert_uint_gt(f->nnodes, 1000);
}
END_TEST

/* Page faults all over the heap are one node: nothing distinguishes its parts. */
START_TEST(the_heap_is_one)
{
	const uintptr_t heap = (uintptr_t)sbrk(0);
	const struct prof_node *n = accessed(heap, 0, 0);

	for (uint64_t i = 0; i < 100000; i++)
		ck_assert_ptr_eq(accessed(heap + i * 4096, 0, 0), n);
	ck_assert_uint_eq(kind(n), PROF_DATA_HEAP);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_set_timeout(c, 60);
	tcase_add_test(c, kinds);
	tcase_add_loop_test(c, where_it_was_found, 0, (int)(sizeof(sources) / sizeof(sources[0])));
	tcase_add_test(c, costs_add_up);
	tcase_add_test(c, many_addresses_few_nodes);
	tcase_add_test(c, the_heap_is_one);
}

int main(void)
{
	return run_writer_suite("data", add);
}
