/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_gomp_blame.h - libgomp's events for blame.h.
 *
 * These callbacks take the place of those that are registered for the same events, and call
 * these.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_BLAME_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_BLAME_H

#include "ompt_tool/runtime/collector_request.h"

struct gomp_thread;

/* Notes that callback is to be registered for the event, before gomp_blame_register(). */
void gomp_blame_below(int event, collector_callback *callback);

/* Registers the callbacks, after all others. */
void gomp_blame_register(collector_api *api, struct gomp_thread *(*gomp)(void));

#endif
