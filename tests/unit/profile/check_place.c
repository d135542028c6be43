/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_place.c - which of several processes gets a profile's name.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/profile_owner.h"
#include "tests/support/writer_fixture.h"

static struct prof_owner plain; /* this process, without job, run or rank */

static void learn(void)
{
	static const struct prof_owner_names names = { .host = "node7", .boot = "a-boot-id" };

	prof_owner_learn(&plain, &names);
	ck_assert_uint_ne(plain.start, 0);
	ck_assert_uint_ne(plain.space, 0);
}

static int create(const struct prof_owner *o)
{
	return prof_create_for(&w, profile,
			       &(struct prof_claim){ .limit_bytes = LIMIT, .owner = o });
}

/* The name that a profile gets: what follows the folder's, pid left out of it. */
static const char *named(void)
{
	static char name[128];
	char own[32];

	snprintf(name, sizeof(name), "%s", w.path + strlen(folder) + 1);
	snprintf(own, sizeof(own), "-%d", (int)getpid());
	char *at = strstr(name, own);
	if (at != NULL) {
		memmove(at + 2, at + strlen(own), strlen(at + strlen(own)) + 1);
		memcpy(at, "-P", 2);
	}
	return name;
}

static void gets(const struct prof_owner *o, const char *name, enum prof_taken why)
{
	ck_assert_int_eq(create(o), 0);
	ck_assert_str_eq(named(), name);
	ck_assert_int_eq(w.taken, why);
	prof_abandon(&w);
}

static uint64_t begun_realtime_ns; /* 0: now */

/* A profile at path, of `o`, as another process has left it. */
static void left(const struct prof_owner *o, uint32_t pid, enum prof_run run)
{
	ck_assert_int_eq(create(o), 0);
	ck_assert_str_eq(named(), "a.omphwc");
	prof_header(&w)->owner = *o;
	prof_header(&w)->pid = pid;
	prof_header(&w)->run = run;
	if (begun_realtime_ns != 0)
		prof_header(&w)->start_realtime_ns = begun_realtime_ns;
	prof_abandon(&w);
}

/* A number that no process has, of one that has been. */
static uint32_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	return (uint32_t)pid;
}

/* ---- whose the file is --------------------------------------------------- */

START_TEST(one_that_was_killed_is_replaced)
{
	for (int i = 0; i < 3; i++) {
		left(&plain, dead_pid(), PROF_RUN_RUNNING);
		gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
		ck_assert_int_eq(entries(), 1);
		ck_assert_int_eq(unlink(profile), 0);
	}
}
END_TEST

START_TEST(one_that_ended_is_replaced)
{
	static const enum prof_run ends[] = {
		PROF_RUN_EXITED,
		PROF_RUN_EXECED,
		PROF_RUN_EXITED_AT_ONCE,
		PROF_RUN_UNPROFILED,
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct prof_owner other = plain;

		left(&plain, dead_pid(), ends[i]);
		gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
		ck_assert_int_eq(unlink(profile), 0);
		/* Of another host: its end was written. */
		other.host++;
		other.boot++;
		left(&other, (uint32_t)getpid(), ends[i]);
		gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
		ck_assert_int_eq(unlink(profile), 0);
	}
}
END_TEST

START_TEST(one_that_lives_is_not)
{
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_RUNNING);
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_RUNNING);
	ck_assert_int_eq(entries(), 3);
	struct prof_file *f = read_back();
	ck_assert_uint_eq(f->header.owner.start, plain.start);
}
END_TEST

/* After exec, too: the process goes on. */
START_TEST(one_whose_process_went_on_is_not)
{
	left(&plain, (uint32_t)getpid(), PROF_RUN_EXECED);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_RUNNING);
}
END_TEST

/* Its number is somebody else's by now. */
START_TEST(a_recycled_number_is_no_life)
{
	struct prof_owner other = plain;

	other.start--;
	left(&other, (uint32_t)getpid(), PROF_RUN_RUNNING);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
}
END_TEST

