/*
 * user_line.h - the program's own line at which a sample is, or which calls what is there.
 *
 * Code of the system's libraries (those in its folders, /lib and /usr/lib) and of the system's
 * headers (/usr/include, the compiler's) is not the program's: what a user can change is the call.
 * The view's tree has to distinguish lines; else the function stands for the line. For ordinary
 * code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_USER_LINE_H
#define OMPHWC_SRC_TABLES_USER_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct view;
struct view_record;

struct user_lines {
	const struct view *view;
	bool *library; /* by function: it is of a library */
	bool *system;  /* likewise, or of a system header */
};

struct user_line {
	uint64_t line;	 /* as table_line_key() */
	uint32_t callee; /* what the line calls there, a function of the view; 0: nothing */
};

/* v is borrowed. 0 or -ENOMEM (user_lines_fini() is allowed then, too). */
int user_lines_init(struct user_lines *u, const struct view *v);
void user_lines_fini(struct user_lines *u);

/* Where nobody but libraries called it, it is the record's own line. headers: code of system
   headers counts at its caller, too. */
struct user_line user_line_of(const struct user_lines *u, const struct view_record *r,
			      bool headers);

#endif
