/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region.h - live parallel regions, and the tokens by which tasks name them.
 *
 * A token is the value that the tool stores in the ompt_data_t of an OpenMP task or
 * region: a live region's record with its generation, or the creation context of an
 * explicit task. Reading a token is safe at any time, even after its region has
 * ended (records are never freed, and a reused one has another generation), and
 * whatever its bits are: runtimes hand out data of regions that are gone.
 * Async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_REGION_H
#define OMPHWC_OMPT_TOOL_OMP_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region {
	_Atomic uint32_t generation; /* odd: live */
	uint32_t context;	     /* node of the creation context; 0: none */
	uint32_t owner;		     /* index of the thread that began it */
	uint32_t team;		/* threads in the team, as its first implicit task reports; until
					   then the fewest that are expected, or 0 */
	uintptr_t cfa;		/* of the frame that encountered the region; 0: unknown */
	uintptr_t call;		/* where cfa is known: return address of the
					   runtime call in it */
	uint32_t stats;		/* STATS_REGION node that counts it; 0: none */
	uint32_t team_stats;	/* STATS_TEAM node, where stats is not 0 */
	uint64_t begin_ticks;	/* likewise */
	uint32_t team_time;	/* STATS_TEAM_TIME node, likewise */
	uint32_t name;		/* low half of its tokens; 0: its pool has no number */
	_Atomic uint64_t outer; /* token of the region around it, or 0; for blame.h, and
					   kept only with it */
} __attribute__((aligned(64))); /* the index is found by a shift, and a record is one
					   cache line */

/* Records in a pool. */
enum { REGION_POOL = 32 };

/*
 * The live regions that one thread has begun. Where they are more than fit, further pools
 * follow. A pool has a number from its first region on, and is never freed.
 */
struct region_pool {
	/* First: a record's address is the pool's, and a shifted index. */
	struct region region[REGION_POOL];
	uint32_t number; /* 0: it has none yet */
	uint32_t used;	 /* no record from this one on is live, but for the thread's first */
	struct region_pool *outer, *inner; /* of the thread's pools */
	struct region_pool *innermost;	   /* in use; of the first pool only, NULL: itself */
};

/*
 * A token's layout:
 *
 *   bits 0-1   kind: 1 region, 2 task, 3 a region that has no record
 *   region:    3-7 the record, 8-31 its pool's number, 32-63 its generation
 *   task:      2 whether it has begun, 3-7 TOKEN_TASK_CHECK, 8-15 the epoch,
 *              16-31 the creating thread's index, 32-63 the context's node number
 *   region without a record: as a task; 2 whether it is the runtime's own
 *
 * Callbacks make and read tokens for every region and task: so these functions are
 * inline.
 */
enum {
	TOKEN_KIND_MASK = 3,
	TOKEN_KIND_REGION = 1,
	TOKEN_KIND_TASK = 2,
	TOKEN_KIND_BARE = 3,
	TOKEN_TASK_BEGUN = 1 << 2,
	TOKEN_TASK_CHECK = 0x15 << 3,
	TOKEN_TASK_CHECK_MASK = 0x1f << 3,
	TOKEN_RECORD_SHIFT = 3,
	TOKEN_POOL_SHIFT = 8,
	TOKEN_POOL_MASK = 0xffffff,
	TOKEN_EPOCHS = 255,
	REGION_POOLS_MAX = 1 << 18, /* eight million live regions; more get no records */
};

/* The number of forks between the process that was set up and this one; a fork's child
   increments it. Tokens hold it up to TOKEN_EPOCHS; from there on no token names a
   context. Owned by region.c. */
extern uint32_t token_epoch;

/* The pools by number, so that no token's bits lead to an address outside of a pool.
   Owned by region.c. */
extern struct region_pool *_Atomic region_pools[REGION_POOLS_MAX];

enum token_kind {
	TOKEN_NONE,
	TOKEN_REGION, /* implicit task of a live region, or of one without a record */
	TOKEN_OVER,   /* implicit task of a region that has ended */
	TOKEN_TASK,   /* explicit task */
	TOKEN_OWN,    /* implicit task of a region that the runtime has for itself */
};

