/*
 * message.h - the one line that ompcount says when something is wrong or
 * worth knowing: `ompcount: what: why: what to do`.
 *
 * Each is a single write(2) to standard error, so that lines of several
 * processes do not mix; control characters in it are shown as \ooo, so that a
 * strange file name can neither break the line nor speak to the terminal.
 * A closed standard error is no error.
 */
#ifndef OMPHWC_SRC_BASE_MESSAGE_H
#define OMPHWC_SRC_BASE_MESSAGE_H

/* What failed, why, and what to do; made where it is found, printed by the
   command.  Longer texts are cut. */
struct trouble {
	char what[512];
	char why[256];
	char todo[256];
};

/* Fills one in; why and todo may be NULL, what is a printf format.
   Returns -1, for `return trouble(…);`. */
int trouble(struct trouble *t, const char *why, const char *todo, const char *what, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints one, leaving out what is NULL or empty. */
void message_parts(const char *what, const char *why, const char *todo);
void message_trouble(const struct trouble *t);

/* `ompcount: ` and the text, which needs no newline. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
