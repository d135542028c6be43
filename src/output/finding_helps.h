/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_helps.h - private: what helps against a finding, and what a finding's two sentences have
 * to agree about.
 */
#ifndef OMPHWC_SRC_OUTPUT_FINDING_HELPS_H
#define OMPHWC_SRC_OUTPUT_FINDING_HELPS_H

#include <stdbool.h>
#include <stdio.h>

#include "src/tables/findings.h"

struct view;

struct words {
	FILE *out;
	const struct view *v;
	const struct finding *f;
};

/* A library's function that has so much of the work may be why the kernel is busy. */
#define WORDS_CALLS_MUCH 0.1

#define WORDS_LARGER_TASKS \
	"more work for each task: taskloop grainsize(n); in a recursion, plain calls without the " \
	"directive below some depth or size, which cost less than an if clause that is false"

/* Where it depends on the finding; NULL: its rule's own. */
const char *finding_helps(const struct words *w);

/* At a region's end there is no other barrier than that. */
bool words_is_region_end(const struct words *w);
bool words_is_of_sections(const struct words *w);
/* gcc's updates that no instruction does, and its combining of what a reduction has of other types,
   are under one lock. */
bool words_is_under_lock(const struct words *w);
bool words_is_nested_team(const struct finding *f);
/* Whether they wait by depend(sink), for one iteration or several, and not for all before. */
bool words_is_doacross(const struct words *w);
bool words_is_resized(const struct finding *f);
/* Whether most entries are by a thread that began none before. */
bool words_is_by_new_threads(const struct finding *f);
/* Whether so much of the kernel's time goes with waits for a lock that this is the first cause to
   look at. */
bool words_is_woken_for_lock(const struct finding *f);

#endif