struct token_view {
	enum token_kind kind;
	uint32_t context;	     /* creation context; 0: not known */
	uint16_t creator;	     /* TOKEN_TASK: the creating thread's index, its low bits */
	const struct region *region; /* TOKEN_REGION; NULL: it has no record */
};

/*
 * Takes a record from the thread's pools, live and otherwise empty. here is the stack
 * pointer: when all records are live, those whose encountering frame has returned
 * are ended (the runtime did not report their end), and then another pool is made. NULL
 * where there is no memory for one.
 */
static inline struct region *region_begin(struct region_pool *pool, uintptr_t here);

/* The first pool's first record, not live; NULL where it is live, and before the pool has a
   number. */
static inline struct region *region_first(struct region_pool *pool);

/* The live region that this token names; NULL for another token, or when the region has
   ended. */
static inline struct region *region_live(uint64_t token);

/* Ends the region. Regions begin and end on one thread; one whose end a runtime reports
   on another thread is ended once all the same. */
static inline void region_end(struct region *r);

static inline uint64_t region_token(const struct region *r)
{
	uint64_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

	return g << 32 | r->name;
}

static inline uint64_t task_token(uint32_t context, uint32_t creator)
{
	const uint64_t epoch = token_epoch < TOKEN_EPOCHS ? token_epoch : TOKEN_EPOCHS;

	return (uint64_t)context << 32 | (uint64_t)(creator & 0xffff) << 16 | epoch << 8 |
	       TOKEN_TASK_CHECK | TOKEN_KIND_TASK;
}

/* The token of a region that has no record. */
static inline uint64_t region_bare_token(uint32_t context, uint32_t creator)
{
	return task_token(context, creator) | TOKEN_KIND_BARE;
}

/* The token of a region that the runtime has for itself. */
static inline uint64_t region_own_token(uint32_t creator)
{
	return region_bare_token(0, creator) | TOKEN_TASK_BEGUN;
}

/* Whether two tokens are the same region's, or of explicit tasks created in the
   same context by the same thread. */
static inline bool token_same_task(uint64_t a, uint64_t b)
{
	/* A region's bit 2 is 0. */
	return ((a ^ b) & ~(uint64_t)TOKEN_TASK_BEGUN) == 0;
}

static inline bool token_is_task(uint64_t token)
{
	return (token & (TOKEN_KIND_MASK | TOKEN_TASK_CHECK_MASK)) ==
	       (TOKEN_KIND_TASK | TOKEN_TASK_CHECK);
}

static inline bool token_is_bare(uint64_t token)
{
	return (token & (TOKEN_KIND_MASK | TOKEN_TASK_CHECK_MASK)) ==
	       (TOKEN_KIND_BARE | TOKEN_TASK_CHECK);
}

static inline bool token_is_own(uint64_t token)
{
	return token_is_bare(token) && (token & TOKEN_TASK_BEGUN) != 0;
}

/* The same for all explicit tasks that have not begun and that were created in the same context,
   by whichever thread. */
static inline uint64_t token_key(uint64_t token)
{
	return token & ~(UINT64_C(0xffff) << 16);
}

/* The context that an explicit task's token names, or 0; and its creator's index, the low bits. */
static inline uint32_t task_context(uint64_t token)
{
	return (uint8_t)(token >> 8) == token_epoch && token_epoch < TOKEN_EPOCHS ?
		       (uint32_t)(token >> 32) :
		       0;
}

static inline uint16_t task_creator(uint64_t token)
{
	return (uint16_t)(token >> 16);
}

/* Whether the token is that of an explicit task that has not begun. */
static inline bool task_is_new(uint64_t token)
{
	return token_is_task(token) && (token & TOKEN_TASK_BEGUN) == 0;
}

/* Marks an explicit task's token as begun; false for any other token, and for
   one that has begun before. */
static inline bool task_begin(uint64_t *token)
{
	if (!task_is_new(*token))
		return false;
	*token |= TOKEN_TASK_BEGUN;
	return true;
}

