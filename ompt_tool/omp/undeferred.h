/*
 * undeferred.h - the frames that explicit tasks were encountered in which run at
 * once.
 *
 * Compilers put the body of a task that is not deferred into the function that
 * creates it, between two calls of the runtime.  Its exit pointer is then whatever
 * the frame pointer register held; where the task begins is known by the frame that
 * encountered it, as with regions.  The thread that owns it adds to it and takes
 * away; its handler may look at any instruction of that.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_UNDEFERRED_H
#define OMPHWC_OMPT_TOOL_OMP_UNDEFERRED_H

#include <stdatomic.h>
#include <stdint.h>

enum { UNDEFERRED_DEPTH = 64 };	/* nested deeper, they are not known */

struct undeferred {
	uint32_t n;
	struct {
		const void *task;	/* its ompt_data_t's address */
		uintptr_t cfa;		/* of the frame that encountered it */
	} at[UNDEFERRED_DEPTH];
};

/* here is the stack pointer: those whose frames are gone are forgotten. */
static inline void undeferred_begin(struct undeferred *u, const void *task, uintptr_t cfa,
				    uintptr_t here)
{
	while (u->n != 0 && u->at[u->n - 1].cfa <= here)
		u->n--;
	if (u->n == UNDEFERRED_DEPTH || cfa <= here)
		return;
	atomic_signal_fence(memory_order_seq_cst);
	u->at[u->n].task = task;
	u->at[u->n].cfa = cfa;
	atomic_signal_fence(memory_order_seq_cst);
	u->n++;
}

/* Where task is the last that began: it is over. */
static inline void undeferred_end(struct undeferred *u, const void *task)
{
	if (u->n != 0 && u->at[u->n - 1].task == task)
		u->n--;
}

/* The CFA of the frame that encountered task; 0: it is none of them. */
static inline uintptr_t undeferred_cfa(const struct undeferred *u, const void *task)
{
	for (uint32_t i = u->n; i-- > 0;)
		if (u->at[i].task == task)
			return u->at[i].cfa;
	return 0;
}

#endif
