/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * magic.h - whether a file is a profile.
 */
#ifndef OMPHWC_SRC_PROFILE_MAGIC_H
#define OMPHWC_SRC_PROFILE_MAGIC_H

#include <stdbool.h>

/* Whether the file begins like a profile, or a merged file.  Does not wait for a FIFO. */
bool prof_is_profile(const char *path);

#endif
