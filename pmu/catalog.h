/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * catalog.h - every event that can be named here, and whether it can be counted.
 * For ordinary code.
 */
#ifndef OMPHWC_PMU_CATALOG_H
#define OMPHWC_PMU_CATALOG_H

#include <stdbool.h>

#include "pmu/refusal.h"

enum pmu_source {
	PMU_SOURCE_HARDWARE, /* the kernel's generic hardware events */
	PMU_SOURCE_CACHE,
	PMU_SOURCE_SOFTWARE,
	PMU_SOURCE_CLOCK, /* cpu-clock, task-clock, wall */
	PMU_SOURCE_SYSFS, /* /sys/bus/event_source/devices/PMU/events */
	PMU_SOURCE_PFM,	  /* libpfm4's tables for this CPU */
};

struct pmu_catalog_entry {
	enum pmu_source source;
	const char *name;
	const char *description; /* may be empty */
	bool countable;
	const struct pmu_refusal *why_not; /* when not countable */
};

/*
 * Calls visit for each event whose name matches the shell pattern (NULL: all; a
 * pattern without *, ? or [ matches anywhere, ignoring case). Strings live until
 * visit returns. A visit that returns non-zero ends the walk, and its value is
 * returned.
 */
int pmu_catalog(const char *pattern, int (*visit)(const struct pmu_catalog_entry *e, void *arg),
		void *arg);

#endif
