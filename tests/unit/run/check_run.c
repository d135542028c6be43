/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_run.c - the parts of run that can be tested without starting a program:
 * environment, private folder, loader's answers, symbols, the program's file.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/profile/format.h"
#include "src/profile/launch.h"
#include "src/profile/local.h"
#include "src/profile/manifest.h"
#include "src/run/announced.h"
#include "src/run/child.h"
#include "src/run/elfsyms.h"
#include "src/run/env.h"
#include "src/run/links.h"
#include "src/run/loader.h"
#include "src/run/node.h"
#include "src/run/private.h"
#include "src/run/sample_cost.h"
#include "src/run/target.h"
#include "src/run/tidy.h"
#include "tests/support/mkprofile.h"
#include "tests/support/suite_main.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An empty folder in which each test runs; and one that nobody else could have
   made, or "" where this user has none such. */
static char folder[64], own[PATH_MAX];

static void make_own(void)
{
	const char *const places[] = { ".", getenv("HOME") };
	char real[PATH_MAX];

	own[0] = '\0';
	for (size_t i = 0; i < COUNT(places) && !own[0]; i++)
		if (places[i] && private_check(places[i], real) == 0) {
			snprintf(own, sizeof(own), "%.4000s/check_run-XXXXXX", real);
			if (!mkdtemp(own))
				own[0] = '\0';
		}
}

static void enter(void)
{
	make_own();
	strcpy(folder, "/tmp/check_run-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	setenv("TMPDIR", own, 1);
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_RUNTIME_DIR");
	unsetenv("XDG_CACHE_HOME");
}

static void leave(void)
{
	char command[3 * PATH_MAX];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "chmod -R u+rwx %s %s; rm -rf %s %s", folder, own,
		 folder, own);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(chmod(name, mode), 0);
}

/* ---- environment ----------------------------------------------------- */

START_TEST(environment)
{
	char *from[] = { (char[]){ "A=1" }, (char[]){ "AB=2" }, (char[]){ "EMPTY=" },
			 (char[]){ "A=3" }, NULL };
	struct env e;

	env_copy(&e, from);
	ck_assert_str_eq(env_get(&e, "AB"), "2");
	ck_assert_ptr_null(env_get(&e, "B"));
	env_set(&e, "AB", "new");
	ck_assert_str_eq(env_get(&e, "AB"), "new");
	env_set(&e, "C", "");
	ck_assert_str_eq(env_get(&e, "C"), "");
	ck_assert_ptr_null(e.list[e.n]);
	env_prepend(&e, "AB", "x", ':');
	ck_assert_str_eq(env_get(&e, "AB"), "x:new");
	env_prepend(&e, "EMPTY", "x", ':');
	ck_assert_str_eq(env_get(&e, "EMPTY"), "x");
	env_prepend(&e, "D", "x", ':');
	ck_assert_str_eq(env_get(&e, "D"), "x");
	env_unset(&e, "A"); /* both of them */
	ck_assert_ptr_null(env_get(&e, "A"));
	ck_assert_uint_eq(e.n, 4);
	ck_assert_ptr_null(e.list[e.n]);
	ck_assert_str_eq(from[0], "A=1");
	env_free(&e);
}
END_TEST

/* ---- private folder -------------------------------------------------- */

/* Files' names have whatever characters somebody put there. */
START_TEST(messages_are_made_harmless)
{
	const int old = dup(STDERR_FILENO), out = memfd_create("stderr", MFD_CLOEXEC);
	char text[256] = "";

	ck_assert_int_ge(out, 0);
	ck_assert_int_ge(dup2(out, STDERR_FILENO), 0);
	message_parts("a\x1b[2J\nb",
		      "c\xc2\x9b"
		      "d\x9b"
		      "e",
		      "\xc3\xa4\x7f");
	ck_assert_int_ge(dup2(old, STDERR_FILENO), 0);
	ck_assert_int_gt(pread(out, text, sizeof(text) - 1, 0), 0);
	ck_assert_str_eq(text, "ompcount: a\\033[2J\\012b: c\\302\\233d\\233e: \xc3\xa4\\177\n");
	close(out);
	close(old);
}
END_TEST

