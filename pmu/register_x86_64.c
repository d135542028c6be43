/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/register.h"

uint64_t pmu_register_read(uint32_t index)
{
	uint32_t low, high;

	/* Bit 30 of the number marks a fixed counter. */
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
	return (uint64_t)high << 32 | low;
}

pmu_register_reader *pmu_register_reader_of(uint32_t index)
{
	(void)index;
	return pmu_register_read;
}

uint64_t pmu_register_clock(void)
{
	return __builtin_ia32_rdtsc();
}

void pmu_register_request(struct perf_event_attr *attr)
{
	(void)attr; /* /sys/.../cpu/rdpmc decides */
}

const char *pmu_register_hint(void)
{
	return "see /sys/bus/event_source/devices/cpu/rdpmc";
}
