/*
 * place.h - gives a new profile its name, among processes that may want the same.
 *
 * A name is had by one process.  A file is replaced only if it is a profile of
 * the same user whose process is over, and whose run and batch job are others
 * than ours: so neither ranks nor array tasks nor two shells take each other's,
 * and a second run of the same command still replaces the first one's.  Where the
 * name can't be had the file gets the next one: NAME-PID, NAME-PID-2 and so on.
 */
#ifndef OMPHWC_SRC_PROFILE_PLACE_H
#define OMPHWC_SRC_PROFILE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/profile/format.h"

/* Why the name that was asked for could not be had. */
enum prof_taken {
	PROF_TAKEN_NOT,
	PROF_TAKEN_FOREIGN,	/* by a file that is no profile, or another user's */
	PROF_TAKEN_RUNNING,	/* by a profile whose process, or ompcount, still runs */
	PROF_TAKEN_UNKNOWN,	/* of which it can't be told here whether it still runs */
	PROF_TAKEN_SIBLING,	/* by a profile of the same job or run, or of another rank */
	PROF_TAKEN_BUSY,	/* another process was just taking it */
};

/*
 * Renames temporary, which is whole, and in the same folder, to path or, where
 * that can't be had, to the next free name; path (of `bytes` bytes) then holds that, and
 * *taken why.  next: path itself is not to be tried.  owner is this process's.
 * 0; or -errno, with everything as it was: -EISDIR, -EEXIST (a device, a pipe),
 * -ENAMETOOLONG …  Nothing stays behind for a process that is killed in here but
 * a link beside the name, which the next one removes.
 * Async-signal-safe; one thread of a process at a time.
 */
int prof_place(char *path, size_t bytes, const char *temporary, bool next,
	       const struct prof_owner *owner, enum prof_taken *taken);

/* That in words, for a note: "a profile …"; NULL for NOT.  Async-signal-safe. */
const char *prof_taken_text(enum prof_taken taken);

#endif
