/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topdown.c - see topdown.h, and arch/x86/events/intel/core.c in Linux (is_metric_event).
 */
#include "config.h"

#include "pmu/topdown.h"

#include "pmu/event.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

enum { SLOTS = 0x0400, METRICS_FIRST = 0x8000, METRICS_LAST = 0x8700, EVENT_AND_UMASK = 0xffff };

static bool has_slots(const char *pmu, uint32_t wanted)
{
	char text[64];
	uint32_t type;

	return pmu_sysfs_text(pmu, "events", "slots", text, sizeof(text)) > 0 &&
	       !pmu_sysfs_type(pmu, &type) && type == wanted;
}

enum pmu_topdown pmu_topdown(const struct pmu_event *ev)
{
	const struct perf_event_attr *a = &ev->attr;
	const unsigned code = a->config & EVENT_AND_UMASK;

	/* The codes are other events' on processors without it. */
	if (ev->kind != PMU_PERF ||
	    (code != SLOTS &&
	     ((code & 0xff) != 0 || code < METRICS_FIRST || code > METRICS_LAST)) ||
	    !(has_slots("cpu", a->type) || has_slots("cpu_core", a->type)))
		return PMU_TOPDOWN_NONE;
	return code == SLOTS ? PMU_TOPDOWN_SLOTS : PMU_TOPDOWN_METRIC;
}

void pmu_topdown_slots(const struct pmu_event *metric, struct pmu_event *slots)
{
	*slots = *metric;
	slots->attr.config = SLOTS;
}
