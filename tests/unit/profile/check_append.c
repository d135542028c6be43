/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NAMES chunks: appended to a profile on disk, and read.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fnv.h"
#include "src/profile/reader/append.h"
#include "tests/support/reader_fixture.h"

static char path[] = "check_append.omphwc";

static off_t size_of(void)
{
	struct stat s;

	ck_assert_int_eq(stat(path, &s), 0);
	return s.st_size;
}

static void reread(void)
{
	prof_free(f);
	f = NULL;
	ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(promise_samples(f), SMALL_SAMPLES);
	ck_assert_uint_eq(f->unfinished, 0);
	ck_assert_uint_eq(f->missing_bytes, 0);
}

static void make_file(void)
{
	make_small();
	ck_assert_int_eq(mk_write(m, path), 0);
	reread();
}

static void has_names(const char *text)
{
	reread();
	ck_assert_uint_eq(f->damaged, 0);
	ck_assert_uint_eq(f->names_bytes, strlen(text));
	ck_assert_mem_eq(f->names, text, strlen(text));
}

START_TEST(appended_names_are_read)
{
	make_file();
	ck_assert_ptr_null(f->names);
	ck_assert_int_eq(prof_append_names(f, "first", 5), 0);
	has_names("first");
	ck_assert_int_eq(size_of() % PROF_PAGE, 0);
	/* The last one counts. */
	ck_assert_int_eq(prof_append_names(f, "second", 6), 0);
	has_names("second");
}
END_TEST

START_TEST(names_of_many_pages)
{
	const size_t n = 3 * PROF_PAGE;
	char *text = calloc(1, n + 1);

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', n);
	make_file();
	ck_assert_int_eq(prof_append_names(f, text, n), 0);
	has_names(text);
	free(text);
}
END_TEST

/* An older reader knows neither the kind nor the bytes behind used_bytes. */
START_TEST(the_rest_stays_as_it_was)
{
	uint64_t used;

	make_file();
	used = f->header.used_bytes;
	ck_assert_int_eq(prof_append_names(f, "names", 5), 0);
	reread();
	ck_assert_uint_eq(f->header.used_bytes, used);
	ck_assert_uint_eq(f->nnodes, SMALL_NODES);
}
END_TEST

/* Until the magic is there, the chunk is none. */
START_TEST(an_interrupted_append_is_nothing)
{
	const uint32_t none = 0;
	off_t at;
	int fd;

	make_file();
	at = size_of();
	ck_assert_int_eq(prof_append_names(f, "names", 5), 0);
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(pwrite(fd, &none, sizeof(none), at), sizeof(none));
	close(fd);
	reread();
	ck_assert_ptr_null(f->names);
	ck_assert_uint_eq(f->damaged, 0);
	ck_assert_int_eq(prof_append_names(f, "again", 5), 0);
	has_names("again");
}
END_TEST

START_TEST(a_torn_chunk_is_damaged)
{
	off_t at;
	int fd;

	make_file();
	at = size_of() + (off_t)(sizeof(struct prof_chunk) + sizeof(struct prof_names));
	ck_assert_int_eq(prof_append_names(f, "names", 5), 0);
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(pwrite(fd, "N", 1, at), 1);
	close(fd);
	reread();
	ck_assert_ptr_null(f->names);
	ck_assert_uint_eq(f->damaged, 1);
}
END_TEST

/* Each with what the reader makes of it. */
static const struct {
	struct prof_names names;
	size_t damaged;
} strange[] = {
	{ { .bytes = 0, .version = PROF_NAMES_VERSION, .hash = FNV_BEGIN }, 0 },
	{ { .bytes = 8, .version = PROF_NAMES_VERSION, .hash = 1 }, 1 },
	{ { .bytes = PROF_PAGE, .version = PROF_NAMES_VERSION }, 1 },
	{ { .bytes = UINT64_MAX, .version = PROF_NAMES_VERSION }, 1 },
	{ { .bytes = UINT64_MAX - 31, .version = PROF_NAMES_VERSION }, 1 },
	{ { .bytes = 0, .version = PROF_NAMES_VERSION + 1, .hash = FNV_BEGIN }, 0 },
};

START_TEST(strange_names_are_left_out)
{
	uint64_t at;

	make_small();
	at = mk_chunk(m, PROF_CHUNK_NAMES, 0, PROF_PAGE) + sizeof(struct prof_chunk);
	memcpy(mk_bytes(m) + at, &strange[_i].names, sizeof(strange[_i].names));
	read_m(strange[_i].damaged, 0);
	ck_assert_ptr_null(f->names);
}
END_TEST

/* ---- refused --------------------------------------------------------- */

START_TEST(a_full_disk_leaves_it_as_it_was)
{
	struct rlimit limit;
	off_t size;

	make_file();
	size = size_of();
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = (rlim_t)size + 100;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -EFBIG);
	ck_assert_int_eq(size_of(), size);
	reread();
	ck_assert_uint_eq(f->damaged, 0);
}
END_TEST

START_TEST(another_profile_of_that_name)
{
	make_file();
	mk_header(m)->start_realtime_ns++;
	ck_assert_int_eq(mk_write(m, path), 0);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -ESTALE);
}
END_TEST

START_TEST(a_truncated_profile)
{
	make_file();
	ck_assert_int_eq(truncate(path, size_of() - PROF_PAGE), 0);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -ENODATA);
}
END_TEST

START_TEST(two_at_once)
{
	int fd;

	make_file();
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -EBUSY);
	close(fd);
	ck_assert_int_eq(prof_append_names(f, "names", 5), 0);
	has_names("names");
}
END_TEST

START_TEST(what_is_no_file)
{
	make_file();
	unlink(path);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -ENOENT);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(prof_append_names(f, "names", 5), -EINVAL);
}
END_TEST

static void teardown_file(void)
{
	unlink(path);
}

static void add(TCase *t)
{
	tcase_add_checked_fixture(t, NULL, teardown_file);
	tcase_add_test(t, appended_names_are_read);
	tcase_add_test(t, names_of_many_pages);
	tcase_add_test(t, the_rest_stays_as_it_was);
	tcase_add_test(t, an_interrupted_append_is_nothing);
	tcase_add_test(t, a_torn_chunk_is_damaged);
	tcase_add_loop_test(t, strange_names_are_left_out, 0, sizeof(strange) / sizeof(strange[0]));
	tcase_add_test(t, a_full_disk_leaves_it_as_it_was);
	tcase_add_test(t, another_profile_of_that_name);
	tcase_add_test(t, a_truncated_profile);
	tcase_add_test(t, two_at_once);
	tcase_add_test(t, what_is_no_file);
}

int main(void)
{
	return run_suite("append", add);
}
