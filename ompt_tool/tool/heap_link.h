/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap_link.h - the interface between libomphwc_heap.so, the malloc interposer, and
 * libomphwc.so, which may be loaded without it.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_HEAP_LINK_H
#define OMPHWC_OMPT_TOOL_TOOL_HEAP_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/tree/blocks.h"

/* The call of the allocator: its return address, and the frame address of the
   interposed function, which is live during the call. */
struct heap_call {
	uintptr_t pc;
	uintptr_t frame;
};

/*
 * Zero until libomphwc.so fills it in; `least' (SIZE_MAX until then) is stored
 * last. Its functions are called on any thread, outside of the allocator's own
 * code, and keep errno.
 */
struct heap_link {
	/* Blocks of at least so many bytes are reported; SIZE_MAX: none. */
	size_t least;
	/* A block was allocated. */
	void (*born)(void *block, size_t bytes, const struct heap_call *call);
	/* A block of any size is about to be freed. *was is for kept(). */
	void (*gone)(void *block, struct blocks_was *was);
	/* The block was not freed, since realloc(3) failed. */
	void (*kept)(void *block, const struct blocks_was *was);
};

/* Defined by libomphwc_heap.so. */
extern struct heap_link omphwc_heap __attribute__((visibility("default")));

#endif
