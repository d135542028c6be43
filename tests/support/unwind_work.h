/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_work.h - functions to be interrupted.  unwind_work.c is compiled once for each of
 * these tables, with different options.
 */
#ifndef OMPHWC_TESTS_UNWIND_WORK_H
#define OMPHWC_TESTS_UNWIND_WORK_H

struct unwind_work {
	const char *name;
	void (*run)(int n); /* some 10 to 100 µs */
};

/* Each ends with an element without a name. */
extern const struct unwind_work unwind_work_plain[];  /* -O0, frame pointers */
extern const struct unwind_work unwind_work_fast[];   /* -O2, none */
extern const struct unwind_work unwind_work_faster[]; /* -O3, none */

/* If set, called at the beginning of each signal handler in the work. */
extern void (*unwind_work_hook)(void);

#endif
