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

enum { UNDEFERRED_DEPTH = 64 }; /* tasks nested deeper have no entry */

struct undeferred {
	uint32_t n;
	struct begun at[UNDEFERRED_DEPTH]; /* key: the task's ompt_data_t's address */
};

/* cfa is that of the frame that encountered task; here is the stack pointer. */
static inline void undeferred_begin(struct undeferred *u, const void *task, uintptr_t cfa,
				    uintptr_t here)
{
	u->n = begun_lasting(u->at, sizeof(*u->at), u->n, here);
	if (u->n == UNDEFERRED_DEPTH || cfa <= here)
		return;
	atomic_signal_fence(memory_order_seq_cst);
	u->at[u->n].key = (uintptr_t)task;
	u->at[u->n].frame = cfa;
	atomic_signal_fence(memory_order_seq_cst);
	u->n++;
}

/* Ends task, where it is the last that began. */
static inline void undeferred_end(struct undeferred *u, const void *task)
{
	if (u->n != 0 && u->at[u->n - 1].key == (uintptr_t)task)
		u->n--;
}

/* The CFA of the frame that encountered task; 0: task is not undeferred. */
static inline uintptr_t undeferred_cfa(const struct undeferred *u, const void *task)
{
	const uint32_t i = begun_by_key(u->at, sizeof(*u->at), u->n, (uintptr_t)task);

	return i != 0 ? u->at[i - 1].frame : 0;
}

#endif
