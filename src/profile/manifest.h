/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manifest.h - the list of the profiles that one run of ompcount creates.
 *
 * The manifest is a file of texts, each preceded and followed by a NUL, in memory of ompcount
 * (memfd_create(2)).  ompcount passes /proc/PID/fd/N:NAME to child processes in OMPHWC_MANIFEST:
 * its descriptor, and the memory's name.  Each process appends the
 * absolute path of its profile once the profile exists, or PROF_MANIFEST_FAILURE and the
 * reason why there is none.
 */
#ifndef OMPHWC_SRC_PROFILE_MANIFEST_H
#define OMPHWC_SRC_PROFILE_MANIFEST_H

enum { PROF_MANIFEST_BYTES = 256 };

#define PROF_MANIFEST_FAILURE '!' /* followed by errno, a space, the path */

/*
 * Adds path to the manifest.  Any number of processes may call it at once, one thread in
 * each.  Async-signal-safe; keeps no descriptor open; never raises SIGXFSZ. 0 or -errno:
 * -ENOENT (the run is over, or its ompcount can't be seen from here), -EFBIG (RLIMIT_FSIZE),
 * -EACCES (the manifest is another user's) …
 */
int prof_manifest_add(const char *manifest, const char *path);

/* Records that the profile at path could not be created because of err (an errno). */
int prof_manifest_fail(const char *manifest, const char *path, int err);

/* Parses a text of the manifest: for a failure, its path, with the errno in *err; NULL: the
   text is the path of a profile. */
const char *prof_manifest_failure(const char *text, int *err);

#endif
