/*
 * process.c - owns the process-wide state.
 */
#include "config.h"

#include "ompt_tool/core/process.h"

#include <stddef.h>

static const volatile unsigned char dead;

struct process process = { .writer = { .fd = -1 }, .alive = &dead };

bool process_ready(void)
{
	if (*process.alive == 0)
		return false;
	if (process.writer.base != NULL)
		return true;
	return process.open_profile != NULL && process.open_profile();
}
