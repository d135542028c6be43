/*
 * page.h - wraps plain text on standard output at the terminal's width.
 */
#ifndef OMPHWC_SRC_BASE_PAGE_H
#define OMPHWC_SRC_BASE_PAGE_H

/* The terminal's width in columns, or 80. */
int page_columns(void);

/*
 * Prints text word by word from *column on.  Lines break before the last column and
 * continue at column indent; *column is set to where the text ended.
 */
void page_fold(const char *text, int indent, int *column);

/* Flushes standard output.  0, or COMMAND_FAILED after printing a message. */
int page_end(void);

#endif
