/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted_ratios.c - ratios of counts, recognized by the names of their events.  Only
 * counts of the same mode (:u, :k) are divided.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "src/model/model.h"
#include "src/tables/counted.h"

struct ratios_name {
	const char *base;
	size_t length;
	const char *side; /* "u", "k", "uk" or "" */
};

static struct ratios_name ratios_name_of(const struct model_event *e)
{
	const char *colon = strrchr(e->label, ':');

	if (!colon)
		return (struct ratios_name){ e->label, strlen(e->label), "" };
	return (struct ratios_name){ e->label, (size_t)(colon - e->label), colon + 1 };
}

/* Compares with all spellings of a name, those of perf and of the vendors. */
static bool ratios_is(const struct ratios_name *n, const char *names)
{
	while (*names) {
		const size_t length = strcspn(names, " ");

		if (length == n->length && !memcmp(n->base, names, length))
			return true;
		names += length + (names[length] == ' ');
	}
	return false;
}

static bool ratios_ends_with(const struct ratios_name *n, const char *tail)
{
	const size_t length = strlen(tail);

	return n->length > length && !memcmp(n->base + n->length - length, tail, length);
}

#define CYCLES "cycles cpu-cycles CPU_CYCLES cpu_cycles r11 r0011"
#define INSTRUCTIONS "instructions INST_RETIRED inst_retired INSTRUCTION_RETIRED r08 r0008"
#define CLOCKS "task-clock cpu-clock"

static const struct known {
	const char *over, *under;
	double factor;
	const char *name, *title;
} known[] = {
	{ INSTRUCTIONS, CYCLES, 1, "instructions a cycle", "IPC" },
	{ CYCLES, CLOCKS, 1, "cycles a nanosecond", "GHz" },
	{ "branch-misses", "branches branch-instructions", 100, "% of branches missed",
	  "br-miss%" },
	{ "cache-misses", "cache-references", 100, "% of cache references missed", "c-miss%" },
	{ "page-faults faults", CLOCKS, 1e9, "page faults a second", "faults/s" },
	{ "context-switches cs", CLOCKS, 1e9, "context switches a second", "cs/s" },
	{ "stalled-cycles-frontend idle-cycles-frontend", CYCLES, 100,
	  "% of cycles stalled at the front", "front%" },
	{ "stalled-cycles-backend idle-cycles-backend", CYCLES, 100,
	  "% of cycles stalled at the back", "back%" },
};

struct ratios_found {
	struct counts_ratio *ratios;
	size_t n;
};

/* Of several spellings of an event the first one is used. */
static void ratio_add(struct ratios_found *f, const struct counts_ratio *r,
		      const struct ratios_name *a, const struct ratios_name *b)
{
	const char *side = *a->side ? a->side : b->side;
	struct counts_ratio *to = &f->ratios[f->n];

	if (f->n == COUNTS_RATIOS_MAX)
		return;
	*to = *r;
	/* User mode is the default, so it is not mentioned. */
	if (strcmp(side, "u") && *side)
		snprintf(to->name + strlen(to->name), sizeof(to->name) - strlen(to->name), " (%s)",
			 side);
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->ratios[i].name, to->name))
			return;
	f->n++;
}

static void ratio_pair(struct ratios_found *f, const struct ratios_name *a, size_t over,
		       const struct ratios_name *b, size_t under)
{
	struct counts_ratio r = { .over = over, .under = under };

	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++) {
		if (!ratios_is(a, known[k].over) || !ratios_is(b, known[k].under))
			continue;
		r.factor = known[k].factor;
		snprintf(r.name, sizeof(r.name), "%s", known[k].name);
		snprintf(r.title, sizeof(r.title), "%s", known[k].title);
		ratio_add(f, &r, a, b);
	}
	if (!ratios_ends_with(a, "-misses"))
		return;
	/* Divides LLC-load-misses by LLC-loads, and so on. */
	if (a->length == b->length - 1 + strlen("-misses") && b->base[b->length - 1] == 's' &&
	    !memcmp(a->base, b->base, b->length - 1)) {
		r.factor = 100;
		snprintf(r.name, sizeof(r.name), "%% of %.*s missed", (int)b->length, b->base);
		snprintf(r.title, sizeof(r.title), "missed%%");
		ratio_add(f, &r, a, b);
	}
	if (ratios_is(b, INSTRUCTIONS)) {
		const int word = (int)strcspn(a->base, "-");

		r.factor = 1000;
		snprintf(r.name, sizeof(r.name), "%.*s a 1,000 instructions", (int)a->length,
			 a->base);
		snprintf(r.title, sizeof(r.title), "%.*s/ki", word < 6 ? word : 6, a->base);
		ratio_add(f, &r, a, b);
	}
}

size_t counts_ratios(const struct model *m, const size_t *events, size_t n,
		     struct counts_ratio ratios[COUNTS_RATIOS_MAX])
{
	struct ratios_found found = { .ratios = ratios };

	for (size_t over = 0; over < n; over++)
		for (size_t under = 0; under < n; under++) {
			const struct ratios_name a = ratios_name_of(&m->events[events[over]]);
			const struct ratios_name b = ratios_name_of(&m->events[events[under]]);

			/* Clocks and the kernel's own events have no mode. */
			if (strcmp(a.side, b.side) && *a.side && *b.side)
				continue;
			ratio_pair(&found, &a, over, &b, under);
		}
	return found.n;
}

bool counts_ratio_of(const struct counts_ratio *r, const struct count *over,
		     const struct count *under, double *value)
{
	const enum counts_state a = count_state(over), b = count_state(under);

	if (a == COUNT_NONE || a == COUNT_NEVER || b == COUNT_NONE || b == COUNT_NEVER ||
	    !under->value)
		return false;
	*value = r->factor * count_scaled(over) / count_scaled(under);
	return true;
}
