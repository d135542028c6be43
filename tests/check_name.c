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
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/digits.h"
#include "src/profile/manifest.h"
#include "src/profile/name.h"

static const struct prof_name plain = {
	.command = "/opt/bin/solve",
	.host = "node7",
	.pid = 4711,
	.rank = "12",
};

static const struct {
	const char *pattern;
	struct prof_name fields;
	const char *want; /* NULL: -EINVAL */
} cases[] = {
	{ PROF_NAME_DEFAULT, { "/opt/bin/solve", "node7", 4711, "12" }, "solve.node7-4711.omphwc" },
	{ "out", { "solve", "node7", 1, NULL }, "out" },
	{ "/a/%r/%c", { "./x", "h", 1, "3" }, "/a/3/x" },
	{ "%r", { "x", "h", 1, NULL }, "none" },
	{ "%r", { "x", "h", 1, "" }, "none" },
	{ "%c-%h", { NULL, "", 1, NULL }, "unknown-unknown" },
	{ "%c", { "/bin/", "h", 1, NULL }, "unknown" },
	{ "%h", { "x", "a/../b", 1, NULL }, "a_.._b" },
	{ "%%%p%%", { "x", "h", 4294967295u, NULL }, "%4294967295%" },
	{ "%p", { "x", "h", 0, NULL }, "0" },
	{ "%c", { "a%p", "h", 1, NULL }, "a%p" },
	{ "", { "x", "h", 1, NULL }, NULL },
	{ "a%", { "x", "h", 1, NULL }, NULL },
	{ "a%d", { "x", "h", 1, NULL }, NULL },
	{ "%C", { "x", "h", 1, NULL }, NULL },
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

static char folder[32], manifest[64];

static void manifest_new(void)
{
	int fd;

	strcpy(folder, "/tmp/check_name-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(manifest, sizeof(manifest), "%s/profiles", folder);
	fd = open(manifest, O_WRONLY | O_CREAT | O_EXCL, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void manifest_gone(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* The list, its NULs shown as bars. */
static const char *listed(void)
{
	static char text[512];
	int fd = open(manifest, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	ck_assert_int_ge(n, 0);
	close(fd);
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

	unlink(manifest);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x"), -ENOENT);
	ck_assert_int_ne(access(manifest, F_OK), 0);
	memset(lengthy, 'a', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	ck_assert_int_eq(prof_manifest_add(manifest, lengthy), -ENAMETOOLONG);
	ck_assert_int_eq(prof_manifest_fail(manifest, lengthy, 1), -ENAMETOOLONG);
}
END_TEST

/* What may be found under the name after the run, made by others. */
static const struct {
	const char *made_by; /* of $d, the folder */
	int ret;
	bool as_root;
} impostors[] = {
	{ "true", 0, false },
	{ "mv $d/profiles $d/mine; ln -s mine $d/profiles", -ELOOP, false },
	{ "ln $d/profiles $d/mine", -EACCES, false },
	{ "rm $d/profiles; mkfifo $d/profiles", -ENXIO, false },
	{ "rm $d/profiles; mkdir $d/profiles", -EISDIR, false },
	{ "chmod go+w $d/profiles", -EACCES, false },
	{ "chmod 0777 $d", -EACCES, false },
	{ "chmod 1777 $d", -EACCES, false },
	{ "mkdir $d/real; mv $d/profiles $d/real; mv $d $d-r; ln -s $d-r/real $d", -ENOTDIR,
	  false },
	{ "chown 65534 $d/profiles", -EACCES, true },
	{ "chown 65534 $d", -EACCES, true },
};

START_TEST(takes_no_manifest_of_others)
{
	char command[256];

	if (impostors[_i].as_root && geteuid() != 0)
		return;
	snprintf(command, sizeof(command), "d=%s; %s", folder, impostors[_i].made_by);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(prof_manifest_add(manifest, "/d/x.omphwc"), impostors[_i].ret);
	snprintf(command, sizeof(command), "rm -rf %s-r", folder);
	ck_assert_int_eq(system(command), 0);
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
	SRunner *runner = srunner_create(s);
	int failed;

	tcase_add_loop_test(name, expands, 0, (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(name, fits_or_is_refused);
	tcase_add_test(name, cuts_long_fields_between_characters);
	tcase_add_test(name, tags);
	tcase_add_test(name, digits);
	suite_add_tcase(s, name);
	tcase_add_checked_fixture(claim, manifest_new, manifest_gone);
	tcase_add_test(claim, lists_paths_and_failures);
	tcase_add_test(claim, makes_no_list);
	tcase_add_test(claim, never_raises_a_signal);
	tcase_add_loop_test(claim, takes_no_manifest_of_others, 0,
			    sizeof(impostors) / sizeof(impostors[0]));
	suite_add_tcase(s, claim);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
