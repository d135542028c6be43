/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_blame.h - the OMPT callbacks for blame.h.
 *
 * They take the place of those that are registered for the same events, and call these.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_BLAME_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_BLAME_H

#include "ompt_tool/runtime/ompt_declarations.h"

/* Returns what the other callbacks are to be registered with in set's place. */
ompt_set_callback_t ompt_blame_set(ompt_set_callback_t set);

/* Registers the callbacks, after all others. */
void ompt_blame_register(void);

#endif
