/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match.h - matches functions and files with names that a user typed.  Pure functions.
 */
#ifndef OMPHWC_SRC_VIEW_MATCH_H
#define OMPHWC_SRC_VIEW_MATCH_H

#include <stdbool.h>

struct function;

/* Matches the name, that with its place (label.h), the linkage name, the name without
   arguments, and that without its scopes: solver::step(int) matches `step`. */
bool match_function(const struct function *f, const char *name);

/* Matches the whole path or its last components: src/app.c matches `app.c`. */
bool match_file(const char *path, const char *name);

#endif
