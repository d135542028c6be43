/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tidy.h - removes profiles of processes in which nothing happened.
 */
#ifndef OMPHWC_SRC_RUN_TIDY_H
#define OMPHWC_SRC_RUN_TIDY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The first profile that could not be created (ESTALE: or that was replaced); err is 0 if there is
   none. */
struct tidy_failure {
	int err;
	char path[PATH_MAX];
};

/*
 * A script starts many small programs, each with its own profile.  Of the n entries of a
 * manifest, removes the files of processes that have ended, took no sample and met no
 * OpenMP runtime; but never the first one, which is the program's own, nor the only one of a
 * rank.  Where the program starts ranks (starts), those of processes without a rank are its
 * helpers', and are removed unless they met OpenMP.  Keeps the paths of the remaining files in
 * order, frees the other entries, and returns the number of remaining paths.  A file that another
 * run has put in the place of a profile stays, and is not among them: run is the id of this
 * one (NULL: not known).
 */
size_t tidy_profiles(char **paths, size_t n, bool starts, const char *run,
		     struct tidy_failure *failure);

#endif
