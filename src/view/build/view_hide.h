/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_hide.h - takes functions out of a view: their cost becomes their callers'.
 *
 * Totals do not change.  Regions, tasks and constructs in hidden functions move to the line
 * of the call from the first caller that is not hidden.
 */
#ifndef OMPHWC_SRC_VIEW_BUILD_VIEW_HIDE_H
#define OMPHWC_SRC_VIEW_BUILD_VIEW_HIDE_H

#include <stdbool.h>

struct view;

/* hidden is by function.  The view's tree must distinguish lines (view_options.lines); it
   does afterwards if lines is set.  0, and then v can only be freed. */
void view_hide(struct view *v, const bool *hidden, bool lines);

#endif
