/* SPDX-License-Identifier: BSD-3-Clause */
/* golden_text.c - see golden_text.h. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/golden_text.h"

static char *golden_path(const char *name)
{
	const char *top = getenv("top_srcdir");
	char *path;

	ck_assert_int_gt(asprintf(&path, "%s/tests/golden/%s", top ? top : ".", name), 0);
	return path;
}

char *golden_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	if (getdelim(&text, &room, '\0', f) < 0)
		ck_abort_msg("%s is empty", path);
	fclose(f);
	return text;
}

/* The program's version may change; what it writes may not. */
static void golden_forget_version(char *text)
{
	char *line = strstr(text, "\"program\":"), *end = line ? strchr(line, '\n') : NULL;

	if (end)
		memmove(line, end + 1, strlen(end + 1) + 1);
}

void golden_check(const char *name, char *text)
{
	char *path = golden_path(name), *expected;
	size_t at, line = 0;
	FILE *f;

	golden_forget_version(text);
	if (getenv("OMPHWC_GOLDEN_WRITE")) {
		f = fopen(path, "we");
		ck_assert_ptr_nonnull(f);
		ck_assert_int_ge(fputs(text, f), 0);
		ck_assert_int_eq(fclose(f), 0);
	}
	expected = golden_read(path);
	for (at = 0; text[at] && text[at] == expected[at]; at++)
		line = text[at] == '\n' ? at + 1 : line;
	ck_assert_msg(!strcmp(text, expected), "%s, after %zu bytes: %.300s", name, at,
		      text + line);
	free(expected);
	free(path);
}
