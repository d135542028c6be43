/*
 * region.h - live parallel regions, and the tokens by which tasks name theirs.
 *
 * A token is what the tool stores in an OpenMP task's or region's
 * ompt_data_t: a live region's record and its generation, or the creation
 * context of an explicit task.  Reading a token is safe at any time, also when
 * its region is long over (records are never freed, and one that was used again
 * has another generation), and whatever it holds: runtimes hand out data of
 * regions that are gone.  Async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_REGION_H
#define OMPHWC_OMPT_TOOL_CORE_REGION_H

#include <stdbool.h>
#include <stdint.h>

struct region {
	_Atomic uint32_t generation;	/* odd: live */
	uint32_t context;		/* node of the creation context; 0: none */
	uint32_t owner;			/* index of the thread that began it */
	uint32_t team;			/* threads, as the first implicit task tells */
	uintptr_t cfa;			/* of the frame that encountered it; 0: unknown */
	uintptr_t call;			/* return address of the runtime call in it */
	uint32_t stats;			/* nodes that count it; 0: none */
	uint32_t team_stats;
	uint64_t begin_ticks;
};

/* Live regions that one thread has begun; deeper nesting goes without. */
enum { REGION_DEPTH = 32 };

/* A pool is known by its number from its first region on, and never freed. */
struct region_pool {
	uint32_t number;		/* 0: has none yet */
	struct region region[REGION_DEPTH];
};

enum token_kind {
	TOKEN_NONE,
	TOKEN_REGION,	/* implicit task of a live region */
	TOKEN_OVER,	/* implicit task of a region that has ended */
	TOKEN_TASK,	/* explicit task */
};

struct token_view {
	enum token_kind kind;
	uint32_t context;		/* creation context; 0: not known */
	uint16_t creator;		/* TOKEN_TASK: index of the thread, low bits */
	const struct region *region;	/* TOKEN_REGION */
};

/*
 * Takes a record from the pool: live, and empty but for that.  here is the stack
 * pointer: when all records are live, those are ended whose encountering frame
 * is gone (a runtime lost their end).  NULL when there are none.
 */
struct region *region_begin(struct region_pool *pool, uintptr_t here);

/* Ends the region; false when the token's region is over already. */
bool region_end(uint64_t token, struct region *was);

uint64_t region_token(const struct region_pool *pool, const struct region *r);

/* Notes how many threads a live region has. */
void region_team(uint64_t token, uint32_t threads);
uint64_t task_token(uint32_t context, uint8_t epoch, uint32_t creator);

/* Whether two tokens are the same region's, or of explicit tasks created in the
   same context by the same thread. */
bool token_same_task(uint64_t a, uint64_t b);

bool token_is_task(uint64_t token);

/* Marks an explicit task's token as begun; false for any other token, and for
   one that has begun before. */
bool task_begin(uint64_t *token);

/* Whether it is an explicit task's that has not begun. */
bool task_is_new(uint64_t token);

/* epoch is the process's: tokens of a fork's parent name no context here. */
void token_read(uint64_t token, uint8_t epoch, struct token_view *v);

/*
 * What tells the contexts of two live tasks apart: nodes and kinds, in one
 * word.  token must be of a task that runs now.
 */
uint64_t token_context(uint64_t token);

/* In a fork's child: regions go on, without contexts. */
void region_forget(struct region_pool *pool);

#endif
