/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_name.c - the profile's name, and which process may use it.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/digits.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"
#include "tests/support/suite_main.h"

/* What else is known of the processes of `cases`. */
static const struct prof_launch rank = {
	.rank = "12",
	.local_rank = "4",
	.job = "471/1",
	.array_task = "5",
	.step = "2",
};
static const struct prof_launch nothing;

static const char *variable(const char *name)
{
	if (strcmp(name, "OUT") == 0)
		return "/scratch/%p/out";
	if (strcmp(name, "N_1") == 0)
		return "a\nb";
	return strcmp(name, "EMPTY") == 0 ? "" : NULL;
}

static const struct prof_name plain = {
	.command = "/opt/bin/solve",
	.host = "node7",
	.pid = 4711,
	.time_s = 951782399, /* the end of a leap day's eve */
	.launch = &rank,
	.variable = variable,
};

static const struct {
	const char *pattern;
	const char *command, *host;
	uint32_t pid;
	const struct prof_launch *launch;
	const char *want; /* NULL: -EINVAL */
} cases[] = {
	{ PROF_NAME_DEFAULT, "/opt/bin/solve", "node7", 4711, &rank, "solve.node7-4711.omphwc" },
	{ PROF_NAME_OF_JOB, "solve", "node7", 4711, &rank, "solve.12.node7-4711.omphwc" },
	{ PROF_NAME_OF_JOB, "solve", "node7", 4711, NULL, "solve.node7-4711.omphwc" },
	{ "out", "solve", "node7", 1, NULL, "out" },
	{ "/a/%r/%c", "./x", "h", 1, &rank, "/a/12/x" },
	{ "%r", "x", "h", 1, NULL, "none" },
	{ "%r", "x", "h", 1, &nothing, "none" },
	{ "%j_%a.%s-%l", "x", "h", 1, &rank, "471_1_5.2-4" },
	{ "%j_%a.%s-%l%R", "x", "h", 1, NULL, "none_none.none-none" },
	{ "%c-%h", NULL, "", 1, NULL, "unknown-unknown" },
	{ "%c", "/bin/", "h", 1, NULL, "unknown" },
	{ "%h", "x", "a/../b\n", 1, NULL, "a_.._b_" },
	{ "d/%h/%c", "/bin/.x", "..", 1, NULL, "d/_./_x" },
	{ "%%%p%%", "x", "h", 4294967295u, NULL, "%4294967295%" },
	{ "%p", "x", "h", 0, NULL, "0" },
	{ "%c", "a%p", "h", 1, NULL, "a%p" },
	{ "%t", "x", "h", 1, NULL, "20000228T235959Z" },
	{ "%{OUT}/x", "x", "h", 1, NULL, "/scratch/%p/out/x" },
	{ "x%q{OUT}", "x", "h", 1, NULL, "x/scratch/%p/out" },
	{ "%{N_1}%{EMPTY}%{NONE}", "x", "h", 1, NULL, "a_bnonenone" },
	{ "", "x", "h", 1, NULL, NULL },
	{ "a%", "x", "h", 1, NULL, NULL },
	{ "a%d", "x", "h", 1, NULL, NULL },
	{ "%C", "x", "h", 1, NULL, NULL },
	{ "%{", "x", "h", 1, NULL, NULL },
	{ "%{}", "x", "h", 1, NULL, NULL },
	{ "%{OUT", "x", "h", 1, NULL, NULL },
	{ "%{1A}", "x", "h", 1, NULL, NULL },
	{ "%{A B}", "x", "h", 1, NULL, NULL },
	{ "%q", "x", "h", 1, NULL, NULL },
	{ "%qOUT", "x", "h", 1, NULL, NULL },
};

START_TEST(expands)
{
	char out[256];
	struct prof_name f = plain;

	f.command = cases[_i].command;
	f.host = cases[_i].host;
	f.pid = cases[_i].pid;
	f.launch = cases[_i].launch;
	int n = prof_name_expand(out, sizeof(out), cases[_i].pattern, &f);

	if (!cases[_i].want) {
		ck_assert_int_eq(n, -EINVAL);
		ck_assert_str_eq(out, "");
		return;
	}
	ck_assert_str_eq(out, cases[_i].want);
	ck_assert_int_eq(n, (int)strlen(out));
}
END_TEST

