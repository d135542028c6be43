/*
 * tidy.h - profiles that say nothing.
 */
#ifndef OMPHWC_SRC_RUN_TIDY_H
#define OMPHWC_SRC_RUN_TIDY_H

#include <stddef.h>

/*
 * A script starts many small programs, each with a profile of its own.  Of the
 * n files at paths, removes those of processes that have ended, took no sample
 * and met no OpenMP runtime, but never the first, which is the program's own.
 * Leaves the paths of files that are there, in order, frees the others, and
 * returns how many are left.
 */
size_t tidy_profiles(char **paths, size_t n);

#endif
