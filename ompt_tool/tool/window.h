/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window.h - samples and counts begin after a delay, and end after a duration: --delay and
 * --duration.
 *
 * One timer of the process sends the signal of samples, and whichever thread takes it starts or
 * stops the counters of all. No thread is made. Without a window nothing is done.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_WINDOW_H
#define OMPHWC_OMPT_TOOL_TOOL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct prof_header;

/* Nanoseconds from now to the begin, and from there to the end; 0: at once, and never. Once,
   before all others. */
void window_prepare(uint64_t delay_ns, uint64_t duration_ns);

/* Whether there is a window, and whether it has not begun. */
bool window_wanted(void);
bool window_waits(void);

/* Writes it into the header of a new profile. Async-signal-safe. */
void window_describe(struct prof_header *h);

/*
 * Starts the timer for what is still to come, by that signal; also where its number has changed.
 * False: that can't be had, and sampling begins. Async-signal-safe.
 */
bool window_start(int signo);

/* Nothing begins or ends from here on, up to window_resume(): of a process whose end was none, or
   in a fork's child, which has no timers. Async-signal-safe. */
void window_stop(void);
void window_resume(void);

#endif
