/*
 * check_name.c - the profile's name, and who may have it.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/profile/manifest.h"
#include "src/profile/name.h"

static const struct prof_name plain = {
	.command = "/opt/bin/solve", .host = "node7", .pid = 4711, .rank = "12",
};

static const struct {
	const char *pattern;
	struct prof_name fields;
	const char *want;	/* NULL: -EINVAL */
} cases[] = {
	{PROF_NAME_DEFAULT, {"/opt/bin/solve", "node7", 4711, "12"}, "solve.node7-4711.omphwc"},
	{"out", {"solve", "node7", 1, NULL}, "out"},
	{"/a/%r/%c", {"./x", "h", 1, "3"}, "/a/3/x"},
	{"%r", {"x", "h", 1, NULL}, "none"},
	{"%r", {"x", "h", 1, ""}, "none"},
	{"%c-%h", {NULL, "", 1, NULL}, "unknown-unknown"},
	{"%c", {"/bin/", "h", 1, NULL}, "unknown"},
	{"%h", {"x", "a/../b", 1, NULL}, "a_.._b"},
	{"%%%p%%", {"x", "h", 4294967295u, NULL}, "%4294967295%"},
	{"%p", {"x", "h", 0, NULL}, "0"},
	{"%c", {"a%p", "h", 1, NULL}, "a%p"},
	{"", {"x", "h", 1, NULL}, NULL},
	{"a%", {"x", "h", 1, NULL}, NULL},
	{"a%d", {"x", "h", 1, NULL}, NULL},
	{"%C", {"x", "h", 1, NULL}, NULL},
};

START_TEST(expands)
{
	char out[256];
	int n = prof_name_expand(out, sizeof(out), cases[_i].pattern, &cases[_i].fields);

	if (!cases[_i].want) {
		ck_assert_int_eq(n, -EINVAL);
		ck_assert_str_eq(out, "");
		return;
	}
	ck_assert_str_eq(out, cases[_i].want);
	ck_assert_int_eq(n, (int)strlen(out));
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
	struct prof_name f = {.command = command, .host = "h", .pid = 1};

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

static char manifest[] = "/tmp/check_name-XXXXXX";

static void manifest_new(void)
{
	int fd;

	strcpy(manifest + sizeof(manifest) - 7, "XXXXXX");
	fd = mkstemp(manifest);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void manifest_gone(void)
{
	unlink(manifest);
}

static void claims(const char *path, uint32_t pid, const char *want)
{
	char name[128];

	strcpy(name, path);
	ck_assert_int_eq(prof_manifest_claim(manifest, name, sizeof(name), pid), 0);
	ck_assert_str_eq(name, want);
}

START_TEST(gives_each_its_own_name)
{
	claims("/d/x.omphwc", 10, "/d/x.omphwc");
	claims("/d/x.omphwc", 11, "/d/x-11.omphwc");
	claims("/d/x.omphwc", 11, "/d/x-11-2.omphwc");
	claims("/d/x", 12, "/d/x");
	claims("/d/x", 13, "/d/x-13");
	claims("/d/app.h-14.omphwc", 14, "/d/app.h-14.omphwc");
	claims("/d/app.h-14.omphwc", 14, "/d/app.h-14-2.omphwc");
	claims("/d/app.h-14.omphwc", 14, "/d/app.h-14-3.omphwc");
}
END_TEST

START_TEST(leaves_the_path_alone_without_a_manifest)
{
	char name[16] = "/d/x.omphwc";

	unlink(manifest);
	ck_assert_int_eq(prof_manifest_claim(manifest, name, sizeof(name), 1), -ENOENT);
	ck_assert_str_eq(name, "/d/x.omphwc");
	ck_assert_int_ne(access(manifest, F_OK), 0);
}
END_TEST

START_TEST(leaves_the_path_alone_without_room)
{
	char name[12] = "/d/x.omphwc";

	claims(name, 1, "/d/x.omphwc");
	ck_assert_int_eq(prof_manifest_claim(manifest, name, sizeof(name), 2), -ENAMETOOLONG);
	ck_assert_str_eq(name, "/d/x.omphwc");
}
END_TEST

START_TEST(reads_no_more_than_is_there)
{
	int fd = open(manifest, O_WRONLY | O_APPEND);

	/* Half a path, as a full disk would leave it. */
	ck_assert_int_eq(write(fd, "/d/y", 4), 4);
	close(fd);
	claims("/d/x.omphwc", 1, "/d/x.omphwc");
	claims("/d/x.omphwc", 2, "/d/x-2.omphwc");
}
END_TEST

/* Each of many claims at once the same name: the names are all different. */
START_TEST(settles_a_race)
{
	enum { PROCESSES = 8, ROUNDS = 50 };
	char (*names)[64];
	int out[2];

	ck_assert_int_eq(pipe(out), 0);
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		for (int r = 0; r < ROUNDS; r++) {
			char name[64];

			memset(name, 0, sizeof(name));
			snprintf(name, sizeof(name), "/d/%d.omphwc", r);
			if (prof_manifest_claim(manifest, name, sizeof(name), (uint32_t)i) != 0 ||
			    write(out[1], name, sizeof(name)) != sizeof(name))
				_exit(1);
		}
		_exit(0);
	}
	close(out[1]);
	names = calloc(PROCESSES * ROUNDS, sizeof(*names));
	for (int n = 0; n < PROCESSES * ROUNDS; n++) {
		ck_assert_int_eq(read(out[0], names[n], sizeof(*names)), (int)sizeof(*names));
		for (int i = 0; i < n; i++)
			ck_assert_str_ne(names[i], names[n]);
	}
	free(names);
	close(out[0]);
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("name");
	TCase *name = tcase_create("name"), *claim = tcase_create("manifest");
	SRunner *runner = srunner_create(s);
	int failed;

	tcase_add_loop_test(name, expands, 0, (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(name, fits_or_is_refused);
	tcase_add_test(name, cuts_long_fields_between_characters);
	tcase_add_test(name, tags);
	suite_add_tcase(s, name);
	tcase_add_checked_fixture(claim, manifest_new, manifest_gone);
	tcase_add_test(claim, gives_each_its_own_name);
	tcase_add_test(claim, leaves_the_path_alone_without_a_manifest);
	tcase_add_test(claim, leaves_the_path_alone_without_room);
	tcase_add_test(claim, reads_no_more_than_is_there);
	tcase_add_test(claim, settles_a_race);
	suite_add_tcase(s, claim);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
