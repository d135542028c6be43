/* SPDX-License-Identifier: BSD-3-Clause */
/* check_jobs.c - which profiles are one run, what ranks show, and which run of a folder it is. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/model/job.h"
#include "src/model/listing.h"
#include "src/model/model.h"
#include "src/model/run_of.h"
#include "src/profile/starter.h"
#include "tests/support/mkprofile.h"
#include "tests/support/suite_main.h"

enum { PROFILES_MOST = 16 };

#define S UINT64_C(1000000000)

/* ---- runs -------------------------------------------------------------- */

/* The runs of n profiles, as one digit each. */
static const char *runs_of(const struct run_of *all, size_t n)
{
	static char text[PROFILES_MOST + 1];
	size_t run[PROFILES_MOST], nruns = 0;

	run_of_group(all, n, run, &nruns);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)('0' + run[i]);
	text[n] = '\0';
	return text;
}

#define RANK(job_, rank_, from, to) \
	{ \
		.job = (job_), .host = "h", .rank = (rank_), .size = 4, \
		.pid = 100 + (uint32_t)__COUNTER__, .parent = 1, .start_ns = (from)*S, \
		.end_ns = (to)*S \
	}

START_TEST(processes_of_one_ompcount_are_a_run)
{
	const struct run_of all[] = {
		{ .id = "a", .rank = -1, .size = -1, .end_ns = 1 },
		{ .id = "b", .rank = -1, .size = -1, .end_ns = 1 },
		{ .id = "a", .rank = 3, .size = 4, .start_ns = 9 * S, .end_ns = 9 * S },
		{ .rank = -1, .size = -1, .end_ns = 1 },
		{ .rank = -1, .size = -1, .end_ns = 1 },
	};

	ck_assert_str_eq(runs_of(all, 5), "01023");
	ck_assert_str_eq(runs_of(all, 0), "");
}
END_TEST

START_TEST(children_are_of_their_parents_run)
{
	struct run_of all[] = {
		{ .host = "h", .rank = -1, .pid = 5, .parent = 1, .end_ns = 10 * S },
		{ .host = "h", .rank = -1, .pid = 6, .parent = 5, .start_ns = S, .end_ns = 2 * S },
		{ .host = "i", .rank = -1, .pid = 7, .parent = 5, .start_ns = S, .end_ns = 2 * S },
		{ .host = "h",
		  .rank = -1,
		  .pid = 8,
		  .parent = 5,
		  .start_ns = 20 * S,
		  .end_ns = 21 * S },
	};

	ck_assert_str_eq(runs_of(all, 4), "0012");
	all[0].id = "a";
	all[1].id = "b"; /* an ompcount in a shell that is profiled */
	ck_assert_str_eq(runs_of(all, 4), "0123");
}
END_TEST

START_TEST(ranks_of_a_launch_are_a_run)
{
	const struct run_of all[] = {
		RANK(NULL, 0, 1, 9),
		RANK(NULL, 1, 2, 8),
		RANK(NULL, 3, 2, 9),
		RANK(NULL, 2, 3, 9),
	};

	ck_assert_str_eq(runs_of(all, 4), "0000");
}
END_TEST

START_TEST(steps_tell_more_than_times)
{
	struct run_of all[] = { RANK("1", 0, 1, 1), RANK("1", 1, 2, 2), RANK("1", 2, 60, 61),
				RANK("1", 3, 2, 2) };

	ck_assert_str_eq(runs_of(all, 4), "0121");
	for (size_t i = 0; i < 4; i++)
		all[i].step = i < 3 ? "0" : "1";
	ck_assert_str_eq(runs_of(all, 4), "0012");
	all[1].task = "7";
	ck_assert_str_eq(runs_of(all, 4), "0123");
}
END_TEST

START_TEST(launches_are_told_apart)
{
	const struct run_of later[] = { RANK("1", 0, 1, 5), RANK("1", 1, 1, 5), RANK("1", 0, 6, 9),
					RANK("1", 1, 6, 9) };
	const struct run_of together[] = { RANK("1", 0, 1, 5), RANK("1", 1, 1, 5),
					   RANK("1", 0, 2, 6), RANK("1", 1, 3, 6) };
	const struct run_of jobs[] = { RANK("1", 0, 1, 5), RANK("2", 1, 1, 5), RANK("1", 1, 1, 5) };
	struct run_of sizes[] = { RANK("1", 0, 1, 5), RANK("1", 1, 1, 5) };

	ck_assert_str_eq(runs_of(later, 4), "0011");
	ck_assert_str_eq(runs_of(together, 4), "0011");
	ck_assert_str_eq(runs_of(jobs, 3), "010");
	sizes[1].size = 2;
	ck_assert_str_eq(runs_of(sizes, 2), "01");
}
END_TEST

