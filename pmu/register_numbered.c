/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_numbered.c - the reader of a counter, where each has an instruction of its own.
 */
#include "config.h"

#include "pmu/register.h"

static uint64_t read_none(uint32_t index)
{
	(void)index;
	return 0;
}

pmu_register_reader *pmu_register_reader_of(uint32_t index)
{
	if (index >= PMU_REGISTERS_NUMBERED || !pmu_register_numbered[index])
		return read_none;
	return pmu_register_numbered[index];
}

uint64_t pmu_register_read(uint32_t index)
{
	return pmu_register_reader_of(index)(index);
}
