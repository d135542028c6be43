/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime.h - what the tool asks an OpenMP runtime, implemented by one adapter for
 * each interface (ompt.c: OMPT).
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_RUNTIME_H
#define OMPHWC_OMPT_TOOL_OMP_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What the runtime says about the calling thread at this instant. */
struct runtime_view {
	uint8_t state; /* enum prof_state */
	bool known;    /* OpenMP knows this thread */
	bool worker;   /* the runtime made this thread; it need not report */
	/* The runtime reports no frames: the task runs inside of the outermost frames of the
	   runtime on the stack. */
	bool inside_runtime;
	uint64_t wait_id; /* the object that it waits for, or 0 */
	uint64_t token;	  /* current task's token (region.h), or 0 */
	uint64_t team;	  /* token of the region that its team executes, or 0 */
	uint32_t threads; /* in that team; 0: not known */
	bool at_work_end; /* it waits at the end of the worksharing construct that the task left
			     last */
	bool stale;	  /* the runtime reported another region than the current task's */
	const void *task; /* identifies the current task among those that exist now */
	uintptr_t exit;	  /* ompt_frame_t of the current task: the runtime's */
	uintptr_t enter;  /* frames that called the task, and that the task called; or 0 */
};

struct runtime {
	const char *name;
	/* Async-signal-safe; v is zeroed before. */
	void (*query)(struct runtime_view *v);
	/* Answers on any thread; else only on those that callbacks have reported. */
	bool any_thread;
};

/* The process's runtime, or one that stands for several; NULL: no OpenMP (yet). Owned by
   runtime.c. */
extern const struct runtime *_Atomic runtime_current;

/* Whether r is the process's one runtime. */
static inline bool runtime_is_only(const struct runtime *r)
{
	return atomic_load_explicit(&runtime_current, memory_order_relaxed) == r;
}

/* A runtime has started, or has been shut down. runtime_add() returns false where it is known
   already: of several threads one adds it. Ordinary code, any thread. */
bool runtime_add(const struct runtime *r);
void runtime_remove(const struct runtime *r);
bool runtime_is_known(const struct runtime *r);

#endif