START_TEST(a_zombie_is_dead)
{
	pid_t pid = fork();
	siginfo_t info;

	if (pid == 0) {
		int err = create(&plain);
		_exit(err != 0);
	}
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
	waitpid(pid, NULL, 0);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(what_cannot_be_told_is_not_replaced)
{
	struct prof_owner other = plain;

	other.boot++;
	other.host++;
	left(&other, dead_pid(), PROF_RUN_RUNNING);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_UNKNOWN);
	ck_assert_int_eq(unlink(profile), 0);
	other = plain;
	other.space++; /* another container on the same kernel */
	left(&other, dead_pid(), PROF_RUN_RUNNING);
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_UNKNOWN);
	ck_assert_int_eq(unlink(profile), 0);
	left(&(struct prof_owner){ 0 }, dead_pid(), PROF_RUN_RUNNING);
	gets(&plain, "a-P-3.omphwc", PROF_TAKEN_UNKNOWN);
}
END_TEST

/* The host was booted anew: nothing that began before lives. */
START_TEST(what_ran_before_the_boot_is_over)
{
	struct prof_owner before = plain;

	before.boot++;
	begun_realtime_ns = 1000000000;
	left(&before, (uint32_t)getpid(), PROF_RUN_RUNNING);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
}
END_TEST

/* Two machines, or containers of two machines, have one name. */
START_TEST(what_began_since_the_boot_is_a_namesakes)
{
	struct prof_owner other = plain;

	other.boot++;
	left(&other, dead_pid(), PROF_RUN_RUNNING);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_UNKNOWN);
}
END_TEST

START_TEST(siblings_keep_theirs)
{
	struct prof_owner first = plain, second;

	first.job = 7;
	left(&first, dead_pid(), PROF_RUN_EXITED);
	gets(&first, "a-P.omphwc", PROF_TAKEN_SIBLING);
	ck_assert_int_eq(unlink(profile), 0);

	first = plain;
	first.run = 7;
	left(&first, dead_pid(), PROF_RUN_RUNNING);
	gets(&first, "a-P-2.omphwc", PROF_TAKEN_SIBLING);
	ck_assert_int_eq(unlink(profile), 0);

	first = second = plain;
	first.rank = 7;
	second.rank = 8;
	left(&first, dead_pid(), PROF_RUN_EXITED);
	gets(&second, "a-P-3.omphwc", PROF_TAKEN_SIBLING);
	gets(&first, "a.omphwc", PROF_TAKEN_NOT);
}
END_TEST

/* Not even a job of its own user replaces another one's. */
START_TEST(jobs_keep_theirs)
{
	struct prof_owner first = plain, second = plain;

	first.job = 7;
	second.job = 8;
	left(&first, dead_pid(), PROF_RUN_EXITED);
	gets(&second, "a-P.omphwc", PROF_TAKEN_JOB);
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_JOB);
	ck_assert_int_eq(unlink(profile), 0);
	left(&plain, dead_pid(), PROF_RUN_RUNNING);
	gets(&second, "a-P-3.omphwc", PROF_TAKEN_JOB);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
}
END_TEST

/* A process of a run that still goes on under its ompcount has ended. */
START_TEST(a_run_that_goes_on_keeps_its_files)
{
	struct prof_owner other;
	char run[64];

	snprintf(run, sizeof(run), "my-host-%d-123.456", (int)getpid());
	prof_owner_learn(&other, &(struct prof_owner_names){
					 .host = "node7", .boot = "a-boot-id", .run = run });
	ck_assert_uint_eq(other.leader, (uint64_t)getpid());
	ck_assert_uint_eq(other.leader_start, other.start);
	left(&other, dead_pid(), PROF_RUN_EXITED);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_RUNNING);
	ck_assert_int_eq(unlink(profile), 0);
	other.leader = dead_pid();
	left(&other, dead_pid(), PROF_RUN_EXITED);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
}
END_TEST

/* ---- what is no profile ---------------------------------------------------- */

