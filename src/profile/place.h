/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - gives a new profile its name when several processes may want the same.
 *
 * A name belongs to one process.  A file is replaced only if it is a profile of the same
 * user, its process is over, its run differs from ours, and neither is of a batch job.  So
 * ranks, array tasks, jobs and shells never replace each other's profiles, and a second run
 * of the same command by hand still replaces the first one's.  If the name is not available
 * the file gets the next one: NAME-PID, NAME-PID-2 and so on.
 */
#ifndef OMPHWC_SRC_PROFILE_PLACE_H
#define OMPHWC_SRC_PROFILE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

/* Why the requested name was not available. */
enum prof_taken {
	PROF_TAKEN_NOT,
	PROF_TAKEN_FOREIGN, /* not a profile, or another user's */
	PROF_TAKEN_RUNNING, /* a profile whose process or ompcount still runs */
	PROF_TAKEN_UNKNOWN, /* a profile whose process cannot be checked from here */
	PROF_TAKEN_SIBLING, /* a profile of the same job or run, or of another rank */
	PROF_TAKEN_JOB,	    /* a profile of another batch job, or we are of one */
	PROF_TAKEN_BUSY,    /* another process is just taking the name */
};

/*
 * Writes the name that the profile of process pid has until it is placed at path: PATH.~PID-HASH of
 * its identity.  No name is longer that this file knows, but those of prof_place() that are next.
 * 0 or -ENAMETOOLONG.  Async-signal-safe.
 */
int prof_temporary(char *out, size_t bytes, const char *path, uint32_t pid, uint64_t identity);

/* Whether that is such a name. */
bool prof_is_temporary(const char *name);

/*
 * Renames temporary, which is complete and in the same folder, to path or, if that is not
 * available, to the next free name; path (of `bytes` bytes) then holds that name, and
 * *taken the reason. next: path itself is not tried.  owner describes this process; pid is the
 * profile's, for the next name. 0; or -errno, and nothing has changed: -EISDIR, -EEXIST (a
 * device, a pipe), -ENAMETOOLONG …  If
 * the process is killed in here, only a symbolic link remains beside the name, which the
 * next process removes.  Async-signal-safe; one thread of a process at a time.
 */
int prof_place(char *path, size_t bytes, const char *temporary, bool next,
	       const struct prof_owner *owner, uint32_t pid, enum prof_taken *taken);

/* The reason in words, for a note: "a profile …"; NULL for PROF_TAKEN_NOT.  Async-signal-safe. */
const char *prof_taken_text(enum prof_taken taken);

#endif
