/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_gomp_entries.h - libgomp's events for entries.h.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_ENTRIES_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_ENTRIES_H

#include <stddef.h>

#include "ompt_tool/runtime/collector_gomp.h"

struct gomp_thread;

/* The n callbacks, to be registered after collector_gomp.c's: they take the place of those of
   the same events. */
const struct gomp_registration *gomp_entries(struct gomp_thread *(*gomp)(void), size_t *n);

#endif
