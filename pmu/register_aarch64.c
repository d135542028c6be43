/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_aarch64.c - PMCCNTR_EL0, PMEVCNTR<n>_EL0 and the generic timer (Arm
 * Architecture Reference Manual, D13.4; Linux, Documentation/arm64/perf.rst).
 */
#include "config.h"

#include "pmu/perf_event.h"
#include "pmu/register.h"

enum {
	CYCLES = 32,	  /* PMCCNTR's index; the others' begin at 1 */
	CONFIG1_USER = 2, /* attr.config1: user code may read it */
};

/* The register's number is part of the instruction: a function for each. */
/* clang-format off */
#define EACH(DO)								\
	DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) \
	DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) \
	DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27) DO(28) \
	DO(29) DO(30)

#define READER(n)								\
	static uint64_t read_##n(uint32_t index)				\
	{									\
		uint64_t value;							\
										\
		(void)index;							\
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));	\
		return value;							\
	}
EACH(READER)

#define ENTRY(n) [n + 1] = read_##n,

static uint64_t read_cycles(uint32_t index)
{
	uint64_t value;

	(void)index;
	__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
	return value;
}

pmu_register_reader *const pmu_register_numbered[PMU_REGISTERS_NUMBERED] = {
	EACH(ENTRY)
	[CYCLES] = read_cycles,
};
/* clang-format on */

uint64_t pmu_register_clock(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

void pmu_register_request(struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_SOFTWARE)
		attr->config1 |= CONFIG1_USER;
}

const char *pmu_register_hint(void)
{
	return "sysctl kernel.perf_user_access=1 allows it";
}
