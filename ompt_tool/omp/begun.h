/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * begun.h - what a thread has begun and not ended: constructs, undeferred tasks,
 * places where events are counted, entries that are timed. Each of these is an
 * array of structs that begin with a struct begun, the innermost last.
 *
 * Runtimes miss some ends, and report others late. Four rules say what is over
 * without a reported end:
 *
 *  1. what the implicit task of a region that has ended had begun;
 *  2. what was begun in a frame that has returned;
 *  3. what lies inside something that is over: on one thread, what begins later ends first
 *     (but constructs, which may lie on one of a region whose end is reported late);
 *  4. what the same task begins again though it can be in it only once, and what it has begun
 *     since (begun_left()).
 *
 * An entry with neither token nor frame does not nest (a lock may be unset
 * anywhere), and lasts until its own end is reported. Async-signal-safe, for the
 * thread that owns the array.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_BEGUN_H
#define OMPHWC_OMPT_TOOL_OMP_BEGUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/omp/region.h"

struct begun {
	uint64_t token;	 /* of the task that began it; 0: any task */
	uintptr_t frame; /* the CFA of the frame in which it began; 0: unknown */
	uint64_t key;	 /* distinguishes it from others of its kind */
};

/* Applies rules 1 and 2; here is the stack pointer. */
static inline bool begun_is_over(const struct begun *b, uintptr_t here)
{
	return token_is_over(b->token) || (b->frame != 0 && b->frame <= here);
}

static inline struct begun *begun_at(const void *first, size_t bytes, uint32_t i)
{
	return (struct begun *)((char *)(uintptr_t)first + i * bytes);
}

/* Applies rules 1 to 3: how many of n entries, from the outermost, precede the first
   that is over. */
static inline uint32_t begun_lasting(const void *first, size_t bytes, uint32_t n, uintptr_t here)
{
	uint32_t i = 0;

	while (i < n && !begun_is_over(begun_at(first, bytes, i), here))
		i++;
	return i;
}

/* The innermost entry with this token (or key): its index + 1; 0: none. */
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

/* Where an array that began inside of another struct goes on when it is full there. */
struct begun_room {
	void *volatile more; /* NULL: all entries are still inside */
	uint32_t n;	     /* entries for which more has room */
};

/*
 * Makes room for twice as many entries as the n of that size at `at`, which fill it, and moves
 * them there. False where there is no memory. For callbacks: the thread's handler may interrupt it
 * anywhere. The room is kept for the array's later uses.
 */
bool begun_deepen(struct begun_room *room, const void *at, uint32_t n, size_t bytes);

/* Applies rule 4, to what this task begins now: how many of n entries are left. Explicit tasks
   created at one place have one token, and one may run within another: of these the innermost
   entry alone is looked at. */
static inline uint32_t begun_left(const void *first, size_t bytes, uint32_t n, uint64_t token,
				  uint64_t key)
{
	const uint32_t last = token_is_task(token) && n != 0 ? n - 1 : 0;

	for (uint32_t i = n; i > last; i--) {
		const struct begun *b = begun_at(first, bytes, i - 1);

		if (!token_same_task(b->token, token))
			break;
		if (b->key == key)
			return i - 1;
	}
	return n;
}

#endif
