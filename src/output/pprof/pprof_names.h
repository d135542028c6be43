/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof_names.h - a profile's strings, functions, locations and mappings by number.
 *
 * Numbers are given when first asked for; the tables are written at the end.  For ordinary code,
 * one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_PPROF_PPROF_NAMES_H
#define OMPHWC_SRC_OUTPUT_PPROF_PPROF_NAMES_H

#include <stdint.h>

#include "src/base/interner.h"
#include "src/base/map.h"

struct pprof_stream;
struct report;

struct pprof_names {
	const struct report *report;
	/* private */
	struct interner strings;
	struct map mappings;  /* by the name of the module */
	struct map functions; /* by function of the view */
	struct map locations; /* by function, line */
};

void pprof_names_init(struct pprof_names *n, const struct report *r);
void pprof_names_fini(struct pprof_names *n);

/* The number of a string; NULL is "". */
int64_t pprof_string(struct pprof_names *n, const char *s);

/* The number of a node's location: its function, at its line. */
uint64_t pprof_location(struct pprof_names *n, uint32_t node);

/* Writes all that has a number. */
void pprof_names_write(struct pprof_names *n, struct pprof_stream *s);

#endif
