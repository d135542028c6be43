/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ticks.h - the CPU's constant-rate cycle clock, read without a system call.
 * Signal-safe. The profile's header gives its rate: it holds the clock's value
 * beside CLOCK_MONOTONIC at start and end.
 */
#ifndef OMPHWC_OMPT_TOOL_MACHINE_TICKS_H
#define OMPHWC_OMPT_TOOL_MACHINE_TICKS_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t ticks_now(void)
{
	return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
static inline uint64_t ticks_now(void)
{
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
}
#elif defined(__riscv)
static inline uint64_t ticks_now(void)
{
	uint64_t t;

	__asm__ volatile("rdtime %0" : "=r"(t));
	return t;
}
#endif

#endif
