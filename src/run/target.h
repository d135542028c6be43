/*
 * target.h - the program that run was told to start: where it is, and what
 * kind of file the kernel will find there.
 */
#ifndef OMPHWC_SRC_RUN_TARGET_H
#define OMPHWC_SRC_RUN_TARGET_H

#include <limits.h>
#include <stdbool.h>

struct trouble;

enum {
	/* What env(1), nice(1) and every shell say: so a script that looks at
	   the status sees the same with ompcount in front. */
	TARGET_NOT_STARTED = 126,
	TARGET_NOT_FOUND = 127,
};

enum target_kind {
	TARGET_DYNAMIC,		/* an ELF program that names a loader */
	TARGET_STATIC,		/* one that does not */
	TARGET_FOREIGN,		/* ELF, but not for the machine that we are built for */
	TARGET_SCRIPT,		/* begins with #! */
	TARGET_TEXT,		/* no format the kernel need know; a shell may run it */
	TARGET_BINARY,		/* nor does it look like text */
};

struct target {
	char path[PATH_MAX];
	enum target_kind kind;
	char interp[PATH_MAX];	/* DYNAMIC: its loader; SCRIPT: its interpreter */
	bool secure;		/* gains rights when started: the loader then
				   ignores what LD_PRELOAD asks for */
};

/*
 * Looks name up as execvp() does and checks that it can be started.
 * 0, or the exit status, with *t.
 */
int target_find(struct target *target, const char *name, struct trouble *t);

/*
 * Fills in kind, interp and secure from the file at target->path.  What can't
 * be read (a program may be executable only) counts as DYNAMIC without interp.
 */
void target_inspect(struct target *target);

/* Follows a script's interpreters to the program that runs in the end. */
void target_follow(const struct target *script, struct target *last);

#endif
