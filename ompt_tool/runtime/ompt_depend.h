/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_depend.h - reports tasks and their dependences to the graph of them, where an OMPT runtime
 * reports these.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DEPEND_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DEPEND_H

#include "ompt_tool/runtime/ompt_declarations.h"

/* After all other callbacks, which ours call first. */
void ompt_depend_register(ompt_set_callback_t set);

#endif
