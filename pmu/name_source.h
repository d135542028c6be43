/*
 * name_source.h - where names come from: each source fills in what it knows.
 *
 * Inside pmu/ only.  A parser gets the name without its modifiers (length
 * bytes) and answers PMU_MINE, PMU_NOT_MINE (nothing touched) or PMU_REFUSED
 * (its, but wrong: *why filled in).  It sets type, config*, unit_ns and sides.
 */
#ifndef OMPHWC_PMU_NAME_SOURCE_H
#define OMPHWC_PMU_NAME_SOURCE_H

#include <stddef.h>

struct pmu_event;
struct pmu_refusal;

enum pmu_answer { PMU_MINE, PMU_NOT_MINE, PMU_REFUSED };

enum pmu_nature {
	PMU_NATURE_KERNEL = 1 << 0,	/* happens in the kernel only */
	PMU_NATURE_NO_PRECISE = 1 << 1,	/* p means nothing for it */
	PMU_NATURE_NO_SIDES = 1 << 2,	/* neither u nor k means anything */
};

struct pmu_parsed {
	struct pmu_event *ev;
	unsigned nature;	/* enum pmu_nature */
	struct pmu_refusal *why;
};

/* PMU/term[=value],…/ and the bare names of the core PMUs' events. */
enum pmu_answer pmu_sysfs_parse(const char *name, size_t length, struct pmu_parsed *p);
enum pmu_answer pmu_sysfs_parse_bare(const char *name, size_t length,
				     struct pmu_parsed *p);

/* libpfm4's names. */
enum pmu_answer pmu_pfm_parse(const char *name, size_t length, struct pmu_parsed *p);

#endif
