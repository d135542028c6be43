/*
 * heap.h - notes which call path allocated the heap's large blocks, for samples
 * that tell an address.  Ordinary code, on any thread, in an allocator's caller.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_HEAP_H
#define OMPHWC_OMPT_TOOL_TOOL_HEAP_H

#include <stdint.h>

/*
 * Begins to note blocks of at least least_bytes (BLOCKS_LEAST_BYTES at least), where
 * some sampled event tells addresses and libomphwc_heap.so is there and stands
 * before the allocator that the program uses.  Once, after sampling.events is
 * settled and the calling thread is profiled.
 */
void heap_start(uint64_t least_bytes);

/* In a fork's child: what its parent allocated has no context here. */
void heap_fork_child(void);

#endif
