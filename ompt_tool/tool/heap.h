/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - notes the call path that allocated each large block of the heap, for
 * samples that report an address. Ordinary code, on any thread that calls the
 * allocator.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_HEAP_H
#define OMPHWC_OMPT_TOOL_TOOL_HEAP_H

#include <stdint.h>

/*
 * Begins to note blocks of at least least_bytes (BLOCKS_LEAST_BYTES or more), where
 * a sampled event reports addresses and libomphwc_heap.so is loaded and interposes
 * the allocator that the program uses. Once, after sampling.events is settled and
 * the calling thread is profiled.
 */
void heap_start(uint64_t least_bytes);

/* In a fork's child: forgets the parent's blocks, whose contexts are nodes of the
   parent's profile. */
void heap_fork_child(void);

#endif
