/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs_page.h - writes the page of what compares runs: its data are the JSON of that.
 */
#ifndef OMPHWC_SRC_OUTPUT_RUNS_PAGE_H
#define OMPHWC_SRC_OUTPUT_RUNS_PAGE_H

#include <stdio.h>

/* write: the writer of JSON, by which the page knows what it shows. */
void runs_page_write(FILE *out, void (*write)(FILE *out, const void *report), const void *report);

#endif
