/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_writer_faults.c - a writer whose system calls fail, whose disk is full, or whose
 * descriptor was closed by the application.
 *
 * The linker replaces the C library's calls (--wrap).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/profile/reserve.h"
#include "tests/support/descriptors.h"
#include "tests/support/writer_fixture.h"

/* ---- calls that fail ------------------------------------------------------ */

static struct {
	int at;	   /* the call that fails, counted from 1; 0: none */
	int calls; /* so far */
	int err;
	bool no_fallocate; /* as on a file system that has none */
	int interrupted;   /* fallocate: so many times by a signal */
	bool short_writes;
	bool blind;		      /* it was fstat that failed */
	bool no_rename_new, no_links; /* as on network file systems, and on FAT */
	const char *appears; /* a file that another program makes just before the name is taken */
} fault;

static bool fails(void)
{
	if (fault.at == 0 || ++fault.calls != fault.at)
		return false;
	errno = fault.err;
	return true;
}

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
int __real_symlink(const char *text, const char *path);
int __wrap_symlink(const char *text, const char *path);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t off);
int __real_mprotect(void *at, size_t n, int prot);
int __wrap_mprotect(void *at, size_t n, int prot);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);

long __wrap_syscall(long nr, ...)
{
	va_list list;
	long a[5];

	va_start(list, nr);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (nr != SYS_close && fails()) {
		fault.blind = fault.blind || nr == SYS_fstat;
		return -1;
	}
	if (nr == SYS_fallocate && fault.interrupted > 0) {
		fault.interrupted--;
		errno = EINTR;
		return -1;
	}
	if (nr == SYS_fallocate && fault.no_fallocate) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (nr == SYS_renameat2 && fault.no_rename_new) {
		errno = EINVAL;
		return -1;
	}
	if (nr == SYS_pwrite64 && fault.short_writes && a[2] > 100)
		a[2] = 100;
	return __real_syscall(nr, a[0], a[1], a[2], a[3], a[4]);
}

int __wrap_symlink(const char *text, const char *path)
{
	return fails() ? -1 : __real_symlink(text, path);
}

int __wrap_rename(const char *from, const char *to)
{
	return fails() ? -1 : __real_rename(from, to);
}

int __wrap_link(const char *from, const char *to)
{
	if (fails())
		return -1;
	if (fault.appears)
		put_text(fault.appears, "mine");
	fault.appears = NULL;
	if (!fault.no_links)
		return __real_link(from, to);
	errno = EPERM;
	return -1;
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t off)
{
	return fails() ? MAP_FAILED : __real_mmap(at, n, prot, flags, fd, off);
}

int __wrap_mprotect(void *at, size_t n, int prot)
{
	return fails() ? -1 : __real_mprotect(at, n, prot);
}

int __wrap_fcntl(int fd, int command, ...)
{
	va_list list;

	va_start(list, command);
	long arg = va_arg(list, long);
	va_end(list);
	return fails() ? -1 : __real_fcntl(fd, command, arg);
}

/* A profile's life: some records, some chunks with something in each.  How many
   notes it got in; -errno without a profile. */
static int live(void)
{
	uint64_t at;
	char text[3000];
	int notes = 0;

	int err = prof_create(&w, profile, LIMIT);
	if (err != 0)
		return err;
	memset(text, 'n', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 12; i++) {
		notes += append_note(text) != NULL;
		if (prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 2 * PROF_PAGE, &at) == 0)
			fill_chunk(at, 2 * PROF_PAGE, 0);
	}
	return notes;
}

/* The nth call fails, for each n: there is a sound profile or nothing. */
static void sweep(int err)
{
	int before = descriptors();
	int n = 0, failed = 0, calls;

	do {
		fault.at = ++n;
		fault.calls = 0;
		fault.err = err;
		fault.blind = false;
		int notes = live();
		fault.at = 0;
		calls = fault.calls;
		if (notes < 0) {
			failed++;
			ck_assert(notes == -err);
			ck_assert_int_eq(entries(), 0);
			ck_assert_ptr_null(w.base);
		} else {
			ck_assert_int_eq(entries(), 1);
			/* One failure costs one chunk at most. */
			ck_assert_int_ge(notes, 8);
			ck_assert_uint_eq(read_back()->ntexts, (unsigned)notes);
			prof_abandon(&w);
			ck_assert_int_eq(unlink(profile), 0);
		}
		/* What is no longer known to be ours is not closed. */
		int now = descriptors();
		ck_assert(now == before || (fault.blind && now == before + 1));
		before = now;
		ck_assert_int_lt(n, 1000);
	} while (calls >= n);
	ck_assert_int_gt(n, 30);
	ck_assert_int_gt(failed, 2);
}

START_TEST(any_call_may_fail)
{
	static const int errors[] = { ENOSPC, EIO, EMFILE, EDQUOT, ENOMEM };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		sweep(errors[i]);
}
END_TEST

START_TEST(any_call_may_fail_without_fallocate)
{
	fault.no_fallocate = true;
	sweep(ENOSPC);
}
END_TEST

