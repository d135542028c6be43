/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_target.h - what is offloaded: target constructs, and what they ask of devices.
 *
 * OpenMP 5.2, sections 19.5.2.17 to 19.5.2.28.  A construct is a construct like others; its
 * operations are counted beside it, by kind and device, with their bytes and the time that the
 * thread spends on them.  Where a device traces, its own time is added (ompt_device.h).
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_TARGET_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_TARGET_H

#include "ompt_tool/runtime/ompt_declarations.h"

/* Registers the callbacks that the runtime makes: those with begin and end (EMI), else the older
   ones.  Ordinary code, at a runtime's start. */
void ompt_target_register(ompt_set_callback_t set);

/* Adds ns that a device spent on an operation, by the number that the runtime was given for it.
   On any thread; a number that is no operation's is ignored. */
void ompt_target_device_time(ompt_id_t operation, uint64_t ns);

#endif
