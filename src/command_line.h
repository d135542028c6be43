/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - what the commands say of their command lines and of failures.
 */
#ifndef OMPHWC_SRC_COMMAND_LINE_H
#define OMPHWC_SRC_COMMAND_LINE_H

/* Prints a command's help on standard output; returns an exit status. */
int command_line_help(const char *text);

/* The option that getopt_long() rejected: result is '?' or ':'.  Returns COMMAND_MISUSED. */
int command_line_rejected(const char *command, char *const *argv, int result);

/* A value that the option can't have.  Returns COMMAND_MISUSED. */
int command_line_refused(const char *option, const char *value, const char *why, const char *todo);

/* The index of value among words, which NULL ends.  Otherwise -1, after a message with those
   that are like it, or all. */
int command_line_word(const char *option, const char *const *words, const char *value);

/* The value of --limit.  0 or COMMAND_MISUSED. */
int command_line_limit(const char *value, double *percent);

/* The value of --fail-above.  0 or COMMAND_MISUSED. */
int command_line_fail_above(const char *value, double *percent);

/* Says why the output could not be opened, err < 0 (outfile.h).  Returns COMMAND_FAILED or
   COMMAND_MISUSED. */
int command_line_unwritten(const char *name, int err);

/* Says why what failed, err < 0; nothing where the reader of the output closed the pipe.
   Returns COMMAND_FAILED. */
int command_line_failed(const char *what, int err);

#endif
