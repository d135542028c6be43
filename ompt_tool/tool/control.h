/*
 * control.h - what the application asks of its tool (OpenMP 5.1, section 3.15).
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_CONTROL_H
#define OMPHWC_OMPT_TOOL_TOOL_CONTROL_H

/* What omp_control_tool() gives (omp.h's omp_control_tool_result_t). */
enum control_result {
	CONTROL_NO_TOOL = -2,
	CONTROL_DONE = 0,
	CONTROL_IGNORED = 1,
};

/*
 * Does what a command asks.  Doing it again is doing nothing, successfully; a
 * start after the end, and a command that nobody knows, is ignored.  Ordinary
 * code.
 */
enum control_result control_tool(long command);

#endif
