/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <stdio.h>
#include <string.h>

#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tool/settings.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "pmu/pfm.h"

/* Notes why an event can't be counted. The report itself names the stand-in. */
static void note_refusal(const struct pmu_event *ev, const struct pmu_refusal *why)
{
	char line[320];

	snprintf(line, sizeof(line), "no %s: %s", ev->requested, why->why);
	profile_note(line);
}

/* The kernel's limit for frequencies, which it lowers by itself, lowers ours. */
static void settle_rate(struct pmu_event *ev)
{
	const uint32_t allowed = pmu_rate_allowed(ev->freq_hz);
	char line[160];

	if (allowed == ev->freq_hz)
		return;
	snprintf(line, sizeof(line),
		 "%s: %u samples a second in place of %u: kernel.perf_event_max_sample_rate",
		 ev->label, allowed, ev->freq_hz);
	profile_note(line);
	ev->freq_hz = allowed;
}

/* Replaces an event that can't be counted here by the nearest one that can. */
static bool settle_event(struct pmu_event *ev, const struct pmu_rate *rate, struct pmu_refusal *why)
{
	settle_rate(ev);
	if (pmu_event_probe(ev, why) == 0)
		return true;
	note_refusal(ev, why);
	return pmu_event_substitute(ev, rate, why) == 0;
}

/* The same for an event that is counted without samples. */
static bool settle_counted(struct pmu_event *ev, const struct pmu_rate *rate,
			   struct pmu_refusal *why)
{
	if (pmu_counts_probe(ev, why) == 0)
		return true;
	note_refusal(ev, why);
	return pmu_event_substitute(ev, rate, why) == 0 && pmu_counts_probe(ev, why) == 0;
}

/* Whether the event is in the list already: one clock may stand in for several events,
   and may have been asked for as well. */
static bool settled(const char *label, int from)
{
	for (int i = from; i < sampling.nevents; i++)
		if (strcmp(sampling.events[i].label, label) == 0)
			return true;
	return false;
}

/* A list of events from an environment variable. */
struct event_list {
	const char *variable, *text; /* NULL: no events */
	const char *otherwise;	     /* a list that makes sense */
	struct pmu_rate rate;
	bool (*settle)(struct pmu_event *, const struct pmu_rate *, struct pmu_refusal *);
};

/* Reads the list, or the other one, which is noted. */
static int parse_list(const struct event_list *list, struct pmu_event *wanted, int max,
		      struct pmu_refusal *why)
{
	char line[256];
	int n = !list->text ? 0 : pmu_event_parse_list(list->text, &list->rate, wanted, max, why);

	if (n >= 0)
		return n;
	snprintf(line, sizeof(line), "%s=%.40s makes no sense: %.40s: %.80s: using %s",
		 list->variable, list->text, why->what, why->why, list->otherwise);
	profile_note(line);
	return pmu_event_parse_list(list->otherwise, &list->rate, wanted, max, why);
}

/* Adds the events of a list that can be counted. */
static void settle_list(const struct event_list *list, struct pmu_refusal *why)
{
	struct pmu_event wanted[PMU_EVENTS_MAX];
	const int from = sampling.nevents;
	const int n = parse_list(list, wanted, PMU_EVENTS_MAX - from, why);

	for (int i = 0; i < n; i++)
		if (list->settle(&wanted[i], &list->rate, why) && !settled(wanted[i].label, from))
			sampling.events[sampling.nevents++] = wanted[i];
}

/* Notes which kinds of cores an event is counted on, and which it is missing from. */
static void note_kinds(const struct pmu_event *ev, bool counted, bool *noted)
{
	char line[2 * PMU_KINDS_BYTES + 128];
	struct pmu_kinds kinds;

	if (!pmu_event_kinds(ev, counted ? pmu_counts_probe : pmu_event_probe, &kinds))
		return;
	if (!*noted)
		profile_note("cores are of several kinds: what each counts is added up");
	*noted = true;
	if (ev->raw) {
		snprintf(line, sizeof(line),
			 "%s: one code for all kinds of cores, which may be different events",
			 ev->label);
		profile_note(line);
	}
	if (kinds.without[0] == '\0')
		return;
	snprintf(line, sizeof(line), "%s: counted by %s, but not by %s", ev->label, kinds.with,
		 kinds.without);
	profile_note(line);
}

bool settle_events(const struct settings *s, struct pmu_refusal *why)
{
	const struct event_list sampled = {
		.variable = "OMPHWC_EVENTS",
		.text = s->events,
		.otherwise = PMU_DEFAULT_SAMPLED,
		.rate = s->rate,
		.settle = settle_event,
	};
	const struct event_list counted = {
		.variable = s->origin,
		.text = s->counted,
		.otherwise = PMU_DEFAULT_COUNTED,
		.rate = { .freq_hz = PMU_DEFAULT_FREQ_HZ },
		.settle = settle_counted,
	};
	bool noted = false;

	settle_list(&sampled, why);
	sampling.nsampled = sampling.nevents;
	settle_list(&counted, why);
	/* Unloads libpfm: its tables are not needed once the names are resolved. */
	pmu_pfm_unload();
	for (int i = 0; i < sampling.nevents; i++)
		note_kinds(&sampling.events[i], i >= sampling.nsampled, &noted);
	return sampling.nevents != 0;
}
