/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_blocked_words.h - private to finding_words.c: calls in which threads sleep.
 */
#ifndef OMPHWC_SRC_OUTPUT_FINDING_BLOCKED_WORDS_H
#define OMPHWC_SRC_OUTPUT_FINDING_BLOCKED_WORDS_H

#include <stdio.h>

struct finding;
struct view;

/* "read(), called at load (sim.c:40)"; malloc'ed. */
char *finding_blocked_place(const struct view *v, const struct finding *f);

/* Who sleeps there for how long. */
void finding_blocked_why(FILE *out, const struct view *v, const struct finding *f);

#endif
