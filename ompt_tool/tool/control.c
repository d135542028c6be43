/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <stdbool.h>

#include "ompt_tool/runtime/collector.h"
#include "ompt_tool/tool/omphwc.h"
#include "ompt_tool/tool/threads.h"
#include "ompt_tool/tool/tool.h"
#include "ompt_tool/tree/process.h"

/* omp.h's omp_control_tool_t. */
enum command {
	COMMAND_START = 1,
	COMMAND_PAUSE = 2,
	COMMAND_FLUSH = 3,
	COMMAND_END = 4,
};

void control_note_pause(void)
{
	if (process.writer.base)
		__atomic_fetch_add(&prof_header(&process.writer)->pauses, 1, __ATOMIC_RELAXED);
}

enum control_result control_tool(long command, const void *arg)
{
	if (!tool_started())
		return CONTROL_NO_TOOL;
	switch (command) {
	case COMMAND_START:
		collector_pause(false);
		return threads_pause(false) ? CONTROL_DONE : CONTROL_IGNORED;
	case COMMAND_PAUSE:
		control_note_pause();
		collector_pause(true);
		threads_pause(true);
		return CONTROL_DONE;
	case COMMAND_FLUSH:
		/* Nothing to flush: the mapped file is always up to date. */
		return CONTROL_DONE;
	case COMMAND_END:
		control_note_pause();
		collector_stop();
		threads_end_all();
		return CONTROL_DONE;
	}
	if (command < OMPHWC_MARK)
		return CONTROL_IGNORED;
	marks_control(command, arg);
	return CONTROL_DONE;
}
