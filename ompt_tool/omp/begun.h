/*
 * begun.h - what a thread has begun and not ended: constructs, tasks that are not
 * deferred, places where it counts, entries that are timed.  Each of these is an array,
 * the innermost last, of structs that begin with a struct begun.
 *
 * Runtimes lose ends, and tell of some late.  One rule says what is over without a word:
 *
 *  1. what was begun by the implicit task of a region that is over;
 *  2. what was begun in a frame that is gone;
 *  3. what lies in something that is over: on one thread, what begins later ends first;
 *  4. what the same task begins again though it can be in it but once (begun_again()).
 *
 * What has neither token nor frame does not nest (a lock may be unset anywhere), and
 * lasts until its own end is told.  Async-signal-safe, for the thread that owns them.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_BEGUN_H
#define OMPHWC_OMPT_TOOL_OMP_BEGUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/omp/region.h"

struct begun {
	uint64_t token;		/* of the task that began it; 0: any */
	uintptr_t frame;	/* the CFA of the frame that it was begun in; 0: not known */
	uint64_t key;		/* what tells it from others of its kind */
};

/* Rules 1 and 2; here is the stack pointer. */
static inline bool begun_is_over(const struct begun *b, uintptr_t here)
{
	return token_is_over(b->token) || (b->frame != 0 && b->frame <= here);
}

static inline struct begun *begun_at(const void *first, size_t bytes, uint32_t i)
{
	return (struct begun *)((char *)(uintptr_t)first + i * bytes);
}

/* Rules 1 to 3: how many of n, from the outermost on, nothing that is over comes before. */
static inline uint32_t begun_lasting(const void *first, size_t bytes, uint32_t n, uintptr_t here)
{
	uint32_t i = 0;

	while (i < n && !begun_is_over(begun_at(first, bytes, i), here))
		i++;
	return i;
}

/* The innermost that this task began, or began by that key: its place + 1; 0: none. */
static inline uint32_t begun_by_task(const void *first, size_t bytes, uint32_t n, uint64_t token)
{
	while (n > 0 && !token_same_task(begun_at(first, bytes, n - 1)->token, token))
		n--;
	return n;
}

static inline uint32_t begun_by_key(const void *first, size_t bytes, uint32_t n, uint64_t key)
{
	while (n > 0 && begun_at(first, bytes, n - 1)->key != key)
		n--;
	return n;
}

/* Rule 4: whether the innermost is what this task begins now. */
static inline bool begun_again(const void *first, size_t bytes, uint32_t n, uint64_t token,
			       uint64_t key)
{
	const struct begun *b = begun_at(first, bytes, n - 1);

	return n > 0 && b->key == key && token_same_task(b->token, token);
}

#endif
