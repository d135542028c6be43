/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_parts.h - the tables in CSV.  Each writes one; 0 or -EINVAL (csv_begin()).
 */
#ifndef OMPHWC_SRC_OUTPUT_CSV_CSV_PARTS_H
#define OMPHWC_SRC_OUTPUT_CSV_CSV_PARTS_H

#include <stdio.h>

struct report;

int csv_regions(FILE *out, const struct report *r);
int csv_constructs(FILE *out, const struct report *r);
int csv_tasks(FILE *out, const struct report *r);
int csv_counts(FILE *out, const struct report *r);
int csv_functions(FILE *out, const struct report *r);
int csv_lines(FILE *out, const struct report *r);
int csv_paths(FILE *out, const struct report *r);
int csv_states(FILE *out, const struct report *r);
int csv_modules(FILE *out, const struct report *r);
int csv_files(FILE *out, const struct report *r);
int csv_threads(FILE *out, const struct report *r);
int csv_ranks(FILE *out, const struct report *r);
int csv_hosts(FILE *out, const struct report *r);
int csv_cpus(FILE *out, const struct report *r);
int csv_memory(FILE *out, const struct report *r);
int csv_blame(FILE *out, const struct report *r);
int csv_times(FILE *out, const struct report *r);
int csv_parallelism(FILE *out, const struct report *r);
int csv_findings(FILE *out, const struct report *r);

#endif