START_TEST(what_is_no_profile_is_left_alone)
{
	char target[128];

	put_text(profile, "\177ELF, or a person's text");
	gets(&plain, "a-P.omphwc", PROF_TAKEN_FOREIGN);
	check_text(profile, "\177ELF, or a person's text");
	put_text(profile, "x"); /* shorter than any magic */
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_FOREIGN);
	check_text(profile, "x");
	ck_assert_int_eq(unlink(profile), 0);
	ck_assert_int_eq(mkdir(profile, 0700), 0);
	gets(&plain, "a-P-3.omphwc", PROF_TAKEN_FOREIGN);
	ck_assert_int_eq(rmdir(profile), 0);
	snprintf(target, sizeof(target), "%s/target", folder);
	put_text(target, "");
	ck_assert_int_eq(symlink(target, profile), 0);
	gets(&plain, "a-P-4.omphwc", PROF_TAKEN_FOREIGN);
	check_text(target, "");
}
END_TEST

START_TEST(others_files_are_left_alone)
{
	if (geteuid() != 0) {
		printf("SKIP: other users' files: needs root\n");
		return;
	}
	left(&plain, dead_pid(), PROF_RUN_EXITED);
	ck_assert_int_eq(chown(profile, 65534, 65534), 0);
	gets(&plain, "a-P.omphwc", PROF_TAKEN_FOREIGN);
	ck_assert_int_eq(unlink(profile), 0);
	put_text(profile, "");
	ck_assert_int_eq(chown(profile, 65534, 65534), 0);
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_FOREIGN);
}
END_TEST

START_TEST(the_next_name_where_the_first_is_a_parents)
{
	const struct prof_claim claim = { .limit_bytes = LIMIT,
					  .next_name = true,
					  .owner = &plain };

	ck_assert_int_eq(prof_create_for(&w, profile, &claim), 0);
	ck_assert_str_eq(named(), "a-P.omphwc");
	ck_assert_int_eq(w.taken, PROF_TAKEN_NOT);
}
END_TEST

START_TEST(a_name_with_the_process_in_it)
{
	snprintf(profile, sizeof(profile), "%s/a-%d.omphwc", folder, (int)getpid());
	gets(&plain, "a-P.omphwc", PROF_TAKEN_NOT);
	gets(&plain, "a-P-2.omphwc", PROF_TAKEN_RUNNING);
	gets(&plain, "a-P-3.omphwc", PROF_TAKEN_RUNNING);
}
END_TEST

/* ---- locks -------------------------------------------------------------- */

static char lock_name[128];

static void put_lock(const char *holder)
{
	snprintf(lock_name, sizeof(lock_name), "%s.~lock", profile);
	ck_assert_int_eq(symlink(holder, lock_name), 0);
}

static void put_lock_of(const struct prof_owner *o, uint32_t pid)
{
	char holder[128];

	snprintf(holder, sizeof(holder), "%x.%llx.%llx.%llx.%llx.", pid,
		 (unsigned long long)o->start, (unsigned long long)o->space,
		 (unsigned long long)o->boot, (unsigned long long)o->host);
	put_lock(holder);
}

START_TEST(a_dead_ones_lock_is_broken)
{
	put_lock_of(&plain, dead_pid());
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_live_ones_lock_is_not)
{
	struct prof_owner parent = { 0 };
	char stat[64], text[400] = "";
	unsigned long long start = 0;

	/* Of a process that lives: this one's parent. */
	snprintf(stat, sizeof(stat), "/proc/%d/stat", (int)getppid());
	FILE *f = fopen(stat, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), f));
	fclose(f);
	char *at = strrchr(text, ')');
	for (int i = 0; i < 20; i++)
		at = strchr(at + 1, ' ');
	ck_assert_int_eq(sscanf(at, "%llu", &start), 1);
	parent = plain;
	parent.start = start;
	put_lock_of(&parent, (uint32_t)getppid());
	gets(&plain, "a-P.omphwc", PROF_TAKEN_BUSY);
	ck_assert_int_eq(access(profile, F_OK), -1);
	ck_assert_int_eq(entries(), 2);
}
END_TEST

/* Neither text nor host shows who made it: it counts for an hour. */
START_TEST(an_unknown_ones_lock_gets_old)
{
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 7200 },
					 { .tv_sec = time(NULL) - 7200 } };

	put_lock("who knows");
	gets(&plain, "a-P.omphwc", PROF_TAKEN_BUSY);
	ck_assert_int_eq(utimensat(AT_FDCWD, lock_name, old, AT_SYMLINK_NOFOLLOW), 0);
	gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
	ck_assert_int_eq(entries(), 2);
}
END_TEST

