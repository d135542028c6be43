/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * levels.h - how well functions, files, regions and modules match patterns; private to the
 * filters.
 *
 * A name may be given in several ways: as reports print it, or a part of that.
 */
#ifndef OMPHWC_SRC_FILTER_LEVELS_H
#define OMPHWC_SRC_FILTER_LEVELS_H

#include <stdint.h>

#include "src/base/pattern.h"

struct function;
struct view;

/* As printed, with or without place, arguments and scopes (match.h).  -1: no memory. */
int function_level(const struct function *f, const char *pattern);

enum pattern_level file_level(const char *path, const char *pattern);

/* solve, solve:26, jacobi.c:26, jacobi.c, "solve:26 (jacobi.c)", "(serial)"; region is one of
   the view.  -1: no memory. */
int region_level(const struct view *v, uint32_t region, const char *pattern);

/* libm.so.6, or libm; of paths the last components count. */
enum pattern_level module_level(const char *module, const char *pattern);

#endif
