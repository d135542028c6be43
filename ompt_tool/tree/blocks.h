/*
 * blocks.h - the live blocks of the heap that are large enough to be told
 * apart, by address: which call path allocated the one that an address lies in.
 *
 * blocks_find() is async-signal-safe and may be called while others add and
 * remove, on any thread: it takes no lock and makes no system call, and what it
 * finds was live at some instant of the call.  A block that was given up is
 * never found again.  add and remove take no lock either; two calls about the
 * same block are the caller's to order, as its allocator's are.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_BLOCKS_H
#define OMPHWC_OMPT_TOOL_TREE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BLOCKS_LEAST_BYTES = 4096, /* no smaller block can be added */
	BLOCKS_MOST = 1 << 20,	/* live ones at a time */
};

/* A block as it was when it was given up. */
struct blocks_was {
	uint64_t bytes;
	uint32_t context;	/* 0: it was not there */
};

/* Takes address space for the tables, once; 0 or -errno.  Ordinary code. */
int blocks_init(void);

/* Adds [start, start + bytes), with the profile's node of what allocated it
   (not 0).  False without room; nothing is added then.  Whatever was there
   before and overlaps has gone without our knowing, and is forgotten. */
bool blocks_add(uintptr_t start, uint64_t bytes, uint32_t context);

/* Removes the block that begins at start; false if there is none. */
bool blocks_remove(uintptr_t start, struct blocks_was *was);

/* The node given with the block that address lies in; 0: in none. */
uint32_t blocks_find(uint64_t address);

/* In a fork's child: the nodes are of the parent's profile, and no block that
   is there now is found again. */
void blocks_forget(void);

/* Counts calls of blocks_forget(). */
uint32_t blocks_era(void);

/* Whether address lies in the tables themselves.  Async-signal-safe. */
bool blocks_own(uint64_t address);

#endif
