/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - a list of distinct paths.
 */
#ifndef OMPHWC_SRC_RUN_PATHS_H
#define OMPHWC_SRC_RUN_PATHS_H

#include <stddef.h>

/* Appends a copy of path to the *n of *list, unless it is among them.  *list may move; NULL is an
   empty one. */
void paths_add(char ***list, size_t *n, const char *path);

/* Frees the list and its paths. */
void paths_free(char **list, size_t n);

#endif
