/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_fixture.h - the layer ompt_tool/program/ with the test's hooks, and signals as
 * counters and programs send them.
 *
 * Each test runs in a process of its own, which it takes.
 */
#ifndef OMPHWC_TESTS_PROGRAM_FIXTURE_H
#define OMPHWC_TESTS_PROGRAM_FIXTURE_H

#include <signal.h>
#include <stdbool.h>

#include "ompt_tool/program/program.h"

/* Recorded by the hooks. */
extern struct program_seen {
	volatile int samples, faults, threads, forks, exec_failures, unloads, preloads;
	volatile int protects; /* calls of the hook: two for each one of the program */
	volatile int ends;     /* number of calls, and the last argument */
	volatile enum program_end how;
	volatile int renumbers, number;	  /* number of calls, and the last number */
	volatile bool fault_is_own;	  /* what the fault hook returns */
	void (*volatile in_sample)(void); /* called in the sample hook */
} program_seen;

/* Takes the process and the signals; returns the number of the real-time signal. */
int program_fixture_take(unsigned which);

/* Sends signo to the calling thread without the wrappers: as a counter does; or with si_code
   and value. */
void program_counter_sends(int signo);
void program_other_sends(int signo, int code, int value);

/* The kernel's mask and handler, read without the wrappers. */
bool program_kernel_blocks(int signo);
bool program_kernel_ignores(int signo);

/* Writes coverage data of a process that ends without exit(). */
void program_count_lines(void);

#endif