/* Processes that are killed at any moment: names go on being had, and those that
   are not killed each have a profile of their own. */
START_TEST(killed_at_any_moment)
{
	enum { ROUNDS = 150, AT_ONCE = 4 };

	for (int round = 0; round < ROUNDS; round++) {
		pid_t pids[AT_ONCE];

		for (int i = 0; i < AT_ONCE; i++) {
			pids[i] = fork();
			if (pids[i] == 0)
				for (;;) {
					create(&plain);
					if (strcmp(w.path, profile) != 0)
						unlink(w.path);
					prof_end(&w, PROF_RUN_EXITED, 0);
					prof_abandon(&w);
				}
		}
		struct timespec some = { .tv_nsec = (round * 37 % 100) * 20000 };
		nanosleep(&some, NULL);
		for (int i = 0; i < AT_ONCE; i++)
			kill(pids[i], SIGKILL);
		for (int i = 0; i < AT_ONCE; i++)
			waitpid(pids[i], NULL, 0);
		if (round % 10 == 9)
			gets(&plain, "a.omphwc", PROF_TAKEN_NOT);
		unlink(profile);
	}
}
END_TEST

enum { PROCESSES = 8, EACH = 25 };

/* A process that makes EACH profiles of one name, and stops then, alive. */
static pid_t one_of_many(const int go[2])
{
	pid_t pid = fork();
	int err = 0;
	char c;

	if (pid != 0)
		return pid;
	close(go[1]);
	if (read(go[0], &c, 1) != 0)
		_exit(1);
	for (int k = 0; k < EACH && err == 0; k++) {
		err = create(&plain);
		if (err == 0 && append_note("mine") == NULL)
			err = -1;
		prof_abandon(&w);
	}
	if (err == 0)
		raise(SIGSTOP);
	_exit(1);
}

/* Each of many that want one name at once has a file of its own, and none is lost. */
START_TEST(many_processes_one_name)
{
	pid_t pids[PROCESSES];
	int go[2], status;

	ck_assert_int_eq(pipe(go), 0);
	for (int i = 0; i < PROCESSES; i++)
		pids[i] = one_of_many(go);
	close(go[0]);
	close(go[1]);
	for (int i = 0; i < PROCESSES; i++) {
		ck_assert_int_eq(waitpid(pids[i], &status, WUNTRACED), pids[i]);
		ck_assert(WIFSTOPPED(status));
	}
	ck_assert_int_eq(entries(), PROCESSES * EACH);
	ck_assert_uint_eq(read_back()->ntexts, 1);
	for (int i = 0; i < PROCESSES; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}
END_TEST

static void add(TCase *c)
{
	tcase_add_checked_fixture(c, learn, NULL);
	tcase_add_test(c, one_that_was_killed_is_replaced);
	tcase_add_test(c, one_that_ended_is_replaced);
	tcase_add_test(c, one_that_lives_is_not);
	tcase_add_test(c, one_whose_process_went_on_is_not);
	tcase_add_test(c, a_recycled_number_is_no_life);
	tcase_add_test(c, a_zombie_is_dead);
	tcase_add_test(c, what_cannot_be_told_is_not_replaced);
	tcase_add_test(c, what_ran_before_the_boot_is_over);
	tcase_add_test(c, what_began_since_the_boot_is_a_namesakes);
	tcase_add_test(c, siblings_keep_theirs);
	tcase_add_test(c, jobs_keep_theirs);
	tcase_add_test(c, a_run_that_goes_on_keeps_its_files);
	tcase_add_test(c, what_is_no_profile_is_left_alone);
	tcase_add_test(c, others_files_are_left_alone);
	tcase_add_test(c, the_next_name_where_the_first_is_a_parents);
	tcase_add_test(c, a_name_with_the_process_in_it);
	tcase_add_test(c, a_dead_ones_lock_is_broken);
	tcase_add_test(c, a_live_ones_lock_is_not);
	tcase_add_test(c, an_unknown_ones_lock_gets_old);
	tcase_add_test(c, killed_at_any_moment);
	tcase_add_test(c, many_processes_one_name);
}

int main(void)
{
	return run_writer_suite("place", add);
}
