/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_diff_verdict.h - the head of a comparison: whether the program became faster, by what,
 * and what makes the sides hard to compare.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_TEXT_DIFF_VERDICT_H
#define OMPHWC_SRC_OUTPUT_TEXT_TEXT_DIFF_VERDICT_H

#include <stdio.h>

struct diff_report;

void text_diff_verdict(FILE *out, const struct diff_report *r);

#endif
