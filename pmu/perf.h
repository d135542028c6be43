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

/* Whether it opens on the calling thread; closed again.  0 or -errno. */
int pmu_perf_try(const struct perf_event_attr *attr);

#endif
