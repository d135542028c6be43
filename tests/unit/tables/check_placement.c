/* SPDX-License-Identifier: BSD-3-Clause */
/* check_placement.c - sets of CPUs; where threads ran, and what is said of it. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/profile/cpulist.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"
#include "tests/support/mkprofile.h"
#include "tests/support/suite_main.h"

enum { MS = 1000000 };

static struct mkprofile *mk;
static struct prof_file *file;
static struct model model;
static struct placement placement;

static void setup(void)
{
	mk = mk_new();
	model_init(&model);
	mk_event(mk, "cpu-clock:u", PROF_UNIT_NS);
	mk_text(mk, PROF_INFO_HOST, "node17");
	mk_text(mk, PROF_INFO_BOOT, "boot");
}

static void teardown(void)
{
	placement_fini(&placement);
	model_fini(&model);
	prof_free(file);
	mk_free(mk);
}

/* A thread that the scheduler tells of. */
static uint32_t thread(enum prof_thread_kind kind, uint64_t ran, uint64_t waited)
{
	const uint32_t root = mk_root(mk, mk_thread(mk, kind, 1));

	mk_stats(mk, root, PROF_STATS_SCHEDULE, ran, waited);
	return root;
}

static void build(void)
{
	uint32_t version;

	ck_assert_int_eq(prof_read_memory(mk_bytes(mk), mk_size(mk), "p", &file, &version),
			 PROF_READ_OK);
	ck_assert_uint_eq(file->damaged, 0);
	ck_assert_int_eq(model_add(&model, file), 0);
	placement_build(&model, 0, &placement);
}

/* ---- lists ----------------------------------------------------------- */

static const struct {
	const char *text, *written; /* NULL: no list */
	uint32_t count;
} lists[] = {
	{ "0", "0", 1 },	   { "0-3,8", "0-3,8", 5 },
	{ "8,0-1", "0-1,8", 3 },   { "0,1,2 tail", "0-2", 3 },
	{ "63-64\n", "63-64", 2 }, { "8191", "8191", 1 },
	{ "8192", NULL, 0 },	   { "", NULL, 0 },
	{ "3-1", NULL, 0 },	   { "1,", NULL, 0 },
	{ "a", NULL, 0 },	   { "0-99999999999999999999", NULL, 0 },
	{ "0-3/2", NULL, 0 },
};

START_TEST(lists_are_read_and_written)
{
	struct cpulist l;
	char text[64];
	const bool is_list = cpulist_read(&l, lists[_i].text);

	ck_assert_int_eq(is_list, lists[_i].written != NULL);
	if (!is_list)
		return;
	ck_assert_uint_eq(cpulist_write(&l, text, sizeof(text)), strlen(lists[_i].written));
	ck_assert_str_eq(text, lists[_i].written);
	ck_assert_uint_eq(cpulist_count(&l), lists[_i].count);
}
END_TEST

START_TEST(a_list_that_does_not_fit_is_empty)
{
	struct cpulist l;
	char text[6] = "x";

	ck_assert_ptr_nonnull(cpulist_read(&l, "0-3,8"));
	ck_assert_uint_eq(cpulist_write(&l, text, sizeof(text)), 5);
	ck_assert_uint_eq(cpulist_write(&l, text, 5), 0);
	ck_assert_str_eq(text, "");
	memset(&l, 0, sizeof(l));
	ck_assert_uint_eq(cpulist_write(&l, text, sizeof(text)), 0);
}
END_TEST

/* ---- tables ---------------------------------------------------------- */

