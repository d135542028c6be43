/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool.h - starts the profiling of the process. Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_TOOL_H
#define OMPHWC_OMPT_TOOL_TOOL_TOOL_H

#include <stdbool.h>

/*
 * Starts profiling the process, with the calling thread as the first. Only the
 * first call has an effect; the constructor, the OpenMP runtime or the application
 * may make it. False when profiling is not possible: one line on standard error has
 * said why, and the application runs on.
 */
bool tool_start(void);

/* Whether profiling was started in this process: false in a child that was forked by a
   bare system call. */
bool tool_started(void);

#endif
