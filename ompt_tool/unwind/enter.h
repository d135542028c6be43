/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enter.h - from ompt_frame_t's enter pointer to the frame that called the
 * runtime.  One file for each machine.  Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_ENTER_H
#define OMPHWC_OMPT_TOOL_UNWIND_ENTER_H

#include <stdbool.h>
#include <stdint.h>

struct unwind_cursor;

/*
 * Sets c to the frame that the call at enter returns to, where this machine's frame
 * layout allows that and the frame returns to call; else false. enter and the word
 * after it must be readable.
 */
bool enter_cursor(struct unwind_cursor *c, uintptr_t enter, uintptr_t call);

/* The enter pointer of the call that returned to a frame with this sp and fp, or 0. The
   call's own frame must still be on the stack. */
uintptr_t enter_of(uintptr_t sp, uintptr_t fp);

#endif
