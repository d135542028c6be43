/*
 * register_aarch64.c - PMCCNTR_EL0, PMEVCNTR<n>_EL0 and the generic timer (Arm
 * Architecture Reference Manual, D13.4; Linux, Documentation/arm64/perf.rst).
 */
#include "config.h"

#include "pmu/register.h"

#include <linux/perf_event.h>

enum {
	CYCLES = 32,	  /* PMCCNTR's index; the others' begin at 1 */
	CONFIG1_USER = 2, /* attr.config1: user code may read it */
};

/* The register's number is part of the instruction. */
/* clang-format off */
#define READ(n)									\
	case n + 1:								\
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));	\
		return value;

uint64_t pmu_register_read(uint32_t index)
{
	uint64_t value = 0;

	switch (index) {
	READ(0) READ(1) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7)
	READ(8) READ(9) READ(10) READ(11) READ(12) READ(13) READ(14) READ(15)
	READ(16) READ(17) READ(18) READ(19) READ(20) READ(21) READ(22) READ(23)
	READ(24) READ(25) READ(26) READ(27) READ(28) READ(29) READ(30)
	case CYCLES:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
	}
	return value;
}
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
