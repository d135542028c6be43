/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.h - runs a program once more, for commands that run one several times.
 *
 * Between child_hold() and child_release() of the child.  Strings are borrowed.
 */
#ifndef OMPHWC_SRC_RUN_RERUN_H
#define OMPHWC_SRC_RUN_RERUN_H

#include <limits.h>
#include <stdint.h>

struct child;
struct target;

/* FOLDER/NAME as ompcount run's -o takes it: % of the folder's own are doubled.  0 or
   -ENAMETOOLONG. */
int rerun_pattern(char buf[PATH_MAX], const char *folder, const char *name);

/* As `ompcount run -q -o PATTERN OPTION... -- COMMAND', in a process of its own; options and
   command are NULL-terminated.  0 or -errno; *status is of waitpid(). */
int rerun_profiled(struct child *c, char *pattern, char *const *options, char *const *command,
		   char *const *envp, int *status);

/*
 * Without the profiler, for at most limit_ns: its output is discarded, and its standard input is
 * the file that is ompcount's, from the offset on that it had (input_at; -1: it is no regular
 * file, and nothing can be read).  The child has the time.  0 or -errno.
 */
int rerun_bare(struct child *c, const struct target *t, char *const *command, char *const *envp,
	       int64_t input_at, uint64_t limit_ns, int *status);

/* "it ended with status 7", "signal 9 ended it".  Returns buf. */
enum { RERUN_WORDS = 64 };
char *rerun_words(char buf[RERUN_WORDS], int status);

#endif
