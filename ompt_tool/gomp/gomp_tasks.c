/*
 * gomp_tasks.c - explicit tasks and taskloops.
 *
 * libgomp copies a block of data for each task and runs a function on it. Our header is
 * put in front of the program's block, and our function runs the program's:
 *
 *	[header][padding to the block's alignment][the program's block]
 *
 * The header's first two words are libgomp's to write: a detached task's event, or the
 * bounds of a taskloop's chunk; they are passed on to the program's block. The third is
 * the program's third: libgomp reads it where a taskloop reduces.
 */
#include "config.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/gomp/jump.h"
#include "ompt_tool/gomp/wrap.h"

enum { HEADER_ALIGN = 16, STACK_BYTES = 1 << 12 };

struct header {
	void *written[2]; /* by libgomp */
	void *third;
	const struct header *first; /* where the header was made; copies lie elsewhere */
	body_fn *fn;
	copy_fn *copy_block; /* or NULL: the block is copied as it is */
	void *block;	     /* the program's, that first was made of */
	size_t offset;	     /* of the block that follows a header */
	const struct self *creator;
	uint64_t serial; /* of the creation, in its thread */
	const struct libgomp *copy;
	uint64_t word; /* the collector's */
	uint64_t region_id, parent_id;
	uint32_t flags; /* enum gomp_created */
	int passed;	/* how many of written are passed on */
};

/* ---- running ------------------------------------------------------------------------------ */

static void *block_of(struct header *h)
{
	void **block = h == h->first ? h->block : (void *)((char *)h + h->offset);

	for (int i = 0; i < h->passed; i++)
		block[i] = h->written[i];
	return block;
}

/* It runs inside of the call that created it. Another task that runs there, since the
   creation waits for it, has another number. */
static bool is_undeferred(const struct header *h, const struct self *s)
{
	return h->creator == s && h->serial == s->creating;
}

/* Member by member: compilers clear a structure of this size by an instruction whose start takes
   as long as all that is done here. task_push() fills in the rest. */
static inline void fill_task(struct self_task *k, const struct header *h, const struct self *s,
			     uintptr_t frame)
{
	k->task.region_id = h->region_id;
	k->task.team_data = 0;
	k->task.data = h->word;
	k->task.exit = frame;
	k->task.body = h->fn;
	k->task.number = (uint32_t)h->copy->omp_get_thread_num();
	k->task.team_size = (uint32_t)h->copy->omp_get_num_threads();
	k->task.flags = h->flags;
	k->task.kind = is_undeferred(h, s) ? GOMP_TASK_UNDEFERRED : GOMP_TASK_EXPLICIT;
	k->at = frame;
	k->copy = h->copy;
	k->parent_id = h->parent_id;
}

/* libgomp calls it for each task. Its frame stays directly below the outlined function's. */
ON void omphwc_run_task(void *arg)
{
	struct header *h = arg;
	struct self *s = self();
	void *block = block_of(h);
	struct self_task k;

	fill_task(&k, h, s, (uintptr_t)__builtin_frame_address(0));
	task_push(s, &k, THR_OVHD_STATE);
	event(s, NULL, GOMP_EVENT_TASK_BEGIN);
	s->t.state = h->region_id != 0 ? THR_WORK_STATE : THR_SERIAL_STATE;
	h->fn(block);
	s->t.state = THR_OVHD_STATE;
	event(s, NULL, GOMP_EVENT_TASK_END);
	task_pop(s, &k);
	self_set_state(s, k.below_state, k.below_wait_id);
	KEEP_FRAME();
}

static void copy_task(void *to, void *from)
{
	const struct header *h = from;

	memcpy(to, h, sizeof(*h));
	h->copy_block((char *)to + h->offset, h->block);
}

/* ---- creating ----------------------------------------------------------------------------- */

/* What is told of a creation, and given to libgomp. */
struct creation {
	struct header *h;
	copy_fn *copier;
	long size, align;
	uint64_t outer; /* the creation that this one is in, or 0 */
	void *heap;	/* to be freed, or NULL */
};

