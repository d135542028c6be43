/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pomp.h - what an instrumentor wrote into the program (POMP2): its constructs, also those that
 * never run, and how often and how long each thread was in them.
 *
 * These are counted beside what a runtime reports, which counts regions, tasks and constructs of
 * its own. Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_POMP_H
#define OMPHWC_OMPT_TOOL_RUNTIME_POMP_H

/* The process has a profile, and its modules: it gets the constructs that are known. */
void pomp_start(void);

/* In a fork's child, whose profile has none yet. */
void pomp_fork_child(void);

#endif
