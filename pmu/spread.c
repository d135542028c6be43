/*
 * spread.c - one generic event on each kind of core.
 */
#include "config.h"

#include "pmu/event.h"
#include "pmu/sysfs.h"

/* The upper half of a generic event's config names the PMU (Linux 5.12+); the
   kernel's headers call it PERF_PMU_TYPE_SHIFT. */
enum { PMU_TYPE_SHIFT = 32 };

struct spread {
	const struct pmu_event *ev;
	struct pmu_event *evs;
	int max;
	int n;
};

static int add_kind(const char *pmu, void *arg)
{
	struct spread *s = arg;
	uint32_t type;

	if (!pmu_sysfs_is_core(pmu) || pmu_sysfs_type(pmu, &type))
		return 0;
	if (s->n < s->max) {
		s->evs[s->n] = *s->ev;
		s->evs[s->n].attr.config |= (uint64_t)type << PMU_TYPE_SHIFT;
	}
	s->n++;
	return 0;
}

int pmu_event_spread(const struct pmu_event *ev, struct pmu_event *evs, int max)
{
	struct spread s = { ev, evs, max, 0 };
	uint32_t type = ev->attr.type;

	if (ev->kind == PMU_PERF &&
	    (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE))
		pmu_sysfs_each_pmu(add_kind, &s);
	if (s.n > 1)
		return s.n < max ? s.n : max;
	if (max > 0)
		evs[0] = *ev;
	return max > 0;
}
