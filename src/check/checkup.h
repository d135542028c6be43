/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkup.h - the parts of `ompcount check`.  Each prints lines with a verdict and, if
 * possible, advice.
 */
#ifndef OMPHWC_SRC_CHECK_CHECKUP_H
#define OMPHWC_SRC_CHECK_CHECKUP_H

#include <stdbool.h>

#include "pmu/access.h"

enum verdict {
	FINE,
	NOTE, /* works, but less well than possible */
	BAD,  /* missing although profiling needs it */
};

struct checkup {
	struct pmu_access access;
	unsigned cpus; /* number that this process may run on */
	bool virtual_machine;
	bool samples;	/* at least one delivery of samples works */
	bool library;	/* libomphwc.so was found */
	unsigned lines; /* lines printed so far */
};

void checkup_title(const char *title);

/* Prints a line: verdict, name, text; beneath it todo, which may be NULL. */
void checkup_line(struct checkup *c, enum verdict v, const char *name, const char *todo,
		  const char *text, ...) __attribute__((format(printf, 5, 6)));

/* The parts; the first one fills in what the others need. */
void checkup_machine(struct checkup *c);
void checkup_counting(struct checkup *c);
void checkup_trials(struct checkup *c);
void checkup_limits(struct checkup *c);
void checkup_openmp(struct checkup *c);
void checkup_environment(struct checkup *c);

#endif
