/*
 * session.h - one run: what was asked for, what was found, what is handed to
 * the program.
 */
#ifndef OMPHWC_SRC_RUN_SESSION_H
#define OMPHWC_SRC_RUN_SESSION_H

#include <limits.h>
#include <stdbool.h>

#include "src/run/env.h"
#include "src/run/options.h"
#include "src/run/scratch.h"
#include "src/run/target.h"

struct session {
	struct run_options options;
	struct target target;
	char library[PATH_MAX];
	char heap_library[PATH_MAX]; /* to be preloaded too; empty: not */
	char pattern[PATH_MAX];		/* of the profile's name, absolute */
	struct scratch scratch;
	struct env env;			/* the program's */
	char unprofiled[512];		/* why the program can't be profiled; empty: it can */
	bool silent;			/* no notes and no summary, only errors */
};

/*
 * Everything that can be found wrong before anything is made: event names, the
 * program, the output folder, the library.  Prints what it finds.  0, or the
 * exit status.
 */
int session_check(struct session *s);

/*
 * Makes the private folder, decides on the OpenMP runtime and builds the
 * environment.  Prints notes.  0, or the exit status.
 */
int session_prepare(struct session *s);

/* Undoes both; idempotent. */
void session_end(struct session *s);

#endif
