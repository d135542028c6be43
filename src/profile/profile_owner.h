/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_owner.h - identifies the process that owns a profile, and says whether it is
 * alive.
 *
 * The file's header contains a struct prof_owner (format.h), so that a process that wants
 * the same name can decide from one page whether it may have it.
 */
#ifndef OMPHWC_SRC_PROFILE_PROFILE_OWNER_H
#define OMPHWC_SRC_PROFILE_PROFILE_OWNER_H

#include <stdint.h>

#include "src/profile/format.h"

/* What identifies this process, as text; each may be NULL or empty. */
struct prof_owner_names {
	const char *host; /* gethostname() */
	const char *boot; /* the kernel's boot id */
	const char *job;  /* of the batch system */
	const char *run;  /* OMPHWC_RUN_ID: HOST-PID-TIME of an ompcount */
	const char *rank;
};

/* Fills in the fields that a fork's child shares with its parent.  Not signal-safe. */
void prof_owner_learn(struct prof_owner *o, const struct prof_owner_names *names);

/* Fills in the fields that differ in a fork's child: namespaces and start time; 0 where /proc
   is not available.  Async-signal-safe; one thread at a time. */
void prof_owner_here(struct prof_owner *o);

enum prof_life { PROF_LIFE_OVER, PROF_LIFE_UNKNOWN, PROF_LIFE_GOES_ON };

/*
 * Whether process pid of owner theirs, which started at `start` (as in struct prof_owner) and
 * lived at begun_s (seconds since 1970), still runs, as seen by us.  UNKNOWN: it ran on another
 * host or in other namespaces, or the writer did not record them.  Machines may share a name: a
 * process that lived since our boot, in another boot, is another machine's.  Async-signal-safe;
 * one thread of a process at a time.
 */
enum prof_life prof_owner_life(const struct prof_owner *theirs, uint64_t pid, uint64_t start,
			       uint64_t begun_s, const struct prof_owner *us);

/* The hash of a text; 0 only for an empty one.  Not cryptographic. */
uint64_t prof_owner_hash(const char *text);

#endif
