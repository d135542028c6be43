/*
 * match.h - whether a function or file is the one that somebody means.
 * Pure functions.
 */
#ifndef OMPHWC_SRC_VIEW_MATCH_H
#define OMPHWC_SRC_VIEW_MATCH_H

#include <stdbool.h>

struct function;

/* By its name, its linkage name, its name without arguments, or that without
   the scopes before it: solver::step(int) is `step` as well. */
bool match_function(const struct function *f, const char *name);

/* By its whole path or its last parts: src/app.c is `app.c` as well. */
bool match_file(const char *path, const char *name);

#endif
