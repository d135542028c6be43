/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_thread.h - what libomphwc-gomp.so reports beyond the Collector API: tasks, frames,
 * words for the collector's own use, and events of its own.
 *
 * A collector that finds omphwc_gomp_thread() in the process knows that the producer is
 * this one. The additional events are registered as those of omp_collector_api.h are.
 * All structures belong to the producer; the collector writes only the fields that say so.
 *
 * Of the standard events it reports all but MASTER and END_SINGLE (compiled without a call):
 * UNSUPPORTED. Notes:
 * - The barrier at a region's end, and the dock behind it, are inside libgomp. Where IDLE is
 *   registered when the region begins, or IBAR without GOMP_EVENT_IMPLICIT_END, threads wait
 *   at another barrier before, which is reported exactly; that costs a barrier for each region.
 *   With GOMP_EVENT_IMPLICIT_END only the master reports IBAR there. A region that was
 *   cancelled reports the end of that wait too early.
 * - gcc calls GOMP_barrier also at the end of static loops and single regions: these are
 *   reported as EBAR.
 * - CTWT, ATWT, ODWT are reported for each entry, also where the thread does not have to wait;
 *   LKWT only where the lock is held. copyprivate's executor is reported as the others (IBAR).
 * - In JOIN's callback CURRENT_PRID is still the region that ends, as in FORK's it is the
 *   one that begins. BEGIN and END are reported while the thread is in the state.
 *
 * A START comes too late (SEQUENCE_ERR) in a region that began without a session. In such
 * regions of other threads, and on workers that have seen no other, nothing is known of the
 * region: workers are taken for idle, masters for working, in a region 0.
 *
 * A structure gomp_thread is read by its own thread: by callbacks, and by signal handlers
 * at any instruction. The producer stores so that each instant shows a consistent picture:
 * what a task or a state refers to is written before the task or the state is.
 */
#ifndef OMPHWC_OMPT_TOOL_COLLECTOR_GOMP_THREAD_H
#define OMPHWC_OMPT_TOOL_COLLECTOR_GOMP_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/omp_collector_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The number of this interface, which is all that is declared here. It grows with each change that
 * an earlier collector or producer would misread: of a structure, a number's meaning, what a
 * function or an event stands for. A collector uses a producer of its own number only
 * (doc/interfaces.md).
 */
enum { GOMP_INTERFACE = 1 };

/* clang-format off */
enum gomp_task_kind {
	GOMP_TASK_IMPLICIT = 1,	/* a thread's part of a region */
	GOMP_TASK_EXPLICIT,	/* deferred: it may run on another thread than its creator's */
	GOMP_TASK_UNDEFERRED,	/* runs where it was created, above its creator's frames */
	GOMP_TASK_TEAMS,	/* a team of a teams construct on the host; has no region */
};

/*
 * Events, from OMP_EVENT_THR_RESERVED_IMPL on. All are reported by the thread that they occur
 * in. "task" is gomp_thread.task.
 */
enum gomp_event {
	/* On each thread of a team. task is the implicit task: it is about to run its body,
	   or has run it. END is not reported for a task that pthread_exit() or longjmp() left. */
	GOMP_EVENT_IMPLICIT_BEGIN = 4096,
	GOMP_EVENT_IMPLICIT_END,
	/* task is the creator; created, created_flags and body describe the new one. The
	   callback leaves errno as it is; those of other events need not. */
	GOMP_EVENT_TASK_CREATE,
	/* task is the explicit or undeferred task. */
	GOMP_EVENT_TASK_BEGIN,
	GOMP_EVENT_TASK_END,
	/* work, work_count. */
	GOMP_EVENT_WORK_BEGIN,
	GOMP_EVENT_WORK_END,
	/* object, mutex_kind. ACQUIRE is reported before the runtime is asked, whether the thread
	   has to wait or not; not for omp_test_lock(). RELEASED is reported after the release.
	   Of nest locks only the outermost set and unset are reported as ACQUIRED and RELEASED
	   where the runtime shows which these are (omp_test_nest_lock()), else each. */
	GOMP_EVENT_MUTEX_ACQUIRE,
	GOMP_EVENT_MUTEX_ACQUIRED,
	GOMP_EVENT_MUTEX_RELEASED,
	/* A wait for tasks: taskwait (with or without dependences), the end of a taskgroup. */
	GOMP_EVENT_TASKWAIT_BEGIN,
	GOMP_EVENT_TASKWAIT_END,
	/* A taskgroup's whole extent. */
	GOMP_EVENT_TASKGROUP_BEGIN,
	GOMP_EVENT_TASKGROUP_END,
	/* object: a lock that was initialized. */
	GOMP_EVENT_LOCK_INIT,
	GOMP_EVENT_LAST
};

