/*
 * register.h - the machine's counter registers, as user code reads them.  One
 * file for each machine.  Signal-safe.
 */
#ifndef OMPHWC_PMU_REGISTER_H
#define OMPHWC_PMU_REGISTER_H

#include <stdint.h>

struct perf_event_attr;

/* Hardware counter `index', as perf_event_mmap_page numbers them from 1.  It
   must be one that the kernel says can be read now: others trap. */
uint64_t pmu_register_read(uint32_t index);

/* The clock that perf_event_mmap_page's time_* refer to, which is the one of
   ompt_tool/machine/ticks.h. */
uint64_t pmu_register_clock(void);

/* Asks for user-space reads in attr, where that has to be asked for. */
void pmu_register_request(struct perf_event_attr *attr);

/* How user code is allowed to read counters here. */
const char *pmu_register_hint(void);

#endif
