/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generic.h - the kernel's own generic events, by perf's names for them.
 *
 * Pure tables; nothing here asks the kernel.  Not for signal handlers.
 */
#ifndef OMPHWC_PMU_GENERIC_H
#define OMPHWC_PMU_GENERIC_H

#include <stddef.h>
#include <stdint.h>

#include "pmu/catalog.h"

enum pmu_generic_flag {
	PMU_GENERIC_CLOCK = 1 << 0,  /* counts nanoseconds */
	PMU_GENERIC_KERNEL = 1 << 1, /* happens in the kernel only: without the kernel its
					   count would be 0 */
	PMU_GENERIC_SILENT = 1 << 2, /* never counts anything by itself */
};

struct pmu_generic {
	const char *name;
	const char *alias; /* or NULL */
	const char *description;
	enum pmu_source source;
	uint32_t type;	/* perf_event_attr.type */
	uint32_t flags; /* enum pmu_generic_flag */
	uint64_t config;
};

/* The event of that name or alias (length bytes long), or NULL. */
const struct pmu_generic *pmu_generic_find(const char *name, size_t length);

/* The event of that perf_event_attr.type and config, or NULL. */
const struct pmu_generic *pmu_generic_coded(uint32_t type, uint64_t config);

/* The table's events by index, NULL past its end. */
const struct pmu_generic *pmu_generic_at(size_t index);

/* Longest name of a cache event, with its NUL. */
enum { PMU_CACHE_NAME_BYTES = 32 };

/*
 * A cache event combines cache, operation and result. find sets the config of a
 * name, in any case of letters: 0 or -1. at names the index'th event, or returns -1
 * past the last.
 */
int pmu_cache_find(const char *name, size_t length, uint64_t *config);
int pmu_cache_at(size_t index, char name[PMU_CACHE_NAME_BYTES], uint64_t *config);

/* Copies the nearest of these names to name (length bytes), or an empty text where none is
   near. */
void pmu_suggest(const char *name, size_t length, char *text, size_t size);

#endif
