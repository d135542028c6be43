/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alloc.h - memory for the command, which ends where there is none.
 *
 * Each function returns what was asked for, or ends the process by exit(): after one line on
 * standard error, with the status of a command that failed.  What must be undone then is registered
 * with atexit(), or, before the line can be read, with alloc_undo().  Not for code that is loaded
 * into programs.  A size that a file names is first compared with the bytes that are left of it.
 * For any thread.
 */
#ifndef OMPHWC_SRC_BASE_ALLOC_H
#define OMPHWC_SRC_BASE_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* As malloc(), calloc(), realloc() and reallocarray().  0 bytes are one. */
void *alloc_bytes(size_t bytes) __attribute__((malloc, returns_nonnull));
void *alloc_zeroed(size_t n, size_t bytes) __attribute__((malloc, returns_nonnull));
void *alloc_resize(void *p, size_t bytes) __attribute__((returns_nonnull));
void *alloc_array(void *p, size_t n, size_t bytes) __attribute__((returns_nonnull));

/* As strdup(), strndup() and asprintf(). */
char *alloc_text(const char *s) __attribute__((malloc, returns_nonnull));
char *alloc_text_part(const char *s, size_t most) __attribute__((malloc, returns_nonnull));
char *alloc_printf(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* As open_memstream(); *text is complete after alloc_stream_end(), which closes the stream. */
FILE *alloc_stream(char **text, size_t *bytes) __attribute__((returns_nonnull));
void alloc_stream_end(FILE *stream);

/* What makes standard error readable, and may be called at any time; NULL: nothing. */
void alloc_undo(void (*undo)(void));

/* Ends the process as described above, for memory that others could not allocate. */
void alloc_failed(void) __attribute__((noreturn));

#endif
