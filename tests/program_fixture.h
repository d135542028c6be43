/*
 * program_fixture.h - the layer below ompt_tool/program/ with hooks of the test's own,
 * and signals as counters and programs send them.
 *
 * Each test runs in a process of its own, which it takes.
 */
#ifndef OMPHWC_TESTS_PROGRAM_FIXTURE_H
#define OMPHWC_TESTS_PROGRAM_FIXTURE_H

#include <signal.h>
#include <stdbool.h>

#include "ompt_tool/program/program.h"

/* What the hooks saw. */
extern struct program_seen {
	volatile int samples, faults, threads, forks, exec_failures, unloads, preloads;
	volatile int protects;		/* calls of the hook: two for each of the program's */
	volatile int ends;		/* how often, and how the last time */
	volatile enum program_end how;
	volatile int renumbers, number;	/* how often, and to which number */
	volatile bool fault_is_own;	/* what the fault hook is to answer */
	void (*volatile in_sample)(void);	/* runs in the sample hook */
} program_seen;

/* Takes the process and the signals; the number of the real-time one. */
int program_fixture_take(unsigned which);

/* Sends signo to the calling thread, past the wrappers: as a counter does; as somebody
   with si_code and value. */
void program_counter_sends(int signo);
void program_other_sends(int signo, int code, int value);

/* The kernel's own mask and handler, past the wrappers. */
bool program_kernel_blocks(int signo);
bool program_kernel_ignores(int signo);

/* Has the lines counted that a process ran which is about to end without exit(). */
void program_count_lines(void);

#endif
