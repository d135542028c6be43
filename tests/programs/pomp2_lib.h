/* SPDX-License-Identifier: BSD-3-Clause
 * pomp2_lib.h - the POMP2 functions, as programs that OPARI2 instrumented declare them.
 */
#ifndef POMP2_LIB_H
#define POMP2_LIB_H

#include <omp.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *POMP2_Region_handle;
typedef int64_t POMP2_Task_handle;

#define POMP2_ENTERS(name) \
	void POMP2_##name##_enter(POMP2_Region_handle *, const char[]); \
	void POMP2_##name##_exit(POMP2_Region_handle *);
#define POMP2_BEGINS(name) \
	void POMP2_##name##_begin(POMP2_Region_handle *); \
	void POMP2_##name##_end(POMP2_Region_handle *);
#define POMP2_BEGINS_ANEW(name) \
	void POMP2_##name##begin(POMP2_Region_handle *, const char[]); \
	void POMP2_##name##end(POMP2_Region_handle *);
#define POMP2_TASKS(name) \
	void POMP2_##name##_create_begin(POMP2_Region_handle *, POMP2_Task_handle *, \
					 POMP2_Task_handle *, int, const char[]); \
	void POMP2_##name##_create_end(POMP2_Region_handle *, POMP2_Task_handle); \
	void POMP2_##name##_begin(POMP2_Region_handle *, POMP2_Task_handle); \
	void POMP2_##name##_end(POMP2_Region_handle *);

void POMP2_Assign_handle(POMP2_Region_handle *, const char[]);
void POMP2_USER_Assign_handle(POMP2_Region_handle *, const char[]);
void POMP2_Init_regions(void);
void POMP2_Init(void);
void POMP2_Finalize(void);
void POMP2_Off(void);
void POMP2_On(void);
POMP2_Task_handle POMP2_Get_new_task_handle(void);
void POMP2_Begin(POMP2_Region_handle *, const char[]);
void POMP2_End(POMP2_Region_handle *);
void POMP2_Parallel_fork(POMP2_Region_handle *, int, int, POMP2_Task_handle *, const char[]);
void POMP2_Parallel_join(POMP2_Region_handle *, POMP2_Task_handle);
void POMP2_Barrier_enter(POMP2_Region_handle *, POMP2_Task_handle *, const char[]);
void POMP2_Barrier_exit(POMP2_Region_handle *, POMP2_Task_handle);
void POMP2_Implicit_barrier_enter(POMP2_Region_handle *, POMP2_Task_handle *);
void POMP2_Implicit_barrier_exit(POMP2_Region_handle *, POMP2_Task_handle);
void POMP2_Taskwait_begin(POMP2_Region_handle *, POMP2_Task_handle *, const char[]);
void POMP2_Taskwait_end(POMP2_Region_handle *, POMP2_Task_handle);
POMP2_BEGINS(Parallel)
POMP2_ENTERS(Atomic)
POMP2_ENTERS(Flush)
POMP2_ENTERS(For)
POMP2_ENTERS(Sections)
POMP2_ENTERS(Workshare)
POMP2_ENTERS(Critical)
POMP2_BEGINS(Critical)
POMP2_ENTERS(Ordered)
POMP2_BEGINS(Ordered)
POMP2_ENTERS(Single)
POMP2_BEGINS(Single)
POMP2_BEGINS_ANEW(Master_)
POMP2_BEGINS_ANEW(Section_)
POMP2_TASKS(Task)
POMP2_TASKS(Untied_task)
void POMP2_Init_lock(omp_lock_t *);
void POMP2_Destroy_lock(omp_lock_t *);
void POMP2_Set_lock(omp_lock_t *);
void POMP2_Unset_lock(omp_lock_t *);
int POMP2_Test_lock(omp_lock_t *);
void POMP2_Init_nest_lock(omp_nest_lock_t *);
void POMP2_Destroy_nest_lock(omp_nest_lock_t *);
void POMP2_Set_nest_lock(omp_nest_lock_t *);
void POMP2_Unset_nest_lock(omp_nest_lock_t *);
int POMP2_Test_nest_lock(omp_nest_lock_t *);

#ifdef __cplusplus
}
#endif

#endif
