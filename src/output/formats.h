/*
 * formats.h - declares the writers of the formats; see output.h.
 */
#ifndef OMPHWC_SRC_OUTPUT_FORMATS_H
#define OMPHWC_SRC_OUTPUT_FORMATS_H

#include <stdio.h>

struct report;

int text_write(FILE *out, const struct report *r);
int html_write(FILE *out, const struct report *r);
int json_write(FILE *out, const struct report *r);
int folded_write(FILE *out, const struct report *r);
int trace_write(FILE *out, const struct report *r);

#endif
