/*
 * manifest.h - the list of the profiles that one run of ompcount makes.
 *
 * A file of texts, each between NULs, made by ompcount and named to the processes
 * beneath it by OMPHWC_MANIFEST.  Each process appends the path (absolute) of its
 * profile once that is there, or, after PROF_MANIFEST_FAILURE, why there is none.
 */
#ifndef OMPHWC_SRC_PROFILE_MANIFEST_H
#define OMPHWC_SRC_PROFILE_MANIFEST_H

#define PROF_MANIFEST_FAILURE '!'	/* then errno, a blank, the path */

/*
 * Lists path.  May be called by any number of processes at once, in each of them by one
 * thread; async-signal-safe, keeps no descriptor, never raises SIGXFSZ.
 * 0, or -errno: -ENOENT (the run is over), -EFBIG (RLIMIT_FSIZE), -EACCES (the list or
 * its folder is another user's, or could be) …
 */
int prof_manifest_add(const char *manifest, const char *path);

/* Lists that a profile at path could not be made, for the reason err (an errno). */
int prof_manifest_fail(const char *manifest, const char *path, int err);

/* Of a text in the list: the path in one of those, with *err; NULL: it is a path. */
const char *prof_manifest_failure(const char *text, int *err);

#endif
