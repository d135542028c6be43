/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.h - declares the writers of the formats, see output.h, and of one function or file in
 * detail: its callers and callees, its source or its machine code with costs.
 */
#ifndef OMPHWC_SRC_OUTPUT_FORMATS_H
#define OMPHWC_SRC_OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stdio.h>

struct lookup;
struct report;

int text_write(FILE *out, const struct report *r);
int html_write(FILE *out, const struct report *r);
int json_write(FILE *out, const struct report *r);
int folded_write(FILE *out, const struct report *r);
int trace_write(FILE *out, const struct report *r);
int dot_write(FILE *out, const struct report *r);
int csv_write(FILE *out, const struct report *r);
int pprof_write(FILE *out, const struct report *r);
int speedscope_write(FILE *out, const struct report *r);
int callgrind_write(FILE *out, const struct report *r);
int hatchet_write(FILE *out, const struct report *r);

struct detail_target {
	const char *name; /* of a function or file */
	struct lookup *lookup;
	const char *sysroot; /* prepended to objects' paths; NULL: none */
	const char *sources; /* folder to search for sources; NULL: the working folder */
	bool bare;	     /* for the browser: without the head of a report, with marked rows */
};

/* The details that a format writes.  0, -ENOENT (the profile has no such function or file),
   -EINVAL (as struct output), or another -errno. */
struct details {
	int (*calls)(FILE *out, const struct report *r, const struct detail_target *t);
	/* The report's view must distinguish lines. */
	int (*annotate)(FILE *out, const struct report *r, const struct detail_target *t);
	int (*machine)(FILE *out, const struct report *r, const struct detail_target *t);
};

int detail_calls(FILE *out, const struct report *r, const struct detail_target *t);
int detail_annotate(FILE *out, const struct report *r, const struct detail_target *t);
int detail_asm(FILE *out, const struct report *r, const struct detail_target *t);
int csv_calls(FILE *out, const struct report *r, const struct detail_target *t);
int csv_annotate(FILE *out, const struct report *r, const struct detail_target *t);
int csv_asm(FILE *out, const struct report *r, const struct detail_target *t);

#endif
