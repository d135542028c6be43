/*
 * tidy.h - profiles that say nothing.
 */
#ifndef OMPHWC_SRC_RUN_TIDY_H
#define OMPHWC_SRC_RUN_TIDY_H

#include <limits.h>
#include <stddef.h>

/* The first profile that could not be made; err is 0 without one. */
struct tidy_failure {
	int err;
	char path[PATH_MAX];
};

/*
 * A script starts many small programs, each with a profile of its own.  Of the
 * n entries of a manifest, removes the files of processes that have ended, took no
 * sample and met no OpenMP runtime, but never the first, which is the program's own.
 * Leaves the paths of files that are there, in order, frees the other entries, and
 * returns how many are left.
 */
size_t tidy_profiles(char **paths, size_t n, struct tidy_failure *failure);

#endif
