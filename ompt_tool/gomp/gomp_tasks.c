/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_tasks.c - explicit tasks and taskloops.
 *
 * libgomp copies a block of data for each task and runs a function on it. Our header is
 * put in front of the program's block, and our function runs the program's:
 *
 *	[header][padding to the block's alignment][the program's block]
 *
 * A header is small, since libgomp copies it for each task. What only the creator needs is in
 * its own memory, behind the header (struct origin).
 */
#include "config.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/gomp/meters.h"
#include "ompt_tool/gomp/wrap.h"

enum {
	STACK_BYTES = 1 << 12, /* at most, for a block in the creator's frame */
	SMALL_BYTES = 1 << 6,  /* a small task's block */
};

/* Flags beside enum gomp_created. */
enum {
	TASK_IN_PLACE = 1 << 8, /* the block is where the program has it: origin_of() */
	TASK_PASSES = 1 << 9,	/* the event is passed on to the block's first word */
	TASK_CREATED = TASK_IN_PLACE - 1,
};

/* What is needed to run a task. */
struct created {
	body_fn *fn;
	const struct libgomp *copy;
	uint64_t word; /* the collector's */
	uint64_t region_id, parent_id;
	uint32_t offset; /* of the block, from here */
	uint32_t flags;
};

/* A header begins with the words that libgomp writes to the program's block, or reads there. */
struct task_header {
	void *event; /* of a detached task; written */
	struct created created;
};
struct loop_header {
	void *bounds[2]; /* of the task's iterations; written */
	void *reductions;
	uint64_t creation; /* as self.loop during it */
	struct created created;
};
_Static_assert(sizeof(struct task_header) <= 64, "no larger than a cache line");

/* Behind the creator's header, where the block isn't. */
struct origin {
	copy_fn *copier;
	void *block;
};

static inline struct origin *origin_of(struct created *c)
{
	return (struct origin *)(c + 1);
}

static inline void **block_of(struct created *c)
{
	return c->flags & TASK_IN_PLACE ? origin_of(c)->block : (void *)((char *)c + c->offset);
}

/* ---- running ------------------------------------------------------------------------------ */

static __attribute__((noinline)) void report_begin(struct self *s)
{
	event(s, NULL, GOMP_EVENT_TASK_BEGIN);
}

static __attribute__((noinline)) void report_end(struct self *s)
{
	event(s, NULL, GOMP_EVENT_TASK_END);
}

/* Around the body, in the function that calls it. */
static inline __attribute__((always_inline)) void body_begins(struct self *s, struct self_task *k,
							      const struct created *c,
							      uintptr_t frame, bool undeferred)
{
	/* Member by member: compilers clear a structure of this size by an instruction whose
	   start takes as long as all that is done here. task_push() fills in the rest. */
	k->task.region_id = c->region_id;
	k->task.team_data = 0;
	k->task.data = c->word;
	k->task.exit = frame;
	k->task.body = c->fn;
	if (__builtin_expect(c->region_id != 0 && s->place.region_id == c->region_id, 1)) {
		k->task.number = s->place.number;
		k->task.team_size = s->place.team_size;
	} else {
		k->task.number = (uint32_t)c->copy->omp_get_thread_num();
		k->task.team_size = (uint32_t)c->copy->omp_get_num_threads();
	}
	k->task.flags = c->flags & TASK_CREATED;
	k->task.kind = undeferred ? GOMP_TASK_UNDEFERRED : GOMP_TASK_EXPLICIT;
	k->at = frame;
	k->copy = c->copy;
	k->parent_id = c->parent_id;
	task_push(s, k, THR_OVHD_STATE);
	if (!__builtin_expect(meter_begins(s, k), 1))
		report_begin(s);
	s->t.state = c->region_id != 0 ? THR_WORK_STATE : THR_SERIAL_STATE;
}

static inline void body_ends(struct self *s, const struct self_task *k)
{
	s->t.state = THR_OVHD_STATE;
	if (!__builtin_expect(meter_ends(s, k), 1))
		report_end(s);
	task_pop(s, k);
	s->t.wait_id = k->below_wait_id;
	s->t.state = k->below_state;
}