/* All but the process id is known: the rest is for a second expansion. */
START_TEST(expands_twice)
{
	char once[256], twice[256];
	struct prof_name f = plain;

	f.later = true;
	f.command = "100%p";
	ck_assert_int_gt(prof_name_expand(once, sizeof(once), "%{OUT}/%c%%%r-%p", &f), 0);
	ck_assert_str_eq(once, "/scratch/%%p/out/100%%p%%12-%p");
	f = (struct prof_name){ .pid = 7 };
	ck_assert_int_gt(prof_name_expand(twice, sizeof(twice), once, &f), 0);
	ck_assert_str_eq(twice, "/scratch/%p/out/100%p%12-7");
}
END_TEST

static const struct {
	uint64_t s;
	const char *text;
} times[] = {
	{ 0, "19700101T000000Z" },
	{ 68169600, "19720229T000000Z" },
	{ 951782400, "20000229T000000Z" },
	{ 1795000000, "20261118T110640Z" },
	{ 4107542400, "21000301T000000Z" }, /* no leap year */
	{ UINT64_MAX, NULL },
};

START_TEST(tells_the_time)
{
	char out[32];
	const struct prof_name f = { .time_s = times[_i].s };

	ck_assert_int_eq(prof_name_expand(out, sizeof(out), "%t", &f), 16);
	if (times[_i].text)
		ck_assert_str_eq(out, times[_i].text);
}
END_TEST

START_TEST(variables_are_not_cut)
{
	char name[200], out[512];
	const struct prof_name f = { .variable = variable };

	ck_assert_int_eq(prof_name_expand(out, 10, "%{OUT}", &f), -ENAMETOOLONG);
	memset(name, 'A', sizeof(name));
	memcpy(name, "%{", 2);
	memcpy(name + 198, "}", 2);
	ck_assert_int_eq(prof_name_expand(out, sizeof(out), name, &f), -EINVAL);
}
END_TEST

START_TEST(absolute_paths)
{
	ck_assert(prof_name_is_absolute("/x", NULL));
	ck_assert(!prof_name_is_absolute("x", variable));
	ck_assert(!prof_name_is_absolute("", variable));
	ck_assert(prof_name_is_absolute("%{OUT}/x", variable));
	ck_assert(prof_name_is_absolute("%q{OUT}/x", variable));
	ck_assert(!prof_name_is_absolute("%{OUT}/x", NULL));
	ck_assert(!prof_name_is_absolute("%{N_1}/x", variable));
	ck_assert(!prof_name_is_absolute("%{OUT", variable));
	ck_assert(!prof_name_is_absolute("%c", variable));
	ck_assert(!prof_name_is_absolute("%", variable));
}
END_TEST

START_TEST(names_of_all_ranks)
{
	static const char *const shared[] = { "x", "%c.%h-%j_%a.%s%%r-%t", "", "%", "a%" };
	static const char *const own[] = { "%p", "x%r", "x%R.y", "%h.%l", "%{N}", "%q{N}", "%%%r" };

	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		ck_assert(prof_name_is_shared(shared[i]));
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		ck_assert(!prof_name_is_shared(own[i]));
}
END_TEST

static const struct {
	struct prof_launch launch;
	uint32_t run;
	const char *want;
} folders[] = {
	{ { .rank = "1", .step = "2" }, 0, "" },
	{ { .rank = "1", .step = "2" }, 3, "" },
	{ { .job = "1" }, 0, "omphwc.%j" },
	{ { .job = "1", .step = "0" }, 0, "omphwc.%j.%s" },
	{ { .job = "1", .step = "0" }, 7, "omphwc.%j.run7" },
	{ { .job = "1", .array_task = "2" }, 0, "omphwc.%j_%a" },
	{ { .job = "1", .array_task = "2147483647", .restart = "2147483647", .step = "1" },
	  UINT32_MAX,
	  "omphwc.%j_%a.restart2147483647.run4294967295" },
};

START_TEST(a_folder_for_each_step)
{
	char out[PROF_NAME_DEFAULT_BYTES], all[PROF_NAME_DEFAULT_BYTES];

	prof_name_folder(out, &folders[_i].launch, folders[_i].run);
	ck_assert_str_eq(out, folders[_i].want);
	prof_name_default(all, &folders[_i].launch);
	if (!*folders[_i].want)
		ck_assert_str_eq(all, PROF_NAME_DEFAULT);
	else if (folders[_i].run == 0)
		ck_assert_str_eq(all, strcat(out, "/" PROF_NAME_OF_JOB));
}
END_TEST

/* Every size smaller than what is needed is refused, and nothing past it is
   touched. */
