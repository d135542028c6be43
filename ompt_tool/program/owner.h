/*
 * owner.h - whose process this is.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_OWNER_H
#define OMPHWC_OMPT_TOOL_PROGRAM_OWNER_H

#include <stdbool.h>

/* Whether the process was taken and this is a copy or a sharer of its memory, as a
   vfork's child is: what the program set up is known here, and must not be changed.
   Async-signal-safe. */
bool owner_is_shared(void);

#endif
