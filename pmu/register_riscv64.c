/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_riscv64.c - cycle, time, instret and hpmcounter<n> (RISC-V privileged
 * architecture, 3.1; Linux, Documentation/admin-guide/sysctl/kernel.rst).
 */
#include "config.h"

#include "pmu/perf_event.h"
#include "pmu/register.h"

/* The register's number is part of the instruction: a function for each. */
/* clang-format off */
#define EACH(DO)								\
	DO(0) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) \
	DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) \
	DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27) DO(28) DO(29) \
	DO(30) DO(31)

#define READER(n)								\
	static uint64_t read_##n(uint32_t index)				\
	{									\
		uint64_t value;							\
										\
		(void)index;							\
		__asm__ volatile("csrr %0, 0xc00 + " #n : "=r"(value));	\
		return value;							\
	}
EACH(READER)

#define ENTRY(n) [n + 1] = read_##n,
pmu_register_reader *const pmu_register_numbered[PMU_REGISTERS_NUMBERED] = {
	EACH(ENTRY)
};
/* clang-format on */

uint64_t pmu_register_clock(void)
{
	uint64_t value;

	__asm__ volatile("rdtime %0" : "=r"(value));
	return value;
}

void pmu_register_request(struct perf_event_attr *attr)
{
	(void)attr; /* kernel.perf_user_access decides */
}

const char *pmu_register_hint(void)
{
	return "sysctl kernel.perf_user_access=2 allows it";
}
