/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_lists.h - which of the events that were asked for are sampled and counted.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_EVENT_LISTS_H
#define OMPHWC_OMPT_TOOL_TOOL_EVENT_LISTS_H

#include <stdbool.h>

struct pmu_refusal;
struct settings;

/*
 * Fills in sampling (sampling.h) with the events of s that can be had here, or others that stand
 * in for them, and notes in the profile what was replaced. False: there are none, and
 * *why is of the last one. Once, before any thread samples; for ordinary code.
 */
bool settle_events(const struct settings *s, struct pmu_refusal *why);

#endif
