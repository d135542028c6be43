/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model.c - merging profiles, and accounting for their samples. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/model/model.h"
#include "src/model/profiles.h"
#include "src/view/names.h"
#include "tests/support/mkprofile.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

static uint32_t thread_with(uint64_t samples)
{
	uint32_t t = mk_thread(s.mk, PROF_THREAD_INITIAL, 100);

	mk_leaf(s.mk, scene_path(&s, mk_root(s.mk, t), "main:1"), 0, PROF_STATE_SERIAL,
		PROF_CAUSE_NONE, samples, samples);
	return t;
}

START_TEST(every_sample_is_accounted_for)
{
	struct prof_thread *t;
	uint32_t thread;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	thread = thread_with(10);
	t = mk_thread_record(s.mk, thread);
	t->samples[0] += 4; /* 3 lost, 1 under way */
	t->lost[PROF_LOST_NO_ROOM] = 2;
	t->lost[PROF_LOST_REENTRY] = 1;
	t->lost[PROF_LOST_THROTTLED] = 100;		/* never taken */
	mk_header(s.mk)->lost[PROF_LOST_NO_THREAD] = 5; /* in no thread's record */
	scene_process(&s);
	ck_assert_uint_eq(s.model.tally.taken, 19);
	ck_assert_uint_eq(s.model.tally.kept, 10);
	ck_assert_uint_eq(s.model.tally.lost[PROF_LOST_THROTTLED], 100);
	ck_assert_uint_eq(s.model.tally.underway, 1);
	ck_assert(!s.model.tally.unaccounted);
}
END_TEST

START_TEST(what_does_not_add_up_is_said)
{
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread_record(s.mk, thread_with(10))->samples[0] += 2;
	scene_process(&s);
	ck_assert(s.model.tally.unaccounted);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread_record(s.mk, thread_with(10))->samples[0] -= 1;
	scene_process(&s);
	ck_assert(s.model.processes[1].tally.unaccounted);
}
END_TEST

START_TEST(events_of_one_label_are_one)
{
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_event(s.mk, "wall", PROF_UNIT_NS);
	thread_with(1);
	scene_process(&s);
	mk_event(s.mk, "wall", PROF_UNIT_NS);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_event(s.mk, "cycles:u", PROF_UNIT_NS); /* another unit: another event */
	thread_with(2);
	scene_process(&s);
	ck_assert_uint_eq(s.model.nevents, 3);
	ck_assert_uint_eq(s.model.processes[1].event[0], 1);
	ck_assert_uint_eq(s.model.processes[1].event[1], 0);
	ck_assert_uint_eq(s.model.processes[1].event[2], 2);
	ck_assert_int_eq(model_find_event(&s.model, "wall"), 1);
	ck_assert_int_eq(model_find_event(&s.model, "instructions"), -1);
	ck_assert_uint_eq(s.model.nthreads, 2);
	ck_assert_uint_eq(s.model.threads[1].process, 1);
	ck_assert_uint_eq(s.model.processes[1].first_thread, 1);
}
END_TEST

START_TEST(too_many_events_are_refused)
{
	char label[16];

	for (unsigned p = 0; p < 5; p++) {
		struct prof_file *f = NULL;
		uint32_t version;

		for (unsigned e = 0; e < PROF_EVENTS_MAX; e++) {
			snprintf(label, sizeof(label), "e%u.%u", p, e);
			mk_event(s.mk, label, PROF_UNIT_EVENTS);
		}
		if (p < 4) {
			scene_process(&s);
			continue;
		}
		ck_assert_int_eq(prof_read_memory(mk_bytes(s.mk), mk_size(s.mk), "m", &f, &version),
				 PROF_READ_OK);
		ck_assert_int_eq(model_add(&s.model, f), -E2BIG);
		ck_assert_uint_eq(s.model.nprocesses, 4);
		prof_free(f);
	}
}
END_TEST

