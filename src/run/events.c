/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - tries the events in this process; the program's library decides in the same
 * way.
 */
#include "config.h"

#include "src/run/events.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pmu/counter.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/run/options.h"

/* Events that were refused for one reason and have one substitute. */
struct events_group {
	char names[256];
	struct pmu_refusal why;
	char instead[PMU_NAME_BYTES]; /* empty: no substitute */
};

static int pass(struct trouble *t, const struct pmu_refusal *why)
{
	return trouble(t, why->why, why->todo, "%s", why->what);
}

/* Advice that the substitute follows already. */
static bool is_followed(const char *todo)
{
	return strcmp(todo, "use cpu-clock") == 0 || strcmp(todo, "use wall") == 0 ||
	       strcmp(todo, "use fewer p") == 0;
}

static void events_print_group(const struct events_group *g)
{
	char instead[128 + sizeof(g->why.todo)] = "nothing is counted in its place";
	const bool helps = g->why.todo[0] && !is_followed(g->why.todo);

	if (!g->names[0])
		return;
	if (g->instead[0])
		snprintf(instead, sizeof(instead), "%s is counted instead (--strict refuses)%s%s",
			 g->instead, helps ? "; to count it: " : "", helps ? g->why.todo : "");
	message_parts(g->names, g->why.why, instead);
}

/* Samples a second of a thread; 0: events have no rate. */
static double rate_hz(const struct pmu_event *ev)
{
	return ev->freq_hz ? ev->freq_hz : ev->unit_ns && ev->period ? 1e9 / (double)ev->period : 0;
}

typedef int probe(const struct pmu_event *ev, struct pmu_refusal *why);

static int check_list(const struct run_options *o, const char *list, probe *can, int silent,
		      struct trouble *t, int *n, struct events_found *is)
{
	struct pmu_event events[PMU_EVENTS_MAX];
	struct pmu_refusal why, none;
	struct events_group g = { .names = "" };
	const int found = pmu_event_parse_list(list, &o->rate, events, PMU_EVENTS_MAX - *n, &why);

	if (found < 0) {
		pass(t, &why);
		return COMMAND_MISUSED;
	}
	*n += found;
	for (int i = 0; i < found; i++) {
		bool served;

		events[i].freq_hz = pmu_rate_allowed(events[i].freq_hz);
		is->samples_hz += rate_hz(&events[i]);
		if (can(&events[i], &why) == 0) {
			is->nothing = false;
			is->addresses |= pmu_counter_has_address(&events[i]);
			continue;
		}
		if (o->strict) {
			pass(t, &why);
			return COMMAND_FAILED;
		}
		served = pmu_event_substitute(&events[i], &o->rate, &none) == 0 &&
			 can(&events[i], &none) == 0;
		is->nothing = is->nothing && !served;
		is->addresses |= served && pmu_counter_has_address(&events[i]);

		const char *instead = served ? events[i].label : "";
		size_t used = strlen(g.names);

		if (used && (strcmp(g.why.why, why.why) != 0 || strcmp(g.instead, instead) != 0)) {
			if (!silent)
				events_print_group(&g);
			used = 0;
		}
		snprintf(g.names + used, sizeof(g.names) - used, "%s%s", used ? ", " : "",
			 events[i].requested);
		g.why = why;
		strcpy(g.instead, instead);
	}
	if (!silent)
		events_print_group(&g);
	return 0;
}

int events_check(const struct run_options *o, int silent, struct events_found *is,
		 struct trouble *t)
{
	struct events_found counted = { .nothing = true };
	int n = 0, status = 0;

	*is = counted;
	if (o->events)
		status = check_list(o, o->events, pmu_event_probe, silent, t, &n, is);
	if (status == 0 && o->counted)
		status = check_list(o, o->counted, pmu_counts_probe, silent, t, &n, &counted);
	is->nothing = is->nothing && counted.nothing;
	return status;
}
