/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marks.h - what the program calls by name, in the profile: marks, and begins and ends of phases.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_MARKS_H
#define OMPHWC_OMPT_TOOL_TOOL_MARKS_H

/* omp_control_tool()'s command, 64 or more, and its argument. Whether that is text is found out:
   programs may have been written for another tool. Two system calls. */
void marks_control(long command, const void *arg);

/* In a fork's child, whose profile lists its own. */
void marks_fork_child(void);

#endif