START_TEST(counters_are_summed)
{
	struct prof_value sum;
	struct prof_thread *t;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	t = mk_thread_record(s.mk, thread_with(1));
	t->values_known = 1;
	t->values[0] = (struct prof_value){ 1000, 20, 10 };
	thread_with(1); /* not read: not a 0 */
	scene_process(&s);
	ck_assert_uint_eq(model_counted(&s.model, 0, &sum), 1);
	ck_assert_uint_eq(sum.value, 1000);
	ck_assert_uint_eq(sum.running_ns, 10);
}
END_TEST

/* ---- files ----------------------------------------------------------- */

static char path[] = "/tmp/check_model.XXXXXX";

static void refused(struct profiles *p, const char *why)
{
	struct profiles_error e;

	ck_assert_int_eq(profiles_add(p, path, &e), -1);
	ck_assert_msg(strstr(e.why, why) != NULL, "%s", e.why);
	ck_assert_str_eq(e.path, path);
}

static void write_file(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
	ck_assert_int_eq(fclose(f), 0);
}

START_TEST(bad_files_are_refused_in_words)
{
	struct profiles_error e;
	struct profiles p;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	ck_assert_int_ge(close(mkstemp(path)), 0);
	profiles_init(&p);
	refused(&p, "empty");
	write_file("GIF89a, or so it says, at some length", 30);
	refused(&p, "not a profile");
	ck_assert_int_eq(mk_write(s.mk, path), 0);
	refused(&p, "no events");
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	thread_with(3);
	write_file(mk_bytes(s.mk), 100);
	refused(&p, "too short");
	mk_header(s.mk)->version = (PROF_VERSION_MAJOR + 1) << 16;
	ck_assert_int_eq(mk_write(s.mk, path), 0);
	refused(&p, "newer");
	mk_header(s.mk)->version = PROF_VERSION;
	memcpy(mk_header(s.mk)->magic, PROF_MAGIC_UNRELEASED, 8);
	ck_assert_int_eq(mk_write(s.mk, path), 0);
	refused(&p, "before version 1.0");
	memcpy(mk_header(s.mk)->magic, PROF_MAGIC, 8);
	ck_assert_int_eq(mk_write(s.mk, path), 0);
	ck_assert_int_eq(profiles_add(&p, path, &e), 0);
	refused(&p, "named before");
	unlink(path);
	refused(&p, "No such file");
	ck_assert_uint_eq(p.model.tally.kept, 3);
	profiles_fini(&p);
}
END_TEST

/* ---- the parts ------------------------------------------------------- */

START_TEST(functions_are_told_apart)
{
	const struct function f = { .name = "f", .module = "app", .file = "a.c", .line = 3 };
	struct function g = f;
	struct names n;
	char copy[] = "f";

	names_init(&n);
	const uint32_t a = names_function(&n, &f);
	g.name = copy; /* the same text elsewhere */
	uint32_t b = names_function(&n, &g);
	ck_assert_uint_eq(a, b);
	copy[0] = 'x';
	ck_assert_str_eq(n.functions[a].name, "f");
	g = f;
	g.file = "b.c"; /* static, in another file */
	b = names_function(&n, &g);
	ck_assert_uint_ne(a, b);
	ck_assert_ptr_eq(n.functions[a].name, n.functions[b].name);
	names_fini(&n);
}
END_TEST

/* A process of that run of ompcount, and a rank of that job; NULL: not reported. */
static void process_of(const char *run, const char *job, const char *rank, uint64_t start_ns)
{
	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	if (run)
		mk_text(s.mk, PROF_INFO_RUN_ID, run);
	if (job) {
		mk_text(s.mk, PROF_INFO_RANK, rank);
		mk_text(s.mk, PROF_INFO_JOB, job);
	}
	mk_header(s.mk)->start_realtime_ns = start_ns;
	thread_with(10);
	mk_end(s.mk);
	scene_process(&s);
}

START_TEST(runs_are_told_apart)
{
	const uint64_t second = 1000000000;

	ck_assert_uint_eq(model_runs(&s.model), 1);
	process_of("a", NULL, NULL, 0);
	process_of("a", NULL, NULL, 5 * second);
	ck_assert_uint_eq(model_runs(&s.model), 1);
	process_of(NULL, NULL, NULL, 0); /* may be of any */
	ck_assert_uint_eq(model_runs(&s.model), 1);
	process_of("b", NULL, NULL, 0);
	ck_assert_uint_eq(model_runs(&s.model), 2);
}
END_TEST

