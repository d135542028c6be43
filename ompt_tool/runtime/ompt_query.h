/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_query.h - asks an OMPT runtime what the calling thread does.
 *
 * Async-signal-safe, but for ompt_query_init().
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_QUERY_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/runtime/ompt_declarations.h"

/* What the handler asks. */
extern const struct runtime ompt_runtime;

/* Before any callback. False: the runtime lacks what is needed. */
bool ompt_query_init(ompt_function_lookup_t lookup);

/* The current task and its frames, each or NULL. False: the runtime knows none. */
bool ompt_query_task(ompt_data_t **task, ompt_frame_t **frame);

/* Runtimes give frames as __builtin_frame_address() does; this is the address of the
   frame record. */
static inline uintptr_t ompt_record_at(const ompt_data_t frame)
{
	return frame.ptr ? (uintptr_t)frame.ptr - ARCH_FRAME_BELOW : 0;
}

#endif
