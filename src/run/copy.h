/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy.h - copies a profile that may still be written to its destination.
 */
#ifndef OMPHWC_SRC_RUN_COPY_H
#define OMPHWC_SRC_RUN_COPY_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Copies the profile `from` to `to`, or where that name belongs to another process to the next
 * one (src/profile/place.h): to then holds that name.  An earlier copy of the same process's is
 * overwritten, its header last, and no shorter than it was at any time.  *bytes grows.  *runs:
 * its process may still write.  0 or -errno.
 */
int copy_profile(const char *from, char to[PATH_MAX], _Atomic uint64_t *bytes, bool *runs);

/* Whether a profile's process is over, as far as that can be seen. */
bool copy_is_of_dead(const char *path);

#endif