START_TEST(ranks_of_a_job_are_one_run)
{
	const uint64_t second = 1000000000;

	process_of("a", "17", "0", 10 * second);
	process_of("b", "17", "1", 10 * second + second / 2);
	ck_assert_uint_eq(model_runs(&s.model), 1);
	process_of("c", "17", "0", 20 * second); /* the job's next step */
	process_of("d", "18", "0", 10 * second);
	ck_assert_uint_eq(model_runs(&s.model), 3);
}
END_TEST

/* A second of a process on a machine, begun by its two clocks at so many seconds. */
static void ran(const char *boot, const char *rank, uint64_t s_monotonic, uint64_t s_of_day)
{
	struct prof_header *h;
	const uint64_t second = 1000000000;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	if (boot)
		mk_text(s.mk, PROF_INFO_BOOT, boot);
	if (rank) {
		mk_text(s.mk, PROF_INFO_RANK, rank);
		mk_text(s.mk, PROF_INFO_SIZE, "4");
	}
	h = mk_header(s.mk);
	h->start_monotonic_ns = s_monotonic * second;
	h->end_monotonic_ns = (s_monotonic + 1) * second;
	h->start_realtime_ns = s_of_day * second;
	scene_process(&s);
}

static void ran_together(double seconds, double sum, uint32_t most)
{
	struct model_together t;

	model_together(&s.model, NULL, &t);
	ck_assert_double_eq_tol(t.ns, seconds * 1e9, 1000);
	ck_assert_double_eq_tol(t.sum_ns, sum * 1e9, 1000);
	ck_assert_uint_eq(t.most, most);
}

START_TEST(one_machine_has_one_clock)
{
	ran_together(0, 0, 0);
	ran("a", NULL, 100, 5000);
	ran("a", NULL, 101, 4000); /* the clock of the day was set back */
	ran_together(2, 2, 1);
	ran("a", NULL, 101, 5001);
	ran_together(2, 3, 2);
}
END_TEST

START_TEST(other_machines_have_the_clock_of_the_day)
{
	ran("a", NULL, 100, 5000);
	ran("b", NULL, 7000, 5001);
	ran_together(2, 2, 1);
	ran("c", NULL, 3, 5000);
	ran(NULL, NULL, 900, 5000); /* whose clock is not known */
	ran_together(2, 4, 3);
}
END_TEST

/* Whatever the machines' clocks say. */
START_TEST(ranks_of_a_launch_begin_together)
{
	ran("a", "0", 100, 5000);
	ran("a", "1", 100, 5000);
	ran("b", "2", 7000, 9000);
	ran("b", "3", 7000, 9000);
	ran_together(1, 4, 4);
	ran("b", NULL, 7001, 9001); /* what ran afterwards there */
	ran_together(2, 5, 4);
}
END_TEST

START_TEST(processes_without_an_end_count_as_nothing)
{
	ran("a", NULL, 100, 5000);
	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	scene_process(&s);
	ran_together(1, 1, 1);
}
END_TEST

