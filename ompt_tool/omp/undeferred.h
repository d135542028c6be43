/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * undeferred.h - the frames that encountered undeferred explicit tasks.
 *
 * Compilers put the body of an undeferred task into the function that creates it,
 * between two calls of the runtime. The task's exit pointer then holds whatever the
 * frame pointer register held. So the beginning of the task is known by the frame
 * that encountered it, as with regions. The thread's callbacks add and remove
 * entries; its handler may read them at any instruction of that.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_UNDEFERRED_H
#define OMPHWC_OMPT_TOOL_OMP_UNDEFERRED_H

#include <stdatomic.h>
#include <stdint.h>

#include "ompt_tool/omp/begun.h"

enum { UNDEFERRED_INSIDE = 16 }; /* tasks nested deeper are in memory of their own */

struct undeferred {
	uint32_t n;
	struct begun inside[UNDEFERRED_INSIDE]; /* key: the task's ompt_data_t's address */
	struct begun_room room;
};

static inline struct begun *undeferred_at(const struct undeferred *u)
{
	return u->room.more ? u->room.more : (struct begun *)(uintptr_t)u->inside;
}

/* cfa is that of the frame that encountered task; here is the stack pointer. False where there is
   no memory for the entry. */
static inline bool undeferred_begin(struct undeferred *u, const void *task, uintptr_t cfa,
				    uintptr_t here)
{
	struct begun *at = undeferred_at(u);

	/* Frames of one stack: those that have returned are the innermost. */
	while (u->n != 0 && begun_is_over(&at[u->n - 1], here))
		u->n--;
	if (cfa <= here)
		return true;
	if (u->n == (u->room.more ? u->room.n : UNDEFERRED_INSIDE)) {
		if (!begun_deepen(&u->room, at, u->n, sizeof(*at)))
			return false;
		at = undeferred_at(u);
	}
	atomic_signal_fence(memory_order_seq_cst);
	at[u->n].key = (uintptr_t)task;
	at[u->n].frame = cfa;
	atomic_signal_fence(memory_order_seq_cst);
	u->n++;
	return true;
}

/* Ends task, where it is the last that began. */
static inline void undeferred_end(struct undeferred *u, const void *task)
{
	if (u->n != 0 && undeferred_at(u)[u->n - 1].key == (uintptr_t)task)
		u->n--;
}

/* The CFA of the frame that encountered task; 0: task is not undeferred. */
static inline uintptr_t undeferred_cfa(const struct undeferred *u, const void *task)
{
	const struct begun *at = undeferred_at(u);
	const uint32_t i = begun_by_key(at, sizeof(*at), u->n, (uintptr_t)task);

	return i != 0 ? at[i - 1].frame : 0;
}

#endif
