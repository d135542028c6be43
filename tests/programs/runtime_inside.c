/* SPDX-License-Identifier: BSD-3-Clause
 * runtime_inside - an OpenMP runtime that is part of the executable, as far as a tool sees it.
 *
 * It reports a serial thread and an explicit barrier. Functions with names of runtimes are the
 * runtime's; all others are the program's, also those that the runtime calls. Prints the true
 * shares of work and of the barrier.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../../ompt_tool/runtime/ompt_declarations.h"
#include "work.h"

static int state = ompt_state_work_serial;
static int64_t work_ns, wait_ns;

static ompt_set_result_t __kmp_set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	(void)event;
	(void)callback;
	return ompt_set_always;
}

static int __kmp_get_state(ompt_wait_id_t *wait_id)
{
	(void)wait_id;
	return state;
}

static int __kmp_get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
			       ompt_data_t **parallel, int *thread)
{
	static ompt_data_t of_task, of_parallel;
	static ompt_frame_t of_frame;

	if (level != 0)
		return 0;
	*flags = 1; /* initial */
	*task = &of_task;
	*frame = &of_frame;
	*parallel = &of_parallel;
	*thread = 0;
	return 2;
}

static int __kmp_get_parallel_info(int level, ompt_data_t **parallel, int *threads)
{
	(void)level;
	(void)parallel;
	(void)threads;
	return 0;
}

static ompt_interface_fn_t __kmp_lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)__kmp_set_callback;
	if (strcmp(name, "ompt_get_state") == 0)
		return (ompt_interface_fn_t)__kmp_get_state;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)__kmp_get_task_info;
	if (strcmp(name, "ompt_get_parallel_info") == 0)
		return (ompt_interface_fn_t)__kmp_get_parallel_info;
	return NULL;
}

KEEP void __kmpc_barrier(void)
{
	state = ompt_state_wait_barrier_explicit;
	wait_ns += crunch_for(300000000);
	state = ompt_state_work_serial;
	STAY();
}

KEEP void solve(void)
{
	work_ns += crunch_for(600000000);
	STAY();
}

int main(void)
{
	ompt_start_tool_result_t *(*start)(unsigned int, const char *);
	ompt_start_tool_result_t *tool;

	*(void **)&start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
	tool = start ? start(201811, "a runtime inside") : NULL;
	if (!tool)
		return 1;
	tool->initialize(__kmp_lookup, 0, &tool->tool_data);
	solve();
	__kmpc_barrier();
	tool->finalize(&tool->tool_data);
	printf("%.4f %.4f\n", (double)work_ns / (double)(work_ns + wait_ns),
	       (double)wait_ns / (double)(work_ns + wait_ns));
	return 0;
}
