/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.h - the program to be started: its path, and its kind of file.
 */
#ifndef OMPHWC_SRC_RUN_TARGET_H
#define OMPHWC_SRC_RUN_TARGET_H

#include <limits.h>
#include <stdbool.h>

struct trouble;

enum {
	/* The statuses of env(1), nice(1) and all shells, so that scripts see no difference. */
	TARGET_NOT_STARTED = 126,
	TARGET_NOT_FOUND = 127,
};

enum target_kind {
	TARGET_DYNAMIC, /* ELF with a dynamic loader */
	TARGET_STATIC,	/* ELF without one */
	TARGET_FOREIGN, /* ELF for another machine */
	TARGET_SCRIPT,	/* begins with #! */
	TARGET_TEXT,	/* a text in no format known to the kernel; a shell may run it */
	TARGET_BINARY,	/* in no known format, and not a text */
};

struct target {
	char path[PATH_MAX];
	enum target_kind kind;
	char interp[PATH_MAX]; /* DYNAMIC: its loader; SCRIPT: its interpreter */
	bool secure;	       /* gains privileges when started, so the loader ignores
				   LD_PRELOAD */
};

/*
 * Searches name like execvp() and checks that it can be started.  0, or the exit status
 * with *t.
 */
int target_find(struct target *target, const char *name, struct trouble *t);

/*
 * Fills in kind, interp and secure from the file at target->path.  A file that cannot be
 * read (a program may be executable only) counts as DYNAMIC without interp.
 */
void target_inspect(struct target *target);

/* Follows a script's interpreters to the program that finally runs. */
void target_follow(const struct target *script, struct target *last);

#endif