/*
 * Values of gomp_thread.state: OMP_COLLECTOR_API_THR_STATE, or one of these. STATE
 * requests report OVHD instead of them, but for DOACROSS (ODWT) and AFTER.
 */
enum gomp_state {
	GOMP_STATE_TASKWAIT = 64,	/* for child tasks */
	GOMP_STATE_TASKGROUP = 65,	/* at a taskgroup's end */
	GOMP_STATE_DEPEND = 66,		/* taskwait with dependences; an undeferred task's */
	GOMP_STATE_DOACROSS = 67,	/* for another iteration; wait_id: the region's ID */
	/* A worker, after its implicit task: at the region's end (IBAR), then without work
	   (IDLE). omphwc_gomp_state() and STATE requests find out which. */
	GOMP_STATE_AFTER = 127,
};

/* Bits of created_flags. */
enum gomp_created {
	GOMP_CREATED_UNDEFERRED = 1 << 0,	/* if(0); others may turn out to be undeferred */
	GOMP_CREATED_UNTIED = 1 << 1,
	GOMP_CREATED_FINAL = 1 << 2,
	GOMP_CREATED_MERGEABLE = 1 << 3,
	GOMP_CREATED_DEPEND = 1 << 4,
	GOMP_CREATED_PRIORITY = 1 << 5,
	GOMP_CREATED_DETACH = 1 << 6,
	GOMP_CREATED_TASKLOOP = 1 << 7,	/* one event for all tasks of the loop */
};

enum gomp_work {
	GOMP_WORK_LOOP_STATIC = 1,	/* only where gcc calls the runtime for it: see below */
	GOMP_WORK_LOOP_DYNAMIC,
	GOMP_WORK_LOOP_GUIDED,
	GOMP_WORK_LOOP_RUNTIME,		/* the schedule is the ICV's */
	GOMP_WORK_LOOP_ANY,		/* the entry's arguments do not show which */
	GOMP_WORK_SECTIONS,
	GOMP_WORK_SINGLE,		/* reported in the thread that executes it */
	GOMP_WORK_SCOPE,
	GOMP_WORK_DISTRIBUTE,
	GOMP_WORK_MASKED,
	GOMP_WORK_KIND = 0x3f,		/* the bits of the above */
	GOMP_WORK_ORDERED = 0x40,	/* added: with an ordered clause */
	GOMP_WORK_DOACROSS = 0x80,	/* added: with ordered(n) */
};

enum gomp_mutex {
	GOMP_MUTEX_LOCK = 1,
	GOMP_MUTEX_NEST_LOCK,
	GOMP_MUTEX_CRITICAL,
	GOMP_MUTEX_ATOMIC,
	GOMP_MUTEX_ORDERED,
};
/* clang-format on */

/*
 * A task that runs on a thread; it lies on the stack of that thread, in the frame which
 * calls the task's body, and is gone when that returns. Innermost first, linked by below.
 * A task that was left by longjmp() stays until the thread's next call into OpenMP: its
 * address is then below the stack pointer, and what it holds is not to be used.
 */
struct gomp_task {
	struct gomp_task *below; /* that the thread was in before, or NULL */
	uint64_t region_id;	 /* of the region it belongs to; 0: none */
	uint64_t team_data;	 /* implicit tasks: gomp_region.data when it began */
	uint64_t data;		 /* the collector's; explicit tasks begin with *created */
	uintptr_t exit;		 /* __builtin_frame_address(0) of the function that calls body */
	uintptr_t below_enter;	 /* gomp_thread.enter of before: below's entry into the runtime */
	void (*body)(void *);	 /* the outlined function */
	uint32_t number;	 /* of the thread in its team */
	uint32_t team_size;
	uint32_t flags; /* explicit tasks: enum gomp_created */
	uint8_t kind;	/* enum gomp_task_kind */
};

/* A region, in the frame of the entry that began it; valid until JOIN's callback returns. */
struct gomp_region {
	uint64_t id;		   /* unique in the process, never 0 */
	uint64_t parent_id;	   /* 0: none */
	uint64_t data;		   /* the collector's, written in FORK: see team_data */
	uint8_t work;		   /* combined with a work share: enum gomp_work; else 0 */
	uint8_t own;		   /* the producer's */
	uint32_t requested;	   /* threads asked for; 0: the runtime's choice */
	uint32_t flags;		   /* of the entry point */
	struct gomp_task *creator; /* the master's task before, or NULL */
};

