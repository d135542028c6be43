/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_gomp.h - the part of the Collector API's adapter for libgomp, by way of
 * libomphwc-gomp.so: tasks, frames and work shares, which the API does not report
 * (ompt_tool/collector/gomp_thread.h).
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/collector_request.h"
#include "src/profile/format.h"

struct collector_entries;
struct omp_thread;
struct runtime;

/* Whether libomphwc-gomp.so has the interface that this library was built for. If not, a note says
   so, and the program is profiled without it: libgomp's regions are inferred by the reader. */
bool collector_gomp_fits(const struct collector_entries *entries);

/* Registers the events, in a session that has begun. */
void collector_gomp_start(const struct collector_entries *entries);

/* A callback and its event. */
struct gomp_registration {
	int event;
	collector_callback *callback;
};

/* Where events are counted: the calling thread's wait begins or ends. */
void gomp_wait(bool begins);

/* ---- collector.c's, for both parts ------------------------------------ */

/* A state of the API as the profile has it; PROF_STATE_UNDEFINED for any other number. */
uint8_t collector_state_of(int state);

/* Whether the API's wait_id is the address of the program's variable in this state. */
bool collector_waits_for_object(uint8_t state);

/* The slow path of collector_thread(). */
struct omp_thread *collector_thread_begins(bool worker);

/* calling_thread() for a thread that the runtime made, or another. */
static inline struct omp_thread *collector_thread(bool worker)
{
	struct omp_thread *t = calling_thread_known();

	return calling_thread_is_ready(t) ? t : collector_thread_begins(worker);
}

/* An event: the program uses this runtime, whose producer's entry point is `by'. */
void collector_begins(const struct runtime *runtime, collector_api *by, const char *text);

#endif
