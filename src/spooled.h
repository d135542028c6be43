/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spooled.h - says which profiles are still on this node, not yet copied to where they belong.
 */
#ifndef OMPHWC_SRC_SPOOLED_H
#define OMPHWC_SRC_SPOOLED_H

#include <stddef.h>

/* Of these files and folders, or without words of this folder; of runs that are over
   (src/run/spool.h). */
void spooled_say(char *const *words, size_t n);

#endif