START_TEST(samples_are_summed_by_cpu_and_thread)
{
	const uint32_t a = thread(PROF_THREAD_INITIAL, 10 * MS, 0);
	const uint32_t b = thread(PROF_THREAD_WORKER, 0, 0);

	mk_text(mk, PROF_INFO_TOPOLOGY, "node 1 0-299");
	mk_text(mk, PROF_INFO_TOPOLOGY, "socket 0 300");
	mk_cpu(mk, a, 0, 0, 2, 20);
	mk_cpu(mk, a, 0, 300, 3, 30);
	mk_cpu(mk, b, 0, 300, 4, 40);
	mk_stats(mk, a, PROF_STATS_MOVES, 7, 0);
	build();
	ck_assert_uint_eq(placement.ncpus, 2);
	ck_assert_uint_eq(placement.cpus[0].cpu, 0);
	ck_assert_int_eq(placement.cpus[0].node, 1);
	ck_assert_int_eq(placement.cpus[0].socket, -1);
	ck_assert_uint_eq(placement.cpus[1].cpu, 300);
	ck_assert_int_eq(placement.cpus[1].node, -1);
	ck_assert_int_eq(placement.cpus[1].socket, 0);
	ck_assert_uint_eq(placement.cpus[1].nthreads, 2);
	ck_assert_uint_eq(placement.cpus[1].self[0].samples, 7);
	ck_assert_uint_eq(placement.cpus[1].self[0].weight, 70);
	ck_assert_uint_eq(placement.threads[0].nuses, 2);
	ck_assert_uint_eq(placement.uses[placement.threads[0].first].cpu, 300);
	ck_assert_uint_eq(placement.threads[0].moves, 7);
	ck_assert(placement.threads[0].schedule_known);
	ck_assert(!placement.threads[1].schedule_known);
	ck_assert_uint_eq(placement.nscheduled, 1);
	/* The mask is not known. */
	ck_assert_uint_eq(placement.processes[0].ncpus, 0);
}
END_TEST

START_TEST(older_profiles_tell_nothing)
{
	mk_root(mk, mk_thread(mk, PROF_THREAD_INITIAL, 1));
	build();
	ck_assert_uint_eq(placement.ncpus, 0);
	ck_assert_uint_eq(placement.nscheduled, 0);
	ck_assert(!placement.processes[0].crowded);
}
END_TEST

/* ---- findings -------------------------------------------------------- */

START_TEST(more_threads_than_cpus)
{
	thread(PROF_THREAD_INITIAL, MS, 0);
	thread(PROF_THREAD_WORKER, MS, 0);
	thread(PROF_THREAD_OTHER, MS, 0);
	mk_text(mk, PROF_INFO_CPUS, _i ? "4-5" : "4");
	build();
	ck_assert_uint_eq(placement.processes[0].ncpus, _i ? 2 : 1);
	ck_assert_int_eq(placement.processes[0].crowded, _i == 0);
}
END_TEST

/* Two threads on CPU 0, of which one differs from what proves that they shared it. */
static const struct sharing {
	const char *mask;
	uint64_t waited, elsewhere; /* ms; samples of 1000 on CPU 1 */
	enum prof_thread_kind kind;
	uint64_t other; /* samples of another thread on CPU 1 */
	uint32_t sharers;
} sharings[] = {
	{ "0-1", 50, 0, PROF_THREAD_WORKER, 0, 2 },
	{ NULL, 50, 0, PROF_THREAD_WORKER, 0, 0 },
	{ "0", 50, 0, PROF_THREAD_WORKER, 0, 0 },
	{ "0-1", 1, 0, PROF_THREAD_WORKER, 0, 0 },
	{ "0-1", 50, 200, PROF_THREAD_WORKER, 0, 0 },
	{ "0-1", 50, 0, PROF_THREAD_OTHER, 0, 0 },
	{ "0-1", 50, 0, PROF_THREAD_WORKER, 500, 0 },
	{ "0-2", 50, 0, PROF_THREAD_WORKER, 500, 2 },
	/* Longer than the other one ran: another program had the CPU, and maybe the other CPU. */
	{ "0-1", 65, 0, PROF_THREAD_WORKER, 0, 0 },
};

START_TEST(threads_that_share_a_cpu)
{
	const struct sharing *k = &sharings[_i];
	const uint32_t a = thread(PROF_THREAD_INITIAL, 50 * MS, 50 * MS);
	const uint32_t b = thread(k->kind, 50 * MS, k->waited * MS);

	if (k->mask)
		mk_text(mk, PROF_INFO_CPUS, k->mask);
	mk_cpu(mk, a, 0, 0, 1000, 1000);
	mk_cpu(mk, b, 0, 0, 1000 - k->elsewhere, 1000 - k->elsewhere);
	if (k->elsewhere)
		mk_cpu(mk, b, 0, 1, k->elsewhere, k->elsewhere);
	if (k->other)
		mk_cpu(mk, thread(PROF_THREAD_WORKER, 50 * MS, 0), 0, 1, k->other, k->other);
	build();
	ck_assert_uint_eq(placement.processes[0].sharers, k->sharers);
	if (!k->sharers)
		return;
	ck_assert_uint_eq(placement.processes[0].shared_cpu, 0);
	ck_assert_uint_eq(placement.processes[0].free_cpu, k->other ? 2 : 1);
	ck_assert_uint_eq(placement.processes[0].sharers_waited_ns, 100 * MS);
}
END_TEST