static size_t offset_for(long align)
{
	const size_t a = align > HEADER_ALIGN ? (size_t)align : HEADER_ALIGN;

	return (sizeof(struct header) + a - 1) / a * a;
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

static void tell_creation(struct self *s, struct header *h, const void *call)
{
	s->t.body = h->fn;
	s->t.created = &h->word;
	s->t.created_flags = h->flags;
	event(s, call, GOMP_EVENT_TASK_CREATE);
}

/* The program's block is copied behind the header, unless the task has it copied by a
   function of its own or runs at once. Member by member, as in fill_task(). */
static void header_fill(struct creation *c, struct self *s, const struct libgomp *copy, body_fn *fn,
			void *data, copy_fn *copier, long size, long align, bool with_block)
{
	struct header *h = c->h;
	const size_t offset = offset_for(align);

	h->written[0] = h->written[1] = h->third = NULL;
	h->first = h;
	h->fn = fn;
	h->copy_block = copier;
	h->block = data;
	h->offset = offset;
	h->creator = s;
	h->serial = ++s->serial;
	h->copy = copy;
	h->word = 0;
	h->region_id = s->prid;
	h->parent_id = s->t.task ? ((struct self_task *)s->t.task)->parent_id : 0;
	h->flags = 0;
	h->passed = 0;
	if (with_block)
		memcpy((char *)h + offset, data, (size_t)size);
	c->copier = copier ? copy_task : NULL;
	c->size = size + (long)offset;
	c->align = align > HEADER_ALIGN ? align : HEADER_ALIGN;
	c->outer = s->creating;
	s->creating = h->serial;
}

static size_t block_bytes(long size, long align, bool with_block)
{
	return offset_for(align) + (with_block ? (size_t)size : 0);
}

/* Memory for the header and what follows it: on the caller's stack, aligned by hand; large
   blocks on the heap, since the program's own block is on the same stack. */
#define CREATION_MEMORY(c, bytes, al) \
	do { \
		const size_t need_ = \
			(bytes) + (size_t)((al) > HEADER_ALIGN ? (al) : HEADER_ALIGN); \
		void *raw_; \
		(c)->heap = need_ > STACK_BYTES ? malloc(need_) : NULL; \
		raw_ = (c)->heap ? (c)->heap : alloca(need_); \
		(c)->h = align_up(raw_, al); \
	} while (0)

static struct header *align_up(void *p, long align)
{
	const uintptr_t a = align > HEADER_ALIGN ? (uintptr_t)align : HEADER_ALIGN;

	return (struct header *)(((uintptr_t)p + a - 1) & ~(a - 1));
}

static inline void creation_end(struct creation *c, struct self *s)
{
	s->creating = c->outer;
	free(c->heap);
}

ON void on_GOMP_task(P_TASK)
{
	const struct libgomp *const copy = copies_of((const void *)fn);
	struct entry e;
	struct creation c;
	struct self *const s = ENTRY_BEGIN(&e);
	const bool with_block = !copier && deferred && size > 0;

	CREATION_MEMORY(&c, block_bytes(size, align, with_block), align);
	header_fill(&c, s, copy, fn, data, copier, size, align, with_block);
	c.h->passed = flags & TASK_DETACH ? 1 : 0;
	c.h->flags = created_flags(flags) | (deferred ? 0 : GOMP_CREATED_UNDEFERRED);
	if (event_is_wanted(GOMP_EVENT_TASK_CREATE))
		tell_creation(s, c.h, e.call);
	/* A task that must run at once waits for what it depends on. */
	if (!deferred && (flags & TASK_DEPEND))
		self_set_state(s, GOMP_STATE_DEPEND, 0);
	copy->GOMP_task(omphwc_run_task, c.h, c.copier, c.size, c.align, deferred, flags, depend,
			priority, detach);
	creation_end(&c, s);
	entry_end(&e);
}

/*
 * The end of a taskloop's own taskgroup is waited for inside libgomp: the state is that of
 * the wait from the beginning, with the creation of the tasks.
 */
#define TASKLOOP(name, type) \
	ON void on_##name(P_TASKLOOP, type start, type end, type step) \
	{ \
		COPY(fn, name, (A_TASKLOOP(fn, data, copier, size, align), start, end, step)); \
		struct entry e; \
		struct creation c; \
		struct self *const s = ENTRY_BEGIN(&e); \
		const bool with_block = !copier && size > 0; \
\
		CREATION_MEMORY(&c, block_bytes(size, align, with_block), align); \
		header_fill(&c, s, copy, fn, data, copier, size, align, with_block); \
		c.h->passed = 2; \
		if (flags & TASK_REDUCTION) \
			c.h->third = ((void **)data)[2]; \
		c.h->flags = created_flags(flags) | GOMP_CREATED_TASKLOOP | \
			     (flags & TASK_IF ? 0 : GOMP_CREATED_UNDEFERRED); \
		if (event_is_wanted(GOMP_EVENT_TASK_CREATE)) \
			tell_creation(s, c.h, e.call); \
		if (!(flags & TASK_NOGROUP)) \
			self_set_state(s, GOMP_STATE_TASKGROUP, 0); \
		copy->name(A_TASKLOOP(omphwc_run_task, c.h, c.copier, c.size, c.align), start, \
			   end, step); \
		creation_end(&c, s); \
		entry_end(&e); \
	} \
	WRAP(void, name, (P_TASKLOOP, type start, type end, type step), \
	     (A_TASKLOOP(fn, data, copier, size, align), start, end, step), fn)
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, ull)

