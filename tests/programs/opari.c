/* SPDX-License-Identifier: BSD-3-Clause
 * opari - each construct once, with the calls that OPARI2 puts around it.
 *
 * opari [ROUNDS]: so many times, with two threads. The lines of "sim.c" are those of the source
 * that OPARI2 would have read. It prints how long the threads were in the body of the loop, in
 * nanoseconds. What the test knows: see t-pomp.sh.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pomp2_lib.h"
#include "work.h"

enum { THREADS = 2, ITERATIONS = 4, TASKS = 3, UNIT_NS = 200000 };

#define CONSTRUCT(n, text) \
	static POMP2_Region_handle pomp2_region_##n; \
	static const char pomp2_ctc_##n[] = text;

CONSTRUCT(1, "60*regionType=parallel*sscl=sim.c:10:12*escl=sim.c:90:90**")
CONSTRUCT(2, "82*regionType=for*sscl=sim.c:14:15*escl=sim.c:18:18*hasSchedule=dynamic,1**")
CONSTRUCT(3, "58*regionType=flush*sscl=sim.c:20:20*escl=sim.c:20:20**")
CONSTRUCT(4, "60*regionType=barrier*sscl=sim.c:22:22*escl=sim.c:22:22**")
CONSTRUCT(5, "69*regionType=for*sscl=sim.c:24:24*escl=sim.c:29:29*hasOrdered=1**")
CONSTRUCT(6, "60*regionType=ordered*sscl=sim.c:26:26*escl=sim.c:28:28**")
CONSTRUCT(7, "75*regionType=sections*sscl=sim.c:31:31*escl=sim.c:39:39*numSections=3**")
CONSTRUCT(8, "59*regionType=master*sscl=sim.c:41:41*escl=sim.c:43:43**")
CONSTRUCT(9, "81*regionType=critical*sscl=sim.c:45:45*escl=sim.c:47:47*criticalName=queue**")
CONSTRUCT(10, "59*regionType=atomic*sscl=sim.c:49:49*escl=sim.c:50:50**")
CONSTRUCT(11, "59*regionType=single*sscl=sim.c:52:52*escl=sim.c:60:60**")
CONSTRUCT(12, "57*regionType=task*sscl=sim.c:54:54*escl=sim.c:56:56**")
CONSTRUCT(13, "61*regionType=taskwait*sscl=sim.c:58:58*escl=sim.c:58:58**")
CONSTRUCT(14, "84*regionType=parallelfor*sscl=sim.c:92:93*escl=sim.c:96:96*hasSchedule=static**")
CONSTRUCT(15, "82*regionType=userRegion*sscl=sim.c:8:8*escl=sim.c:97:97*userRegionName=solve**")
CONSTRUCT(16, "81*regionType=critical*sscl=sim.c:99:99*escl=sim.c:101:101**")
CONSTRUCT(17, "70*regionType=taskuntied*sscl=sim.c:62:62*escl=sim.c:64:64*hasUntied=1**")

/* Number 16 never runs; number 17 is assigned when it is met. */
void POMP2_Init_reg_1(void)
{
	POMP2_Assign_handle(&pomp2_region_1, pomp2_ctc_1);
	POMP2_Assign_handle(&pomp2_region_2, pomp2_ctc_2);
	POMP2_Assign_handle(&pomp2_region_3, pomp2_ctc_3);
	POMP2_Assign_handle(&pomp2_region_4, pomp2_ctc_4);
	POMP2_Assign_handle(&pomp2_region_5, pomp2_ctc_5);
	POMP2_Assign_handle(&pomp2_region_6, pomp2_ctc_6);
	POMP2_Assign_handle(&pomp2_region_7, pomp2_ctc_7);
	POMP2_Assign_handle(&pomp2_region_8, pomp2_ctc_8);
	POMP2_Assign_handle(&pomp2_region_9, pomp2_ctc_9);
	POMP2_Assign_handle(&pomp2_region_10, pomp2_ctc_10);
	POMP2_Assign_handle(&pomp2_region_11, pomp2_ctc_11);
	POMP2_Assign_handle(&pomp2_region_12, pomp2_ctc_12);
	POMP2_Assign_handle(&pomp2_region_13, pomp2_ctc_13);
	POMP2_Assign_handle(&pomp2_region_14, pomp2_ctc_14);
	POMP2_USER_Assign_handle(&pomp2_region_15, pomp2_ctc_15);
	POMP2_Assign_handle(&pomp2_region_16, pomp2_ctc_16);
}