START_TEST(threads_one_after_another_share_nothing)
{
	const uint32_t a = thread(PROF_THREAD_INITIAL, 50 * MS, 50 * MS);
	const uint32_t b = thread(PROF_THREAD_WORKER, 50 * MS, 50 * MS);

	mk_text(mk, PROF_INFO_CPUS, "0-1");
	mk_cpu(mk, a, 0, 0, 1000, 1000);
	mk_cpu(mk, b, 0, 0, 1000, 1000);
	mk_thread_record(mk, 0)->start_ns = 1;
	mk_thread_record(mk, 0)->end_ns = 100;
	mk_thread_record(mk, 1)->start_ns = 100;
	mk_thread_record(mk, 1)->end_ns = 200;
	build();
	ck_assert_uint_eq(placement.processes[0].sharers, 0);
}
END_TEST

START_TEST(threads_on_one_of_two_sockets)
{
	mk_text(mk, PROF_INFO_CPUS, "0-3");
	mk_text(mk, PROF_INFO_TOPOLOGY, "socket 0 0-1");
	mk_text(mk, PROF_INFO_TOPOLOGY, "socket 1 2-3");
	mk_cpu(mk, thread(PROF_THREAD_INITIAL, MS, 0), 0, 2, 1000, 1000);
	mk_cpu(mk, thread(PROF_THREAD_WORKER, MS, 0), 0, _i ? 1 : 3, 1000, 1000);
	build();
	ck_assert_int_eq(placement.processes[0].socket, _i ? -1 : 1);
	ck_assert_int_eq(placement.processes[0].other_socket, _i ? -1 : 0);
}
END_TEST

START_TEST(hostile_texts_and_numbers)
{
	static const char *const texts[] = { "node",	   "node 0",
					     "node 0 ",	   "node x 0",
					     "node 0 9-1", "node 99999999999999999999 0",
					     "nodes 0 0",  "" };
	const uint32_t a = thread(PROF_THREAD_INITIAL, UINT64_MAX, UINT64_MAX);

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		mk_text(mk, PROF_INFO_TOPOLOGY, texts[i]);
	mk_text(mk, PROF_INFO_CPUS, "0-8191");
	mk_cpu(mk, a, 0, PROF_CPU_MOST, UINT64_MAX, UINT64_MAX);
	mk_cpu(mk, a, 0, PROF_CPU_MOST, UINT64_MAX, UINT64_MAX);
	mk_cpu(mk, thread(PROF_THREAD_WORKER, UINT64_MAX, 1), 0, 0, UINT64_MAX, 0);
	build();
	ck_assert_uint_eq(placement.ncpus, 2);
	ck_assert_int_eq(placement.cpus[0].node, -1);
	ck_assert_uint_eq(placement.cpus[1].self[0].weight, UINT64_MAX);
	ck_assert_uint_eq(placement.processes[0].sharers, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("placement");
	TCase *t = tcase_create("placement");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, lists_are_read_and_written, 0, sizeof(lists) / sizeof(*lists));
	tcase_add_test(t, a_list_that_does_not_fit_is_empty);
	tcase_add_test(t, samples_are_summed_by_cpu_and_thread);
	tcase_add_test(t, older_profiles_tell_nothing);
	tcase_add_loop_test(t, more_threads_than_cpus, 0, 2);
	tcase_add_loop_test(t, threads_that_share_a_cpu, 0, sizeof(sharings) / sizeof(*sharings));
	tcase_add_test(t, threads_one_after_another_share_nothing);
	tcase_add_loop_test(t, threads_on_one_of_two_sockets, 0, 2);
	tcase_add_test(t, hostile_texts_and_numbers);
	suite_add_tcase(suite, t);
	return suite_main(suite);
}
