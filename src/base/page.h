/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - the terminal on standard output, and plain text that is wrapped at its width.
 */
#ifndef OMPHWC_SRC_BASE_PAGE_H
#define OMPHWC_SRC_BASE_PAGE_H

#include <stdbool.h>

/* The width in columns of the terminal on standard output; 0: no terminal, or a narrow one. */
unsigned page_width(void);

/* The lines of that terminal; 0: no terminal, or not known. */
unsigned page_rows(void);

/* Whether the terminal, as TERM names it, is more than a line printer. */
bool page_able(void);

/* Whether colours are wanted on the descriptor: it is such a terminal, and NO_COLOR is not set. */
bool page_colours(int fd);

/*
 * Prints text word by word from *column on.  Lines break before the terminal's last column,
 * or column 80, and continue at column indent; *column is set to where the text ended.
 */
void page_fold(const char *text, int indent, int *column);

/* Flushes standard output.  0, or COMMAND_FAILED after printing a message. */
int page_end(void);

#endif