START_TEST(fits_or_is_refused)
{
	char out[64];
	const size_t need = strlen("solve.node7-4711.omphwc") + 1;

	for (size_t bytes = 0; bytes <= need; bytes++) {
		memset(out, '#', sizeof(out));
		ck_assert_int_eq(prof_name_expand(out, bytes, PROF_NAME_DEFAULT, &plain),
				 bytes < need ? -ENAMETOOLONG : (int)need - 1);
		for (size_t i = bytes; i < sizeof(out); i++)
			ck_assert_int_eq(out[i], '#');
		if (bytes > 0 && bytes < need)
			ck_assert_str_eq(out, "");
	}
}
END_TEST

START_TEST(cuts_long_fields_between_characters)
{
	char command[302], out[512];
	struct prof_name f = { .command = command, .host = "h", .pid = 1 };

	memset(command, 'x', sizeof(command) - 1);
	command[301] = '\0';
	ck_assert_int_eq(prof_name_expand(out, sizeof(out), "%c", &f), 100);
	/* An e with an acute accent whose second byte would be the 101st. */
	command[99] = '\xc3';
	command[100] = '\xa9';
	ck_assert_int_eq(prof_name_expand(out, sizeof(out), "%c", &f), 99);
}
END_TEST

START_TEST(tags)
{
	char out[32];

	ck_assert_int_eq(prof_name_tag(out, sizeof(out), "a.omphwc", "-2"), 0);
	ck_assert_str_eq(out, "a-2.omphwc");
	ck_assert_int_eq(prof_name_tag(out, sizeof(out), "a.prof", "-2"), 0);
	ck_assert_str_eq(out, "a.prof-2");
	ck_assert_int_eq(prof_name_tag(out, sizeof(out), ".omphwc", "-2"), 0);
	ck_assert_str_eq(out, ".omphwc-2");
	ck_assert_int_eq(prof_name_tag(out, 11, "a.omphwc", "-2"), 0);
	ck_assert_int_eq(prof_name_tag(out, 10, "a.omphwc", "-2"), -ENAMETOOLONG);
}
END_TEST

static int memory;
static char manifest[64];

static int manifest_as(const char *name, mode_t mode)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, mode), 0);
	snprintf(manifest, sizeof(manifest), "/proc/%d/fd/%d:%s", (int)getpid(), fd, name);
	return fd;
}

static void manifest_new(void)
{
	memory = manifest_as("of-this-run", 0600);
}

static void manifest_gone(void)
{
	close(memory);
}

/* The list, its NULs shown as bars. */
static const char *listed(void)
{
	static char text[512];
	ssize_t n = pread(memory, text, sizeof(text) - 1, 0);

	ck_assert_int_ge(n, 0);
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == '\0')
			text[i] = '|';
	text[n] = '\0';
	return text;
}

START_TEST(lists_paths_and_failures)
{
	int err = 0;

	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x"), 0);
	ck_assert_int_eq(prof_manifest_fail(manifest, "/d/y", ENOSPC), 0);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/z"), 0);
	ck_assert_str_eq(listed(), "|/d/x||!28 /d/y||/d/z|");
	ck_assert_str_eq(prof_manifest_failure("!28 /d/y", &err), "/d/y");
	ck_assert_int_eq(err, ENOSPC);
	ck_assert_ptr_null(prof_manifest_failure("/d/y", &err));
	ck_assert_ptr_null(prof_manifest_failure("!", &err));
	ck_assert_ptr_null(prof_manifest_failure("!99999999999 /d/y", &err));
}
END_TEST

START_TEST(makes_no_list)
{
	char lengthy[5000];

	close(memory);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x"), -ENOENT);
	ck_assert_int_eq(prof_manifest_add("/proc/self/fd/9", "/d/x"), -ENOENT);
	memset(lengthy, 'a', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	ck_assert_int_eq(prof_manifest_add(manifest, lengthy), -ENAMETOOLONG);
	ck_assert_int_eq(prof_manifest_fail(manifest, lengthy, 1), -ENAMETOOLONG);
}
END_TEST

/* What another process may have under the number by then: nothing of it is touched. */
START_TEST(takes_no_manifest_of_others)
{
	const char *const file = "/tmp/check_name.file";
	struct stat st;
	int fd = -1;

	close(memory);
	switch (_i) {
	case 0: fd = memfd_create("of-another", MFD_CLOEXEC); break;
	case 1: fd = memfd_create("of-this-run-too", MFD_CLOEXEC); break;
	case 2: fd = memfd_create("of-this", MFD_CLOEXEC); break;
	case 3: fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600); break;
	case 4: fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); break;
	case 5: fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC); break;
	}
	ck_assert_int_eq(fd, memory);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x.omphwc"), -ENOENT);
	ck_assert_int_eq(fstat(fd, &st), 0);
	if (_i < 4)
		ck_assert_int_eq(st.st_size, 0);
	unlink(file);
}
END_TEST

