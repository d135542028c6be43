/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_device.h - what devices report of operations themselves.
 *
 * OpenMP 5.2, section 19.6.2: a device that traces fills buffers with records, of its own clock,
 * of the transfers and kernels that it executed.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DEVICE_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_DEVICE_H

#include "ompt_tool/runtime/ompt_declarations.h"

/* Traces each device that can be traced, from its start on.  Ordinary code, at a runtime's
   start. */
void ompt_device_register(ompt_set_callback_t set);

/* Has the devices bring what they have not brought yet.  Ordinary code, at a runtime's end. */
void ompt_device_stop(void);

#endif
