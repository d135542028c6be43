/*
 * region.c - token layout.
 *
 *   bits 0-1   kind: 1 region, 2 task
 *   region:    3-7 the record, 8-31 its pool's number, 32-63 its generation
 *   task:      2 whether it has begun, 3-7 CHECK, 8-15 the epoch, 16-31 the
 *              creating thread's index, 32-63 the context's node number
 *
 * Pools are found by number, in a table: no bits lead to an address outside of
 * it.
 */
#include "config.h"

#include "ompt_tool/core/region.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
	KIND_MASK = 3, KIND_REGION = 1, KIND_TASK = 2,
	TASK_BEGUN = 1 << 2,
	TASK_CHECK = 0x15 << 3, TASK_CHECK_MASK = 0x1f << 3,
	RECORD_SHIFT = 3,
	POOL_SHIFT = 8, POOL_MASK = 0xffffff,
	POOLS_MAX = 1 << 14,	/* threads beyond begin regions without records */
};

/* Owned by this file. */
static struct region_pool *_Atomic pools[POOLS_MAX];
static _Atomic uint32_t npools = 1;

_Static_assert((int)REGION_DEPTH <= 1 << (POOL_SHIFT - RECORD_SHIFT), "records in a token");

static bool pool_enter(struct region_pool *pool)
{
	uint32_t n = atomic_load(&npools);

	do {
		if (n == POOLS_MAX)
			return false;
	} while (!atomic_compare_exchange_weak(&npools, &n, n + 1));
	pool->number = n;
	atomic_store(&pools[n], pool);
	return true;
}

static struct region *record_take(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++) {
		struct region *r = &pool->region[i];
		uint32_t g = atomic_load_explicit(&r->generation, memory_order_acquire);

		if ((g & 1) != 0)
			continue;
		/* Who sees what follows sees that the record was not live. */
		atomic_thread_fence(memory_order_release);
		r->context = 0;
		r->team = 0;
		r->cfa = 0;
		r->call = 0;
		r->stats = 0;
		r->team_stats = 0;
		atomic_store_explicit(&r->generation, g + 1, memory_order_release);
		return r;
	}
	return NULL;
}

static void end_lost(struct region_pool *pool, uintptr_t here)
{
	for (int i = 0; i < REGION_DEPTH; i++) {
		struct region *r = &pool->region[i];
		uint32_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

		if ((g & 1) != 0 && r->cfa != 0 && r->cfa <= here)
			atomic_compare_exchange_strong(&r->generation, &g, g + 1);
	}
}

struct region *region_begin(struct region_pool *pool, uintptr_t here)
{
	if (pool->number == 0 && !pool_enter(pool))
		return NULL;
	struct region *r = record_take(pool);
	if (r != NULL)
		return r;
	end_lost(pool, here);
	return record_take(pool);
}

uint64_t region_token(const struct region_pool *pool, const struct region *r)
{
	uint64_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

	return g << 32 | (uint64_t)pool->number << POOL_SHIFT |
		(uint64_t)(r - pool->region) << RECORD_SHIFT | KIND_REGION;
}

uint64_t task_token(uint32_t context, uint8_t epoch, uint32_t creator)
{
	return (uint64_t)context << 32 | (uint64_t)(creator & 0xffff) << 16 |
		(uint64_t)epoch << 8 | TASK_CHECK | KIND_TASK;
}

bool token_same_task(uint64_t a, uint64_t b)
{
	/* A region's bit 2 is 0. */
	return ((a ^ b) & ~(uint64_t)TASK_BEGUN) == 0;
}

bool token_is_task(uint64_t token)
{
	return (token & (KIND_MASK | TASK_CHECK_MASK)) == (KIND_TASK | TASK_CHECK);
}

bool task_is_new(uint64_t token)
{
	return token_is_task(token) && (token & TASK_BEGUN) == 0;
}

bool task_begin(uint64_t *token)
{
	if (!task_is_new(*token))
		return false;
	*token |= TASK_BEGUN;
	return true;
}

/* The record that a region's token names; NULL for any other token. */
static inline struct region *token_region(uint64_t token)
{
	uint32_t number = (uint32_t)token >> POOL_SHIFT & POOL_MASK;

	if ((token & KIND_MASK) != KIND_REGION || number >= POOLS_MAX)
		return NULL;
	struct region_pool *pool = atomic_load_explicit(&pools[number], memory_order_acquire);

	return pool == NULL ? NULL :
		&pool->region[token >> RECORD_SHIFT & (REGION_DEPTH - 1)];
}

static inline bool is_live(const struct region *r, uint64_t token)
{
	uint32_t g = atomic_load_explicit(&r->generation, memory_order_acquire);

	return (g & 1) != 0 && g == (uint32_t)(token >> 32);
}

/* One region's context may be read while the next one's is written. */
static inline uint32_t context_of(const struct region *r)
{
	return __atomic_load_n(&r->context, __ATOMIC_RELAXED);
}

bool region_end(uint64_t token, struct region *was)
{
	struct region *r = token_region(token);

	if (r == NULL || !is_live(r, token))
		return false;
	was->context = r->context;
	was->owner = r->owner;
	was->team = r->team;
	was->stats = r->stats;
	was->team_stats = r->team_stats;
	was->begin_ticks = r->begin_ticks;
	/* Begun and ended by one thread; a runtime that ends it elsewhere still
	   ends it once. */
	atomic_store_explicit(&r->generation,
			      atomic_load_explicit(&r->generation, memory_order_relaxed) + 1,
			      memory_order_release);
	return true;
}

void region_team(uint64_t token, uint32_t threads)
{
	struct region *r = token_region(token);

	if (r != NULL && is_live(r, token))
		r->team = threads;
}

void token_read(uint64_t token, uint8_t epoch, struct token_view *v)
{
	v->kind = TOKEN_NONE;
	v->context = 0;
	v->creator = 0;
	v->region = NULL;
	const struct region *r = token_region(token);

	if (r != NULL) {
		uint32_t context = context_of(r);

		v->kind = TOKEN_OVER;
		/* Looked at after the context was: it was this region's. */
		atomic_thread_fence(memory_order_acquire);
		if (is_live(r, token)) {
			v->kind = TOKEN_REGION;
			v->context = context;
			v->region = r;
		}
	} else if (token_is_task(token)) {
		v->kind = TOKEN_TASK;
		v->creator = (uint16_t)(token >> 16);
		if ((uint8_t)(token >> 8) == epoch)
			v->context = (uint32_t)(token >> 32);
	}
}

uint64_t token_context(uint64_t token)
{
	const struct region *r = token_region(token);

	if (r != NULL)
		return (uint64_t)context_of(r) << 32 | KIND_REGION;
	return token & ~(UINT64_C(0xffff) << 16 | TASK_BEGUN);
}

void region_forget(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++)
		pool->region[i].context = pool->region[i].stats = 0;
}
