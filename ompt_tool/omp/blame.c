/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slot is a cache line that its own thread writes, with plain stores. So a wait costs the
 * waiting thread some nanoseconds, whatever the number of threads; a sample reads all slots.
 * What it reads of two slots may be of different instants, as far apart as the reading takes.
 */
#include "config.h"

#include "ompt_tool/omp/blame.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/places.h"
#include "ompt_tool/omp/region.h"

/* What a thread does; else it waits, and the slot has the state of the wait. */
enum {
	WORKS = PROF_STATE_PARALLEL,
	WORKS_ON_TASK = PROF_STATE_OVERHEAD,
};

struct blame_slot {
	_Atomic uint32_t taken;
	_Atomic uint32_t state;	 /* WORKS, WORKS_ON_TASK, or enum prof_state of a wait */
	_Atomic uint64_t region; /* token of the innermost region; 0: outside of regions */
	_Atomic uint64_t object; /* the mutex that it waits for, or 0 */
} __attribute__((aligned(64)));

struct blame_held {
	uint64_t object, name;
	uint32_t times; /* more than 1: a nested lock */
	uint8_t state;
};

struct blame {
	struct blame_slot *slot; /* NULL: none was free */
	struct places places;
	uint8_t wait[PLACES_DEPTH]; /* the state of each place's wait */
	struct blame_held held[BLAME_HELD];
	volatile uint32_t nheld;
};

/* Owned by this file. */
static bool on, watched;
static struct blame_slot slots[BLAME_THREADS];
static _Atomic uint32_t nslots; /* from here on, no slot was ever taken */

void blame_prepare(bool wanted)
{
	on = wanted;
}

void blame_watch(void)
{
	watched = true;
}

bool blame_wanted(void)
{
	return on || trace_on();
}

bool blame_on(void)
{
	return watched || blame_wanted();
}

/* ---- slots ------------------------------------------------------------ */

static struct blame_slot *slot_take(void)
{
	for (uint32_t i = 0; i < BLAME_THREADS; i++) {
		uint32_t taken = false;

		if (atomic_load(&slots[i].taken) ||
		    !atomic_compare_exchange_strong(&slots[i].taken, &taken, true))
			continue;
		uint32_t n = atomic_load(&nslots);

		while (n <= i && !atomic_compare_exchange_weak(&nslots, &n, i + 1))
			;
		return &slots[i];
	}
	return NULL;
}

/* The token of the region that the thread is in, or 0. */
static uint64_t region_now(const struct places *p)
{
	for (uint32_t i = p->n; i-- > 0;)
		if (token_region(p->at[i].begun.token))
			return p->at[i].begun.token;
	return 0;
}

static uint8_t state_now(const struct omp_thread *t)
{
	const struct places *p = &t->blame->places;
	const uint32_t i = p->n - 1;

	if (t->kind == PROF_THREAD_UNKNOWN)
		return PROF_STATE_NO_OPENMP;
	if (p->at[i].part == PROF_PART_WAIT)
		return t->blame->wait[i];
	if (p->at[i].home == PROF_PART_TASK)
		return WORKS_ON_TASK;
	return i == 0 && t->kind == PROF_THREAD_WORKER ? PROF_STATE_IDLE : WORKS;
}

static void slot_store(struct blame_slot *s, uint8_t state, uint64_t region, uint64_t object)
{
	atomic_store_explicit(&s->object, object, memory_order_relaxed);
	atomic_store_explicit(&s->region, region, memory_order_relaxed);
	atomic_store_explicit(&s->state, state, memory_order_release);
}

/* Makes known what the thread does by its places. */
static void publish(const struct omp_thread *t)
{
	const struct blame *b = t->blame;

	if (b->slot)
		slot_store(b->slot, state_now(t), region_now(&b->places), 0);
}

/* ---- threads ---------------------------------------------------------- */

