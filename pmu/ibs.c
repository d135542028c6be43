/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibs.c - see arch/x86/events/amd/ibs.c in Linux.
 *
 * IBS knows no hypervisor's side. It samples user code and the kernel alike; from Linux 6.14
 * on the kernel discards samples of a side, where config2 asks for that (swfilt).
 */
#include "config.h"

#include "pmu/name_source.h"

#include <stdbool.h>
#include <stdint.h>

#include "pmu/event.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

enum { PERIOD_GRANULE = 16, SWFILT = 1 };

static bool is_type_of(const struct perf_event_attr *a, const char *pmu)
{
	uint32_t type;

	return !pmu_sysfs_type(pmu, &type) && type == a->type;
}

static bool is_ibs(const struct perf_event_attr *a)
{
	uint32_t type;

	if (a->type != PERF_TYPE_HARDWARE && a->type != PERF_TYPE_RAW)
		return is_type_of(a, "ibs_op") || is_type_of(a, "ibs_fetch");
	return a->precise_ip && !pmu_sysfs_type("ibs_op", &type);
}

void pmu_ibs_fit(struct pmu_event *ev)
{
	struct perf_event_attr *a = &ev->attr;
	char format[32];

	if (ev->kind != PMU_PERF || a->type == PERF_TYPE_SOFTWARE)
		return;
	if (!is_ibs(a)) {
		if (ev->granule) {
			ev->granule = 0;
			ev->attr.exclude_hv = 1;
			ev->attr.config2 &= ~(uint64_t)SWFILT;
		}
		return;
	}
	ev->granule = PERIOD_GRANULE;
	if (ev->period)
		ev->period = ev->period < PERIOD_GRANULE ? PERIOD_GRANULE :
							   ev->period - ev->period % PERIOD_GRANULE;
	a->exclude_hv = 0;
	if ((a->exclude_kernel || a->exclude_user) &&
	    pmu_sysfs_text("ibs_op", "format", "swfilt", format, sizeof(format)) > 0)
		a->config2 |= SWFILT;
}
