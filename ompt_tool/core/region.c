/*
 * region.c - token layout: bits 0-1 kind (1 region, 2 task).  Region: bits
 * 2-47 the record's address, 48-63 its generation's low bits.  Task: bit 2
 * whether it has begun, bits 8-15 the epoch, 16-31 the creating thread's index,
 * 32-63 the context's node number.  User-space addresses have
 * at most 47 bits (48 on arm64), and records are aligned.
 */
#include "config.h"

#include "ompt_tool/core/region.h"

#include <stdatomic.h>
#include <stddef.h>

enum { KIND_MASK = 3, KIND_REGION = 1, KIND_TASK = 2, TASK_BEGUN = 4 };

#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1 - KIND_MASK)

struct region *region_begin(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++) {
		struct region *r = &pool->region[i];
		uint32_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

		if ((g & 1) == 0) {
			r->context = 0;
			r->team = 0;
			r->cfa = 0;
			r->call = 0;
			r->stats = 0;
			r->team_stats = 0;
			atomic_store_explicit(&r->generation, g + 1, memory_order_release);
			return r;
		}
	}
	return NULL;
}

uint64_t region_token(const struct region *r)
{
	uint64_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

	return (uint64_t)(uintptr_t)r | g << ADDRESS_BITS | KIND_REGION;
}

uint64_t task_token(uint32_t context, uint8_t epoch, uint32_t creator)
{
	return (uint64_t)context << 32 | (uint64_t)(creator & 0xffff) << 16 |
		(uint64_t)epoch << 8 | KIND_TASK;
}

bool token_same_task(uint64_t a, uint64_t b)
{
	/* No region's address has bit 2: records are aligned to 8. */
	return ((a ^ b) & ~(uint64_t)TASK_BEGUN) == 0;
}

bool token_is_task(uint64_t token)
{
	return (token & KIND_MASK) == KIND_TASK;
}

bool task_begin(uint64_t *token)
{
	if ((*token & (KIND_MASK | TASK_BEGUN)) != KIND_TASK)
		return false;
	*token |= TASK_BEGUN;
	return true;
}

static struct region *token_region(uint64_t token)
{
	return (struct region *)(uintptr_t)(token & ADDRESS_MASK);
}

static bool token_live(uint64_t token)
{
	uint32_t g = atomic_load_explicit(&token_region(token)->generation, memory_order_acquire);

	return (g & 1) != 0 && (uint16_t)g == (uint16_t)(token >> ADDRESS_BITS);
}

bool region_end(uint64_t token, struct region *was)
{
	if ((token & KIND_MASK) != KIND_REGION || !token_live(token))
		return false;
	struct region *r = token_region(token);

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
	if ((token & KIND_MASK) == KIND_REGION && token_live(token))
		token_region(token)->team = threads;
}

void token_read(uint64_t token, uint8_t epoch, struct token_view *v)
{
	v->kind = TOKEN_NONE;
	v->context = 0;
	v->creator = 0;
	v->region = NULL;
	if ((token & KIND_MASK) == KIND_REGION) {
		const struct region *r = token_region(token);
		uint32_t context = r->context;

		v->kind = TOKEN_OVER;
		/* Looked at after the context was: it was this region's. */
		atomic_thread_fence(memory_order_acquire);
		if (token_live(token)) {
			v->kind = TOKEN_REGION;
			v->context = context;
			v->region = r;
		}
	} else if ((token & KIND_MASK) == KIND_TASK) {
		v->kind = TOKEN_TASK;
		v->creator = (uint16_t)(token >> 16);
		if ((uint8_t)(token >> 8) == epoch)
			v->context = (uint32_t)(token >> 32);
	}
}

uint64_t token_context(uint64_t token)
{
	if ((token & KIND_MASK) == KIND_REGION)
		return (uint64_t)token_region(token)->context << 32 | KIND_REGION;
	return token & ~(UINT64_C(0xffff) << 16 | TASK_BEGUN);
}

void region_forget(struct region_pool *pool)
{
	for (int i = 0; i < REGION_DEPTH; i++)
		pool->region[i].context = pool->region[i].stats = 0;
}