START_TEST(any_call_may_fail_without_rename_new)
{
	fault.no_rename_new = true;
	fault.no_links = _i;
	sweep(ENOSPC);
}
END_TEST

/* A file that appears after the name was found to be free. */
START_TEST(links_replace_nothing)
{
	fault.no_rename_new = true;
	fault.appears = profile;
	ck_assert_int_eq(live(), 12);
	ck_assert_str_ne(w.path, profile);
	ck_assert_int_eq(w.taken, PROF_TAKEN_FOREIGN);
	check_text(profile, "mine");
	ck_assert_int_eq(entries(), 2);
}
END_TEST

/* ---- room that is no room --------------------------------------------------- */

static void room_is_real(void)
{
	struct stat st;

	ck_assert_int_eq(live(), 12);
	ck_assert_int_eq(stat(profile, &st), 0);
	ck_assert_uint_eq((uint64_t)st.st_size, prof_header(&w)->used_bytes);
	ck_assert_uint_ge((uint64_t)st.st_blocks * 512, (uint64_t)st.st_size);
	read_back();
}

START_TEST(zeros_are_written_where_nothing_can_be_reserved)
{
	fault.no_fallocate = true;
	room_is_real();
}
END_TEST

START_TEST(short_writes_are_continued)
{
	fault.no_fallocate = fault.short_writes = true;
	room_is_real();
}
END_TEST

START_TEST(signals_may_interrupt_it)
{
	fault.interrupted = 5;
	room_is_real();
	ck_assert_int_eq(fault.interrupted, 0);
}
END_TEST

START_TEST(signals_may_interrupt_it_always)
{
	fault.interrupted = 1000;
	room_is_real();
	ck_assert_int_gt(fault.interrupted, 0);
}
END_TEST

static void limit_files(rlim_t bytes)
{
	struct rlimit r = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &r);
}

/* SIGXFSZ would end the test.  Check's own files are limited too: nothing is
   asserted meanwhile. */
START_TEST(a_limit_on_file_sizes)
{
	struct prof_writer second;
	int err[4];
	uint64_t at;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	limit_files(16384);
	err[0] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 8192, &at);
	err[1] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 8192, &at);
	err[2] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at);
	fault.no_fallocate = true;
	err[3] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at);
	bool noted = append_note("x") != NULL;
	limit_files(RLIM_INFINITY);
	ck_assert_uint_eq(read_back()->header.refused, PROF_REFUSED_FSIZE);
	ck_assert_int_eq(err[0], 0);
	ck_assert_int_eq(err[1], -EFBIG);
	ck_assert_int_eq(err[2], 0);
	ck_assert_int_eq(err[3], -EFBIG);
	ck_assert(!noted);
	ck_assert_uint_eq(read_back()->missing_bytes, 0);

	limit_files(100);
	err[0] = prof_create(&second, profile, LIMIT);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(err[0], -EFBIG);
	ck_assert_int_eq(entries(), 1);
	read_back();
}
END_TEST

/* A file system of 256 KiB, over the folder, for this process alone. */
static bool small_disk(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("omphwc-test", folder, "tmpfs", 0, "size=256k") != 0) {
		printf("SKIP: a full disk: cannot mount one: %s\n", strerror(errno));
		return false;
	}
	return true;
}

static void fill_up(void)
{
	char name[128];
	uint64_t at;
	int n = 0, err;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	while ((err = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 5 * PROF_PAGE, &at)) == 0) {
		/* Any byte that was not reserved would end the test by SIGBUS. */
		fill_chunk(at, 5 * PROF_PAGE, 0);
		n++;
	}
	ck_assert_int_eq(err, -ENOSPC);
	ck_assert_int_ge(n, 8);
	while (append_note("as long as there is room for a chunk") != NULL)
		;
	while ((err = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at)) == 0)
		fill_chunk(at, PROF_PAGE, 0);
	ck_assert_uint_eq(read_back()->header.refused, PROF_REFUSED_DISK);
	ck_assert_uint_eq(read_back()->header.refused_errno, ENOSPC);
	snprintf(name, sizeof(name), "%s/second", folder);
	struct prof_writer second;
	ck_assert_int_eq(prof_create(&second, name, LIMIT), -ENOSPC);
	ck_assert_int_eq(entries(), 1);
}

START_TEST(a_full_disk)
{
	if (!small_disk())
		return;
	fill_up();
	prof_abandon(&w);
	umount(folder);
}
END_TEST

START_TEST(a_full_disk_without_fallocate)
{
	if (!small_disk())
		return;
	fault.no_fallocate = true;
	fill_up();
	prof_abandon(&w);
	umount(folder);
}
END_TEST

