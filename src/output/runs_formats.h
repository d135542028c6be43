/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs_formats.h - the writers of what compares runs: the commands diff, history, scale and try.
 *
 * The caller checks the stream for errors (ferror).
 */
#ifndef OMPHWC_SRC_OUTPUT_RUNS_FORMATS_H
#define OMPHWC_SRC_OUTPUT_RUNS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct diff;
struct history;
struct points;
struct scaling;
struct tried;

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

void scale_text_write(FILE *out, const struct scaling *s);
void scale_csv_write(FILE *out, const struct scaling *s);
void scale_json_write(FILE *out, const struct scaling *s);

/* The JSON for a page: hidden characters are shown. */
void scale_page_json_write(FILE *out, const void *scaling);

void try_text_write(FILE *out, const struct tried *t);
void try_json_write(FILE *out, const struct tried *t);

/* The page for a browser; write: one of the writers of JSON, by which it knows what it shows. */
void runs_page_write(FILE *out, void (*write)(FILE *out, const void *report), const void *report);

#endif
