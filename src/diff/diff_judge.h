/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff_judge.h - the one number by which a comparison is judged: elapsed time where all runs have
 * it, otherwise the event's total.  Pure.
 */
#ifndef OMPHWC_SRC_DIFF_DIFF_JUDGE_H
#define OMPHWC_SRC_DIFF_DIFF_JUDGE_H

#include <stdbool.h>

struct diff;
struct diff_row;

struct diff_judged {
	const struct diff_row *row;
	bool elapsed;	/* it is the elapsed time */
	double percent; /* change of what was before; NaN: that was nothing */
};

struct diff_judged diff_judge(const struct diff *d);

/* Whether it grew by more than percent, and by more than noise where that is known. */
bool diff_is_above(const struct diff *d, double percent);

#endif
