/* region.c - records of live regions, and the pools that hold them. */
#include "config.h"

#include "ompt_tool/omp/region.h"

#include <stdatomic.h>
#include <stddef.h>

uint32_t token_epoch;
struct region_pool *_Atomic region_pools[REGION_POOLS_MAX];
static _Atomic uint32_t npools = 1;

_Static_assert((REGION_POOLS_MAX - 1) <= TOKEN_POOL_MASK, "pools in a token");
_Static_assert((REGION_POOLS_MAX & (REGION_POOLS_MAX - 1)) == 0, "a mask finds other numbers");
_Static_assert((int)REGION_DEPTH <= 1 << (TOKEN_POOL_SHIFT - TOKEN_RECORD_SHIFT),
	       "records in a token");

static bool pool_enter(struct region_pool *pool)
{
	uint32_t n = atomic_load(&npools);

	do {
		if (n == REGION_POOLS_MAX)
			return false;
	} while (!atomic_compare_exchange_weak(&npools, &n, n + 1));
	pool->number = n;
	for (uint32_t i = 0; i < REGION_DEPTH; i++)
		pool->region[i].name = n << TOKEN_POOL_SHIFT | i << TOKEN_RECORD_SHIFT |
				       TOKEN_KIND_REGION;
	atomic_store(&region_pools[n], pool);
	return true;
}

static struct region *record_take(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++) {
		struct region *r = &pool->region[i];
		uint32_t g = atomic_load_explicit(&r->generation, memory_order_acquire);

		if ((g & 1) != 0)
			continue;
		region_revive(r);
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

struct region *region_begin_other(struct region_pool *pool, uintptr_t here)
{
	if (pool->number == 0 && !pool_enter(pool))
		return NULL;
	struct region *r = record_take(pool);
	if (r)
		return r;
	end_lost(pool, here);
	return record_take(pool);
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
	}
}

void region_forget(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++)
		pool->region[i].context = pool->region[i].stats = 0;
}
