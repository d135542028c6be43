/*
 * core_kinds.c - opens one generic event on each kind of core.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

	if (ev->kind == PMU_PERF && (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE))
		pmu_sysfs_each_pmu(add_kind, &s);
	if (s.n > 1)
		return s.n < max ? s.n : max;
	if (max > 0)
		evs[0] = *ev;
	return max > 0;
}

struct kinds {
	const struct pmu_event *ev;
	int (*probe)(const struct pmu_event *ev, struct pmu_refusal *why);
	struct pmu_kinds *out;
};

/* Appends a name; a full list ends there. */
static void list_name(char text[PMU_KINDS_BYTES], const char *name)
{
	const size_t used = strlen(text);

	snprintf(text + used, PMU_KINDS_BYTES - used, "%s%s", used ? ", " : "", name);
}

static int ask_kind(const char *pmu, void *arg)
{
	struct kinds *k = arg;
	struct pmu_event one = *k->ev;
	struct pmu_refusal why;
	uint32_t type;

	if (!pmu_sysfs_is_core(pmu) || pmu_sysfs_type(pmu, &type))
		return 0;
	one.attr.config |= (uint64_t)type << PMU_TYPE_SHIFT;
	list_name(k->probe(&one, &why) ? k->out->without : k->out->with, pmu);
	return 0;
}

bool pmu_event_kinds(const struct pmu_event *ev,
		     int (*probe)(const struct pmu_event *ev, struct pmu_refusal *why),
		     struct pmu_kinds *out)
{
	struct pmu_event two[2];
	struct kinds k = { ev, probe, out };

	memset(out, 0, sizeof(*out));
	if (pmu_event_spread(ev, two, 2) < 2)
		return false;
	pmu_sysfs_each_pmu(ask_kind, &k);
	return true;
}