/* libgomp calls it for each task, where its header is: that of the creation that this thread is in,
   if the task is undeferred. Its frame stays directly below the outlined function's. */
ON void omphwc_run_task(void *arg)
{
	struct task_header *h = arg;
	void **block = block_of(&h->created);
	struct self *const s = self();
	struct self_task k;

	if (__builtin_expect((h->created.flags & TASK_PASSES) != 0, 0))
		*block = h->event;
	body_begins(s, &k, &h->created, (uintptr_t)__builtin_frame_address(0), h == s->creating);
	h->created.fn(block);
	body_ends(s, &k);
	KEEP_FRAME();
}
ADDRESS_OF(omphwc_run_task);

/* The same for each task of a taskloop. They are undeferred where the call that created them runs
   them, also while it waits. */
ON void omphwc_run_taskloop(void *arg)
{
	struct loop_header *h = arg;
	void **block = block_of(&h->created);
	struct self *const s = self();
	struct self_task k;

	block[0] = h->bounds[0];
	block[1] = h->bounds[1];
	body_begins(s, &k, &h->created, (uintptr_t)__builtin_frame_address(0),
		    h->creation == s->loop);
	h->created.fn(block);
	body_ends(s, &k);
	KEEP_FRAME();
}
ADDRESS_OF(omphwc_run_taskloop);

/* libgomp's copiers: the block is copied by a function of the program. */
static void copy_block(struct created *to, struct created *from)
{
	const struct origin *o = origin_of(from);

	o->copier((char *)to + to->offset, o->block);
}

static void copy_task(void *to, void *from)
{
	struct task_header *h = from, *copy = to;

	*copy = *h;
	self()->creating = copy;
	copy_block(&copy->created, &h->created);
}

static void copy_loop(void *to, void *from)
{
	struct loop_header *h = from, *copy = to;

	*copy = *h;
	copy_block(&copy->created, &h->created);
}

/* ---- creating ----------------------------------------------------------------------------- */

/* A creation, and what libgomp is given for it. */
struct creation {
	copy_fn *copier;
	long size, align;
	void *heap; /* to be freed, or NULL */
};

static inline long align_for(long align)
{
	const long least = _Alignof(struct loop_header);

	return align > least ? align : least;
}

/* Of the block, from the beginning of a header of so many bytes. Alignments are powers of two. */
static inline size_t offset_for(size_t header, long align)
{
	const size_t a = (size_t)align_for(align);

	return (header + a - 1) & ~(a - 1);
}

/* As GOMP_task's first five, one bit further; and what is said of detached tasks. */
static inline uint32_t created_flags(unsigned flags)
{
	_Static_assert(GOMP_CREATED_UNTIED == TASK_UNTIED << 1 &&
			       GOMP_CREATED_FINAL == TASK_FINAL << 1 &&
			       GOMP_CREATED_MERGEABLE == TASK_MERGEABLE << 1 &&
			       GOMP_CREATED_DEPEND == TASK_DEPEND << 1 &&
			       GOMP_CREATED_PRIORITY == TASK_PRIORITY << 1,
		       "the order of both");
	const unsigned shared = TASK_UNTIED | TASK_FINAL | TASK_MERGEABLE | TASK_DEPEND |
				TASK_PRIORITY;

	return (flags & shared) << 1 | (flags & TASK_DETACH ? GOMP_CREATED_DETACH : 0);
}

static inline __attribute__((always_inline)) void
report_creation(struct self *s, struct created *created, const void *call)
{
	s->t.body = created->fn;
	s->t.created = &created->word;
	s->t.created_flags = created->flags & TASK_CREATED;
	event_here(s, call, GOMP_EVENT_TASK_CREATE);
}

