/*
 * tool.h - starts and ends the profiling of the process.  Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_TOOL_H
#define OMPHWC_OMPT_TOOL_TOOL_TOOL_H

#include <stdbool.h>

/*
 * Starts profiling the process, with the calling thread as its first; once,
 * however often it is called and by whom (constructor, OpenMP runtime, the
 * application's own call).  False when profiling can't be had: the reason has
 * been said in one line, and the application runs on.
 */
bool tool_start(void);

/* Whether it has been started here, and not in a process forked since behind
   our back. */
bool tool_started(void);

#endif
