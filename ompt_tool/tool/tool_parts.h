/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool_parts.h - the parts of the tool that have few functions each.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_TOOL_PARTS_H
#define OMPHWC_OMPT_TOOL_TOOL_TOOL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_refusal;
struct settings;
struct thread;

/* event_lists.c: which of the events that were asked for are sampled and counted. */

/*
 * Fills in sampling (sampling.h) with the events of s that can be had here, or others that stand
 * in for them, and notes in the profile what was replaced. False: there are none, and
 * *why is of the last one. Once, before any thread samples; for ordinary code.
 */
bool settle_events(const struct settings *s, struct pmu_refusal *why);

/* control.c: the application's omp_control_tool() (OpenMP 5.1, section 3.15). */

/* The results of omp_control_tool() (omp.h's omp_control_tool_result_t). */
enum control_result {
	CONTROL_NO_TOOL = -2,
	CONTROL_DONE = 0,
	CONTROL_IGNORED = 1,
};

/*
 * Carries out a command; arg: of those of ours, from 64 on (omphwc.h), text. A command that
 * changes nothing succeeds. A start after the end, and an unknown command, is ignored. Ordinary
 * code.
 */
enum control_result control_tool(long command, const void *arg);

/* The elapsed times of the profile are not those that were sampled any more. */
void control_note_pause(void);

/* marks.c: what the program calls by name, in the profile: marks, and begins and ends of phases. */

/* omp_control_tool()'s command, 64 or more, and its argument. Whether that is text is found out:
   programs may have been written for another tool. Two system calls. */
void marks_control(long command, const void *arg);

/* In a fork's child, whose profile lists its own. */
void marks_fork_child(void);

/*
 * schedule.c: how long a thread ran, and how long it waited for a CPU.
 *
 * /proc/self/task/TID/schedstat reports both of a thread that lives: three system calls. Only
 * kernels with CONFIG_SCHED_INFO have it; usually they do.
 */

/* The calling thread is now t, whose record may be an earlier thread's. */
void schedule_begin(struct thread *t);

/* Writes what the kernel reports by now into t's tree. t lives, and may be another thread.
   Async-signal-safe. */
void schedule_read(struct thread *t);

/* heap.c: notes the call path that allocated each large block of the heap, for samples that
   report an address. Ordinary code, on any thread that calls the allocator. */

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

/*
 * quota.c: the CPU quota of the process's control group, and how long it was throttled.
 *
 * Of version 2 and version 1 (where the controller `cpu' is mounted), in the process's own group or
 * one that contains it: the one that allows the least. Files are read through /sys/fs/cgroup, where
 * they are in a container, too.
 */

/* Finds the quota, in ordinary code: some small files. */
void quota_find(void);

/* "QUOTA PERIOD" in microseconds; "": there is none, or it is not known. */
const char *quota_text(void);

/* Writes "NS PERIODS THROTTLED" since quota_find(): for how long the group's threads were
   throttled, its periods, and those in which they were. "": not known. */
void quota_throttled(char *to, size_t bytes);

/* topology.c: the CPUs that the process may use, their NUMA nodes and sockets, as texts for the
   profile. */

/*
 * Reads both at the start, in ordinary code: some five small files.
 *
 * libgomp may have bound the initial thread before, if the environment asks for places: the
 * thread's mask is that of its place then. exe is the program's path; given is NULL, or
 * "LIST PATH": the CPUs that its parent had when it started the program PATH. Where the mask
 * at the start can't be known, there is none.
 */
void topology_read(const char *exe, const char *given);

/* In a fork's child: its mask may be another one. Async-signal-safe. */
void topology_fork_child(void);

/* "0-3,8"; "": not known. */
const char *topology_cpus(void);

/* The CPUs of the calling thread, where they are others than those at the start and no setting
   of the environment binds threads; else "". Once: writes to a buffer of this file. */
const char *topology_changed(void);

/* "node 0 0-7" and the like, one after another; at is NULL for the first. NULL: no more. */
const char *topology_next(const char *at);

#endif