/* A script of a rank and its program have the same rank. */
START_TEST(a_rank_may_have_several_processes)
{
	struct run_of all[] = {
		RANK("1", 0, 1, 5),
		RANK("1", 0, 2, 5),
		RANK("1", 1, 1, 5),
		RANK("1", 1, 2, 5),
	};

	all[1].parent = all[0].pid;
	all[3].parent = all[2].pid;
	ck_assert_str_eq(runs_of(all, 4), "0000");
}
END_TEST

START_TEST(many_are_grouped_in_a_moment)
{
	const size_t n = 20000;
	struct run_of *all = calloc(n, sizeof(*all));
	size_t *run = calloc(n, sizeof(*run)), nruns;
	char(*ids)[16] = calloc(n, sizeof(*ids));

	for (size_t i = 0; i < n; i++) {
		snprintf(ids[i], sizeof(ids[i]), "%zu", i);
		all[i] = (struct run_of)RANK("1", 0, 1, 5);
		all[i].id = ids[i];
		all[i].rank = (int64_t)(n - 1 - i);
		all[i].size = (int64_t)n;
		all[i].start_ns += n - i;
	}
	run_of_group(all, n, run, &nruns);
	ck_assert_uint_eq(nruns, 1);
	free(ids);
	free(run);
	free(all);
}
END_TEST

/* ---- ranks ------------------------------------------------------------- */

static struct prof_file *files[PROFILES_MOST];
static size_t nfiles;
static struct model model;

static void model_new(void)
{
	nfiles = 0;
	model_init(&model);
}

static void model_gone(void)
{
	model_fini(&model);
	while (nfiles > 0)
		prof_free(files[--nfiles]);
}

/* A process of that rank on that host; NULL: none. */
static struct mkprofile *process(const char *rank, const char *host)
{
	struct mkprofile *m = mk_new();

	mk_event(m, "cpu-clock:u", PROF_UNIT_NS);
	mk_text(m, PROF_INFO_RUN_ID, "a");
	mk_text(m, PROF_INFO_HOST, host);
	if (rank)
		mk_text(m, PROF_INFO_RANK, rank);
	return m;
}

static void add(struct mkprofile *m)
{
	uint32_t version;

	mk_header(m)->pid = 100 + (uint32_t)nfiles;
	ck_assert_int_eq(prof_read_memory(mk_bytes(m), mk_size(m), "p", &files[nfiles], &version),
			 PROF_READ_OK);
	ck_assert_int_eq(model_add(&model, files[nfiles++]), 0);
	mk_free(m);
}

static void add_ended(const char *rank, const char *host, const char *runtime)
{
	struct mkprofile *m = process(rank, host);

	if (runtime)
		mk_text(m, PROF_INFO_RUNTIME, runtime);
	mk_end(m);
	add(m);
}

START_TEST(ranks_are_listed)
{
	struct job j;

	add_ended("4", "h", "libgomp");
	add_ended("0", "h", NULL);
	add_ended("0", "h", "libgomp"); /* a script, and the rank's program */
	add_ended("2", "i", NULL);
	add(process("5", "i")); /* killed, or running elsewhere */
	add_ended(NULL, "h", NULL);
	job_build(&model, &j);
	ck_assert_uint_eq(j.nranks, 4);
	ck_assert_uint_eq(j.nhosts, 2);
	ck_assert_str_eq(j.of[JOB_MISSING].list, "1,3");
	ck_assert_uint_eq(j.of[JOB_MISSING].n, 2);
	ck_assert_str_eq(j.of[JOB_UNKNOWN].list, "5");
	ck_assert_ptr_null(j.of[JOB_KILLED].list);
	ck_assert_str_eq(j.of[JOB_NO_OPENMP].list, "2,5");
	job_fini(&j);
}
END_TEST

START_TEST(what_has_no_rank_is_no_job)
{
	struct job j;

	add_ended(NULL, "h", NULL);
	add_ended("x", "h", NULL);
	add_ended("-1", "h", NULL);
	add_ended("99999999999", "h", NULL);
	job_build(&model, &j);
	ck_assert_uint_eq(j.nranks, 0);
	ck_assert_ptr_null(j.of[JOB_NO_OPENMP].list);
	job_fini(&j);
}
END_TEST

