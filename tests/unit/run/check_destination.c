/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_destination.c - where a run's profiles go, and what is made for them.
 */
#include "config.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/profile/folder.h"
#include "src/profile/format.h"
#include "src/profile/launch.h"
#include "src/run/destination.h"
#include "tests/support/suite_main.h"

/* An empty folder in which each test runs. */
static char folder[64];
static struct destination d;
static struct prof_launch launch;
static struct trouble said;

static void enter(void)
{
	strcpy(folder, "/tmp/check_destination-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0777), 0);
	ck_assert_int_eq(chdir(folder), 0);
	memset(&launch, 0, sizeof(launch));
}

static void leave(void)
{
	char command[256];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "chmod -R u+rwx %s; rm -rf %s", folder, folder);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static int choose(const char *pattern)
{
	const struct destination_wish wish = { pattern, "/bin/app", 0, &launch };

	return destination_choose(&d, &wish, &said);
}

static void goes_to(const char *pattern, const char *want)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, want);
	ck_assert_int_eq(choose(pattern), 0);
	ck_assert_str_eq(d.pattern, path);
	ck_assert(!d.unusable);
}

static void made(const char *want)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", folder, want);
	ck_assert_str_eq(d.made, path);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert(S_ISDIR(st.st_mode));
}

/* ---- what was asked for ------------------------------------------------ */

static void make_places(void)
{
	ck_assert_int_eq(mkdir("dir", 0755), 0);
	ck_assert_int_eq(mkdir("100%", 0755), 0);
	put("text", "mine");
	put("empty", "");
	put("old", PROF_MAGIC "rest");
	ck_assert_int_eq(mkfifo("fifo", 0644), 0);
}

static const struct {
	const char *pattern;
	int ret;
} places[] = {
	{ "%c.%h-%p.omphwc", 0 },
	{ "new", 0 },
	{ "old", 0 },
	{ "empty", 0 },
	{ "dir/x-%r", 0 },
	{ "missing-%p/x", 0 },
	{ "100%%/x", 0 },
	{ "text", -1 },
	{ "dir", -1 },
	{ "dir/", -1 },
	{ "fifo", -1 },
	{ "/dev/null", -1 },
	{ "none/", -1 },
	{ "%j-%a-%s-%l-%t", 0 },
	{ "%{HOME}", -1 },
};

START_TEST(judges_places)
{
	make_places();
	setenv("HOME", folder, 1);
	ck_assert_int_eq(choose(places[_i].pattern), places[_i].ret);
	ck_assert_str_eq(d.made, "");
	ck_assert_int_ne(access("none", F_OK), 0);
	if (places[_i].ret == 0)
		ck_assert_int_eq(d.pattern[0], '/');
}
END_TEST

START_TEST(makes_places_absolute)
{
	char want[128];

	make_places();
	goes_to("x%p", "x%p");
	ck_assert_int_eq(choose("/tmp/x%p"), 0);
	ck_assert_str_eq(d.pattern, "/tmp/x%p");
	setenv("OUT", folder, 1);
	ck_assert_int_eq(choose("%{OUT}/x"), 0);
	ck_assert_str_eq(d.pattern, "%{OUT}/x");
	setenv("OUT", "dir", 1);
	goes_to("%{OUT}/x", "%{OUT}/x");
	ck_assert_int_eq(chdir("100%"), 0);
	ck_assert_int_eq(choose("x%%%p"), 0);
	snprintf(want, sizeof(want), "%s/100%%%%/x%%%%%%p", folder);
	ck_assert_str_eq(d.pattern, want);
}
END_TEST

START_TEST(makes_missing_folders)
{
	goes_to("a/b/c/x", "a/b/c/x");
	made("a/b/c");
	goes_to("a/b/c/x", "a/b/c/x");
	ck_assert_str_eq(d.made, "");
	goes_to("a/%c/x", "a/%c/x");
	made("a/app");
	ck_assert(!d.moved);
}
END_TEST

static const char *const unknowns[] = { "%p/x", "%r/x",	   "a%R/x",   "%l/x",
					"%s/x", "%{NO}/x", "%q{NO}/x" };

