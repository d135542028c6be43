/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.h - declares the writers of the formats; see output.h.
 */
#ifndef OMPHWC_SRC_OUTPUT_FORMATS_H
#define OMPHWC_SRC_OUTPUT_FORMATS_H

#include <stdio.h>

struct detail_target;
struct report;

int text_write(FILE *out, const struct report *r);
int html_write(FILE *out, const struct report *r);
int json_write(FILE *out, const struct report *r);
int folded_write(FILE *out, const struct report *r);
int trace_write(FILE *out, const struct report *r);
int csv_write(FILE *out, const struct report *r);
int pprof_write(FILE *out, const struct report *r);
int speedscope_write(FILE *out, const struct report *r);
int callgrind_write(FILE *out, const struct report *r);
int hatchet_write(FILE *out, const struct report *r);

/* Details, as struct details has them. */
int detail_calls(FILE *out, const struct report *r, const struct detail_target *t);
int detail_annotate(FILE *out, const struct report *r, const struct detail_target *t);
int detail_asm(FILE *out, const struct report *r, const struct detail_target *t);
int csv_calls(FILE *out, const struct report *r, const struct detail_target *t);
int csv_annotate(FILE *out, const struct report *r, const struct detail_target *t);
int csv_asm(FILE *out, const struct report *r, const struct detail_target *t);

#endif
