/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self.h - the calling thread: its state, the tasks that run on it, and the entry point
 * that it is in. What others may know of it is struct gomp_thread.
 *
 * A thread's structure is written by itself only, outside of signal handlers, and read by
 * its signal handlers at any instruction. A state with a wait_id is stored after its
 * wait_id, by way of a state that has none.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_SELF_H
#define OMPHWC_OMPT_TOOL_GOMP_SELF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/collector/omp_collector_api.h"
#include "ompt_tool/gomp/after.h"

struct libgomp;

/* A task's record with what only we know of it. In the frame of the function that runs the
   task's body (legacy regions: on the heap). */
struct self_task {
	struct gomp_task task; /* first: gomp_thread.task points to it */
	uintptr_t at;	       /* as task.exit; UINTPTR_MAX: never left by longjmp() unseen */
	uint64_t parent_id;    /* of the region around region_id's; 0: none */
	/* Of the thread, when the task began. */
	uintptr_t below_at;
	unsigned below_depth;
	uint64_t below_prid, below_wait_id;
	uint8_t below_state;
	uint64_t below_within;
	const struct libgomp *copy, *below_copy; /* that runs it */
	uint64_t series;       /* gomp_meters' when it began; 0: it has no meter */
	uint64_t *below_ticks; /* where it has: gomp_running's */
};

enum { SELF_KEPT = 8 };

/* IDs that are a thread's. */
struct self_ids {
	uint64_t next, end;
};

struct self {
	/* What each task needs comes first: short instructions reach so far. */
	uintptr_t top_at;	    /* at of t.task; 0: none */
	const void *creating;	    /* gomp_tasks.c: the innermost task creation's header */
	volatile uint64_t prid;	    /* OMP_REQ_CURRENT_PRID, but for AFTER */
	const struct libgomp *copy; /* that runs the innermost task; NULL: none, or unknown */
	/* Of the innermost task, as copy is, and not in its record: that is written and followed by
	   those only who know that the task lives. Of a task below, a word that is kept. */
	union {
		volatile uint64_t within;
		struct {
			unsigned doacross;     /* the n of ordered(n) of the loop that it is in; 0:
						  unknown */
			bool single;	       /* it executes a single region: single_ends() */
			volatile bool forking; /* master of prid's region, but not in its body */
		};
	};
	unsigned depth; /* of the tasks */
	bool reporting; /* in a callback: it causes no events */
	bool idle;	/* and seen to be: gomp_regions.c */
	struct gomp_thread t;
	/* In the region whose body it entered last. */
	struct {
		uint64_t region_id;
		uint32_t number, team_size;
	} place;
	/* The outermost tasks' frames, to find out those that are gone; their records may be
	   overwritten. */
	struct {
		struct gomp_task *task;
		uintptr_t at;
	} kept[SELF_KEPT];
	uintptr_t stack_lo, stack_hi;  /* self.c; 0: not looked up */
	volatile uint64_t parent_prid; /* OMP_REQ_PARENT_PRID, where forking */
	struct after after;	       /* of a worker's implicit task that ended last */
	struct self_ids regions;       /* of regions that it is master of */
	struct self_ids loops;	       /* of taskloops: another series */
	uint64_t loop;		       /* gomp_tasks.c: the innermost taskloop's ID */
	const struct libgomp *last;    /* copies.c: that a call was for last; NULL: none */
};

/* In self_thread.c. */
extern __thread struct self omphwc_gomp_self
	__attribute__((visibility("default"), tls_model("initial-exec")));

static inline struct self *self(void)
{
	struct self *s = &omphwc_gomp_self;

	/* Else compilers address each member by way of the thread's register, in instructions of
	   twice the length. */
	__asm__("" : "+r"(s));
	return s;
}

static inline void self_set_state(struct self *s, uint8_t state, uint64_t wait_id)
{
	s->t.state = THR_OVHD_STATE;
	s->t.wait_id = wait_id;
	s->t.state = state;
}

/* A call of an entry point, in the wrapper's frame. */
struct entry {
	struct self *self;
	const void *call;
	uint64_t wait_id;
	uintptr_t enter;
	uint8_t state;
};

/* Forgets tasks whose frames are gone since longjmp() left them; frame is below no living
   one of this stack. */
void self_drop_stale(struct self *s, uintptr_t frame) __attribute__((visibility("hidden")));

static inline void self_check(struct self *s, uintptr_t frame)
{
	/* Without a task top_at is 0, and top_at - 1 the largest number: one comparison. */
	if (__builtin_expect(s->top_at - 1 < frame - 1, 0))
		self_drop_stale(s, frame);
}

/* frame and call are __builtin_frame_address(0) and __builtin_return_address(0) of the
   wrapper. The state is THR_OVHD_STATE then, in a region or not. */
static inline struct self *entry_begin(struct entry *e, uintptr_t frame, const void *call)
{
	struct self *s = self();

	self_check(s, frame);
	e->self = s;
	e->call = call;
	e->state = s->t.state;
	e->wait_id = s->t.wait_id;
	e->enter = s->t.enter;
	s->t.state = THR_OVHD_STATE;
	s->t.enter = frame;
	return s;
}

static inline void entry_end(const struct entry *e)
{
	struct self *s = e->self;

	s->t.enter = e->enter;
	self_set_state(s, e->state, e->wait_id);
}

#define ENTRY_BEGIN(e) \
	entry_begin(e, (uintptr_t)__builtin_frame_address(0), __builtin_return_address(0))

/* Makes k->task, whose own fields are filled in, the innermost; the state is that of the
   program's code. Undone by task_pop(), which leaves THR_OVHD_STATE. */
static inline void task_push(struct self *s, struct self_task *k, uint8_t state)
{
	self_check(s, k->at);
	k->task.below = s->t.task;
	k->task.below_enter = s->t.enter;
	k->below_state = s->t.state;
	k->below_wait_id = s->t.wait_id;
	k->below_prid = s->prid;
	k->below_at = s->top_at;
	k->below_depth = s->depth;
	k->below_within = s->within;
	k->below_copy = s->copy;
	s->copy = k->copy;
	s->t.state = THR_OVHD_STATE;
	atomic_signal_fence(memory_order_release);
	s->t.task = &k->task;
	if (__builtin_expect(s->depth < SELF_KEPT, 1)) {
		s->kept[s->depth].task = &k->task;
		s->kept[s->depth].at = k->at;
	}
	s->depth++;
	s->top_at = k->at;
	s->prid = k->task.region_id;
	s->within = 0;
	s->t.enter = 0;
	if (state != THR_OVHD_STATE)
		s->t.state = state;
}

static inline void task_pop(struct self *s, const struct self_task *k)
{
	s->t.state = THR_OVHD_STATE;
	s->t.enter = k->task.below_enter;
	s->within = k->below_within;
	s->prid = k->below_prid;
	s->t.task = k->task.below;
	s->copy = k->below_copy;
	s->top_at = k->below_at;
	s->depth = k->below_depth;
}

/* Gives a thread the next block of IDs. */
void self_take_ids(struct self_ids *ids) __attribute__((visibility("hidden")));

/* An ID that no other region, or no other creation, of the process has or had. */
static inline uint64_t self_new_id(struct self_ids *ids)
{
	if (__builtin_expect(ids->next == ids->end, 0))
		self_take_ids(ids);
	return ids->next++;
}

#endif
