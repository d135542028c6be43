/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - the CPUs that the process may use, their NUMA nodes and sockets, as texts for
 * the profile.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_TOPOLOGY_H
#define OMPHWC_OMPT_TOOL_TOOL_TOPOLOGY_H

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
