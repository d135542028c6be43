/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names_kept.h - what the commands run and resolve have in common: they store names in profiles.
 */
#ifndef OMPHWC_SRC_NAMES_KEPT_H
#define OMPHWC_SRC_NAMES_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores names in the n profiles, but begins with none after until_ns of CLOCK_MONOTONIC
   (UINT64_MAX: never): the rest keep no names.  On a terminal it is shown where it takes longer
   than a second.  Prints what fails, and returns the number of failures; only_failures: those are
   none where a profile can't be read, or its process still runs. */
size_t names_kept(char *const *paths, size_t n, const char *sysroot, bool only_failures,
		  uint64_t until_ns);

#endif
