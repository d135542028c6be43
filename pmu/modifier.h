/* SPDX-License-Identifier: BSD-3-Clause */
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
	unsigned precise; /* 0 … 3: perf_event_attr.precise_ip */
};

/* Whether text (length bytes) is not empty and all of it are letters u, k and p. Other
   letters may be the end of one of libpfm4's names. */
bool pmu_modifiers_look(const char *text, size_t length);

/*
 * Reads length letters into *m (cleared first). 0, or -1 with *why, whose `what' is
 * event, for a letter that is no modifier, or one of perf's that has no meaning for
 * a thread's own counters.
 */
int pmu_modifiers_parse(const char *text, size_t length, const char *event, struct pmu_modifiers *m,
			struct pmu_refusal *why);

#endif
