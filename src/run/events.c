/*
 * events.c - tries the events in this process: the program's own will be
 * settled the same way, in it.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pmu/event.h"
#include "src/commands.h"
#include "src/message.h"
#include "src/run/events.h"
#include "src/run/options.h"

/* Events that were refused for one reason and are served by one other. */
struct group {
	char names[256];
	struct pmu_refusal why;
	char instead[PMU_NAME_BYTES];	/* empty: nothing */
};

static int pass(struct trouble *t, const struct pmu_refusal *why)
{
	return trouble(t, why->why, why->todo, "%s", why->what);
}

static void print_group(const struct group *g)
{
	char instead[128 + sizeof(g->why.todo)] = "nothing is counted in its place";

	if (!g->names[0])
		return;
	if (g->instead[0])
		snprintf(instead, sizeof(instead), "%s is counted instead (--strict refuses)%s%s",
			 g->instead, g->why.todo[0] ? "; to count it: " : "", g->why.todo);
	message_parts(g->names, g->why.why, instead);
}

static void add_to_group(struct group *g, const struct pmu_event *ev, const struct pmu_refusal *why,
			 bool served, bool silent)
{
	const char *instead = served ? ev->label : "";
	size_t used = strlen(g->names);

	if (used && (strcmp(g->why.why, why->why) != 0 || strcmp(g->instead, instead) != 0)) {
		if (!silent)
			print_group(g);
		used = 0;
	}
	snprintf(g->names + used, sizeof(g->names) - used, "%s%s", used ? ", " : "", ev->requested);
	g->why = *why;
	strcpy(g->instead, instead);
}

int events_check(const struct run_options *o, int silent, bool *nothing, struct trouble *t)
{
	struct pmu_event events[PMU_EVENTS_MAX];
	struct pmu_refusal why, none;
	struct group g = {.names = ""};
	int n = pmu_event_parse_list(o->events, &o->rate, events, PMU_EVENTS_MAX, &why);

	if (n < 0) {
		pass(t, &why);
		return COMMAND_MISUSED;
	}
	*nothing = true;
	for (int i = 0; i < n; i++) {
		bool served;

		if (pmu_event_probe(&events[i], &why) == 0) {
			*nothing = false;
			continue;
		}
		if (o->strict) {
			pass(t, &why);
			return COMMAND_FAILED;
		}
		served = pmu_event_substitute(&events[i], &o->rate, &none) == 0;
		*nothing = *nothing && !served;
		add_to_group(&g, &events[i], &why, served, silent);
	}
	if (!silent)
		print_group(&g);
	return 0;
}
