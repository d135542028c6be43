/* SPDX-License-Identifier: BSD-3-Clause
 * instructions.h - a loop of a known number of instructions.
 */
#ifndef OMPHWC_TESTS_PROGRAMS_INSTRUCTIONS_H
#define OMPHWC_TESTS_PROGRAMS_INSTRUCTIONS_H

#include <stdint.h>

/* Runs `instructions` of them (an even number, 2 or more), not counting how
   the loop is set up. */
static inline __attribute__((always_inline)) void run_instructions(uint64_t instructions)
{
	uint64_t rounds = instructions / 2;

#if defined(__x86_64__)
	__asm__ volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
#else
#error "no such loop for this machine"
#endif
}

#endif