/* Member by member, as in fill_task(). */
static inline void created_fill(struct created *created, struct self *s, const struct libgomp *copy,
				body_fn *fn)
{
	const struct self_task *const creator = (struct self_task *)s->t.task;

	created->fn = fn;
	created->copy = copy;
	created->word = 0;
	created->region_id = s->prid;
	created->parent_id = creator ? creator->parent_id : 0;
}

/* The program's block, behind the header: copied there now, unless the task has it copied by a
   function of its own (copier is then ours) or runs at once. */
static inline void creation_block(struct creation *c, struct created *created, size_t header,
				  void *data, copy_fn *copier, copy_fn *ours, long size, long align,
				  bool with_block)
{
	const size_t before = header - sizeof(*created), offset = offset_for(header, align);

	created->offset = (uint32_t)(offset - before);
	if (!with_block)
		*origin_of(created) = (struct origin){ copier, data };
	else if (size > 0)
		memcpy((char *)created + created->offset, data, (size_t)size);
	c->copier = copier ? ours : NULL;
	c->size = size + (long)offset;
	c->align = align_for(align);
}

/* header: of a header in this frame, and what follows it; on the heap, where the block is large:
   the program's own is on the same stack. */
#define CREATION_MEMORY(c, header, size, al, with_block) \
	({ \
		const size_t need_ = offset_for(sizeof(header), al) + \
				     (with_block ? (size_t)(size) : sizeof(struct origin)) + \
				     (size_t)align_for(al); \
		(c)->heap = need_ > STACK_BYTES ? malloc(need_) : NULL; \
		(header *)aligned((c)->heap ? (c)->heap : alloca(need_), al); \
	})

static inline void *aligned(void *p, long align)
{
	const uintptr_t a = (uintptr_t)align_for(align);

	return (void *)(((uintptr_t)p + a - 1) & ~(a - 1));
}

static inline void creation_end(struct creation *c)
{
	if (__builtin_expect(!!c->heap, 0))
		free(c->heap);
}

/* As most tasks are: nothing has to be found out before libgomp can copy it, from the creator's
   frame. */
struct small_task {
	struct task_header header;
	unsigned char block[SMALL_BYTES];
};

static inline bool is_small(copy_fn *copier, long size, long align, bool deferred, unsigned flags)
{
	const unsigned any = TASK_UNTIED | TASK_FINAL | TASK_MERGEABLE;

	return !copier && deferred && size <= SMALL_BYTES &&
	       align <= (long)_Alignof(struct small_task) && (flags & ~any) == 0;
}

/* A task without a function (an empty one) has nothing to report. */
ON void on_GOMP_task(P_TASK)
{
	const struct libgomp *const copy = copies_of(fn ? (const void *)fn : HERE);
	struct entry e;
	struct creation c;

	if (__builtin_expect(!fn, 0)) {
		copy->GOMP_task(fn, data, copier, size, align, deferred, flags, depend, priority,
				detach);
		KEEP_FRAME();
		return;
	}
	struct self *const s = ENTRY_BEGIN(&e);
	const void *const outer = s->creating;

	if (__builtin_expect(is_small(copier, size, align, deferred, flags), 1)) {
		struct small_task t;

		t.header.event = NULL;
		created_fill(&t.header.created, s, copy, fn);
		t.header.created.offset = sizeof(t.header.created);
		t.header.created.flags = created_flags(flags);
		if (size > 0)
			memcpy(t.block, data, (size_t)size);
		report_creation(s, &t.header.created, e.call);
		s->creating = &t;
		copy->GOMP_task(omphwc_run_task_address, &t, NULL, (long)sizeof(t.header) + size,
				_Alignof(struct small_task), deferred, flags, depend, priority,
				detach);
		s->creating = outer;
		entry_end(&e);
		return;
	}
	const bool with_block = !copier && deferred;
	struct task_header *const h =
		CREATION_MEMORY(&c, struct task_header, size, align, with_block);

	h->event = NULL;
	created_fill(&h->created, s, copy, fn);
	h->created.flags = created_flags(flags) | (deferred ? 0 : GOMP_CREATED_UNDEFERRED) |
			   (!deferred && !copier ? TASK_IN_PLACE : 0) |
			   (flags & TASK_DETACH && size >= (long)sizeof(void *) ? TASK_PASSES : 0);
	creation_block(&c, &h->created, sizeof(*h), data, copier, copy_task, size, align,
		       with_block);
	report_creation(s, &h->created, e.call);
	s->creating = h;
	/* A task that must run at once waits for what it depends on. */
	if (!deferred && (flags & TASK_DEPEND))
		self_set_state(s, GOMP_STATE_DEPEND, 0);
	copy->GOMP_task(omphwc_run_task_address, h, c.copier, c.size, c.align, deferred, flags,
			depend, priority, detach);
	s->creating = outer;
	creation_end(&c);
	entry_end(&e);
}
ADDRESS_OF(on_GOMP_task);

