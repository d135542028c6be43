/*
 * callee_lines.h - costs by line, where those of the system's libraries count at the line that
 * calls them.
 *
 * Time in memcpy or sincos is at lines of the C library's, or at none: what a user can change is
 * the call.  Libraries of the system are those in its folders of libraries, /lib and /usr/lib.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_CALLEE_LINES_H
#define OMPHWC_SRC_TABLES_CALLEE_LINES_H

struct table;
struct view;

/* key: table_line_key(); key2: 1 for what such libraries cost that the line calls, else 0.  Code of
   a library that nobody else called stays at its own line.  The view's tree has to distinguish
   lines.  0 or -ENOMEM. */
int callee_lines_build(const struct view *v, struct table *t);

#endif
