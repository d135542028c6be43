/*
 * mock_runtime.h - an OpenMP runtime that only speaks OMPT, and does to the tool
 * whatever a script wants.
 *
 * A test is the application: it plays a script, step by step, on real stacks.
 * mock_do() is what compiled code would call; bodies of regions and tasks are
 * functions of the test's, which play inner scripts.  The mock is a shared
 * library, so that its frames lie in an object of their own.
 */
#ifndef OMPHWC_TESTS_MOCK_RUNTIME_H
#define OMPHWC_TESTS_MOCK_RUNTIME_H

#include <stdint.h>

#include "ompt_tool/runtime/ompt.h"

enum mock_op {
	MOCK_END,		/* of a script */
	MOCK_SAMPLE,		/* the test's own: takes a sample here */
	MOCK_CALL,		/* the test's own: in(inner) */
	MOCK_PARALLEL,		/* n threads run in(inner), all but the first workers */
	MOCK_SERIAL_BEGIN,	/* a region whose body is the caller's own code */
	MOCK_SERIAL_END,
	MOCK_TASK,		/* creates a task of in(inner); n: runs it at once */
	MOCK_TASKWAIT,		/* runs what has been created and not run */
	MOCK_STATE,		/* the calling thread's state is n */
	MOCK_WORK,		/* n: ompt_work_t, | MOCK_WORK_END */
	MOCK_ACQUIRED,		/* n: ompt_mutex_t, of object */
	MOCK_RELEASED,
	MOCK_NEST,		/* object, which the task has, is set; n: unset */
	MOCK_SYNC,		/* n: ompt_sync_region_t, | MOCK_WORK_END */
	MOCK_DEPEND,		/* a wait for dependences */
	MOCK_IDLE,		/* idle workers take a sample each */
	MOCK_END_LOST,		/* reports the ends that FAULT_LATE held back */
	MOCK_PAUSE,		/* hard pause: finalizes the tool, starts it again */
};

enum { MOCK_WORK_END = 1 << 16 };

/* What is wrong with a step. */
enum mock_fault {
	FAULT_NO_CALL = 1 << 0,		/* codeptr_ra is NULL */
	FAULT_CALL_INSIDE = 1 << 1,	/* … is the runtime's own */
	FAULT_NO_END = 1 << 2,		/* parallel_end, task_schedule: never told */
	FAULT_END_ELSEWHERE = 1 << 3,	/* told on another thread */
	FAULT_END_TWICE = 1 << 4,
	FAULT_LATE = 1 << 5,		/* told by MOCK_END_LOST */
	FAULT_NO_IMPLICIT = 1 << 6,	/* implicit tasks don't begin */
	FAULT_NO_BEGIN = 1 << 7,	/* parallel_begin, task_create: never told */
	FAULT_NO_FRAME = 1 << 8,	/* frames are NULL pointers */
	FAULT_NULL_DATA = 1 << 9,	/* so are task and parallel data */
	FAULT_STALE = 1 << 10,		/* inquiries give data that were freed */
	FAULT_JOIN_SAMPLE = 1 << 11,	/* no fault: all sample at the region's end */
	FAULT_WEIRD_EXIT = 1 << 12,	/* exit frames are mock_weird */
	FAULT_WEIRD_ENTER = 1 << 13,	/* enter frames are mock_weird */
	FAULT_NO_THREAD = 1 << 14,	/* new workers are not told of */
	FAULT_LEAGUE = 1 << 16,		/* no fault: n teams, which begin with initial tasks */
	FAULT_WORKERS_END = 1 << 15,	/* workers end after this, without a word */
	FAULT_FORK_SAMPLE = 1 << 17,	/* no fault: workers sample when they are in the team,
					   and not in the region's task */
};

struct mock_step {
	enum mock_op op;
	int n;
	void (*in)(const struct mock_step *);
	const struct mock_step *inner;
	unsigned faults;
	uint64_t object;
};

/* What faulty frames are said to be, and what freed data hold. */
extern void *mock_weird;
extern uint64_t mock_stale;

/* How a sample is taken: called in whatever thread is to take one. */
extern void (*mock_sampler)(void);

/* Callbacks, as bits by their numbers, that are never made, and that are not always. */
extern uint64_t mock_never, mock_sometimes;

/* Starts the tool: what it returned, false without one. */
int mock_initialize(ompt_start_tool_result_t *(*start)(unsigned int, const char *));
void mock_finalize(void);

/* The step, as called by compiled code. */
void mock_do(const struct mock_step *step);

/* For those who look at frames alone: calls callback with the return address and
   the frame of the call, and body in a frame whose address it puts in *exit. */
void mock_encounter(void (*callback)(uintptr_t call, uintptr_t enter));
void mock_invoke(void (*body)(int), int n, uintptr_t *exit);

#endif
