/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * label.h - how functions are printed, and matched with names that a user typed.  Pure functions.
 */
#ifndef OMPHWC_SRC_VIEW_LABEL_H
#define OMPHWC_SRC_VIEW_LABEL_H

#include <stdbool.h>
#include <stdint.h>

struct function;
struct names;

/* "solve (jacobi.c:12)", "memcpy [libc.so.6]"; malloc'ed. */
char *label_function(const struct function *f);

/* "solve (jacobi.c:12)" for a line; likewise. */
char *label_line(const struct names *names, uint32_t line);

/* Matches the name, that with its place, the linkage name, the name without
   arguments, and that without its scopes: solver::step(int) matches `step`. */
bool match_function(const struct function *f, const char *name);

/* Matches the whole path or its last components: src/app.c matches `app.c`. */
bool match_file(const char *path, const char *name);

#endif
