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
	uint8_t state;	  /* enum prof_state */
	bool known;	  /* OpenMP knows this thread */
	uint64_t wait_id; /* the object that it waits for, or 0 */
	uint64_t token;	  /* current task's token (region.h), or 0 */
	uint64_t team;	  /* token of the region that its team executes, or 0 */
	const void *task; /* identifies the current task among those that exist now */
	uintptr_t exit;	  /* ompt_frame_t of the current task: the runtime's */
	uintptr_t enter;  /* frames that called the task, and that the task called; or 0 */
};

struct runtime {
	const char *name;
	/* Async-signal-safe; v is zeroed before. */
	void (*query)(struct runtime_view *v);
};

/* The process's runtime; NULL: no OpenMP (yet).  Owned by runtime.c. */
extern const struct runtime *_Atomic runtime_current;

#endif