void blame_begin(struct omp_thread *t)
{
	if (!on)
		return;
	if (!t->blame) {
		void *room = mmap(NULL, sizeof(struct blame), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (room == MAP_FAILED)
			return;
		t->blame = room;
	}
	places_begin(&t->blame->places);
	t->blame->nheld = 0;
	if (!t->blame->slot)
		t->blame->slot = slot_take();
	publish(t);
}

void blame_end(struct omp_thread *t)
{
	struct blame_slot *s = t->blame ? t->blame->slot : NULL;

	if (!s)
		return;
	t->blame->slot = NULL;
	slot_store(s, PROF_STATE_NO_OPENMP, 0, 0);
	atomic_store(&s->taken, false);
}

void blame_fork_child(struct omp_thread *t)
{
	struct blame_slot *own = t && t->blame ? t->blame->slot : NULL;

	for (uint32_t i = 0; i < atomic_load(&nslots); i++) {
		if (&slots[i] == own)
			continue;
		slot_store(&slots[i], PROF_STATE_NO_OPENMP, 0, 0);
		atomic_store(&slots[i].taken, false);
	}
}

void blame_kind(struct omp_thread *t)
{
	if (t->blame)
		publish(t);
}

/* ---- callbacks -------------------------------------------------------- */

void blame_fork(struct omp_thread *t, uint64_t token)
{
	struct region *r = region_live(token);

	trace_note(t, PROF_TRACE_FORK, 0, token);
	if (r && t->blame)
		atomic_store_explicit(&r->outer, region_now(&t->blame->places),
				      memory_order_relaxed);
}

void blame_join(struct omp_thread *t, uint64_t token)
{
	blame_leave(t, token);
	trace_note(t, PROF_TRACE_JOIN, 0, token);
}

void blame_enter(struct omp_thread *t, uint64_t token)
{
	trace_note(t, PROF_TRACE_ENTER, 0, token);
	if (!t->blame)
		return;
	places_enter(&t->blame->places, token, 0);
	publish(t);
}

void blame_leave(struct omp_thread *t, uint64_t token)
{
	trace_note(t, PROF_TRACE_LEAVE, 0, token);
	if (!t->blame)
		return;
	places_leave(&t->blame->places, token);
	publish(t);
}

void blame_switch(struct omp_thread *t, uint64_t token, bool begins)
{
	trace_note(t, begins ? PROF_TRACE_TASK : PROF_TRACE_RESUME, 0,
		   token_is_task(token) ? token : 0);
	if (!t->blame)
		return;
	places_switch(&t->blame->places, token, begins);
	publish(t);
}

void blame_wait(struct omp_thread *t, uint8_t state, bool begins)
{
	struct blame *b = t->blame;

	trace_note(t, begins ? PROF_TRACE_WAIT : PROF_TRACE_WAITED, state, 0);
	if (!b)
		return;
	b->wait[b->places.n - 1] = state;
	places_wait(&b->places, begins);
	publish(t);
}

void blame_acquire(struct omp_thread *t, uint8_t state, uint64_t object)
{
	const struct blame *b = t->blame;

	trace_note(t, PROF_TRACE_ACQUIRE, state, 0);
	if (b && b->slot)
		slot_store(b->slot, state, region_now(&b->places), object);
}

static void held_drop(struct blame *b, uint32_t i)
{
	const uint32_t last = b->nheld - 1;

	b->held[i] = b->held[last];
	atomic_signal_fence(memory_order_seq_cst);
	b->nheld = last;
}

static void held_add(struct blame *b, const struct blame_held *h)
{
	if (b->nheld == BLAME_HELD)
		held_drop(b, 0);
	b->held[b->nheld] = *h;
	atomic_signal_fence(memory_order_seq_cst);
	b->nheld++;
}

static struct blame_held *held_find(struct blame *b, uint64_t object)
{
	for (uint32_t i = 0; i < b->nheld; i++)
		if (b->held[i].object == object)
			return &b->held[i];
	return NULL;
}

static void held_forget(struct blame *b, uint64_t object)
{
	const struct blame_held *h = held_find(b, object);

	if (h)
		held_drop(b, (uint32_t)(h - b->held));
}

void blame_acquired(struct omp_thread *t, uint8_t state, uint64_t object, uint64_t name)
{
	trace_note(t, PROF_TRACE_ACQUIRED, state, 0);
	if (!t->blame)
		return;
	held_forget(t->blame, object);
	if (state != PROF_STATE_ORDERED)
		held_add(t->blame, &(struct blame_held){ object, name, 1, state });
	publish(t);
}

bool blame_acquired_again(struct omp_thread *t, uint64_t object)
{
	struct blame_held *h = t->blame ? held_find(t->blame, object) : NULL;

	if (!h)
		return false;
	h->times++;
	publish(t);
	return true;
}

void blame_released(struct omp_thread *t, uint64_t object)
{
	struct blame_held *h = t->blame ? held_find(t->blame, object) : NULL;

	if (h && --h->times == 0)
		held_forget(t->blame, object);
}

/* ---- the handler ------------------------------------------------------ */

/* A thread's regions that are not over, the innermost first; then 0, which stands for the
   process. */
struct chain {
	uint64_t at[BLAME_REGIONS + 1];
	uint32_t n;
};

static void chain_of(uint64_t region, struct chain *c)
{
	const struct region *r;

	c->n = 0;
	for (; (r = region_live(region)) && c->n < BLAME_REGIONS;
	     region = atomic_load_explicit(&r->outer, memory_order_relaxed))
		c->at[c->n++] = region;
	c->at[c->n++] = 0;
}

static uint32_t chain_find(const struct chain *c, uint64_t region)
{
	uint32_t i = 0;

	while (i < c->n && c->at[i] != region)
		i++;
	return i;
}

/* How many threads there are, for each region of the sampled thread. */
struct tally {
	struct chain chain;
	struct {
		uint32_t work;	/* in it, or in a region inside of it */
		uint32_t tasks; /* the same, on its explicit tasks or inside of it */
		uint32_t barrier, ordered, task, idle;
	} at[BLAME_REGIONS + 1];
	uint32_t held[BLAME_HELD]; /* that wait for a mutex of the thread */
};

static void tally_wait(struct tally *y, uint32_t state, uint64_t region)
{
	const bool over = state == PROF_STATE_IDLE || !region_live(region);
	const uint32_t k = chain_find(&y->chain, over ? 0 : region);

	if (k == y->chain.n)
		return;
	if (over)
		y->at[k].idle += state != PROF_STATE_TASKWAIT && state != PROF_STATE_TASKGROUP;
	else if (state == PROF_STATE_TASKWAIT || state == PROF_STATE_TASKGROUP)
		y->at[k].task++;
	else if (state == PROF_STATE_ORDERED)
		y->at[k].ordered++;
	else
		y->at[k].barrier++;
}

static void tally_mutex(struct tally *y, const struct blame *b, uint64_t object)
{
	const uint32_t n = b->nheld;

	for (uint32_t i = 0; i < n; i++)
		if (b->held[i].object == object) {
			y->held[i]++;
			return;
		}
}

static bool works(uint32_t state)
{
	return state == WORKS || state == WORKS_ON_TASK;
}

static void tally_slot(struct tally *y, const struct blame *b, struct blame_slot *s)
{
	const uint32_t state = atomic_load_explicit(&s->state, memory_order_acquire);
	const uint64_t region = atomic_load_explicit(&s->region, memory_order_relaxed);

	if (state == PROF_STATE_NO_OPENMP)
		return;
	if (works(state)) {
		/* Adds a thread that works to the regions that both are in. */
		struct chain c;

		chain_of(region, &c);
		for (uint32_t i = 0; i < c.n; i++) {
			const uint32_t k = chain_find(&y->chain, c.at[i]);

			if (k == y->chain.n)
				continue;
			y->at[k].work++;
			y->at[k].tasks += i > 0 || state == WORKS_ON_TASK;
		}
	} else if (state >= PROF_STATE_MUTEX && state <= PROF_STATE_ATOMIC) {
		tally_mutex(y, b, atomic_load_explicit(&s->object, memory_order_relaxed));
	} else {
		tally_wait(y, state, region);
	}
}

static unsigned share_add(struct blame_share *share, unsigned n, uint8_t state, uint64_t weight)
{
	if (weight != 0)
		share[n++] = (struct blame_share){ .state = state, .weight = weight };
	return n;
}

/* The thread works: it has its part in the waits in its regions. */
static unsigned shares_of_regions(const struct tally *y, uint32_t state, uint64_t weight,
				  struct blame_share *share)
{
	unsigned n = 0;

	for (uint32_t k = 0; k < y->chain.n; k++) {
		const uint32_t work = y->at[k].work, tasks = y->at[k].tasks;

		if (work == 0)
			continue;
		n = share_add(share, n, PROF_STATE_BARRIER, weight * y->at[k].barrier / work);
		n = share_add(share, n, PROF_STATE_ORDERED, weight * y->at[k].ordered / work);
		n = share_add(share, n, PROF_STATE_IDLE, weight * y->at[k].idle / work);
		if (tasks != 0 && (k > 0 || state == WORKS_ON_TASK))
			n = share_add(share, n, PROF_STATE_TASKWAIT,
				      weight * y->at[k].task / tasks);
	}
	return n;
}

unsigned blame_shares(const struct omp_thread *t, uint64_t weight,
		      struct blame_share share[BLAME_SHARES])
{
	const struct blame *b = t->blame;
	struct tally y = { .chain.n = 0 };
	unsigned n = 0;

	if (!b || !b->slot)
		return 0;
	const uint32_t state = atomic_load_explicit(&b->slot->state, memory_order_relaxed);

	if (works(state))
		chain_of(atomic_load_explicit(&b->slot->region, memory_order_relaxed), &y.chain);
	else if (b->nheld == 0)
		return 0;
	for (uint32_t i = 0, end = atomic_load(&nslots); i < end; i++)
		tally_slot(&y, b, &slots[i]);
	if (works(state))
		n = shares_of_regions(&y, state, weight, share);
	for (uint32_t i = 0; i < b->nheld; i++)
		if (y.held[i] != 0)
			share[n++] = (struct blame_share){ b->held[i].state, b->held[i].name,
							   weight * y.held[i] };
	return n;
}
