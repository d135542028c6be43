/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register.h - the machine's counter registers, as user code reads them.  One
 * file for each machine.  Signal-safe.
 */
#ifndef OMPHWC_PMU_REGISTER_H
#define OMPHWC_PMU_REGISTER_H

#include <stdint.h>

struct perf_event_attr;

/* Reads hardware counter `index', as numbered from 1 in perf_event_mmap_page. Only a
   counter that the kernel says can be read now: others trap. */
uint64_t pmu_register_read(uint32_t index);

/* The same for one counter; its argument is that counter's index. */
typedef uint64_t pmu_register_reader(uint32_t index);

/* The reader of counter `index'; never NULL. */
pmu_register_reader *pmu_register_reader_of(uint32_t index);

/* Reads the clock of perf_event_mmap_page's time_*, which is also that of
   ompt_tool/machine/ticks.h. */
uint64_t pmu_register_clock(void);

/* Requests user-space reads in attr, on machines that require it. */
void pmu_register_request(struct perf_event_attr *attr);

/* How to allow user code to read counters here. */
const char *pmu_register_hint(void);

/* register_numbered.c: the table of readers of a machine whose instructions hold the register's
   number. */

enum {
	PMU_REGISTERS_NUMBERED = 33,
};

/* Indexed as in perf_event_mmap_page; NULL: there is no such counter. */
extern pmu_register_reader *const pmu_register_numbered[PMU_REGISTERS_NUMBERED];

#endif
