/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_cost.h - warns before the start that samples are so many that they slow the program.
 */
#ifndef OMPHWC_SRC_RUN_SAMPLE_COST_H
#define OMPHWC_SRC_RUN_SAMPLE_COST_H

/*
 * What a thread loses to one signal of a timer here, in nanoseconds: the interrupt and the signal's
 * delivery, which are nearly all that a sample costs. 0: not known. Takes some milliseconds, and
 * for that time the last real-time signal.
 */
double sample_cost_ns(void);

/* A message, if that many samples a second of a thread take a large part of its time. */
void sample_cost_say(double samples_hz);

#endif
