/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the records that each filter option leaves, and how well names match patterns; private
 * to the filters.
 *
 * Each function clears kept, by record, where its option leaves the record out.  Results are
 * those of filter_select().
 */
#ifndef OMPHWC_SRC_FILTER_SELECT_H
#define OMPHWC_SRC_FILTER_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/pattern.h"

struct filtered;
struct function;
struct near;
struct trouble;
struct view;

typedef int filter_select_by(const struct view *v, const char *value, bool *kept,
			     struct trouble *t);

filter_select_by select_focus, select_ignore, select_region, select_thread, select_rank,
	select_module, select_phase;

/* Fills in f->within and the time, by f->options; clears f->kept of records that have no part
   in it. */
int select_time(const struct view *v, struct filtered *f, struct trouble *t);

/* How well a name matches a pattern: as printed, with or without place, arguments and scopes
   (match.h). */
enum pattern_level function_level(const struct function *f, const char *pattern);

enum pattern_level file_level(const char *path, const char *pattern);

/* solve, solve:26, jacobi.c:26, jacobi.c, "solve:26 (jacobi.c)", "(serial)"; region is one of
   the view. */
enum pattern_level region_level(const struct view *v, uint32_t region, const char *pattern);

/* libm.so.6, or libm; of paths the last components count. */
enum pattern_level module_level(const char *module, const char *pattern);

/* Fills in that the option's value stands for nothing, and names near it or what else shows them.
   -ENOENT. */
int select_none(const struct near *near, const char *why, const char *otherwise, const char *option,
		const char *value, struct trouble *t);

#endif
