/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - a text of many lines, and which of them are seen; of those that are rows (text_row()),
 * one is selected.  Pure.
 */
#ifndef OMPHWC_SRC_SCREEN_LINES_H
#define OMPHWC_SRC_SCREEN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a line begins: nothing, or a row of that number and source line. */
struct lines_row {
	bool is;
	uint32_t number;
	unsigned line;
};

struct lines {
	char *text;	       /* owned */
	char **line;	       /* without its newline, with colours (printable.h) */
	struct lines_row *row; /* of each line */
	size_t n;
	size_t top; /* the first one that is seen, below the first one of all, which always is */
	size_t selected; /* a row, if there is one */
	size_t found;	 /* by lines_search(); otherwise the selected one */
};

/* Takes over text, which may be NULL; top and selected stay as far as possible.  lines_select() is
   required. */
void lines_set(struct lines *l, char *text);
void lines_fini(struct lines *l);

/* Moves on a pane of so many rows: by 1 or -1 to the next row, or where that is not seen, what is
   seen; by more lines what is seen, with the selection. */
void lines_move(struct lines *l, long by, size_t rows);

/* Selects the row at a line, or else the next or the last one, and shows it. */
void lines_select(struct lines *l, size_t line, size_t rows);

/* Finds the next line after the one that was found last (or before it) that contains word in its
   text, whatever the case, and selects its row; false: none does. */
bool lines_search(struct lines *l, const char *word, bool backwards, size_t rows);

#endif
