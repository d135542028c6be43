/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/region.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "ompt_tool/omp/lives.h"

uint32_t token_epoch;
struct region_pool *_Atomic region_pools[REGION_POOLS_MAX];
static _Atomic uint32_t npools = 1;

_Static_assert((REGION_POOLS_MAX - 1) <= TOKEN_POOL_MASK, "pools in a token");
_Static_assert((REGION_POOLS_MAX & (REGION_POOLS_MAX - 1)) == 0, "a mask finds other numbers");
_Static_assert((int)REGION_POOL <= 1 << (TOKEN_POOL_SHIFT - TOKEN_RECORD_SHIFT),
	       "records in a token");

static bool pool_enter(struct region_pool *pool)
{
	uint32_t n = atomic_load(&npools);

	do {
		if (n == REGION_POOLS_MAX)
			return false;
	} while (!atomic_compare_exchange_weak(&npools, &n, n + 1));
	pool->number = n;
	for (uint32_t i = 0; i < REGION_POOL; i++)
		pool->region[i].name = n << TOKEN_POOL_SHIFT | i << TOKEN_RECORD_SHIFT |
				       TOKEN_KIND_REGION;
	atomic_store(&region_pools[n], pool);
	return true;
}

static struct region_pool *pool_within(struct region_pool *outer)
{
	void *room = mmap(NULL, sizeof(struct region_pool), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct region_pool *pool = room;

	if (room == MAP_FAILED)
		return NULL;
	if (!pool_enter(pool)) {
		munmap(room, sizeof(*pool));
		return NULL;
	}
	pool->outer = outer;
	outer->inner = pool;
	return pool;
}

static bool is_live(const struct region *r)
{
	return (atomic_load_explicit(&r->generation, memory_order_acquire) & 1) != 0;
}

/* The innermost pool with live records; its used is right then. */
static struct region_pool *pool_innermost(struct region_pool *first)
{
	struct region_pool *pool = first->innermost ? first->innermost : first;

	/* It was taken by region_first(). */
	if (first->used == 0 && is_live(&first->region[0]))
		first->used = 1;
	for (;; pool = pool->outer) {
		while (pool->used > 0 && !is_live(&pool->region[pool->used - 1]))
			pool->used--;
		if (pool->used > 0 || pool == first)
			break;
	}
	first->innermost = pool;
	return pool;
}

/* Ends what has not ended though its frame has returned. */
static void end_lost(struct region_pool *first, uintptr_t here)
{
	for (struct region_pool *pool = first; pool; pool = pool->inner)
		for (uint32_t i = 0; i < pool->used; i++) {
			struct region *r = &pool->region[i];
			uint32_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

			if ((g & 1) != 0 && r->cfa != 0 && r->cfa <= here &&
			    atomic_compare_exchange_strong(&r->generation, &g, g + 1))
				lives_over(r);
		}
}

/* The record that is within all live ones. */
static struct region *record_take(struct region_pool *first, struct region_pool *pool)
{
	if (pool->used == REGION_POOL)
		pool = pool->inner;
	if (!pool)
		return NULL;
	first->innermost = pool;
	region_revive(&pool->region[pool->used]);
	return &pool->region[pool->used++];
}

struct region *region_begin_other(struct region_pool *first, uintptr_t here)
{
	if (first->number == 0 && !pool_enter(first))
		return NULL;
	struct region *r = record_take(first, pool_innermost(first));

	if (r)
		return r;
	end_lost(first, here);
	struct region_pool *pool = pool_innermost(first);

	if (pool->used == REGION_POOL && !pool->inner && !pool_within(pool))
		return NULL;
	return record_take(first, pool);
}

void token_read(uint64_t token, struct token_view *v)
{
	v->kind = TOKEN_NONE;
	v->context = 0;
	v->creator = 0;
	v->region = NULL;
	const struct region *r = token_region(token);

	if (r) {
		uint32_t context = region_context(r);

		v->kind = TOKEN_OVER;
		/* Read after the context, so a live generation proves that the context was
		   this region's. */
		atomic_thread_fence(memory_order_acquire);
		if (region_is_live(r, token)) {
			v->kind = TOKEN_REGION;
			v->context = context;
			v->region = r;
		}
	} else if (token_is_task(token)) {
		v->kind = TOKEN_TASK;
		v->creator = task_creator(token);
		v->context = task_context(token);
	} else if (token_is_own(token)) {
		v->kind = TOKEN_OWN;
	} else if (token_is_bare(token)) {
		v->kind = TOKEN_REGION;
		v->context = task_context(token);
	}
}

uint64_t region_innermost(struct region_pool *first)
{
	const struct region_pool *pool = pool_innermost(first);

	return pool->used > 0 ? region_token(&pool->region[pool->used - 1]) : 0;
}

void region_forget(struct region_pool *first)
{
	for (struct region_pool *pool = first; pool; pool = pool->inner)
		for (int i = 0; i < REGION_POOL; i++)
			pool->region[i].context = pool->region[i].stats = pool->region[i].team = 0;
}
