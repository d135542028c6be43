/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - prints ompcount's messages: `ompcount: what: why: what to do`.
 *
 * Each message is one line and one write(2) to standard error, so that lines of several
 * processes do not mix.  Control characters are printed as \ooo, so that a strange file
 * name can neither break the line nor control the terminal.  A closed standard error is not
 * an error.
 */
#ifndef OMPHWC_SRC_BASE_MESSAGE_H
#define OMPHWC_SRC_BASE_MESSAGE_H

/* What failed, why, and what to do: filled in where it fails, printed by the command.  Longer
   texts are truncated. */
struct trouble {
	char what[512];
	char why[256];
	char todo[256];
};

/* Fills in a trouble; why and todo may be NULL, what is a printf format.  Returns -1, for
   `return trouble(…);`. */
int trouble(struct trouble *t, const char *why, const char *todo, const char *what, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints a message without the parts that are NULL or empty. */
void message_parts(const char *what, const char *why, const char *todo);
void message_trouble(const struct trouble *t);

/* Prints `ompcount: ` and the text, which needs no newline. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
