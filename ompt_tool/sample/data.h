/*
 * data.h - what memory a sample accessed, as nodes of the thread's tree.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_DATA_H
#define OMPHWC_OMPT_TOOL_SAMPLE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/counter.h"

struct thread;

/* Where the heap is that brk(2) makes grow: any address in it.  Before the first
   sample. */
void data_learn(uintptr_t heap);

/* How large struct heap_thread is (heap.h), which lies apart from struct thread. */
extern size_t data_heap_bytes;

/* Whether address is of memory that the tool itself made, for t or for all.
   Async-signal-safe. */
bool data_is_own(const struct thread *t, uint64_t address);

/*
 * The DATA or BLOCK node beneath node for what s accessed, its latency counted; node
 * itself where the kernel told no address, 0 without room.  Async-signal-safe.
 */
uint32_t data_node(struct thread *t, uint32_t node, const struct pmu_sample *s);

#endif
