/*
 * checkup.h - what `ompcount check` looks at: each part prints its lines, with
 * a verdict and, where there is something to do, what.
 */
#ifndef OMPHWC_SRC_CHECK_CHECKUP_H
#define OMPHWC_SRC_CHECK_CHECKUP_H

#include <stdbool.h>

#include "pmu/access.h"

enum verdict {
	FINE,
	NOTE,		/* something is less than it could be */
	BAD,		/* something that profiling needs is not there */
};

struct checkup {
	struct pmu_access access;
	unsigned cpus;		/* that this process may run on */
	bool virtual_machine;
	bool samples;		/* at least one way of sampling was seen working */
	bool library;		/* what is loaded into programs was found */
	unsigned lines;		/* printed so far */
};

void checkup_title(const char *title);

/* One line: verdict, name, text; todo, which may be NULL, beneath it. */
void checkup_line(struct checkup *c, enum verdict v, const char *name,
		  const char *todo, const char *text, ...)
	__attribute__((format(printf, 5, 6)));

/* The parts; the first fills in what others want to know. */
void checkup_machine(struct checkup *c);
void checkup_counting(struct checkup *c);
void checkup_trials(struct checkup *c);
void checkup_limits(struct checkup *c);
void checkup_openmp(struct checkup *c);
void checkup_environment(struct checkup *c);

#endif