static const struct {
	const char *made_by; /* in the folder own */
	const char *path;
	int ret;
	bool as_root;
} privates[] = {
	{ "mkdir a", "a", 0, false },
	{ "mkdir -m 0755 a", "a", 0, false },
	{ "mkdir -p a/b/c", "a/b/../b/c/", 0, false },
	{ "mkdir -p a/b; ln -s a/b l", "l", 0, false },
	{ "mkdir -m 0775 a", "a", -EACCES, false },
	{ "mkdir -m 0777 a", "a", -EACCES, false },
	{ "mkdir -m 1777 a", "a", -EACCES, false },
	{ "mkdir -p a/b; chmod 1777 a", "a/b", -EACCES, false },
	{ "mkdir -p a/b; chmod 1777 a; ln -s a/b l", "l", -EACCES, false },
	{ ": >a", "a", -ENOTDIR, false },
	{ "true", "a", -ENOENT, false },
	{ "mkdir a; chown 65534 a", "a", -EACCES, true },
	{ "mkdir -p a/b; chown 65534 a", "a/b", -EACCES, true },
};

START_TEST(knows_private_folders)
{
	char real[PATH_MAX], want[PATH_MAX];

	if (!own[0] || (privates[_i].as_root && geteuid() != 0))
		return;
	ck_assert_int_eq(chdir(own), 0);
	ck_assert_int_eq(system(privates[_i].made_by), 0);
	ck_assert_int_eq(private_check(privates[_i].path, real), privates[_i].ret);
	ck_assert_ptr_nonnull(realpath(privates[_i].ret ? "." : privates[_i].path, want));
	if (privates[_i].ret == 0)
		ck_assert_str_eq(real, want);
	ck_assert_int_eq(private_check("/", real), 0);
	ck_assert_str_eq(real, "/");
	ck_assert_int_eq(private_check("/tmp", real), -EACCES);
}
END_TEST

/* What a user sees in a namespace of its own: below a root that looks like nobody's.
   0; 1 for a wrong answer; 77 where it can't be tried. */
static int in_a_container(bool mapped)
{
	char real[PATH_MAX];
	int fd;

	if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/mnt", "tmpfs", 0, "mode=0755") != 0 || mkdir("/mnt/own", 0700) != 0 ||
	    chown("/mnt/own", 1234, 1234) != 0 || mkdir("/mnt/other", 0755) != 0 ||
	    mkdir("/mnt/other/own", 0700) != 0 || chown("/mnt/other/own", 1234, 1234) != 0 ||
	    chown("/mnt/other", 5678, 5678) != 0 || setresuid(1234, 1234, 1234) != 0 ||
	    unshare(CLONE_NEWUSER) != 0)
		return 77;
	prctl(PR_SET_DUMPABLE, 1);
	fd = open("/proc/self/uid_map", O_WRONLY);
	if (mapped && (fd < 0 || write(fd, "1234 1234 1", 11) != 11))
		return 77;
	close(fd);
	return private_check("/mnt/own", real) != (mapped ? 0 : -EACCES) ||
	       private_check("/mnt/other/own", real) != -EACCES;
}

START_TEST(knows_private_folders_in_containers)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(in_a_container(_i));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		printf("private folders in containers: not tried\n");
	else
		ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

START_TEST(memory_for_what_is_announced)
{
	struct announced a;
	char *colon;

	ck_assert_int_eq(announced_open(&a), 0);
	ck_assert_int_ge(a.fd, 3);
	ck_assert_int_eq(prof_manifest_add(a.manifest, "/a"), 0);
	ck_assert_int_eq(lseek(a.fd, 0, SEEK_END), 4);
	colon = strrchr(a.manifest, ':');
	ck_assert_ptr_nonnull(colon);
	*colon = '\0';
	ck_assert_int_eq(access(a.manifest, F_OK), 0);
	announced_close(&a);
	announced_close(&a);
}
END_TEST

