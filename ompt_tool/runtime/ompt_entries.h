/*
 * ompt_entries.h - OMPT's callbacks that entries.h is told by.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_ENTRIES_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_ENTRIES_H

#include "ompt_tool/runtime/ompt.h"

/* Registers them. */
void ompt_entries_register(ompt_set_callback_t set);

/* A task was created that is none: one waits for dependences.  Its end is not told. */
void ompt_entries_depend(const void *call);

#endif