START_TEST(takes_none_that_others_could_write)
{
	close(memory);
	memory = manifest_as("of-this-run", 0620);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x.omphwc"), -EACCES);
	ck_assert_str_eq(listed(), "");
	if (geteuid() != 0)
		return;
	ck_assert_int_eq(fchmod(memory, 0600), 0);
	ck_assert_int_eq(fchown(memory, 65534, 0), 0);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x.omphwc"), -EACCES);
}
END_TEST

/* SIGXFSZ would end the test.  Check's own files are limited too: nothing is
   asserted meanwhile. */
START_TEST(never_raises_a_signal)
{
	struct rlimit r = { 0, RLIM_INFINITY };
	int added = 0, err = 0;

	r.rlim_cur = 3 * 4096;
	setrlimit(RLIMIT_FSIZE, &r);
	while (added < 10000 && err == 0) {
		err = prof_manifest_add(manifest, "/folder/profile");
		added += err == 0;
	}
	r.rlim_cur = 1;
	setrlimit(RLIMIT_FSIZE, &r);
	int none = prof_manifest_fail(manifest, "/folder/profile", 1);
	r.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &r);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_int_gt(added, 100);
	ck_assert_int_eq(none, -EFBIG);
}
END_TEST

START_TEST(seconds)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} all[] = {
		{ "0", 0 },
		{ "2", 2000000000 },
		{ "2.5", 2500000000 },
		{ ".25", 250000000 },
		{ "0.0000000019", 1 },
		{ "1000000000", UINT64_C(1000000000000000000) },
	};
	static const char *const none[] = {
		"", ".", "2.", "-1", "1e3", "2s", "2.5.1", "1000000001"
	};
	uint64_t ns;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		ck_assert(digits_seconds(all[i].text, &ns));
		ck_assert_uint_eq(ns, all[i].ns);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		ck_assert(!digits_seconds(none[i], &ns));
		ck_assert_uint_eq(ns, 0);
	}
}
END_TEST

START_TEST(digits)
{
	char out[DIGITS_MAX + 1];
	uint64_t n;

	*digits_put(out, UINT64_MAX, 10) = '\0';
	ck_assert_str_eq(out, "18446744073709551615");
	ck_assert_ptr_eq(digits_get(out, &n, 10), out + 20);
	ck_assert_uint_eq(n, UINT64_MAX);
	*digits_put(out, 0xbeef0, 16) = '\0';
	ck_assert_str_eq(out, "beef0");
	*digits_put(out, 0, 16) = '\0';
	ck_assert_str_eq(out, "0");
	ck_assert_ptr_null(digits_get("18446744073709551616", &n, 10));
	ck_assert_ptr_null(digits_get("", &n, 10));
	ck_assert_ptr_null(digits_get("x", &n, 16));
	ck_assert_ptr_nonnull(digits_get("1a", &n, 10));
	ck_assert_uint_eq(n, 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("name");
	TCase *name = tcase_create("name"), *claim = tcase_create("manifest");

	tcase_add_loop_test(name, expands, 0, (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(name, expands_twice);
	tcase_add_loop_test(name, tells_the_time, 0, (int)(sizeof(times) / sizeof(*times)));
	tcase_add_test(name, variables_are_not_cut);
	tcase_add_test(name, absolute_paths);
	tcase_add_test(name, names_of_all_ranks);
	tcase_add_loop_test(name, a_folder_for_each_step, 0,
			    (int)(sizeof(folders) / sizeof(*folders)));
	tcase_add_test(name, fits_or_is_refused);
	tcase_add_test(name, cuts_long_fields_between_characters);
	tcase_add_test(name, tags);
	tcase_add_test(name, digits);
	tcase_add_test(name, seconds);
	suite_add_tcase(s, name);
	tcase_add_checked_fixture(claim, manifest_new, manifest_gone);
	tcase_add_test(claim, lists_paths_and_failures);
	tcase_add_test(claim, makes_no_list);
	tcase_add_test(claim, never_raises_a_signal);
	tcase_add_loop_test(claim, takes_no_manifest_of_others, 0, 6);
	tcase_add_test(claim, takes_none_that_others_could_write);
	suite_add_tcase(s, claim);
	return suite_main(s);
}
