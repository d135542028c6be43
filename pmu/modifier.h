/*
 * modifier.h - the letters after an event's name: u k p pp ppp.
 */
#ifndef OMPHWC_PMU_MODIFIER_H
#define OMPHWC_PMU_MODIFIER_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/refusal.h"

struct pmu_modifiers {
	bool user;
	bool kernel;
	unsigned precise;	/* 0 … 3: perf_event_attr.precise_ip */
};

/* Whether all of text (length bytes) are letters u, k and p, and it is not
   empty.  Others may just as well be the end of one of libpfm4's names. */
bool pmu_modifiers_look(const char *text, size_t length);

/*
 * Reads length letters into *m (cleared first).  0, or -1 with *why, its what
 * being event: a letter that is none, or one that perf knows and that makes no
 * sense for a thread's own counters.
 */
int pmu_modifiers_parse(const char *text, size_t length, const char *event,
			struct pmu_modifiers *m, struct pmu_refusal *why);

#endif
