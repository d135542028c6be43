/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - a text of many lines, and which of them are seen and selected.  Pure.
 */
#ifndef OMPHWC_SRC_SCREEN_LINES_H
#define OMPHWC_SRC_SCREEN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	char *text;	/* owned */
	char **line;	/* without its newline, with colours (paint.h) */
	uint32_t *what; /* what a line is of, for the caller; or NULL */
	size_t n;
	size_t top;	 /* the first one that is seen */
	size_t selected; /* below n, or 0 */
};

/* Takes over text, which may be NULL; top and selected stay as far as possible.  what, of as many
   numbers as lines, is taken over, too. */
void lines_set(struct lines *l, char *text, uint32_t *what);
void lines_fini(struct lines *l);

/* Moves the selection by so many lines, and what is seen after it, on a pane of that many rows. */
void lines_move(struct lines *l, long by, size_t rows);

/* Selects the next line after the selected one (or before it) that contains word in its text,
   whatever the case; false: none does. */
bool lines_search(struct lines *l, const char *word, bool backwards, size_t rows);

#endif
