/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.h - the memory that a sample accessed, as nodes of the thread's tree.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_DATA_H
#define OMPHWC_OMPT_TOOL_SAMPLE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/counter.h"

struct thread;

/* Sets the place of the brk(2) heap: any address in it. Before the first sample. */
void data_learn(uintptr_t heap);

/* The size of struct heap_thread (heap.c), which is not part of struct thread. */
extern size_t data_heap_bytes;

/* Whether address lies in memory that the tool itself has mapped, for t or for all
   threads. Async-signal-safe. */
bool data_is_own(const struct thread *t, uint64_t address);

/*
 * The DATA or BLOCK node beneath node for the memory that s accessed, with its
 * latency counted. node itself where the kernel reported no address; 0 without
 * room. Async-signal-safe.
 */
uint32_t data_node(struct thread *t, uint32_t node, const struct pmu_sample *s);

#endif
