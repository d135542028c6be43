/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calling_thread.h - the calling thread's data, for the callbacks of runtimes.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_CALLING_THREAD_H
#define OMPHWC_OMPT_TOOL_RUNTIME_CALLING_THREAD_H

#include <stddef.h>

#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/process.h"

/* A parameter of a callback that it has no use for. */
#define UNUSED __attribute__((unused))

/* The slow path of calling_thread(). */
struct omp_thread *calling_thread_begins(enum prof_thread_kind kind);

/* The calling thread's data, or NULL: it is not profiled, or was taken to be asleep: then
   calling_thread_known() is to be called. Calls nothing. */
static inline struct omp_thread *calling_thread_awake(void)
{
	struct thread *t = thread_self;

	return t && !t->asleep ? &t->omp : NULL;
}

/* The calling thread's data, or NULL: it is not profiled. It is awake, since the runtime calls. */
static inline struct omp_thread *calling_thread_known(void)
{
	struct thread *t = thread_self;

	if (!t)
		return NULL;
	if (t->asleep)
		handler_wake(t);
	return &t->omp;
}

/* Whether callbacks can write what t does to the profile. */
static inline bool calling_thread_is_ready(const struct omp_thread *t)
{
	return *process.alive != 0 && t && t->kind != PROF_THREAD_UNKNOWN && t->record;
}

/* The calling thread's data; a thread that is not profiled yet is from here on, as one of that
   kind. NULL where that is not possible, and in a process that is not profiled. */
static inline struct omp_thread *calling_thread(enum prof_thread_kind kind)
{
	struct omp_thread *t = calling_thread_known();

	if (calling_thread_is_ready(t))
		return t;
	return *process.alive != 0 ? calling_thread_begins(kind) : NULL;
}

#endif