/*
 * The end of a taskloop's own taskgroup is waited for inside libgomp: the state is that of
 * the wait from the beginning, with the creation of the tasks.
 */
#define TASKLOOP(name, type) \
	ENTRY(void, name, (P_TASKLOOP, type start, type end, type step), \
	      (A_TASKLOOP(fn, data, copier, size, align), start, end, step), fn) \
	{ \
		ENTER(fn, name, (A_TASKLOOP(fn, data, copier, size, align), start, end, step)); \
		struct creation c; \
		const uint64_t outer = s->loop; \
		struct loop_header *const h = \
			CREATION_MEMORY(&c, struct loop_header, size, align, !copier); \
\
		h->bounds[0] = h->bounds[1] = NULL; \
		h->reductions = flags & TASK_REDUCTION ? ((void **)data)[2] : NULL; \
		h->creation = s->loop = self_new_id(&s->loops); \
		created_fill(&h->created, s, copy, fn); \
		h->created.flags = created_flags(flags) | GOMP_CREATED_TASKLOOP | \
				   (flags & TASK_IF ? 0 : GOMP_CREATED_UNDEFERRED); \
		creation_block(&c, &h->created, sizeof(*h), data, copier, copy_loop, size, align, \
			       !copier); \
		report_creation(s, &h->created, e.call); \
		if (!(flags & TASK_NOGROUP)) \
			self_set_state(s, GOMP_STATE_TASKGROUP, 0); \
		copy->name(A_TASKLOOP(omphwc_run_taskloop_address, h, c.copier, c.size, c.align), \
			   start, end, step); \
		s->loop = outer; \
		creation_end(&c); \
		entry_end(&e); \
	}
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, ull)

/* ---- waiting for tasks -------------------------------------------------------------------- */

/* The wait may run tasks, which set and restore the state. */
static inline void task_wait_begins(struct self *s, const void *call, uint8_t state)
{
	self_set_state(s, state, 0);
	event(s, call, GOMP_EVENT_TASKWAIT_BEGIN);
}

#define TASK_WAIT(name, parameters, arguments, state) \
	AROUND(name, parameters, arguments, task_wait_begins(s, e.call, state), \
	       event(s, e.call, GOMP_EVENT_TASKWAIT_END))
TASK_WAIT(GOMP_taskwait, (void), (), GOMP_STATE_TASKWAIT)
TASK_WAIT(GOMP_taskwait_depend, (void **depend), (depend), GOMP_STATE_DEPEND)

AROUND(GOMP_taskwait_depend_nowait, (void **depend), (depend), (void)s, )
AROUND(GOMP_taskyield, (void), (), (void)s, )

static inline void taskgroup_ends(struct self *s, const void *call)
{
	event(s, call, GOMP_EVENT_TASKWAIT_END);
	s->t.state = THR_OVHD_STATE;
	event(s, call, GOMP_EVENT_TASKGROUP_END);
}

AROUND(GOMP_taskgroup_start, (void), (), , event(s, e.call, GOMP_EVENT_TASKGROUP_BEGIN))
AROUND(GOMP_taskgroup_end, (void), (), task_wait_begins(s, e.call, GOMP_STATE_TASKGROUP),
       taskgroup_ends(s, e.call))
