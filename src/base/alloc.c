/* SPDX-License-Identifier: BSD-3-Clause */
/* alloc.c - the C library's functions, and the one place where their failure is handled. */
#include "config.h"

#include "src/base/alloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/exit_status.h"
#include "src/base/message.h"

/* Owned by this file. */
static void (*undo_first)(void);

void alloc_undo(void (*undo)(void))
{
	undo_first = undo;
}

void alloc_failed(void)
{
	if (undo_first)
		undo_first();
	message_parts("out of memory", "the system refuses more", "see ulimit -v and free -h");
	exit(COMMAND_FAILED);
}

static void *alloc_checked(void *p)
{
	if (!p)
		alloc_failed();
	return p;
}

void *alloc_bytes(size_t bytes)
{
	return alloc_checked(malloc(bytes != 0 ? bytes : 1));
}

void *alloc_zeroed(size_t n, size_t bytes)
{
	return alloc_checked(calloc(n != 0 ? n : 1, bytes != 0 ? bytes : 1));
}

void *alloc_resize(void *p, size_t bytes)
{
	return alloc_checked(realloc(p, bytes != 0 ? bytes : 1));
}

void *alloc_array(void *p, size_t n, size_t bytes)
{
	return alloc_checked(reallocarray(p, n != 0 ? n : 1, bytes != 0 ? bytes : 1));
}

char *alloc_text(const char *s)
{
	return alloc_checked(strdup(s));
}

char *alloc_text_part(const char *s, size_t most)
{
	return alloc_checked(strndup(s, most));
}

char *alloc_printf(const char *format, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, format);
	n = vasprintf(&s, format, ap);
	va_end(ap);
	return alloc_checked(n < 0 ? NULL : s);
}

FILE *alloc_stream(char **text, size_t *bytes)
{
	return alloc_checked(open_memstream(text, bytes));
}

void alloc_stream_end(FILE *stream)
{
	const int failed = ferror(stream);

	if (fclose(stream) != 0 || failed != 0)
		alloc_failed();
}
