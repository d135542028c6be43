/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mock_runtime.h - an OpenMP runtime that implements only OMPT, controlled by a script.
 *
 * A test is the application: it executes a script step by step on real stacks.  mock_do()
 * stands for the runtime's functions that compiled code calls; bodies of regions and tasks
 * are functions of the test, which execute inner scripts.  The mock is a shared library, so
 * that its frames lie in an object of their own.
 */
#ifndef OMPHWC_TESTS_MOCK_RUNTIME_H
#define OMPHWC_TESTS_MOCK_RUNTIME_H

#include <stdint.h>

#include "ompt_tool/runtime/ompt_declarations.h"

enum mock_op {
	MOCK_END,	   /* end of a script */
	MOCK_SAMPLE,	   /* implemented by the test: takes a sample */
	MOCK_CALL,	   /* implemented by the test: in(inner) */
	MOCK_PARALLEL,	   /* n threads execute in(inner), all but the first are workers */
	MOCK_SERIAL_BEGIN, /* begins a serialized region whose body is the caller's own
				   code */
	MOCK_SERIAL_END,
	MOCK_TASK,     /* creates a task that executes in(inner), at once if n is set */
	MOCK_TASKWAIT, /* executes the tasks that wait */
	MOCK_STATE,    /* sets the calling thread's state to n */
	MOCK_WORK,     /* n: ompt_work_t, | MOCK_WORK_END */
	MOCK_ACQUIRED, /* n: ompt_mutex_t, of object */
	MOCK_RELEASED,
	MOCK_NEST,     /* sets object, which the task already holds; n: unsets it */
	MOCK_SYNC,     /* n: ompt_sync_region_t, | MOCK_WORK_END */
	MOCK_DEPEND,   /* a wait for dependences */
	MOCK_IDLE,     /* takes a sample in each idle worker */
	MOCK_END_LOST, /* reports the ends that FAULT_LATE delayed */
	MOCK_PAUSE,    /* a hard pause: finalizes the tool and starts it again */
};

enum { MOCK_WORK_END = 1 << 16 };

/* Faults of a step. */
enum mock_fault {
	FAULT_NO_CALL = 1 << 0,	      /* codeptr_ra is NULL */
	FAULT_CALL_INSIDE = 1 << 1,   /* codeptr_ra is in the runtime */
	FAULT_NO_END = 1 << 2,	      /* parallel_end, task_schedule are not reported */
	FAULT_END_ELSEWHERE = 1 << 3, /* reported on another thread */
	FAULT_END_TWICE = 1 << 4,
	FAULT_LATE = 1 << 5,	     /* reported by MOCK_END_LOST */
	FAULT_NO_IMPLICIT = 1 << 6,  /* implicit tasks are not reported */
	FAULT_NO_BEGIN = 1 << 7,     /* parallel_begin, task_create are not reported */
	FAULT_NO_FRAME = 1 << 8,     /* frames are NULL pointers */
	FAULT_NULL_DATA = 1 << 9,    /* task and parallel data are NULL */
	FAULT_STALE = 1 << 10,	     /* inquiries return freed data */
	FAULT_JOIN_SAMPLE = 1 << 11, /* not a fault: all threads sample at the region's end */
	FAULT_WEIRD_EXIT = 1 << 12,  /* exit frames are mock_weird */
	FAULT_WEIRD_ENTER = 1 << 13, /* enter frames are mock_weird */
	FAULT_NO_THREAD = 1 << 14,   /* new workers are not reported */
	FAULT_LEAGUE = 1 << 16,	     /* not a fault: n teams, which begin with initial tasks */
	FAULT_WORKERS_END = 1 << 15, /* workers end after this, unreported */
	FAULT_FORK_SAMPLE = 1 << 17, /* not a fault: workers sample after they joined the
					   team and before the region's implicit task */
};

struct mock_step {
	enum mock_op op;
	int n;
	void (*in)(const struct mock_step *);
	const struct mock_step *inner;
	unsigned faults;
	uint64_t object;
};

/* The address in faulty frames, and the contents of freed data. */
extern void *mock_weird;
extern uint64_t mock_stale;

/* Takes a sample; called in the thread that is to be sampled. */
extern void (*mock_sampler)(void);

/* Bit sets of callback numbers that are never made, and that are not always made. */
extern uint64_t mock_never, mock_sometimes;

/* Starts the tool and returns its result; false: no tool. */
int mock_initialize(ompt_start_tool_result_t *(*start)(unsigned int, const char *));
void mock_finalize(void);

/* Executes the step, as if called by compiled code. */
void mock_do(const struct mock_step *step);

/* For tests of frames only: calls callback with the return address and frame of the call, and
   body in a frame whose address is stored in *exit. */
void mock_encounter(void (*callback)(uintptr_t call, uintptr_t enter));
void mock_invoke(void (*body)(int), int n, uintptr_t *exit);

#endif