/* They are the library's to make, in each process. */
START_TEST(makes_no_folder_before_its_name_is_known)
{
	const char *pattern = unknowns[_i];

	unsetenv("NO");
	goes_to(pattern, pattern);
	ck_assert_str_eq(d.made, "");
	setenv("NO", "3", 1);
	launch.launcher = "openmpi";
	strcpy(launch.rank, "3");
	goes_to(pattern, pattern);
	if (_i == 0)
		ck_assert_str_eq(d.made, "");
	else
		made(_i == 2 ? "a.3" : _i == 3 || _i == 4 ? "none" : "3");
}
END_TEST

START_TEST(removes_folders_that_stay_empty)
{
	goes_to("a/b/x", "a/b/x");
	destination_tidy(&d, false);
	ck_assert_int_ne(access("a/b", F_OK), 0);
	destination_tidy(&d, false);
	goes_to("a/b/x", "a/b/x");
	put("a/b/x", "");
	destination_tidy(&d, false);
	ck_assert_int_eq(access("a/b/x", F_OK), 0);
}
END_TEST

/* What does not need it is written. */
START_TEST(working_folder_is_gone)
{
	char there[sizeof(folder) + 8];

	snprintf(there, sizeof(there), "%s/x", folder);
	ck_assert_int_eq(mkdir("gone", 0777), 0);
	ck_assert_int_eq(chdir("gone"), 0);
	ck_assert_int_eq(rmdir("../gone"), 0);
	ck_assert_int_eq(choose(NULL), 0);
	ck_assert(d.unusable);
	ck_assert_str_eq(d.why.what, "working folder");
	ck_assert_str_eq(d.why.todo, "the program runs unprofiled");
	ck_assert_int_eq(choose("x/y"), 0);
	ck_assert(d.unusable);
	ck_assert_int_eq(choose(there), 0);
	ck_assert(!d.unusable);
	ck_assert_str_eq(d.pattern, there);
}
END_TEST

/* ---- where no folder can be made ----------------------------------------- */

START_TEST(takes_the_working_folder_instead)
{
	make_places();
	goes_to("text/x", "%c.%h-%p.omphwc");
	ck_assert(d.moved);
	ck_assert_ptr_nonnull(strstr(d.why.what, "/text"));
	ck_assert_str_eq(d.why.why, "is no folder");
	ck_assert_str_eq(d.why.todo, "the profile goes to the working folder");
	goes_to("text/y/z/x", "%c.%h-%p.omphwc");
	ck_assert_int_eq(access("text/y", F_OK), -1);
}
END_TEST

START_TEST(writes_nowhere)
{
	ck_assert_int_eq(mkdir("dir", 0777), 0);
	ck_assert_int_eq(chdir("dir"), 0);
	ck_assert_int_eq(chmod(".", 0555), 0);
	/* Root may write anywhere. */
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	ck_assert_int_eq(choose("x"), 0);
	ck_assert(d.unusable);
	ck_assert_str_eq(d.why.why, "Permission denied");
	ck_assert_int_eq(choose("sub/x"), 0);
	ck_assert(d.unusable);
	ck_assert_int_eq(choose(NULL), 0);
	ck_assert(d.unusable);
	strcpy(launch.job, "4711");
	ck_assert_int_eq(choose(NULL), 0);
	ck_assert(d.unusable);
	ck_assert_int_eq(choose("../x"), 0);
	ck_assert(!d.unusable);
	ck_assert(!d.moved);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

/* ---- the default ------------------------------------------------------- */

START_TEST(default_outside_of_a_job)
{
	goes_to(NULL, "%c.%h-%p.omphwc");
	launch.launcher = "openmpi";
	strcpy(launch.rank, "3");
	goes_to(NULL, "%c.%h-%p.omphwc");
	ck_assert_str_eq(d.made, "");
}
END_TEST

START_TEST(ranks_share_the_folder_of_their_step)
{
	launch.launcher = "slurm";
	strcpy(launch.job, "4711");
	strcpy(launch.step, "2");
	strcpy(launch.rank, "3");
	goes_to(NULL, "omphwc.4711.2/%c%R.%h-%p.omphwc");
	made("omphwc.4711.2");
	goes_to(NULL, "omphwc.4711.2/%c%R.%h-%p.omphwc");
	ck_assert_str_eq(d.made, "");
	strcpy(launch.array_task, "5");
	strcpy(launch.restart, "1");
	goes_to(NULL, "omphwc.4711_5.restart1.2/%c%R.%h-%p.omphwc");
	strcpy(launch.job, "../4%p");
	strcpy(launch.step, "");
	goes_to(NULL, "omphwc._._4%%p_5.restart1/%c%R.%h-%p.omphwc");
}
END_TEST

START_TEST(runs_of_a_job_are_numbered)
{
	strcpy(launch.job, "4711");
	goes_to(NULL, "omphwc.4711.run1/%c%R.%h-%p.omphwc");
	made("omphwc.4711.run1");
	goes_to(NULL, "omphwc.4711.run2/%c%R.%h-%p.omphwc");
	/* A shell that srun started. */
	launch.launcher = "slurm";
	strcpy(launch.rank, "0");
	strcpy(launch.size, "1");
	goes_to(NULL, "omphwc.4711.run3/%c%R.%h-%p.omphwc");
	made("omphwc.4711.run3");
}
END_TEST

/* ---- at once ------------------------------------------------------------- */

enum { PROCESSES = 16 };

/* Each of many processes does `what` at the same time; returns the sum of what they return. */
static int at_once(int (*what)(void))
{
	int go[2], status, sum = 0;
	pid_t pids[PROCESSES];
	char c;

	ck_assert_int_eq(pipe(go), 0);
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		close(go[1]);
		_exit(read(go[0], &c, 1) == 0 ? what() : 100);
	}
	close(go[0]);
	close(go[1]);
	for (int i = 0; i < PROCESSES; i++) {
		ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
		ck_assert(WIFEXITED(status));
		sum += WEXITSTATUS(status);
	}
	return sum;
}