/*
 * Tasks that are counted without events. A collector whose callbacks of TASK_BEGIN and TASK_END
 * only count and time tasks may say where, in memory of its own, for some kinds of tasks: by the
 * word that TASK_CREATE's callback has given them. For these the producer does it, and calls
 * neither: the two calls, with what they have to find out, take longer than the clock's readings.
 * Not for tasks of a taskloop.
 *
 * begun[0] becomes greater by 1, begun[1] if another thread created the task, and *ticks by the
 * time between two readings of the CPU's clock, without that of tasks that the thread runs
 * meanwhile.
 */
struct gomp_meter {
	uint64_t key;	 /* the word, without the bits that vary */
	uint64_t *begun; /* NULL: no meter */
	uint64_t *ticks; /* or NULL */
	uint64_t unused;
};

struct gomp_running {
	uint64_t *ticks; /* of the explicit task that the thread runs; NULL: it runs none */
	uint64_t since;	 /* when that began, or went on */
};

enum { GOMP_METERS = 16 }; /* the meter for a word is the (word >> 32) % GOMP_METERSth */

/* A thread's. They are not for use where *alive is 0 (in a fork's child), or *ready not the
   thread's gomp_thread, or where other callbacks are registered than these. */
struct gomp_meters {
	const volatile unsigned char *alive;
	void *const *ready;
	void (*begin)(OMP_COLLECTORAPI_EVENT event);
	void (*end)(OMP_COLLECTORAPI_EVENT event);
	uint64_t series; /* not 0, and another one than before whenever ready was another one */
	uint64_t varies; /* the bits of words that show who created the task */
	uint64_t own;	 /* these bits, for this thread */
	uint64_t begun;	 /* to be set in gomp_task.data */
	struct gomp_meter *meter;
	struct gomp_running *running;
};

struct gomp_thread {
	struct gomp_task *volatile task; /* innermost that runs on this thread, or NULL */
	volatile uint64_t wait_id;	 /* valid with states that have one */
	volatile uint8_t state;		 /* 0: the thread has not been in OpenMP: SERIAL */
	bool worker;			 /* libgomp made this thread */
	/* Of the implicit task that a worker ended last. */
	uint64_t last_region_id;
	uint64_t last_team_data;

	/* The task that waits at the end of the work share that it has left last, or NULL. The
	   thread may run others meanwhile. */
	struct gomp_task *volatile ending;

	/* __builtin_frame_address(0) of the entry point that the innermost task (or, without
	   one, the thread) is in; 0: in none that is wrapped. */
	volatile uintptr_t enter;

	/* Valid during an event's callback. */
	const void *call;     /* the address after the call into the runtime; NULL: none */
	void (*body)(void *); /* FORK, JOIN, TASK_CREATE: the outlined function */

	struct gomp_region *region; /* FORK, JOIN */
	uint64_t *created;	    /* TASK_CREATE: the new task's word, 0; the collector's */
	uint32_t created_flags;	    /* TASK_CREATE: enum gomp_created */
	uint8_t work;		    /* WORK_BEGIN, WORK_END: enum gomp_work; END: 0 if unknown */
	uint64_t work_count;	    /* WORK_BEGIN: iterations or sections; 0 if unknown */
	uint64_t object;	    /* MUTEX_*: as wait_id */
	uint8_t mutex_kind;	    /* MUTEX_*: enum gomp_mutex */

	const struct gomp_meters *meters; /* the collector's, or NULL */
};

/* The producer's GOMP_INTERFACE. Of all functions here this one never changes. */
int omphwc_gomp_interface(void);

/* __omp_collector_api() of this producer, whichever other one is in the process. */
int omphwc_gomp_collector_api(void *requests);

/*
 * The calling thread's structure, never NULL. Async-signal-safe. It is valid until the
 * thread ends.
 */
struct gomp_thread *omphwc_gomp_thread(void);

/*
 * The calling thread's state as gomp_thread.state has it, with AFTER resolved to IBAR or
 * IDLE, and 0 to SERIAL. *wait_id is 0 where the state has none. Async-signal-safe.
 */
int omphwc_gomp_state(uint64_t *wait_id);

/* The copies of libgomp that events have been reported for, in the order in which they were
   first called: an address in the code of number n, or NULL. Async-signal-safe; any thread. */
const void *omphwc_gomp_copy(unsigned n);

/* From now on events are reported for the libgomp with this code, too, which has a tools interface
   of its own: the collector has declined that. False: the code is no libgomp's. The calling thread
   is outside of regions. Not async-signal-safe. */
bool omphwc_gomp_serve(const void *code);

#ifdef __cplusplus
}
#endif

#endif
