/*
 * page.h - wraps plain text on standard output at the terminal's width.
 */
#ifndef OMPHWC_SRC_BASE_PAGE_H
#define OMPHWC_SRC_BASE_PAGE_H

/* The width in columns of the terminal on standard output; 0: no terminal, or a narrow one. */
unsigned page_width(void);

/*
 * Prints text word by word from *column on.  Lines break before the terminal's last column,
 * or column 80, and continue at column indent; *column is set to where the text ended.
 */
void page_fold(const char *text, int indent, int *column);

/* Flushes standard output.  0, or COMMAND_FAILED after printing a message. */
int page_end(void);

#endif
