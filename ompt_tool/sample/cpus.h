/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpus.h - on which CPUs a thread is sampled.
 *
 * The number of the CPU is read without a system call: from the rseq area that the C library
 * registers for each thread (glibc 2.35), else on x86-64 from a register. Where neither
 * works nothing is counted. Async-signal-safe but for cpus_prepare().
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_CPUS_H
#define OMPHWC_OMPT_TOOL_SAMPLE_CPUS_H

#include <stdint.h>

struct thread;

/* Chooses how the CPU's number is read. At the start, in ordinary code. */
void cpus_prepare(void);

/* The calling thread's CPU, or CPUS_NONE. */
uint32_t cpus_now(void);

/* Counts a sample of t, the calling thread, for its CPU. */
void cpus_count(struct thread *t, uint32_t event, uint64_t weight);

/* The same for t, any thread, on the CPU of its last sample. */
void cpus_count_there(struct thread *t, uint32_t event, uint64_t weight);

/* t has another tree, or is another thread. */
void cpus_forget(struct thread *t);

#endif
