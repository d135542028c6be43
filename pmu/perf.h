/*
 * perf.h - the system call that the C library does not wrap.
 */
#ifndef OMPHWC_PMU_PERF_H
#define OMPHWC_PMU_PERF_H

#include <sys/types.h>

struct perf_event_attr;

/* perf_event_open(2) on thread tid (0: the caller), any CPU, no group,
   close-on-exec: a descriptor or -errno. */
int pmu_perf_open(const struct perf_event_attr *attr, pid_t tid);

/* The same in the group of that descriptor; -1: in none. */
int pmu_perf_open_in(const struct perf_event_attr *attr, pid_t tid, int group);

/* Moves a descriptor out of the application's way and gives the number up that
   it had: the new one, or -errno (and fd is closed) where there is no room. */
int pmu_perf_move(int fd);

/* Whether it opens on the calling thread; closed again.  0 or -errno. */
int pmu_perf_try(const struct perf_event_attr *attr);

#endif
