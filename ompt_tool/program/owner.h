/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owner.h - distinguishes the process that was taken over from its vfork children.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_OWNER_H
#define OMPHWC_OMPT_TOOL_PROGRAM_OWNER_H

#include <stdbool.h>

/* Whether the caller runs in a child that shares the memory of the process that was
   taken, as after vfork(). What is kept of the program's signals holds there too, and
   must not be changed. Async-signal-safe. */
bool owner_is_shared(void);

#endif
