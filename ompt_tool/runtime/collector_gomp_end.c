/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp_end.h"

__thread struct gomp_end gomp_end;

void gomp_end_begins(const struct gomp_thread *g)
{
	gomp_end.at_end = g->task->number == 0;
	gomp_end.around = g->task->below;
}

void gomp_end_is_over(void)
{
	gomp_end.at_end = false;
}
