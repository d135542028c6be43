/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale_formats.h - declares the writers of the command scale.
 */
#ifndef OMPHWC_SRC_OUTPUT_SCALE_FORMATS_H
#define OMPHWC_SRC_OUTPUT_SCALE_FORMATS_H

#include <stdio.h>

struct scaling;

void scale_text_write(FILE *out, const struct scaling *s);
void scale_csv_write(FILE *out, const struct scaling *s);
void scale_json_write(FILE *out, const struct scaling *s);

/* The JSON for a page (runs_page.h): hidden characters are shown. */
void scale_page_json_write(FILE *out, const void *scaling);

#endif
