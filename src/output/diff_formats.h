/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff_formats.h - declares the writers of comparisons, which the command diff calls.
 *
 * The caller checks the stream for errors (ferror).
 */
#ifndef OMPHWC_SRC_OUTPUT_DIFF_FORMATS_H
#define OMPHWC_SRC_OUTPUT_DIFF_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct diff;

enum { DIFF_BY_ALL = -1 };

struct diff_report {
	const struct diff *diff;
	const char *path[2]; /* of the two sides, as the user named them */
	const char *event;
	uint32_t unit; /* enum prof_unit */
	int by;	       /* enum diff_by, or DIFF_BY_ALL: the first rows of each; text only */
	double limit_percent;
	size_t columns; /* maximum line length; 0: unlimited */
	bool page;	/* json for a page: the first rows, and hidden characters are shown */
};

void diff_text_write(FILE *out, const struct diff_report *r);
void diff_json_write(FILE *out, const void *report);

#endif
