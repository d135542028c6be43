/*
 * heap_link.h - between libomphwc_heap.so, whose functions stand before those of
 * the C library's allocator, and libomphwc.so, which it may be loaded without.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_HEAP_LINK_H
#define OMPHWC_OMPT_TOOL_TOOL_HEAP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/tree/blocks.h"

/* Where the allocator was called: the return address and the frame address of
   the function called, which is live during the call. */
struct heap_call {
	uintptr_t pc;
	uintptr_t frame;
};

/*
 * Zero but for least until libomphwc.so fills it in, least last.  Its functions
 * are called on any thread, inside of anything but an allocator's own code, and
 * keep errno.
 */
struct heap_link {
	/* Blocks of so many bytes and more are told; SIZE_MAX: none. */
	size_t least;
	/* A block is there. */
	void (*born)(void *block, size_t bytes, const struct heap_call *call);
	/* A block is about to be given up; of all sizes.  *was is what kept() needs. */
	void (*gone)(void *block, struct blocks_was *was);
	/* It was not, as realloc(3) failed. */
	void (*kept)(void *block, const struct blocks_was *was);
};

/* Defined by libomphwc_heap.so. */
extern struct heap_link omphwc_heap __attribute__((visibility("default")));

#endif