/* ---- folders ----------------------------------------------------------- */

static char folder[64];

static void folder_new(void)
{
	strcpy(folder, "/tmp/omphwc-check.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void folder_gone(void)
{
	char command[128];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void put_of(const char *path, const char *run, uint64_t start_ns, const char *host)
{
	struct mkprofile *m = mk_new();

	mk_text(m, PROF_INFO_RUN_ID, run);
	if (host)
		mk_text(m, PROF_INFO_HOST, host);
	mk_header(m)->start_realtime_ns = start_ns;
	mk_end(m);
	ck_assert_int_eq(mk_write(m, path), 0);
	mk_free(m);
}

static void put(const char *path, const char *run, uint64_t start_ns)
{
	put_of(path, run, start_ns, NULL);
}

/* Those without a host are of processes of their own. */
START_TEST(copies_are_left_out)
{
	struct listing c;

	put_of("a.omphwc", "run", 5 * S, "h");
	put_of("b.omphwc", "run", 5 * S, "other");
	put_of("c.omphwc", "run", 5 * S, "h");
	put("d.omphwc", "run", 5 * S);
	put("e.omphwc", "run", 5 * S);
	ck_assert_int_eq(mkdir("omphwc.17.old", 0700), 0);
	put_of("omphwc.17.old/a.omphwc", "run", 5 * S, "other");
	listing_init(&c);
	ck_assert_int_eq(listing_folder(&c, "."), 0);
	ck_assert_int_eq(listing_job_folders(&c, ".", 0), 0);
	ck_assert_uint_eq(c.n, 4);
	ck_assert_uint_eq(c.nleft_out, 2);
	ck_assert_str_eq(c.because.path, "./c.omphwc");
	ck_assert_str_eq(c.because.why, "it is a copy of ./a.omphwc");
	listing_fini(&c);
}
END_TEST

START_TEST(the_last_run_is_found)
{
	struct listing c;
	FILE *f;

	put("b.omphwc", "first", 5 * S);
	put("a.omphwc", "second", 7 * S);
	put("c.omphwc", "second", 6 * S);
	put(".d.omphwc", "third", 9 * S);
	put("e.other", "third", 9 * S);
	ck_assert_int_eq(mkdir("omphwc.17.0", 0700), 0);
	put("omphwc.17.0/z.omphwc", "second", 8 * S);
	f = fopen("damaged.omphwc", "w");
	fputs("no profile", f);
	fclose(f);
	listing_init(&c);
	ck_assert_int_eq(listing_folder(&c, "."), 0);
	ck_assert_int_eq(listing_job_folders(&c, ".", 0), 0);
	listing_group(&c);
	ck_assert_uint_eq(c.n, 4);
	ck_assert_uint_eq(c.nruns, 2);
	ck_assert_uint_eq(c.nleft_out, 1);
	ck_assert_str_eq(c.because.path, "./damaged.omphwc");
	ck_assert_uint_eq(listing_last_run(&c), 0);
	ck_assert_uint_eq(c.runs[0].nprofiles, 3);
	ck_assert_uint_eq(c.runs[0].start_ns, 6 * S);
	ck_assert_str_eq(c.all[c.runs[0].first].path, "./a.omphwc");
	listing_fini(&c);
}
END_TEST

START_TEST(older_jobs_are_counted)
{
	struct listing c;

	for (int i = 0; i < 5; i++) {
		const struct timespec at[2] = { { .tv_sec = 1000 - i }, { .tv_sec = 1000 - i } };
		char path[64];

		snprintf(path, sizeof(path), "omphwc.%d", i);
		ck_assert_int_eq(mkdir(path, 0700), 0);
		snprintf(path, sizeof(path), "omphwc.%d/p.omphwc", i);
		if (i > 0) /* the newest one is empty */
			put(path, path, (uint64_t)i * S);
		snprintf(path, sizeof(path), "omphwc.%d", i);
		ck_assert_int_eq(utimensat(AT_FDCWD, path, at, 0), 0);
	}
	listing_init(&c);
	ck_assert_int_eq(listing_job_folders(&c, ".", 1), 0);
	ck_assert_uint_eq(c.n, 1);
	ck_assert_str_eq(c.all[0].path, "./omphwc.1/p.omphwc");
	ck_assert_uint_eq(c.nolder, 3);
	listing_fini(&c);
}
END_TEST

START_TEST(a_missing_folder_is_an_error)
{
	struct listing c;

	listing_init(&c);
	ck_assert_int_lt(listing_folder(&c, "nowhere"), 0);
	ck_assert_int_eq(listing_add(&c, "nowhere"), -EINVAL);
	ck_assert_str_eq(c.because.path, "nowhere");
	listing_fini(&c);
}
END_TEST

/* Nobody writes into the FIFO. */
START_TEST(only_files_are_read)
{
	struct listing c;

	put("file.omphwc", "run", 5 * S);
	ck_assert_int_eq(symlink("file.omphwc", "link.omphwc"), 0);
	ck_assert_int_eq(mkfifo("fifo.omphwc", 0600), 0);
	ck_assert_int_eq(symlink("fifo.omphwc", "to-fifo.omphwc"), 0);
	ck_assert_int_eq(symlink("loop.omphwc", "loop.omphwc"), 0);
	ck_assert_int_eq(mkdir("folder.omphwc", 0700), 0);
	listing_init(&c);
	ck_assert_int_eq(listing_folder(&c, "."), 0);
	ck_assert_uint_eq(c.n, 2);
	ck_assert_uint_eq(c.nleft_out, 4);
	ck_assert_str_eq(c.because.path, "./fifo.omphwc");
	listing_fini(&c);
}
END_TEST

/* Many arguments push the texts behind the first pages. */
START_TEST(heads_are_read_whole)
{
	struct mkprofile *m = mk_new();
	char *long_text = calloc(1, 30001);
	struct listing c;

	memset(long_text, 'x', 30000);
	mk_info(m, PROF_INFO_ARGV, long_text, 30000);
	mk_text(m, PROF_INFO_RUN_ID, "id");
	mk_text(m, PROF_INFO_BOOT, "boot");
	ck_assert_int_eq(mk_write(m, "long.omphwc"), 0);
	listing_init(&c);
	ck_assert_int_eq(listing_folder(&c, "."), 0);
	ck_assert_uint_eq(c.n, 1);
	ck_assert_str_eq(prof_text(c.all[0].head, PROF_INFO_RUN_ID), "id");
	listing_fini(&c);
	free(long_text);
	mk_free(m);
}
END_TEST

/* ---- launchers --------------------------------------------------------- */

START_TEST(starters_are_known)
{
	ck_assert(prof_is_starter("/usr/bin/orterun"));
	ck_assert(prof_is_starter("srun"));
	ck_assert(!prof_is_starter("/usr/bin/mpirun/app"));
	ck_assert(!prof_is_starter("my_srun"));
	ck_assert(prof_is_starter("/opt/slurm/bin/sbatch"));
	ck_assert(prof_is_submitter("/opt/slurm/bin/sbatch"));
	ck_assert(!prof_is_submitter("srun"));
	ck_assert(!prof_is_starter(""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jobs");
	TCase *runs = tcase_create("runs"), *ranks = tcase_create("ranks");
	TCase *folders = tcase_create("folders");

	tcase_add_test(runs, processes_of_one_ompcount_are_a_run);
	tcase_add_test(runs, children_are_of_their_parents_run);
	tcase_add_test(runs, ranks_of_a_launch_are_a_run);
	tcase_add_test(runs, launches_are_told_apart);
	tcase_add_test(runs, steps_tell_more_than_times);
	tcase_add_test(runs, a_rank_may_have_several_processes);
	tcase_add_test(runs, many_are_grouped_in_a_moment);
	tcase_add_test(runs, starters_are_known);
	suite_add_tcase(suite, runs);
	tcase_add_checked_fixture(ranks, model_new, model_gone);
	tcase_add_test(ranks, ranks_are_listed);
	tcase_add_test(ranks, what_has_no_rank_is_no_job);
	suite_add_tcase(suite, ranks);
	tcase_add_checked_fixture(folders, folder_new, folder_gone);
	tcase_add_test(folders, the_last_run_is_found);
	tcase_add_test(folders, older_jobs_are_counted);
	tcase_add_test(folders, a_missing_folder_is_an_error);
	tcase_add_test(folders, only_files_are_read);
	tcase_add_test(folders, copies_are_left_out);
	tcase_add_test(folders, heads_are_read_whole);
	suite_add_tcase(suite, folders);
	return suite_main(suite);
}
