/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_entries.h - the OMPT callbacks for entries.h.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_ENTRIES_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_ENTRIES_H

#include "ompt_tool/runtime/ompt_declarations.h"

/* Registers the callbacks. */
void ompt_entries_register(ompt_set_callback_t set);

/* Counts a wait for dependences, which the runtime reports as a task's creation and
   whose end it does not report. */
void ompt_entries_depend(const void *call);

#endif
