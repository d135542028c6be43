/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/catalog.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "pmu/event.h"
#include "pmu/generic.h"
#include "pmu/pfm.h"
#include "pmu/sysfs.h"

/* A name is PMU, slash, event, slash. */
enum { NAME_BYTES = 2 * PMU_SYSFS_NAME_BYTES + 2, DESCRIPTION_BYTES = 512 };

static const struct pmu_rate rate = { .freq_hz = PMU_DEFAULT_FREQ_HZ };

struct catalog_walk {
	const char *pattern;
	bool anywhere;
	int (*visit)(const struct pmu_catalog_entry *e, void *arg);
	void *arg;
	const char *pmu; /* the PMU whose events are being listed */
	bool no_hardware;
	struct pmu_refusal why_none; /* valid where `none' is set */
};

static bool wanted(const struct catalog_walk *w, const char *name)
{
	if (!w->pattern)
		return true;
	if (w->anywhere)
		return strcasestr(name, w->pattern);
	return !fnmatch(w->pattern, name, FNM_CASEFOLD);
}

static bool is_hardware(const struct pmu_event *ev)
{
	return ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_RAW ||
	       ev->attr.type == PERF_TYPE_HW_CACHE;
}

/* Tests an event. Where there is no PMU at all, one test answers for thousands of names. */
static int probe(struct catalog_walk *w, const char *name, struct pmu_refusal *why)
{
	struct pmu_event ev;

	if (pmu_event_parse(name, &rate, &ev, why))
		return -1;
	if (w->no_hardware && is_hardware(&ev)) {
		*why = w->why_none;
		return -1;
	}
	if (!pmu_event_probe(&ev, why))
		return 0;
	if (is_hardware(&ev) && why->error == ENOENT && !pmu_sysfs_has_core()) {
		w->no_hardware = true;
		w->why_none = *why;
	}
	return -1;
}

/* The description; where some cores can't count the event, with their names, in text. */
static const char *less_kinds(const char *name, const char *description,
			      char text[DESCRIPTION_BYTES])
{
	struct pmu_refusal why;
	struct pmu_kinds kinds;
	struct pmu_event ev;

	if (pmu_event_parse(name, &rate, &ev, &why) ||
	    !pmu_event_kinds(&ev, pmu_event_probe, &kinds) || !*kinds.without)
		return description;
	snprintf(text, DESCRIPTION_BYTES, "%s%snot on cores of %s", description,
		 *description ? "; " : "", kinds.without);
	return text;
}

static int offer_wanted(struct catalog_walk *w, enum pmu_source source, const char *name,
			const char *description)
{
	char text[DESCRIPTION_BYTES];
	struct pmu_refusal why;
	struct pmu_catalog_entry e = {
		.source = source,
		.name = name,
		.description = description,
	};

	e.countable = !probe(w, name, &why);
	e.why_not = e.countable ? NULL : &why;
	if (e.countable)
		e.description = less_kinds(name, description, text);
	return w->visit(&e, w->arg);
}

static int offer(struct catalog_walk *w, enum pmu_source source, const char *name,
		 const char *description)
{
	return wanted(w, name) ? offer_wanted(w, source, name, description) : 0;
}

static int offer_generic(struct catalog_walk *w, enum pmu_source source)
{
	const struct pmu_generic *g;
	int answer = 0;

	for (size_t i = 0; !answer && (g = pmu_generic_at(i)); i++) {
		char text[128];

		if (g->source != source || g->flags & PMU_GENERIC_SILENT ||
		    !(wanted(w, g->name) || (g->alias && wanted(w, g->alias))))
			continue;
		snprintf(text, sizeof(text), "%s (also: %s)", g->description,
			 g->alias ? g->alias : "");
		answer = offer_wanted(w, source, g->name, g->alias ? text : g->description);
	}
	return answer;
}

static int offer_cache(struct catalog_walk *w)
{
	char name[PMU_CACHE_NAME_BYTES];
	uint64_t config;
	int answer = 0;

	for (size_t i = 0; !answer && !pmu_cache_at(i, name, &config); i++)
		answer = offer(w, PMU_SOURCE_CACHE, name, "");
	return answer;
}

static int offer_sysfs_event(const char *event, void *arg)
{
	struct catalog_walk *w = arg;
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%s/%s/", w->pmu, event);
	return offer(w, PMU_SOURCE_SYSFS, name, "");
}

static int offer_sysfs_pmu(const char *pmu, void *arg)
{
	struct catalog_walk *w = arg;
	int answer;

	w->pmu = pmu;
	answer = pmu_sysfs_each_event(pmu, offer_sysfs_event, w);
	return answer > 0 ? answer : 0;
}

static int offer_pfm_event(const char *name, const char *description, void *arg)
{
	return offer(arg, PMU_SOURCE_PFM, name, description);
}

int pmu_catalog(const char *pattern, int (*visit)(const struct pmu_catalog_entry *e, void *arg),
		void *arg)
{
	struct catalog_walk w = {
		.pattern = pattern,
		.anywhere = pattern && !strpbrk(pattern, "*?["),
		.visit = visit,
		.arg = arg,
	};
	int answer = offer_generic(&w, PMU_SOURCE_CLOCK);

	if (!answer)
		answer = offer(&w, PMU_SOURCE_CLOCK, "wall",
			       "time, also while the thread is blocked");
	if (!answer)
		answer = offer_generic(&w, PMU_SOURCE_HARDWARE);
	if (!answer)
		answer = offer_cache(&w);
	if (!answer)
		answer = offer_generic(&w, PMU_SOURCE_SOFTWARE);
	if (!answer) {
		answer = pmu_sysfs_each_pmu(offer_sysfs_pmu, &w);
		answer = answer > 0 ? answer : 0; /* without sysfs there is none */
	}
	return answer ? answer : pmu_pfm_each(offer_pfm_event, &w);
}