/* ---- waiting for tasks -------------------------------------------------------------------- */

/* The wait may run tasks, which set and restore the state. */
#define TASK_WAIT(name, parameters, arguments, wait) \
	ON void on_##name parameters \
	{ \
		COPY(HERE, name, arguments); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		self_set_state(s, wait, 0); \
		event(s, e.call, GOMP_EVENT_TASKWAIT_BEGIN); \
		copy->name arguments; \
		event(s, e.call, GOMP_EVENT_TASKWAIT_END); \
		entry_end(&e); \
	} \
	WRAP(void, name, parameters, arguments, HERE)
TASK_WAIT(GOMP_taskwait, (void), (), GOMP_STATE_TASKWAIT)
TASK_WAIT(GOMP_taskwait_depend, (void **depend), (depend), GOMP_STATE_DEPEND)

#define TASK_OTHER(name, parameters, arguments) \
	ON void on_##name parameters \
	{ \
		COPY(HERE, name, arguments); \
		struct entry e; \
\
		ENTRY_BEGIN(&e); \
		copy->name arguments; \
		entry_end(&e); \
	} \
	WRAP(void, name, parameters, arguments, HERE)
TASK_OTHER(GOMP_taskwait_depend_nowait, (void **depend), (depend))
TASK_OTHER(GOMP_taskyield, (void), ())

ON void on_GOMP_taskgroup_start(void)
{
	COPY(HERE, GOMP_taskgroup_start, ());
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	copy->GOMP_taskgroup_start();
	event(s, e.call, GOMP_EVENT_TASKGROUP_BEGIN);
	entry_end(&e);
}
WRAP(void, GOMP_taskgroup_start, (void), (), HERE)

ON void on_GOMP_taskgroup_end(void)
{
	COPY(HERE, GOMP_taskgroup_end, ());
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	self_set_state(s, GOMP_STATE_TASKGROUP, 0);
	event(s, e.call, GOMP_EVENT_TASKWAIT_BEGIN);
	copy->GOMP_taskgroup_end();
	event(s, e.call, GOMP_EVENT_TASKWAIT_END);
	s->t.state = THR_OVHD_STATE;
	event(s, e.call, GOMP_EVENT_TASKGROUP_END);
	entry_end(&e);
}
WRAP(void, GOMP_taskgroup_end, (void), (), HERE)
