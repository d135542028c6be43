/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_parts.h - the parts of the adapter for OMPT, which ompt.c starts.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_PARTS_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/runtime/ompt_declarations.h"

/* ompt_register.c: registers callbacks with an OMPT runtime, and notes in the profile which of
   them the runtime does not always make. */

struct ompt_registration {
	ompt_callbacks_t event;
	ompt_callback_t function;
	const char *name;    /* OMPT's name of the callback */
	const char *reports; /* what these events report: "how many tasks ran" */
};

/* Registers n callbacks. True when the runtime always makes all of them. Ordinary code,
   at a runtime's start. */
bool ompt_register(ompt_set_callback_t set, const struct ompt_registration *all, size_t n);

/* The function that was registered last for the event; NULL: none. */
ompt_callback_t ompt_registered(ompt_callbacks_t event);

/*
 * ompt_query.c: asks an OMPT runtime what the calling thread does.
 *
 * Async-signal-safe, but for ompt_query_init().
 */

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

/* ompt_entries.c: the OMPT callbacks for entries.h. */

/* Registers the callbacks. */
void ompt_entries_register(ompt_set_callback_t set);

/* Counts a wait for dependences, which the runtime reports as a task's creation and
   whose end it does not report. */
void ompt_entries_depend(const void *call);

/*
 * ompt_survey.c: in the place of a profile writes what the runtime answers to ompt_set_callback for
 * each event, and how often it reports it, to the file that OMPHWC_SURVEY names; for
 * `ompcount check --runtime', which reads it. Lines of words that are separated by tabs:
 *   runtime NAME VERSION, event NAME ANSWER CALLS, entry NAME 0|1, state VALUE NAME,
 *   mutex VALUE NAME, ended 0|1: whether the runtime has shut down.
 *
 * Returns what ompt_start_tool() is to return. Ordinary code, at a runtime's start.
 */
ompt_start_tool_result_t *ompt_survey(unsigned version, const char *runtime);

/* ompt_depend.c: reports tasks and their dependences to the graph of them, where an OMPT runtime
   reports these. */

/* After all other callbacks, which ours call first. */
void ompt_depend_register(ompt_set_callback_t set);

/*
 * ompt_blame.c: the OMPT callbacks for blame.h.
 *
 * They take the place of those that are registered for the same events, and call these.
 */

/* Returns what the other callbacks are to be registered with in set's place. */
ompt_set_callback_t ompt_blame_set(ompt_set_callback_t set);

/* Registers the callbacks, after all others. */
void ompt_blame_register(void);

/*
 * ompt_target.c: what is offloaded: target constructs, and what they ask of devices.
 *
 * OpenMP 5.2, sections 19.5.2.17 to 19.5.2.28. A construct is a construct like others; its
 * operations are counted beside it, by kind and device, with their bytes and the time that the
 * thread spends on them. Where a device traces, its own time is added (ompt_device.c).
 */

/* Registers the callbacks that the runtime makes: those with begin and end (EMI), else the older
   ones.  Ordinary code, at a runtime's start. */
void ompt_target_register(ompt_set_callback_t set);

/* Adds ns that a device spent on an operation, by the number that the runtime was given for it.
   On any thread; a number that is no operation's is ignored. */
void ompt_target_device_time(ompt_id_t operation, uint64_t ns);

/*
 * ompt_device.c: what devices report of operations themselves.
 *
 * OpenMP 5.2, section 19.6.2: a device that traces fills buffers with records, of its own clock, of
 * the transfers and kernels that it executed.
 */

/* Traces each device that can be traced, from its start on.  Ordinary code, at a runtime's
   start. */
void ompt_device_register(ompt_set_callback_t set);

/* Has the devices bring what they have not brought yet.  Ordinary code, at a runtime's end. */
void ompt_device_stop(void);

#endif
