/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * name_source.h - the sources of event names, one parser each.
 *
 * Inside pmu/ only. A parser gets the name without its modifiers (length bytes) and
 * returns PMU_MINE, PMU_NOT_MINE (nothing is changed) or PMU_REFUSED (the name is
 * one of its own, but wrong: *why filled in). It sets type, config*, unit_ns and
 * sides.
 */
#ifndef OMPHWC_PMU_NAME_SOURCE_H
#define OMPHWC_PMU_NAME_SOURCE_H

#include <stddef.h>

struct pmu_event;
struct pmu_rate;
struct pmu_refusal;

enum pmu_answer { PMU_MINE, PMU_NOT_MINE, PMU_REFUSED };

enum pmu_nature {
	PMU_NATURE_KERNEL = 1 << 0,	/* happens in the kernel only */
	PMU_NATURE_NO_PRECISE = 1 << 1, /* p has no meaning for it */
	PMU_NATURE_NO_SIDES = 1 << 2,	/* neither u nor k has a meaning for it */
};

struct pmu_parsed {
	struct pmu_event *ev;
	unsigned nature; /* enum pmu_nature */
	struct pmu_refusal *why;
};

/* PMU/term[=value],…/ and the bare names of the core PMUs' events. */
enum pmu_answer pmu_sysfs_parse(const char *name, size_t length, struct pmu_parsed *p);
enum pmu_answer pmu_sysfs_parse_bare(const char *name, size_t length, struct pmu_parsed *p);

/* Gives ev the code that the PMU's own event of that name has: 0, or -ENOENT. */
int pmu_sysfs_own(const char *pmu, const char *event, struct pmu_event *ev);

/* libpfm4's names. */
enum pmu_answer pmu_pfm_parse(const char *name, size_t length, struct pmu_parsed *p);

enum { PMU_BARE_BYTES = 512 };

/*
 * Removes the terms period=N and freq=N from between a name's slashes, as perf(1)
 * writes them: cycles/period=1000003/u, cpu/event=0x3c,freq=500/. They replace
 * *rate. bare gets the name without them, and without the slashes if nothing else
 * was between them. 0, or -1 with *why.
 */
int pmu_own_rate(const char *name, struct pmu_rate *rate, char bare[PMU_BARE_BYTES],
		 struct pmu_refusal *why);

/* ibs.c: where ev is sampled by IBS, as cycles:p is on AMD's processors: changes its attributes and
   its period to those that IBS takes. Where that is so no longer, as ev is less precise now:
   changes the attributes back. */
void pmu_ibs_fit(struct pmu_event *ev);

#endif
