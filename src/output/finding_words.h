/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_words.h - findings in sentences, for all formats.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_FINDING_WORDS_H
#define OMPHWC_SRC_OUTPUT_FINDING_WORDS_H

struct finding;
struct view;

/* Names of functions are as they are in the program. */
struct finding_words {
	char *what;	   /* "imbalance of for schedule(static) in solve (a.c:12-15)" */
	char *why;	   /* the evidence */
	const char *helps; /* what usually helps */
};

void finding_words(const struct view *v, const struct finding *f, struct finding_words *w);
void finding_words_fini(struct finding_words *w);

#endif
