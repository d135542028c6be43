/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core_kinds.c - opens one event on each kind of core.
 *
 * A generic event is bound to a kind by its PMU's number in the upper half of its code. A
 * kernel that does not know this counts it on one kind, and doesn't report which: there the
 * PMU's own event is opened, by the code that its driver has for the generic one.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pmu/event.h"
#include "pmu/name_source.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"

/* Linux 5.12+; the kernel's headers call it PERF_PMU_TYPE_SHIFT. */
enum { PMU_TYPE_SHIFT = 32 };

enum { L1D = PERF_COUNT_HW_CACHE_L1D, L1I = PERF_COUNT_HW_CACHE_L1I };
enum { LL = PERF_COUNT_HW_CACHE_LL, BPU = PERF_COUNT_HW_CACHE_BPU };
enum { DTLB = PERF_COUNT_HW_CACHE_DTLB, ITLB = PERF_COUNT_HW_CACHE_ITLB };
enum { MISS = PERF_COUNT_HW_CACHE_RESULT_MISS << 16 };

/* The PMUs' own names of what Linux' drivers take for generic events (arm_pmuv3.c); x86's and
   Apple's are perf's names. */
static const struct {
	uint32_t type;
	uint64_t config;
	const char *names[3];
} own_names[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, { "cpu_cycles", "cpu-cycles", "cycles" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, { "inst_retired", "instructions" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, { "l1d_cache", "cache-references" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, { "l1d_cache_refill", "cache-misses" } },
	{ PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  { "pc_write_retired", "br_retired", "branch-instructions" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, { "br_mis_pred", "branch-misses" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, { "bus_cycles", "bus-cycles" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, { "stall_frontend" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, { "stall_backend" } },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, { "ref-cycles" } },
	{ PERF_TYPE_HW_CACHE, L1D, { "l1d_cache" } },
	{ PERF_TYPE_HW_CACHE, L1D | MISS, { "l1d_cache_refill" } },
	{ PERF_TYPE_HW_CACHE, L1I, { "l1i_cache" } },
	{ PERF_TYPE_HW_CACHE, L1I | MISS, { "l1i_cache_refill" } },
	{ PERF_TYPE_HW_CACHE, LL, { "ll_cache_rd" } },
	{ PERF_TYPE_HW_CACHE, LL | MISS, { "ll_cache_miss_rd" } },
	{ PERF_TYPE_HW_CACHE, DTLB, { "l1d_tlb" } },
	{ PERF_TYPE_HW_CACHE, DTLB | MISS, { "l1d_tlb_refill" } },
	{ PERF_TYPE_HW_CACHE, ITLB, { "l1i_tlb" } },
	{ PERF_TYPE_HW_CACHE, ITLB | MISS, { "l1i_tlb_refill" } },
	{ PERF_TYPE_HW_CACHE, BPU, { "br_pred" } },
	{ PERF_TYPE_HW_CACHE, BPU | MISS, { "br_mis_pred" } },
};

enum { NOWN_NAMES = sizeof(own_names) / sizeof(own_names[0]) };

/* Whether the event is of cores, and of whichever kind. */
static bool is_any_kinds(const struct pmu_event *ev)
{
	return ev->kind == PMU_PERF && !ev->core &&
	       (ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_HW_CACHE ||
		ev->raw || *ev->own);
}

/* Whether the kernel knows generic events of one kind of core: cycles are everywhere. */
static bool knows_kinds(uint32_t type)
{
	const struct perf_event_attr cycles = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(cycles),
		.config = PERF_COUNT_HW_CPU_CYCLES | (uint64_t)type << PMU_TYPE_SHIFT,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return pmu_perf_try(&cycles) != -ENOENT;
}

static bool take_own(const char *pmu, struct pmu_event *ev)
{
	const struct perf_event_attr *a = &ev->attr;

	for (size_t i = 0; i < NOWN_NAMES; i++)
		for (size_t k = 0;
		     own_names[i].type == a->type && own_names[i].config == a->config && k < 3; k++)
			if (own_names[i].names[k] && !pmu_sysfs_own(pmu, own_names[i].names[k], ev))
				return true;
	return false;
}

/* Binds ev to the kind of core of that PMU; false: it has no such event. */
static bool bind(struct pmu_event *ev, const char *pmu, uint32_t type)
{
	struct perf_event_attr *a = &ev->attr;

	ev->core = type;
	if (*ev->own)
		return !pmu_sysfs_own(pmu, ev->own, ev);
	if (ev->raw)
		a->type = type;
	else if (knows_kinds(type) || !take_own(pmu, ev))
		a->config |= (uint64_t)type << PMU_TYPE_SHIFT;
	return true;
}

struct kind_spread {
	const struct pmu_event *ev;
	struct pmu_event *evs;
	int max;
	int n;
};

static int add_kind(const char *pmu, void *arg)
{
	struct kind_spread *s = arg;
	struct pmu_event one = *s->ev;
	uint32_t type;

	if (s->n < s->max && pmu_sysfs_is_core(pmu) && !pmu_sysfs_type(pmu, &type) &&
	    bind(&one, pmu, type))
		s->evs[s->n++] = one;
	return 0;
}

int pmu_event_spread(const struct pmu_event *ev, struct pmu_event *evs, int max)
{
	struct kind_spread s = { ev, evs, max, 0 };

	if (is_any_kinds(ev) && pmu_sysfs_kinds() > 1)
		pmu_sysfs_each_pmu(add_kind, &s);
	if (s.n)
		return s.n;
	if (max > 0)
		evs[0] = *ev;
	return max > 0;
}

struct kinds {
	const struct pmu_event *ev;
	int (*probe)(const struct pmu_event *ev, struct pmu_refusal *why);
	struct pmu_kinds *out;
};

static int ask_kind(const char *pmu, void *arg)
{
	struct kinds *k = arg;
	struct pmu_event one = *k->ev;
	struct pmu_refusal why;
	uint32_t type;

	if (!pmu_sysfs_is_core(pmu) || pmu_sysfs_type(pmu, &type))
		return 0;
	const bool has = bind(&one, pmu, type) && !k->probe(&one, &why);
	char *const text = has ? k->out->with : k->out->without;
	const size_t used = strlen(text);

	/* A full list ends there. */
	snprintf(text + used, PMU_KINDS_BYTES - used, "%s%s", used ? ", " : "", pmu);
	return 0;
}

bool pmu_event_kinds(const struct pmu_event *ev,
		     int (*probe)(const struct pmu_event *ev, struct pmu_refusal *why),
		     struct pmu_kinds *out)
{
	struct kinds k = { ev, probe, out };

	memset(out, 0, sizeof(*out));
	if (!is_any_kinds(ev) || pmu_sysfs_kinds() < 2)
		return false;
	pmu_sysfs_each_pmu(ask_kind, &k);
	return true;
}