static int make_one(void)
{
	const int ret = prof_folder_make("many/folders/deep/x");

	return ret < 0 || access("many/folders/deep", W_OK) != 0 ? 100 : ret;
}

START_TEST(many_make_one_folder)
{
	ck_assert_int_eq(at_once(make_one), 1);
}
END_TEST

static int make_own(void)
{
	return choose(NULL) != 0 || d.made[0] == '\0' ? 100 : 0;
}

START_TEST(many_runs_have_folders_of_their_own)
{
	char last[64];

	strcpy(launch.job, "4711");
	ck_assert_int_eq(at_once(make_own), 0);
	for (int i = 1; i <= PROCESSES; i++) {
		snprintf(last, sizeof(last), "omphwc.4711.run%d", i);
		ck_assert_int_eq(rmdir(last), 0);
	}
}
END_TEST

START_TEST(folders_of_strange_paths)
{
	char lengthy[5000];

	memset(lengthy, 'a', sizeof(lengthy));
	lengthy[sizeof(lengthy) - 2] = '/';
	lengthy[sizeof(lengthy) - 1] = '\0';
	ck_assert_int_lt(prof_folder_make(lengthy), 0);
	ck_assert_int_eq(prof_folder_make(""), 0);
	ck_assert_int_eq(prof_folder_make("x"), 0);
	ck_assert_int_eq(prof_folder_make("/x"), 0);
	ck_assert_int_eq(prof_folder_make("a//b///x"), 1);
	ck_assert_int_eq(prof_folder_make("a/./c/../c/x"), 0); /* "c" was made for "c/.." */
	ck_assert_int_eq(access("a/b", F_OK), 0);
	ck_assert_int_eq(access("a/c", F_OK), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("destination");
	TCase *t = tcase_create("destination");

	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_loop_test(t, judges_places, 0, (int)(sizeof(places) / sizeof(*places)));
	tcase_add_test(t, makes_places_absolute);
	tcase_add_test(t, makes_missing_folders);
	tcase_add_loop_test(t, makes_no_folder_before_its_name_is_known, 0,
			    (int)(sizeof(unknowns) / sizeof(*unknowns)));
	tcase_add_test(t, removes_folders_that_stay_empty);
	tcase_add_test(t, takes_the_working_folder_instead);
	tcase_add_test(t, writes_nowhere);
	tcase_add_test(t, working_folder_is_gone);
	tcase_add_test(t, default_outside_of_a_job);
	tcase_add_test(t, ranks_share_the_folder_of_their_step);
	tcase_add_test(t, runs_of_a_job_are_numbered);
	tcase_add_test(t, many_make_one_folder);
	tcase_add_test(t, many_runs_have_folders_of_their_own);
	tcase_add_test(t, folders_of_strange_paths);
	suite_add_tcase(s, t);
	return suite_main(s);
}
