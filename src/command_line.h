/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - what the commands say of their command lines and of failures.
 */
#ifndef OMPHWC_SRC_COMMAND_LINE_H
#define OMPHWC_SRC_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What an option's value is, and what becomes of it in the command's structure. */
enum option_value {
	OPTION_FLAG,   /* none: a bool becomes true */
	OPTION_TEXT,   /* a const char * */
	OPTION_NAME,   /* likewise, and not empty */
	OPTION_WORD,   /* an int or enum: the word's index, added to `first' */
	OPTION_EITHER, /* a bool: whether it is the second of two words */
	OPTION_SET,    /* whatever set() makes of it */
	OPTION_CALL,   /* none: set() is called without */
};

struct command_option {
	const char *name; /* as --name; NULL: no more options */
	char letter;	  /* as -x; 0: none */
	enum option_value value;
	size_t at;			      /* where it is in the structure */
	const char *const *words;	      /* which NULL ends */
	const char *const *(*words_of)(void); /* the same, by a function */
	int first;
	int (*set)(void *at, const char *value); /* returns 0 or an exit status */
};

/* "text" and "json", of --format. */
extern const char *const command_line_formats[];

/*
 * Reads the options of a command, and --help; arguments are from argv[optind] on.  of_program: what
 * follows the first of these is a program's.  0; an exit status, after a message; or -1 if help was
 * requested.
 */
int command_line_parse(const char *command, const struct command_option *options, bool of_program,
		       int argc, char **argv, void *values);

struct trouble;

/* Print a message of those parts (message.h), and return COMMAND_FAILED, or COMMAND_MISUSED. */
int command_fails(const char *what, const char *why, const char *todo);
int command_troubled(const struct trouble *t);
int command_misused(const char *what, const char *why, const char *todo);

/* Prints a command's help on standard output; returns an exit status. */
int command_line_help(const char *text);

/* A value that the option can't have.  Returns COMMAND_MISUSED. */
int command_line_refused(const char *option, const char *value, const char *why, const char *todo);

/* The index of value among words, which NULL ends.  Otherwise -1, after a message with those
   that are like it, or all. */
int command_line_word(const char *option, const char *const *words, const char *value);

/* set() of --limit and --fail-above; percent: a double. */
int command_line_limit(void *percent, const char *value);
int command_line_fail_above(void *percent, const char *value);

/* Writes a file, whole or not at all; NULL: standard output, by a pager where it is paged.  0 or an
   exit status, after a message. */
int command_line_write(const char *path, bool paged, void (*write)(FILE *out, const void *arg),
		       const void *arg);

/* Says why the output could not be opened, err < 0 (outfile.h).  Returns COMMAND_FAILED or
   COMMAND_MISUSED. */
int command_line_unwritten(const char *name, int err);

/* Says why what failed, err < 0; nothing where the reader of the output closed the pipe.
   Returns COMMAND_FAILED. */
int command_line_failed(const char *what, int err);

#endif