START_TEST(makes_links)
{
	char made[PATH_MAX], again[PATH_MAX], folder_of[PATH_MAX], to[32] = "";
	struct stat st;

	if (!own[0])
		return;
	setenv("XDG_CACHE_HOME", own, 1);
	ck_assert_int_eq(links_make(made, "/x y/liba.so"), 0);
	ck_assert_int_eq(strncmp(made, own, strlen(own)), 0);
	ck_assert_str_eq(strrchr(made, '/'), "/liba.so");
	ck_assert_int_eq(readlink(made, to, sizeof(to)), 12);
	ck_assert_str_eq(to, "/x y/liba.so");
	strcpy(folder_of, made);
	*strrchr(folder_of, '/') = '\0';
	ck_assert_int_eq(stat(folder_of, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0700);
	/* There for ever, and what is missing or wrong is noticed. */
	ck_assert_int_eq(unlink(made), 0);
	ck_assert_int_eq(links_make(again, "/x y/liba.so"), 0);
	ck_assert_str_eq(made, again);
	ck_assert_int_gt(readlink(made, to, sizeof(to)), 0);
	ck_assert_int_eq(links_make(again, "/y y/liba.so"), 0);
	ck_assert_str_ne(made, again);
	ck_assert_int_eq(unlink(made), 0);
	ck_assert_int_eq(symlink("/z", made), 0);
	ck_assert_int_lt(links_make(again, "/x y/liba.so"), 0);
	ck_assert_int_eq(chmod(own, 01777), 0);
	ck_assert_int_lt(links_make(again, "/y y/liba.so"), 0);
}
END_TEST

/* The loader would take these apart. */
START_TEST(makes_links_elsewhere)
{
	static const char *const bad[] = { "a b", "a:b", "a;b", "$LIB" };
	char where[PATH_MAX + 64], made[PATH_MAX];

	if (!own[0])
		return;
	snprintf(where, sizeof(where), "%s/%s", own, bad[_i]);
	setenv("XDG_CACHE_HOME", where, 1);
	ck_assert_int_lt(links_make(made, "/x y/liba.so"), 0);
	setenv("XDG_RUNTIME_DIR", own, 1);
	ck_assert_int_eq(links_make(made, "/x y/liba.so"), 0);
	ck_assert_ptr_null(strstr(made, bad[_i]));
	snprintf(where, sizeof(where), "/x/%s.so", bad[_i]);
	ck_assert_int_lt(links_make(made, where), 0);
}
END_TEST

START_TEST(manifest_is_read_once_each)
{
	static const char text[] = "\0/a\0\0/b\0\0/a\0\0/c\0";
	struct announced s;
	char **paths;
	size_t n;

	ck_assert_int_eq(announced_open(&s), 0);
	paths = announced_profiles(&s, &n);
	ck_assert_ptr_null(paths);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(write(s.fd, text, sizeof(text) - 1), sizeof(text) - 1);
	ck_assert_int_eq(write(s.fd, "\0/half", 6), 6);
	paths = announced_profiles(&s, &n);
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(paths[0], "/a");
	ck_assert_str_eq(paths[1], "/b");
	ck_assert_str_eq(paths[2], "/c");
	for (size_t i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
	announced_close(&s);
}
END_TEST

static int saves;

static bool save_later(void *arg)
{
	(void)arg;
	return ++saves > 1;
}

/* A signal announces the end while an earlier copy is being made: that lacks what came since. */
START_TEST(a_copy_that_was_not_made_is_made_later)
{
	char name[] = "sleep", time[] = "1.7", *const argv[] = { name, time, NULL };
	struct child c;

	saves = 0;
	child_hold(&c);
	c.save = save_later;
	c.save_every_ns = UINT64_C(3600000000000);
	ck_assert_int_eq(child_start(&c, "/bin/sleep", argv, environ), 0);
	kill(getpid(), SIGUSR1);
	ck_assert_int_eq(child_wait(&c), 0);
	child_release(&c);
	ck_assert_int_eq(saves, 2);
}
END_TEST

/* ---- what ranks share on a node --------------------------------------- */

static const struct prof_launch rank_of_many = {
	.rank = "3", .size = "8", .job = "7", .step = "0"
};
static int asked;

static char *answer(void *arg)
{
	asked++;
	return strdup(arg);
}

static void share_in(char where[PATH_MAX])
{
	ck_assert_ptr_nonnull(getcwd(where, PATH_MAX));
	setenv("TMPDIR", where, 1);
	unsetenv("SLURM_TMPDIR");
}

START_TEST(ranks_share_a_node)
{
	const struct prof_launch alone = { .rank = "0", .size = "1", .job = "7" };
	char where[PATH_MAX], known[PATH_MAX], text[] = "0 text", **paths;
	struct node first, second, none;
	size_t n;

	share_in(where);
	node_open(&none, &alone);
	ck_assert_str_eq(none.path, "");
	ck_assert_int_eq(node_add_path(&none, "/x"), -ENOENT);
	ck_assert_ptr_null(node_leave(&none, &n));
	node_open(&first, &rank_of_many);
	node_open(&second, &rank_of_many);
	ck_assert_str_eq(first.path, second.path);
	ck_assert_int_eq(strncmp(first.path, where, strlen(where)), 0);
	ck_assert(local_is_own(first.folder));
	asked = 0;
	for (int i = 0; i < 2; i++) {
		char *got = node_text(i == 0 ? &first : &second, 5, answer, text);

		ck_assert_str_eq(got, text);
		free(got);
	}
	ck_assert_int_eq(asked, 1);
	ck_assert_int_eq(node_add_path(&first, "/a"), 0);
	ck_assert_ptr_null(node_leave(&first, &n));
	ck_assert_ptr_null(node_leave(&first, &n));
	ck_assert_int_eq(node_add_path(&second, "/b"), 0);
	strcpy(known, second.folder);
	paths = node_leave(&second, &n);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(paths[0], "/a");
	ck_assert_str_eq(paths[1], "/b");
	for (size_t i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
	ck_assert_int_ne(access(known, F_OK), 0);
}
END_TEST

/* Whoever is the last gets all that was added since there was a last one before. */
START_TEST(ranks_share_it_in_a_crowd)
{
	enum { PROCESSES = 8, ROUNDS = 40 };
	char where[PATH_MAX];
	int out[2], status;
	size_t got, sum = 0;

	share_in(where);
	ck_assert_int_eq(pipe(out), 0);
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		for (int r = 0; r < ROUNDS; r++) {
			struct node node;
			char path[32];
			size_t n;

			node_open(&node, &rank_of_many);
			snprintf(path, sizeof(path), "/%d-%d", i, r);
			if (node_add_path(&node, path) != 0)
				_exit(1);
			node_leave(&node, &n);
			if (n != 0 && write(out[1], &n, sizeof(n)) != sizeof(n))
				_exit(2);
		}
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	close(out[1]);
	while (read(out[0], &got, sizeof(got)) == sizeof(got))
		sum += got;
	ck_assert_uint_eq(sum, PROCESSES * ROUNDS);
	close(out[0]);
}
END_TEST

START_TEST(ranks_that_were_killed_share_nothing)
{
	struct prof_launch other = rank_of_many;
	struct node dead, node;
	char where[PATH_MAX];
	size_t n;

	share_in(where);
	if (fork() == 0) {
		node_open(&dead, &rank_of_many);
		_exit(node_add_path(&dead, "/a"));
	}
	ck_assert_int_gt(wait(NULL), 0);
	strcpy(other.job, "8");
	node_open(&node, &other);
	node_open(&dead, &rank_of_many);
	ck_assert_ptr_null(node_leave(&dead, &n));
	ck_assert_uint_eq(n, 0);
	node_leave(&node, &n);
	ck_assert_int_ne(access(node.folder, F_OK), 0);
}
END_TEST

/* ---- the loader's answer --------------------------------------------- */

START_TEST(asks_the_real_loader)
{
	struct loader_list list;
	struct target self;
	char *none[] = { NULL };

	strcpy(self.path, "/proc/self/exe");
	target_inspect(&self);
	ck_assert_int_eq(self.kind, TARGET_DYNAMIC);
	/* That link would be the loader itself, once it runs. */
	ck_assert_ptr_nonnull(realpath("/proc/self/exe", self.path));
	ck_assert_int_eq(loader_ask(self.interp, self.path, none, &list), 0);
	ck_assert_int_eq(list.status, 0);
	ck_assert_int_eq(list.complaints, 0);
	ck_assert_ptr_nonnull(loader_find(&list, "libc.so.6"));
	ck_assert_int_eq(loader_find(&list, "libc.so.6")->path[0], '/');
	ck_assert_ptr_null(loader_find(&list, "libnothing.so"));
	loader_list_free(&list);
}
END_TEST

START_TEST(reads_any_answer)
{
	struct loader_list list;
	char *none[] = { NULL };

	put("loader",
	    "#!/bin/sh\n"
	    "printf '\\tlinux-vdso.so.1 (0x00007ffc)\\n'\n"
	    "printf '\\tliba.so.1 => /x y/a (0x1)/liba.so.1 (0x0000123)\\n'\n"
	    "printf '\\tlibb.so.2 => not found\\n'\n"
	    "printf '\\t/lib64/ld.so (0x00001)\\n'\n"
	    "echo \"$2: version \\`V_9' not found (required by $1)\" >&2\n"
	    "echo second >&2\n"
	    "exit 3\n",
	    0755);
	ck_assert_int_eq(loader_ask("./loader", "prog", none, &list), 0);
	ck_assert_uint_eq(list.n, 4);
	ck_assert_str_eq(list.objects[0].name, "linux-vdso.so.1");
	ck_assert_ptr_null(list.objects[0].path);
	ck_assert_str_eq(loader_find(&list, "liba.so.1")->path, "/x y/a (0x1)/liba.so.1");
	ck_assert_ptr_null(loader_find(&list, "libb.so.2")->path);
	ck_assert_str_eq(loader_find(&list, "ld.so")->path, "/lib64/ld.so");
	ck_assert_int_eq(list.complaints, 2);
	ck_assert_str_eq(list.complaint, "prog: version `V_9' not found (required by --list)");
	ck_assert_int_eq(list.status, 3);
	loader_list_free(&list);
}
END_TEST

START_TEST(asks_in_vain)
{
	struct loader_list list;
	char *none[] = { NULL };

	ck_assert_int_lt(loader_ask("./missing", "prog", none, &list), 0);
	ck_assert_uint_eq(list.n, 0);
	/* More than any list: it is not waited for. */
	put("loader", "#!/bin/sh\nexec yes\n", 0755);
	setenv("PATH", "/usr/bin:/bin", 1);
	ck_assert_int_lt(loader_ask("./loader", "prog", environ, &list), 0);
}
END_TEST

/* ---- symbols --------------------------------------------------------- */

START_TEST(symbols_of_real_files)
{
	struct loader_list list;
	struct target self;

	put("text", "no program", 0644);
	ck_assert_ptr_nonnull(realpath("/proc/self/exe", self.path));
	target_inspect(&self);
	ck_assert_int_eq(loader_ask(self.interp, self.path, environ, &list), 0);
	ck_assert(elfsyms_mentions(loader_find(&list, "libc.so.6")->path, "symlink"));
	loader_list_free(&list);
	ck_assert(elfsyms_mentions("/proc/self/exe", "symlink"));
	ck_assert(!elfsyms_mentions("/proc/self/exe", "syml"));
	ck_assert(!elfsyms_mentions("/proc/self/exe", "__tsan_init"));
	ck_assert(!elfsyms_mentions("text", "symlink"));
	ck_assert(!elfsyms_mentions("missing", "symlink"));
	ck_assert(!elfsyms_mentions(".", "symlink"));
}
END_TEST

/* ---- the program's file ---------------------------------------------- */

static struct target target;
static struct trouble said;

static void make_files(void)
{
	put("script", "#! /bin/sh -e\nexit 0\n", 0755);
	put("wrapper", "#!./script\n", 0755);
	put("loop", "#!./loop\n", 0755);
	put("text", "echo hello\n", 0755);
	put("plain", "echo hello\n", 0644);
	put("empty", "", 0755);
	put("cut", "\177ELF\2\1\1", 0755);
	ck_assert_int_eq(mkdir("dir", 0755), 0);
	ck_assert_int_eq(mkdir("bin", 0755), 0);
	ck_assert_int_eq(mkdir("bin2", 0755), 0);
	put("bin/tool", "x", 0644);
	put("bin2/tool", "echo y\n", 0755);
	ck_assert_int_eq(mkdir("bin/sub", 0755), 0);
	ck_assert_int_eq(mkfifo("fifo", 0755), 0);
}

static const struct {
	const char *name;
	int status;
	enum target_kind kind;
} targets[] = {
	{ "./script", 0, TARGET_SCRIPT },
	{ "./text", 0, TARGET_TEXT },
	{ "./empty", 0, TARGET_TEXT },
	{ "./cut", 0, TARGET_BINARY },
	{ "/proc/self/exe", 0, TARGET_DYNAMIC },
	{ "./plain", TARGET_NOT_STARTED, 0 },
	{ "./dir", TARGET_NOT_STARTED, 0 },
	{ "./fifo", TARGET_NOT_STARTED, 0 },
	{ "./missing", TARGET_NOT_FOUND, 0 },
	{ "./plain/x", TARGET_NOT_FOUND, 0 },
	{ "missing", TARGET_NOT_FOUND, 0 },
	{ "wrapper", TARGET_NOT_FOUND, 0 }, /* not in PATH */
};

START_TEST(finds_targets)
{
	make_files();
	setenv("PATH", "/usr/bin:/bin", 1);
	ck_assert_int_eq(target_find(&target, targets[_i].name, &said), targets[_i].status);
	if (targets[_i].status == 0)
		ck_assert_int_eq(target.kind, targets[_i].kind);
	else
		ck_assert_str_eq(said.what, targets[_i].name);
}
END_TEST

START_TEST(searches_path)
{
	make_files();
	setenv("PATH", "/nowhere:bin:bin2", 1);
	ck_assert_int_eq(target_find(&target, "tool", &said), 0);
	ck_assert_str_eq(target.path, "bin2/tool");
	ck_assert_int_eq(target_find(&target, "sub", &said), TARGET_NOT_FOUND);
	setenv("PATH", "bin", 1);
	ck_assert_int_eq(target_find(&target, "tool", &said), TARGET_NOT_STARTED);
	setenv("PATH", "bin:", 1); /* an empty part is this folder */
	ck_assert_int_eq(target_find(&target, "text", &said), 0);
	ck_assert_str_eq(target.path, "text");
}
END_TEST

START_TEST(follows_scripts)
{
	struct target last;

	make_files();
	ck_assert_int_eq(target_find(&target, "./wrapper", &said), 0);
	ck_assert_str_eq(target.interp, "./script");
	target_follow(&target, &last);
	ck_assert_str_eq(last.path, "/bin/sh");
	ck_assert_int_eq(last.kind, TARGET_DYNAMIC);
	ck_assert_int_eq(target_find(&target, "./loop", &said), 0);
	target_follow(&target, &last);
	ck_assert_int_eq(last.kind, TARGET_SCRIPT);
}
END_TEST

/* ---- profiles that say nothing --------------------------------------- */

static char *put_profile(const char *name, struct mkprofile *m)
{
	ck_assert_int_eq(mk_write(m, name), 0);
	mk_free(m);
	return strdup(name);
}

/* One that ended, with an event and a thread that has so many samples. */
static struct mkprofile *ended(uint64_t samples)
{
	struct mkprofile *m = mk_new();
	uint32_t thread;

	mk_event(m, "cpu-clock", PROF_UNIT_NS);
	thread = mk_thread(m, PROF_THREAD_UNKNOWN, 77);
	mk_end(m);
	mk_thread_record(m, thread)->samples[0] = samples;
	return m;
}

START_TEST(tidies_up)
{
	struct mkprofile *lost = ended(0), *running = ended(0), *openmp = ended(0);
	struct mkprofile *unprofiled = ended(0);
	struct tidy_failure failure;
	char *paths[11];
	size_t n = 0;

	mk_header(unprofiled)->run = PROF_RUN_UNPROFILED;
	mk_header(lost)->lost[PROF_LOST_NO_THREAD] = 1;
	mk_header(running)->run = PROF_RUN_RUNNING;
	mk_text(openmp, PROF_INFO_RUNTIME, "libomp");
	paths[n++] = strdup("!28 own");
	paths[n++] = put_profile("own", ended(0));
	paths[n++] = put_profile("idle", ended(0));
	paths[n++] = put_profile("sampled", ended(1));
	paths[n++] = put_profile("lost", lost);
	paths[n++] = put_profile("running", running);
	paths[n++] = put_profile("openmp", openmp);
	paths[n++] = strdup("missing");
	put("foreign", "no profile", 0644);
	paths[n++] = strdup("foreign");
	paths[n++] = strdup("!13 other");
	paths[n++] = put_profile("unprofiled", unprofiled);
	ck_assert_uint_eq(tidy_profiles(paths, n, false, NULL, &failure), 7);
	ck_assert_int_eq(failure.err, ENOSPC);
	ck_assert_str_eq(failure.path, "own");
	ck_assert_str_eq(paths[0], "own");
	ck_assert_str_eq(paths[1], "sampled");
	ck_assert_str_eq(paths[5], "foreign");
	ck_assert_int_ne(access("idle", F_OK), 0);
	for (size_t i = 0; i < 7; i++) {
		ck_assert_int_eq(access(paths[i], F_OK), 0);
		free(paths[i]);
	}
}
END_TEST

/* A profile of another run that has the name now. */
START_TEST(leaves_what_is_of_another_run)
{
	struct mkprofile *ours = ended(1), *theirs = ended(0);
	struct tidy_failure failure;
	char *paths[3];

	mk_text(ours, PROF_INFO_RUN_ID, "node7-1-2");
	mk_text(theirs, PROF_INFO_RUN_ID, "node7-1-3");
	paths[0] = put_profile("theirs", theirs);
	paths[1] = put_profile("ours", ours);
	paths[2] = put_profile("anybody's", ended(1));
	ck_assert_uint_eq(tidy_profiles(paths, 3, false, "node7-1-2", &failure), 2);
	ck_assert_int_eq(failure.err, ESTALE);
	ck_assert_str_eq(failure.path, "theirs");
	ck_assert_str_eq(paths[0], "ours");
	ck_assert_str_eq(paths[1], "anybody's");
	ck_assert_int_eq(access("theirs", F_OK), 0);
	free(paths[0]);
	free(paths[1]);
}
END_TEST

/* ---- what a sample costs ----------------------------------------------------------------- */

/* An interrupt and a signal take more than a system call, and on no machine a millisecond. */
START_TEST(samples_have_a_cost)
{
	struct sigaction action;
	sigset_t mask;
	double ns;

	sigemptyset(&mask);
	sigaddset(&mask, SIGRTMAX);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, &mask, NULL), 0);
	ns = sample_cost_ns();
	ck_assert_double_gt(ns, 100);
	ck_assert_double_lt(ns, 1e6);
	ck_assert_int_eq(sigaction(SIGRTMAX, NULL, &action), 0);
	ck_assert(action.sa_handler == SIG_DFL);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
	ck_assert_int_eq(sigismember(&mask, SIGRTMAX), 1);
}
END_TEST

/* Said of rates that take a fifth of the time, and of no other. */
START_TEST(costly_rates_are_told)
{
	char text[1024] = "";
	int err = dup(2);
	FILE *output = tmpfile();

	ck_assert_ptr_nonnull(output);
	ck_assert_int_eq(dup2(fileno(output), 2), 2);
	sample_cost_say(997);
	const off_t quiet = lseek(2, 0, SEEK_CUR);
	sample_cost_say(1e9);
	ck_assert_int_eq(dup2(err, 2), 2);
	rewind(output);
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, output), 0);
	ck_assert_int_eq((int)quiet, 0);
	ck_assert_ptr_nonnull(strstr(text, "1000000000 samples a second take more than 100 %"));
	ck_assert_ptr_nonnull(strstr(text, ": -F "));
	fclose(output);
	close(err);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("run");
	TCase *t = tcase_create("run");

	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_test(t, environment);
	tcase_add_test(t, messages_are_made_harmless);
	tcase_add_test(t, memory_for_what_is_announced);
	tcase_add_loop_test(t, knows_private_folders, 0, (int)COUNT(privates));
	tcase_add_loop_test(t, knows_private_folders_in_containers, 0, 2);
	tcase_add_test(t, makes_links);
	tcase_add_loop_test(t, makes_links_elsewhere, 0, 4);
	tcase_add_test(t, ranks_share_a_node);
	tcase_add_test(t, ranks_share_it_in_a_crowd);
	tcase_add_test(t, ranks_that_were_killed_share_nothing);
	tcase_add_test(t, manifest_is_read_once_each);
	tcase_add_test(t, a_copy_that_was_not_made_is_made_later);
	tcase_add_test(t, asks_the_real_loader);
	tcase_add_test(t, reads_any_answer);
	tcase_add_test(t, asks_in_vain);
	tcase_add_test(t, symbols_of_real_files);
	tcase_add_loop_test(t, finds_targets, 0, (int)COUNT(targets));
	tcase_add_test(t, searches_path);
	tcase_add_test(t, follows_scripts);
	tcase_add_test(t, tidies_up);
	tcase_add_test(t, leaves_what_is_of_another_run);
	tcase_add_test(t, samples_have_a_cost);
	tcase_add_test(t, costly_rates_are_told);
	suite_add_tcase(s, t);
	return suite_main(s);
}
