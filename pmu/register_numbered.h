/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_numbered.h - the table of readers of a machine whose instructions hold the
 * register's number.
 */
#ifndef OMPHWC_PMU_REGISTER_NUMBERED_H
#define OMPHWC_PMU_REGISTER_NUMBERED_H

#include "pmu/register.h"

enum {
	PMU_REGISTERS_NUMBERED = 33,
};

/* Indexed as in perf_event_mmap_page; NULL: there is no such counter. */
extern pmu_register_reader *const pmu_register_numbered[PMU_REGISTERS_NUMBERED];

#endif
