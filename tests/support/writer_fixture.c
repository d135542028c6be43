/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/writer_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/promises.h"

char folder[64];
char profile[96];
struct prof_writer w = { .fd = -1 };
static struct prof_file *f;

void writer_setup(void)
{
	strcpy(folder, "/tmp/omphwc-writer-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(profile, sizeof(profile), "%s/a.omphwc", folder);
	w.fd = -1;
	w.base = NULL;
}

static int each_entry(bool remove_it)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int n = 0;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		n++;
		if (remove_it && unlinkat(dirfd(d), e->d_name, 0) != 0)
			unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
	return n;
}

int entries(void)
{
	return each_entry(false);
}

void writer_teardown(void)
{
	prof_abandon(&w);
	prof_free(f);
	f = NULL;
	each_entry(true);
	rmdir(folder);
}

struct prof_file *read_back(void)
{
	uint32_t version;

	prof_free(f);
	f = NULL;
	ck_assert_int_eq(prof_read(profile, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(f->damaged, 0);
	ck_assert_ptr_null(promise_broken(f));
	return f;
}

void put_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
}

void check_text(const char *path, const char *text)
{
	char found[256] = "";
	FILE *in = fopen(path, "r");

	ck_assert_ptr_nonnull(in);
	size_t n = fread(found, 1, sizeof(found) - 1, in);
	fclose(in);
	ck_assert_uint_eq(n, strlen(text));
	ck_assert_str_eq(found, text);
}

void *append_note(const char *text)
{
	size_t head = strlen(text) / 2;

	return prof_info_append(&w, PROF_INFO_NOTE, text, head, text + head, strlen(text) - head);
}

void fill_chunk(uint64_t offset, size_t bytes, int value)
{
	memset(w.base + offset + sizeof(struct prof_chunk), value,
	       bytes - sizeof(struct prof_chunk));
}

int run_writer_suite(const char *name, void (*add)(TCase *))
{
	Suite *s = suite_create(name);
	TCase *c = tcase_create(name);
	SRunner *r;

	tcase_add_checked_fixture(c, writer_setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
