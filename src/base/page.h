/*
 * page.h - plain text on standard output, folded to the terminal's width.
 */
#ifndef OMPHWC_SRC_BASE_PAGE_H
#define OMPHWC_SRC_BASE_PAGE_H

/* The terminal's columns, or 80. */
int page_columns(void);

/*
 * Prints text word by word from *column on, folded before the last column, its
 * further lines beginning at column indent; *column is where it ended.
 */
void page_fold(const char *text, int indent, int *column);

/* What was printed has to have arrived: 0, or COMMAND_FAILED and a message. */
int page_end(void);

#endif
