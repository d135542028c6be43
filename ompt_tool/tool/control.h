/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control.h - the application's omp_control_tool() (OpenMP 5.1, section 3.15).
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_CONTROL_H
#define OMPHWC_OMPT_TOOL_TOOL_CONTROL_H

/* The results of omp_control_tool() (omp.h's omp_control_tool_result_t). */
enum control_result {
	CONTROL_NO_TOOL = -2,
	CONTROL_DONE = 0,
	CONTROL_IGNORED = 1,
};

/*
 * Carries out a command; arg: of those of ours, from 64 on (omphwc.h), text. A command that
 * changes nothing succeeds. A start after the end, and an unknown command, is ignored. Ordinary
 * code.
 */
enum control_result control_tool(long command, const void *arg);

/* The elapsed times of the profile are not those that were sampled any more. */
void control_note_pause(void);

#endif
