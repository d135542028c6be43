/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refusal.h - why something was refused, and what to do about it, in words.
 */
#ifndef OMPHWC_PMU_REFUSAL_H
#define OMPHWC_PMU_REFUSAL_H

enum { PMU_REFUSAL_BYTES = 160 };

struct pmu_refusal {
	int error;		      /* errno, or 0 where none applies */
	char what[PMU_REFUSAL_BYTES]; /* "event cycles" */
	char why[PMU_REFUSAL_BYTES];  /* "this machine has no PMU" */
	char todo[PMU_REFUSAL_BYTES]; /* "use cpu-clock"; may be empty */
};

/* Fills in *r; each argument may be NULL. */
void pmu_refuse(struct pmu_refusal *r, int error, const char *what, const char *why,
		const char *todo);

/* The same with a printf format for the reason, which follows todo. */
void pmu_refuse_because(struct pmu_refusal *r, int error, const char *what, const char *todo,
			const char *why, ...) __attribute__((format(printf, 5, 6)));

#endif
