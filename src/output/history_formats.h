/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history_formats.h - declares the writers of histories, which the command history calls.
 *
 * The caller checks the stream for errors (ferror).
 */
#ifndef OMPHWC_SRC_OUTPUT_HISTORY_FORMATS_H
#define OMPHWC_SRC_OUTPUT_HISTORY_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct history;
struct points;

struct history_report {
	const struct history *history;
	const struct points *points;
	size_t columns; /* maximum line length of text; 0: unlimited */
	bool page;	/* json for a page: hidden characters are shown */
};

void history_text_write(FILE *out, const struct history_report *r);
void history_json_write(FILE *out, const void *report);

/* An image of the newest point's verdict. */
void history_badge_write(FILE *out, const struct history_report *r);

#endif
