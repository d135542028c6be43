/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.h - the heap's large live blocks by address, each with the call path that
 * allocated it.
 *
 * blocks_find() is async-signal-safe, and may run on any thread while others add
 * and remove blocks: it takes no lock and makes no system call. A block that it
 * finds was live at some instant of the call; a block that was freed before is
 * never found. blocks_add() and blocks_remove() take no lock either; the caller
 * orders calls for the same block, as the allocator does.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_BLOCKS_H
#define OMPHWC_OMPT_TOOL_TREE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BLOCKS_LEAST_BYTES = 4096, /* no smaller block can be added */
	BLOCKS_MOST = 1 << 20,	   /* live blocks at a time */
};

/* A block as it was when it was freed. */
struct blocks_was {
	uint64_t bytes;
	uint32_t context; /* 0: there was no such block */
};

/* Reserves address space for the tables, once; 0 or -errno. Ordinary code. */
int blocks_init(void);

/* Adds the block [start, start + bytes) with the profile's node of its allocation (not
   0). False without room: nothing is added. Blocks that overlap it were freed unseen,
   and are removed. */
bool blocks_add(uintptr_t start, uint64_t bytes, uint32_t context);

/* Removes the block that begins at start; false if there is none. */
bool blocks_remove(uintptr_t start, struct blocks_was *was);

/* The node of the block that holds address; 0: no block does. */
uint32_t blocks_find(uint64_t address);

/* In a fork's child: removes all blocks, whose nodes are in the parent's profile. */
void blocks_forget(void);

/* Counts calls of blocks_forget(). */
uint32_t blocks_era(void);

/* Whether address lies in the tables themselves.  Async-signal-safe. */
bool blocks_own(uint64_t address);

#endif
