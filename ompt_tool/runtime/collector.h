/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector.h - the adapter for runtimes with the Collector API
 * (ompt_tool/collector/omp_collector_api.h): libgomp by way of libomphwc-gomp.so, and any
 * other runtime that exports __omp_collector_api().
 *
 * Such a runtime reports regions by FORK and JOIN, a thread's state and region on request,
 * and neither frames nor tasks. So stacks are reconciled as section 6 of the paper says: a
 * region's context is the stack of the thread that forked it, without the runtime's
 * frames; and what a thread of the region runs lies inside of the outermost frames of the
 * runtime on its stack. What libomphwc-gomp.so reports beyond the API is in collector_gomp.h.
 *
 * A process may have libgomp and one other such runtime. Ordinary code but for the queries.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct gomp_thread;

/* The producers' entry points, as the dynamic linker finds them. */
struct collector_entries {
	int (*api)(void *requests); /* a runtime's own __omp_collector_api; NULL: there is none */
	/* libomphwc-gomp.so's (gomp_thread.h); NULL: it is not loaded */
	int (*gomp_api)(void *requests);
	int (*gomp_interface)(void); /* NULL: it was built before interfaces had numbers */
	struct gomp_thread *(*gomp)(void);
	int (*gomp_state)(uint64_t *wait_id);
	const void *(*gomp_copy)(unsigned n);
	bool (*gomp_serve)(const void *code); /* NULL: it was built before this function */
};

/* Begins a session with each producer. Once, after the tool's start. */
void collector_start(const struct collector_entries *entries);

/* Has libomphwc-gomp.so report the events of the runtime with this code, whose own tools
   interface reports too little. False: it can't: the runtime is no libgomp, or there is no
   session. After collector_start(). */
bool collector_instead(const void *code);

/* The producers make no events from here on, or make them again. */
void collector_pause(bool pause);

/* Ends the sessions for good. */
void collector_stop(void);

#endif
