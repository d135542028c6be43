/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf.h - perf_event_open(2), which libc does not wrap.
 */
#ifndef OMPHWC_PMU_PERF_H
#define OMPHWC_PMU_PERF_H

#include <sys/types.h>

struct perf_event_attr;

/*
 * perf_event_open(2) on thread tid (0: the caller), on any CPU, without a group,
 * close-on-exec. A descriptor or -errno. A program's own thread runs in no hypervisor and no
 * guest: where the PMU refuses the event, it is asked without exclude_hv, and with
 * exclude_guest, which counts the same. Signal-safe.
 */
int pmu_perf_open(const struct perf_event_attr *attr, pid_t tid);

/* The same in the group of that descriptor; -1: no group. */
int pmu_perf_open_in(const struct perf_event_attr *attr, pid_t tid, int group);

/* Moves a descriptor to a high number, out of the application's way; where its numbers are
   used up, past the soft limit, which is raised meanwhile. Returns the new number, or -errno,
   and fd is closed, where there is no room. */
int pmu_perf_move(int fd);

/* What the kernel answered: a descriptor or -errno. group: -1, or the leader's descriptor. */
typedef void pmu_perf_watcher(const struct perf_event_attr *attr, int group, int answer);

/* Calls w after each perf_event_open(2); NULL: no longer. For commands, before there are
   threads. */
void pmu_perf_watch(pmu_perf_watcher *w);

/* Opens the event on the calling thread and closes it again. 0 or -errno. */
int pmu_perf_try(const struct perf_event_attr *attr);

#endif
