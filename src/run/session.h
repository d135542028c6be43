/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - one run: its options, what was found, and what the program gets.
 */
#ifndef OMPHWC_SRC_RUN_SESSION_H
#define OMPHWC_SRC_RUN_SESSION_H

#include <limits.h>
#include <stdbool.h>

#include "src/profile/launch.h"
#include "src/run/announced.h"
#include "src/run/destination.h"
#include "src/run/env.h"
#include "src/run/node.h"
#include "src/run/options.h"
#include "src/run/spool.h"
#include "src/run/target.h"

struct session {
	struct run_options options;
	struct target target;
	char library[PATH_MAX];
	char heap_library[PATH_MAX]; /* also to be preloaded; empty: not */
	char gomp_library[PATH_MAX]; /* likewise */
	struct prof_launch launch;   /* of this ompcount */
	uint64_t begun_ns;	     /* since 1970 */
	struct destination destination;
	struct announced announced;
	struct spool spool;	      /* where profiles are written before they are copied */
	struct node node;	      /* what it shares with other ranks' ompcounts */
	struct env env;		      /* the program's */
	char unprofiled[512];	      /* why the program cannot be profiled; empty: it can */
	bool uncounted;		      /* that: none of its events can be counted */
	bool silent;		      /* no notes and no summary, only errors */
	bool elsewhere;		      /* profiles go to a server, or by a spool */
	bool starts_ranks;	      /* the program is mpirun, srun and the like */
	struct target ranks_program;  /* of such a launcher; path is empty where it is not known */
	bool contained;		      /* for what it starts has files of its own */
	const char *ranks_unprofiled; /* why that cannot be profiled; NULL: it can, or not known */
};

/*
 * Checks everything that can be checked before the start: event names, the program, the
 * output folder, which is made where it is missing, the library.  Prints what it finds.  0,
 * or the exit status.
 */
int session_check(struct session *s);

/*
 * Makes the manifest and builds the environment.
 * Prints notes.  0, or the exit status.
 */
int session_prepare(struct session *s);

/* Removes what was shared with others, on this node and where the profiles go; written: there are
   any.  Idempotent. */
void session_leave(struct session *s, bool written);

/* Likewise where another process has done so, or can't. */
void session_forget(struct session *s);

/* Reverts all; idempotent. */
void session_end(struct session *s);

#endif