void POMP2_Init_regions(void)
{
	POMP2_Init_reg_1();
}

static long long in_loop_ns;
static int sum;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

#define IMPLICIT_BARRIER(n) \
	{ \
		POMP2_Task_handle pomp2_old_task; \
		POMP2_Implicit_barrier_enter(&pomp2_region_##n, &pomp2_old_task); \
		_Pragma("omp barrier") \
		POMP2_Implicit_barrier_exit(&pomp2_region_##n, pomp2_old_task); \
	}

KEEP void loops(void)
{
	int i;

	POMP2_For_enter(&pomp2_region_2, pomp2_ctc_2);
#pragma omp for schedule(dynamic, 1) nowait
	for (i = 0; i < ITERATIONS; i++) {
		const long long begun = own_ns();

		crunch_for(UNIT_NS);
#pragma omp atomic
		in_loop_ns += own_ns() - begun;
	}
	IMPLICIT_BARRIER(2)
	POMP2_For_exit(&pomp2_region_2);
	POMP2_Flush_enter(&pomp2_region_3, pomp2_ctc_3);
#pragma omp flush
	POMP2_Flush_exit(&pomp2_region_3);
	{
		POMP2_Task_handle pomp2_old_task;

		POMP2_Barrier_enter(&pomp2_region_4, &pomp2_old_task, pomp2_ctc_4);
#pragma omp barrier
		POMP2_Barrier_exit(&pomp2_region_4, pomp2_old_task);
	}
	POMP2_For_enter(&pomp2_region_5, pomp2_ctc_5);
#pragma omp for ordered nowait
	for (i = 0; i < ITERATIONS; i++) {
		POMP2_Ordered_enter(&pomp2_region_6, pomp2_ctc_6);
#pragma omp ordered
		{
			POMP2_Ordered_begin(&pomp2_region_6);
			sum++;
			POMP2_Ordered_end(&pomp2_region_6);
		}
		POMP2_Ordered_exit(&pomp2_region_6);
	}
	IMPLICIT_BARRIER(5)
	POMP2_For_exit(&pomp2_region_5);
}

#define SECTION \
	{ \
		POMP2_Section_begin(&pomp2_region_7, pomp2_ctc_7); \
		crunch_for(UNIT_NS); \
		POMP2_Section_end(&pomp2_region_7); \
	}

KEEP void others(void)
{
	POMP2_Sections_enter(&pomp2_region_7, pomp2_ctc_7);
#pragma omp sections nowait
	{
#pragma omp section
		SECTION
#pragma omp section
		SECTION
#pragma omp section
		SECTION
	}
	IMPLICIT_BARRIER(7)
	POMP2_Sections_exit(&pomp2_region_7);
#pragma omp master
	{
		POMP2_Master_begin(&pomp2_region_8, pomp2_ctc_8);
		sum++;
		POMP2_Master_end(&pomp2_region_8);
	}
	POMP2_Critical_enter(&pomp2_region_9, pomp2_ctc_9);
#pragma omp critical(queue)
	{
		POMP2_Critical_begin(&pomp2_region_9);
		crunch_for(UNIT_NS);
		POMP2_Critical_end(&pomp2_region_9);
	}
	POMP2_Critical_exit(&pomp2_region_9);
	POMP2_Atomic_enter(&pomp2_region_10, pomp2_ctc_10);
#pragma omp atomic
	sum += 1;
	POMP2_Atomic_exit(&pomp2_region_10);
	POMP2_Set_lock(&lock);
	POMP2_Set_nest_lock(&nest_lock);
	sum++;
	POMP2_Unset_nest_lock(&nest_lock);
	POMP2_Unset_lock(&lock);
}

#define TASK(n, prefix, clause) \
	{ \
		int pomp2_if = 1; \
		POMP2_Task_handle pomp2_old_task = 0, pomp2_new_task; \
		prefix##_create_begin(&pomp2_region_##n, &pomp2_new_task, &pomp2_old_task, \
				      pomp2_if, pomp2_ctc_##n); \
		_Pragma(clause) \
		{ \
			prefix##_begin(&pomp2_region_##n, pomp2_new_task); \
			crunch_for(UNIT_NS); \
			prefix##_end(&pomp2_region_##n); \
		} \
		prefix##_create_end(&pomp2_region_##n, pomp2_old_task); \
	}

KEEP void tasks(void)
{
	POMP2_Single_enter(&pomp2_region_11, pomp2_ctc_11);
#pragma omp single nowait
	{
		POMP2_Single_begin(&pomp2_region_11);
		for (int i = 0; i < TASKS; i++)
			TASK(12, POMP2_Task,
			     "omp task if(pomp2_if) firstprivate(pomp2_new_task, pomp2_if)")
		TASK(17, POMP2_Untied_task,
		     "omp task untied if(pomp2_if) firstprivate(pomp2_new_task, pomp2_if)")
		{
			POMP2_Task_handle pomp2_old_task;

			POMP2_Taskwait_begin(&pomp2_region_13, &pomp2_old_task, pomp2_ctc_13);
#pragma omp taskwait
			POMP2_Taskwait_end(&pomp2_region_13, pomp2_old_task);
		}
		POMP2_Single_end(&pomp2_region_11);
	}
	IMPLICIT_BARRIER(11)
	POMP2_Single_exit(&pomp2_region_11);
}

KEEP void region(void)
{
	int pomp2_num_threads = THREADS, pomp2_if = 1;
	POMP2_Task_handle pomp2_old_task = 0;

	POMP2_Parallel_fork(&pomp2_region_1, pomp2_if, pomp2_num_threads, &pomp2_old_task,
			    pomp2_ctc_1);
#pragma omp parallel firstprivate(pomp2_old_task) if (pomp2_if) num_threads(pomp2_num_threads)
	{
		POMP2_Parallel_begin(&pomp2_region_1);
		loops();
		others();
		tasks();
		IMPLICIT_BARRIER(1)
		POMP2_Parallel_end(&pomp2_region_1);
	}
	POMP2_Parallel_join(&pomp2_region_1, pomp2_old_task);
	STAY();
}

KEEP void combined(void)
{
	int pomp2_num_threads = THREADS, i;
	POMP2_Task_handle pomp2_old_task = 0;

	POMP2_Parallel_fork(&pomp2_region_14, 1, pomp2_num_threads, &pomp2_old_task, pomp2_ctc_14);
#pragma omp parallel firstprivate(pomp2_old_task) num_threads(pomp2_num_threads)
	{
		POMP2_Parallel_begin(&pomp2_region_14);
		POMP2_For_enter(&pomp2_region_14, pomp2_ctc_14);
#pragma omp for schedule(static) nowait
		for (i = 0; i < ITERATIONS; i++)
			crunch_for(UNIT_NS);
		IMPLICIT_BARRIER(14)
		POMP2_For_exit(&pomp2_region_14);
		POMP2_Parallel_end(&pomp2_region_14);
	}
	POMP2_Parallel_join(&pomp2_region_14, pomp2_old_task);
	STAY();
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 1;

	POMP2_Init_lock(&lock);
	POMP2_Init_nest_lock(&nest_lock);
	if (POMP2_Get_new_task_handle() == POMP2_Get_new_task_handle())
		return 1;
	POMP2_Begin(&pomp2_region_15, pomp2_ctc_15);
	for (int i = 0; i < rounds; i++) {
		region();
		combined();
	}
	POMP2_End(&pomp2_region_15);
	POMP2_Destroy_nest_lock(&nest_lock);
	POMP2_Destroy_lock(&lock);
	printf("%lld\n", in_loop_ns);
	return 0;
}
