/*
 * register_riscv64.c - cycle, time, instret and hpmcounter<n> (RISC-V privileged
 * architecture, 3.1; Linux, Documentation/admin-guide/sysctl/kernel.rst).
 */
#include "config.h"

#include "pmu/register.h"

#include <linux/perf_event.h>

/* The register's number is part of the instruction. */
/* clang-format off */
#define READ(n)									\
	case n + 1:								\
		__asm__ volatile("csrr %0, 0xc00 + " #n : "=r"(value));		\
		return value;

uint64_t pmu_register_read(uint32_t index)
{
	uint64_t value = 0;

	switch (index) {
	READ(0) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7)
	READ(8) READ(9) READ(10) READ(11) READ(12) READ(13) READ(14) READ(15)
	READ(16) READ(17) READ(18) READ(19) READ(20) READ(21) READ(22) READ(23)
	READ(24) READ(25) READ(26) READ(27) READ(28) READ(29) READ(30) READ(31)
	}
	return value;
}
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
