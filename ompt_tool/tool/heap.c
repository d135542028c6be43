/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An allocation's context is found as a region's is (omp/context.h), but with a
 * context_finder of its own: a signal handler of the application's may allocate
 * while the thread's other finder is in use. Both add to the same tree.
 */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "ompt_tool/omp/context_here.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/heap_link.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tree/blocks.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "pmu/counter.h"

extern struct heap_link omphwc_heap __attribute__((weak));

struct heap_thread {
	struct context_finder contexts;
	const struct prof_thread *record; /* the thread's record when the entry was filled in */
	uint32_t era;			  /* blocks_era() when the entry was filled in */
	volatile bool busy;
};

/* ---- contexts -------------------------------------------------------------- */

/* The thread's struct heap_thread; NULL where there is no tree to add to. A fork's
   child makes its profile at its first sample, not at its first block. */
static struct heap_thread *heap_thread(struct thread *t)
{
	struct heap_thread *h = t->heap;

	if (!process_has_profile() || !t->omp.record || cct_root(&t->omp.cct) == 0)
		return NULL;
	if (!h) {
		h = mmap(NULL, sizeof(*h), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
		if (h == MAP_FAILED)
			return NULL;
		data_heap_bytes = sizeof(*h);
		t->heap = h;
	}
	if (h->busy)
		return NULL;
	if (h->record != t->omp.record || h->contexts.own.lo != t->own.lo ||
	    h->contexts.own.hi != t->own.hi || h->era != blocks_era()) {
		/* Empties the caches when the thread's record or the era has changed: they hold
		   places on the thread's stack and nodes of its tree. */
		h->contexts.thread = &t->omp;
		h->contexts.own.lo = t->own.lo;
		h->contexts.own.hi = t->own.hi;
		h->record = t->omp.record;
		h->era = blocks_era();
		context_forget(&h->contexts);
	}
	return h;
}

/* Adds atomically: other threads that run the same task may count at the same node. */
static void count(struct heap_thread *h, struct context *c, size_t bytes)
{
	if (c->stats == 0)
		c->stats = cct_child(&h->contexts.thread->cct, c->node,
				     PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_ALLOC), 0);
	if (c->stats == 0)
		return;
	struct prof_node *n = cct_node(h->contexts.thread->cct.writer, c->stats);

	__atomic_fetch_add(&n->a, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&n->b, bytes, __ATOMIC_RELAXED);
}

static uint32_t context_of(struct heap_thread *h, size_t bytes, const struct heap_call *call)
{
	const struct runtime *rt = atomic_load_explicit(&runtime_current, memory_order_relaxed);
	struct runtime_view view = { 0 };

	if (rt && h->contexts.thread->kind != PROF_THREAD_UNKNOWN)
		rt->query(&view);
	struct context *c = context_here(&h->contexts, &(struct encounter){
							       .call = call->pc,
							       .enter = call->frame,
							       .exit = view.exit,
							       .token = view.token,
							       .kind = PROF_BOUNDARY_REGION,
						       });

	if (c->node != 0)
		count(h, c, bytes);
	return c->node;
}

/* ---- what libomphwc_heap.so reports --------------------------------------------- */

static void add(void *block, uint64_t bytes, uint32_t context)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;

	if (context != 0 && !blocks_add((uintptr_t)block, bytes, context) &&
	    !atomic_flag_test_and_set(&noted))
		profile_note("more heap blocks were live at a time than can be noted: "
			     "what allocated some of them is not known");
}

static void born(void *block, size_t bytes, const struct heap_call *call)
{
	struct thread *t = thread_self;
	int saved = errno;
	struct heap_thread *h = t && *process.alive != 0 ? heap_thread(t) : NULL;

	if (h) {
		h->busy = true;
		atomic_signal_fence(memory_order_seq_cst);
		add(block, bytes, context_of(h, bytes, call));
		atomic_signal_fence(memory_order_seq_cst);
		h->busy = false;
	}
	errno = saved;
}

static void gone(void *block, struct blocks_was *was)
{
	blocks_remove((uintptr_t)block, was);
}

static void kept(void *block, const struct blocks_was *was)
{
	add(block, was->bytes, was->context);
}

/* ---- start ----------------------------------------------------------------------- */

static void link_to(const struct heap_link *to)
{
	omphwc_heap.born = to->born;
	omphwc_heap.kept = to->kept;
	__atomic_store_n(&omphwc_heap.gone, to->gone, __ATOMIC_RELEASE);
	__atomic_store_n(&omphwc_heap.least, to->least, __ATOMIC_RELEASE);
}

static void *seen_born, *seen_gone;

static void see_born(void *block, size_t bytes, const struct heap_call *call)
{
	(void)bytes;
	(void)call;
	__atomic_store_n(&seen_born, block, __ATOMIC_RELAXED);
}

static void see_gone(void *block, struct blocks_was *was)
{
	*was = (struct blocks_was){ 0 };
	__atomic_store_n(&seen_gone, block, __ATOMIC_RELAXED);
}

static void see_kept(void *block, const struct blocks_was *was)
{
	(void)block;
	(void)was;
}

/*
 * Whether the program's allocator calls go through libomphwc_heap.so. They don't
 * where a program that defines malloc(), or a sanitizer, precedes it in the
 * loader's order. free() is tried too: if it alone went elsewhere, freed blocks
 * would seem to live on.
 */
static bool is_in_between(void)
{
	static const struct heap_link see = { BLOCKS_LEAST_BYTES, see_born, see_gone, see_kept };
	static const struct heap_link none = { SIZE_MAX, see_born, see_gone, see_kept };
	void *(*volatile allocate)(size_t) = malloc;
	void (*volatile give_up)(void *) = free;
	void *p, *q;

	link_to(&see);
	p = allocate(BLOCKS_LEAST_BYTES);
	q = __atomic_load_n(&seen_born, __ATOMIC_RELAXED);
	uintptr_t block = (uintptr_t)p;
	give_up(p);
	link_to(&none);
	return block != 0 && (uintptr_t)q == block &&
	       (uintptr_t)__atomic_load_n(&seen_gone, __ATOMIC_RELAXED) == block;
}

static bool heap_has_addresses(void)
{
	for (int i = 0; i < sampling.nsampled; i++)
		if (pmu_counter_has_address(&sampling.events[i]))
			return true;
	return false;
}

void heap_start(uint64_t least_bytes)
{
	struct heap_link link = { .born = born, .gone = gone, .kept = kept };

	if (!&omphwc_heap || least_bytes == UINT64_MAX || !heap_has_addresses())
		return;
	if (!is_in_between()) {
		profile_note("the program has an allocator of its own: what allocated the heap's "
			     "blocks is not known");
		return;
	}
	if (blocks_init() != 0)
		return;
	module_mark(&omphwc_heap, PROF_MODULE_TOOL);
	link.least = least_bytes < BLOCKS_LEAST_BYTES ? BLOCKS_LEAST_BYTES : least_bytes;
	link_to(&link);
}

void heap_fork_child(void)
{
	if (thread_self && thread_self->heap)
		thread_self->heap->busy = false;
	blocks_forget();
}