/* The record that a region's token names; NULL for any other token. */
static inline struct region *token_region(uint64_t token)
{
	/* The kind, and the bits above the highest pool's number. */
	const uint32_t mask = TOKEN_KIND_MASK | -((uint32_t)REGION_POOLS_MAX << TOKEN_POOL_SHIFT);

	if (((uint32_t)token & mask) != TOKEN_KIND_REGION)
		return NULL;
	struct region_pool *pool =
		atomic_load_explicit(&region_pools[(uint32_t)token >> TOKEN_POOL_SHIFT],
				     memory_order_acquire);

	return !pool ? NULL : &pool->region[token >> TOKEN_RECORD_SHIFT & (REGION_POOL - 1)];
}

static inline bool region_is_live(const struct region *r, uint64_t token)
{
	uint32_t g = atomic_load_explicit(&r->generation, memory_order_acquire);

	return (g & 1) != 0 && g == (uint32_t)(token >> 32);
}

/* Read atomically, since a reused record's context may be written meanwhile. */
static inline uint32_t region_context(const struct region *r)
{
	return __atomic_load_n(&r->context, __ATOMIC_RELAXED);
}

/* Whether the token is that of an implicit task of a region that has ended. */
static inline bool token_is_over(uint64_t token)
{
	const struct region *r = token_region(token);

	return r && !region_is_live(r, token);
}

/* Reads a token. One that a fork's parent made names no context here. */
void token_read(uint64_t token, struct token_view *v);

/*
 * Identifies the context of a live task in one word: the node and the kind. token
 * must be of a task that is running.
 */
static inline uint64_t token_context(uint64_t token)
{
	const struct region *r = token_region(token);

	if (r)
		return (uint64_t)region_context(r) << 32 | TOKEN_KIND_REGION;
	return token & ~(UINT64_C(0xffff) << 16 | TOKEN_TASK_BEGUN);
}

/* The context that token_read() returns, quickly for a region's token. */
static inline uint32_t token_live_context(uint64_t token)
{
	const struct region *r = token_region(token);

	if (!r) {
		struct token_view v;

		token_read(token, &v);
		return v.context;
	}
	const uint32_t context = region_context(r);

	/* As in token_read(). */
	atomic_thread_fence(memory_order_acquire);
	return region_is_live(r, token) ? context : 0;
}

/* Makes a record live, and otherwise empty. It was not live. */
static inline void region_revive(struct region *r)
{
	uint32_t g = atomic_load_explicit(&r->generation, memory_order_acquire);

	/* A reader that sees the stores below also sees that the record was not live. */
	atomic_thread_fence(memory_order_release);
	r->context = 0;
	r->team = 0;
	r->cfa = 0;
	r->stats = 0;
	atomic_store_explicit(&r->generation, g + 1, memory_order_release);
}

/* The slow path: the pool has no number yet, or its first record is live. */
struct region *region_begin_other(struct region_pool *pool, uintptr_t here);

static inline struct region *region_first(struct region_pool *pool)
{
	struct region *r = &pool->region[0];

	if (r->name == 0 || (atomic_load_explicit(&r->generation, memory_order_relaxed) & 1) != 0)
		return NULL;
	return r;
}

static inline struct region *region_begin(struct region_pool *pool, uintptr_t here)
{
	struct region *r = region_first(pool);

	if (!r)
		return region_begin_other(pool, here);
	region_revive(r);
	return r;
}

static inline struct region *region_live(uint64_t token)
{
	struct region *r = token_region(token);

	return r && region_is_live(r, token) ? r : NULL;
}

static inline void region_end(struct region *r)
{
	uint32_t g = atomic_load_explicit(&r->generation, memory_order_relaxed);

	atomic_store_explicit(&r->generation, (g | 1) + 1, memory_order_release);
}

/* The token of the innermost live region of the thread with that first pool; 0: there is none. */
uint64_t region_innermost(struct region_pool *first);

/* In a fork's child: regions live on, without contexts. pool: the thread's first. */
void region_forget(struct region_pool *pool);

#endif
