/*
 * manifest.h - the list of the profiles that one run of ompcount creates.
 *
 * The manifest is a file of texts, each preceded and followed by a NUL.  ompcount creates
 * it and passes its name to child processes in OMPHWC_MANIFEST.  Each process appends the
 * absolute path of its profile once the profile exists, or PROF_MANIFEST_FAILURE and the
 * reason why there is none.
 */
#ifndef OMPHWC_SRC_PROFILE_MANIFEST_H
#define OMPHWC_SRC_PROFILE_MANIFEST_H

#define PROF_MANIFEST_FAILURE '!' /* followed by errno, a space, the path */

/*
 * Adds path to the manifest.  Any number of processes may call it at once, one thread in
 * each.  Async-signal-safe; keeps no descriptor open; never raises SIGXFSZ. 0 or -errno:
 * -ENOENT (the run is over), -EFBIG (RLIMIT_FSIZE), -EACCES (another user owns the manifest
 * or its folder, or could) …
 */
int prof_manifest_add(const char *manifest, const char *path);

/* Records that the profile at path could not be created because of err (an errno). */
int prof_manifest_fail(const char *manifest, const char *path, int err);

/* Parses a text of the manifest: for a failure, its path, with the errno in *err; NULL: the
   text is the path of a profile. */
const char *prof_manifest_failure(const char *text, int *err);

#endif