/* As the header says; else by the records, which are of threads that lived at one time. */
START_TEST(threads_are_more_than_records)
{
	struct prof_header *h;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread(s.mk, PROF_THREAD_INITIAL, 100);
	for (uint32_t i = 0; i < 9; i++)
		mk_thread(s.mk, PROF_THREAD_WORKER, 101 + i);
	mk_end(s.mk);
	scene_process(&s);
	ck_assert_uint_eq(s.model.processes[0].openmp_threads, 10);
	ck_assert_uint_eq(s.model.processes[0].threads.all, 10);
	ck_assert_uint_eq(s.model.processes[0].threads.most, 10);
	ck_assert_uint_eq(s.model.processes[0].threads.begun[PROF_THREAD_WORKER], 9);

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread(s.mk, PROF_THREAD_INITIAL, 100);
	mk_thread(s.mk, PROF_THREAD_WORKER, 101);
	mk_end(s.mk);
	h = mk_header(s.mk);
	h->threads_begun[PROF_THREAD_UNKNOWN] = 3;
	h->threads_begun[PROF_THREAD_INITIAL] = 1;
	h->threads_begun[PROF_THREAD_WORKER] = 1000000;
	h->threads_shared = 1000002;
	h->threads_most = 70;
	h->openmp_most = 64;
	scene_process(&s);
	ck_assert_uint_eq(s.model.processes[1].openmp_threads, 64);
	ck_assert_uint_eq(s.model.processes[1].threads.all, 1000004);
	ck_assert_uint_eq(s.model.processes[1].threads.most, 70);
	ck_assert_uint_eq(s.model.all_threads, 1000014);

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	mk_thread(s.mk, PROF_THREAD_INITIAL, 100);
	mk_end(s.mk);
	h = mk_header(s.mk);
	h->threads_most = 19;
	h->openmp_most = 20;
	scene_process(&s);
	ck_assert_uint_eq(s.model.processes[2].openmp_threads, 19);
}
END_TEST

/* Whatever began first: an MPI library's threads, or the program's own. */
START_TEST(threads_of_openmp_have_the_first_numbers)
{
	static const struct {
		uint32_t kind, number;
	} of[] = {
		{ PROF_THREAD_INITIAL, 0 }, { PROF_THREAD_UNKNOWN, 4 }, { PROF_THREAD_UNKNOWN, 5 },
		{ PROF_THREAD_WORKER, 1 },  { PROF_THREAD_OTHER, 2 },	{ PROF_THREAD_UNKNOWN, 6 },
		{ PROF_THREAD_WORKER, 3 },
	};
	const size_t n = sizeof(of) / sizeof(*of);

	for (size_t p = 0; p < 2; p++) {
		mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
		for (size_t i = 0; i < n; i++)
			mk_thread(s.mk, of[i].kind, 100 + (uint32_t)i);
		mk_end(s.mk);
		scene_process(&s);
	}
	for (size_t i = 0; i < 2 * n; i++)
		ck_assert_uint_eq(s.model.threads[i].number, of[i % n].number);
}
END_TEST

START_TEST(the_report_counts_threads)
{
	struct prof_header *h;
	char *text;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	thread_with(10);
	mk_end(s.mk);
	h = mk_header(s.mk);
	h->threads_begun[PROF_THREAD_INITIAL] = 1;
	h->threads_begun[PROF_THREAD_WORKER] = 12000;
	h->threads_shared = 10977;
	h->threads_most = 70;
	h->openmp_most = 64;
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, ", 12,001 threads, "), "%s", text);
	ck_assert_msg(strstr(text, "at most 70 of the threads lived at one time; OpenMP's (1 "
				   "initial, 12,000 workers)"),
		      "%s", text);
	ck_assert_msg(strstr(text, "10,977 threads have no row of their own"), "%s", text);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model");
	TCase *c = tcase_create("model");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, every_sample_is_accounted_for);
	tcase_add_test(c, what_does_not_add_up_is_said);
	tcase_add_test(c, events_of_one_label_are_one);
	tcase_add_test(c, too_many_events_are_refused);
	tcase_add_test(c, counters_are_summed);
	tcase_add_test(c, bad_files_are_refused_in_words);
	tcase_add_test(c, functions_are_told_apart);
	tcase_add_test(c, runs_are_told_apart);
	tcase_add_test(c, ranks_of_a_job_are_one_run);
	tcase_add_test(c, threads_are_more_than_records);
	tcase_add_test(c, threads_of_openmp_have_the_first_numbers);
	tcase_add_test(c, the_report_counts_threads);
	tcase_add_test(c, one_machine_has_one_clock);
	tcase_add_test(c, other_machines_have_the_clock_of_the_day);
	tcase_add_test(c, ranks_of_a_launch_begin_together);
	tcase_add_test(c, processes_without_an_end_count_as_nothing);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