/* Room that comes back is used again. */
START_TEST(a_disk_that_was_full)
{
	char name[128];
	uint64_t at;

	if (!small_disk())
		return;
	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	snprintf(name, sizeof(name), "%s/ballast", folder);
	int fd = open(name, O_RDWR | O_CREAT, 0600);
	for (int bytes = 65536; bytes >= 4096; bytes /= 2)
		while (fallocate(fd, 0, lseek(fd, 0, SEEK_END), bytes) == 0)
			;
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at), -ENOSPC);
	ck_assert_uint_eq(prof_header(&w)->used_bytes, PROF_HEADER_BYTES);
	unlink(name);
	close(fd);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, PROF_PAGE, &at), 0);
	ck_assert_uint_eq(at, PROF_HEADER_BYTES);
	read_back();
	prof_abandon(&w);
	umount(folder);
}
END_TEST

/* ---- the application's doings ----------------------------------------------- */

/* The application closes all that it finds; its next file gets our number. */
START_TEST(a_closed_descriptor_is_not_used)
{
	uint64_t at;
	char name[128];

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	int ours = w.fd;
	snprintf(name, sizeof(name), "%s/theirs", folder);
	put_text(name, "theirs");
	int fd = open(name, O_RDWR);
	ck_assert_int_eq(dup2(fd, ours), ours);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 1 << 16, &at), 0);
	fill_chunk(at, 1 << 16, 0);
	ck_assert_int_ne(w.fd, ours);
	ck_assert_int_ge(w.fd, 3);
	ck_assert_int_eq(fcntl(w.fd, F_GETFD), FD_CLOEXEC);
	check_text(name, "theirs");
	read_back();

	close(w.fd); /* and not used again */
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 1 << 16, &at), 0);
	ck_assert_int_eq(dup2(fd, w.fd), w.fd);
	ours = w.fd;
	prof_abandon(&w);
	ck_assert_int_eq(fcntl(ours, F_GETFD), 0);
	check_text(name, "theirs");
}
END_TEST

START_TEST(a_closed_descriptor_and_a_file_that_is_gone)
{
	uint64_t at;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	close(w.fd);
	unlink(profile);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at), -ENOENT);
	put_text(profile, "another's");
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at), -ESTALE);
	ck_assert_ptr_null(append_note("x"));
	check_text(profile, "another's");
	unlink(profile);
	ck_assert_int_eq(mkfifo(profile, 0600), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at), -ESTALE);
}
END_TEST

/* A file that was only renamed is still written. */
START_TEST(a_moved_file)
{
	char name[128];
	uint64_t at;

	ck_assert_int_eq(prof_create(&w, profile, LIMIT), 0);
	snprintf(name, sizeof(name), "%s/moved", folder);
	ck_assert_int_eq(rename(profile, name), 0);
	ck_assert_int_eq(prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at), 0);
	strcpy(profile, name);
	ck_assert_uint_eq(read_back()->missing_bytes, 0);
}
END_TEST

static int results[6];

static void *use_when_cancelled(void *arg)
{
	uint64_t at;

	(void)arg;
	pthread_cancel(pthread_self());
	results[0] = prof_create(&w, profile, LIMIT);
	results[1] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at);
	fault.no_fallocate = true;
	results[2] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at);
	fault.no_fallocate = false;
	syscall(SYS_close, w.fd);
	results[3] = prof_chunk_new(&w, PROF_CHUNK_NODES, 0, 4096, &at);
	results[4] = append_note("still here") != NULL ? 0 : -1;
	prof_abandon(&w);
	results[5] = 1;
	pthread_testcancel();
	return NULL;
}

/* A thread that is to be cancelled is not cancelled in here: a handler may have
   interrupted anything. */
START_TEST(no_call_is_a_cancellation_point)
{
	pthread_t t;
	void *result;

	ck_assert_int_eq(pthread_create(&t, NULL, use_when_cancelled, NULL), 0);
	pthread_join(t, &result);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(results[i], 0);
	ck_assert_int_eq(results[5], 1);
	ck_assert_ptr_eq(result, PTHREAD_CANCELED);
	ck_assert_uint_eq(read_back()->ntexts, 1);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, any_call_may_fail);
	tcase_add_test(c, any_call_may_fail_without_fallocate);
	tcase_add_loop_test(c, any_call_may_fail_without_rename_new, 0, 2);
	tcase_add_test(c, links_replace_nothing);
	tcase_add_test(c, zeros_are_written_where_nothing_can_be_reserved);
	tcase_add_test(c, short_writes_are_continued);
	tcase_add_test(c, signals_may_interrupt_it);
	tcase_add_test(c, signals_may_interrupt_it_always);
	tcase_add_test(c, a_limit_on_file_sizes);
	tcase_add_test(c, a_full_disk);
	tcase_add_test(c, a_full_disk_without_fallocate);
	tcase_add_test(c, a_disk_that_was_full);
	tcase_add_test(c, a_closed_descriptor_is_not_used);
	tcase_add_test(c, a_closed_descriptor_and_a_file_that_is_gone);
	tcase_add_test(c, a_moved_file);
	tcase_add_test(c, no_call_is_a_cancellation_point);
}

int main(void)
{
	return run_writer_suite("writer under faults", add);
}
