/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the records that each filter option leaves; private to the filters.
 *
 * Each function clears kept, by record, where its option leaves the record out.  Results are
 * those of filter_select().
 */
#ifndef OMPHWC_SRC_FILTER_SELECT_H
#define OMPHWC_SRC_FILTER_SELECT_H

#include <stdbool.h>

struct filtered;
struct trouble;
struct view;

typedef int filter_select_by(const struct view *v, const char *value, bool *kept,
			     struct trouble *t);

filter_select_by select_focus, select_ignore, select_region, select_thread, select_rank,
	select_module, select_phase;

/* Fills in f->within and the time, by f->options; clears f->kept of records that have no part
   in it. */
int select_time(const struct view *v, struct filtered *f, struct trouble *t);

#endif
