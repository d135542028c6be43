/*
 * profile_owner.h - whose a profile is, and whether they are still alive.
 *
 * struct prof_owner is in the file's header (format.h), so that another process
 * which wants the same name can tell from one page whether it may have it.
 */
#ifndef OMPHWC_SRC_PROFILE_PROFILE_OWNER_H
#define OMPHWC_SRC_PROFILE_PROFILE_OWNER_H

#include <stdint.h>

#include "src/profile/format.h"

/* What identifies this process to others, as text; each may be NULL or empty. */
struct prof_owner_names {
	const char *host;	/* gethostname() */
	const char *boot;	/* the kernel's boot id */
	const char *job;	/* of the batch system */
	const char *run;	/* OMPHWC_RUN_ID: HOST-PID-TIME of an ompcount */
	const char *rank;
};

/* Fills in what stays the same in a fork's child.  Ordinary code. */
void prof_owner_learn(struct prof_owner *o, const struct prof_owner_names *names);

/* Fills in what differs in a fork's child: the namespaces, and when this process
   started; 0 where /proc does not tell.  Async-signal-safe; one thread at a time. */
void prof_owner_here(struct prof_owner *o);

enum prof_life { PROF_LIFE_OVER, PROF_LIFE_UNKNOWN, PROF_LIFE_GOES_ON };

/*
 * Whether the process pid of theirs, which started at `start` (as in struct
 * prof_owner), still runs, as far as it can be told here (us).  Unknown: on another host, in
 * other namespaces, or written by a version that did not tell.
 * Async-signal-safe; one thread of a process at a time.
 */
enum prof_life prof_owner_life(const struct prof_owner *theirs, uint64_t pid, uint64_t start,
			       const struct prof_owner *us);

/* A number for a text; 0 only for none.  Not for secrets. */
uint64_t prof_owner_hash(const char *text);

#endif
