/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * near.h - the names that are most like one that was not found.
 *
 * A name is near if it has a part that differs from the wanted text in at most a third of
 * the text's characters.  Case does not count.
 */
#ifndef OMPHWC_SRC_BASE_NEAR_H
#define OMPHWC_SRC_BASE_NEAR_H

#include <stddef.h>

enum { NEAR_MAX = 4, NEAR_NAME_BYTES = 96 };

struct near {
	const char *wanted;
	struct near_name {
		char name[NEAR_NAME_BYTES]; /* longer ones are cut */
		unsigned distance;
	} best[NEAR_MAX]; /* the nearest first */
	size_t n;
};

void near_init(struct near *n, const char *wanted);
void near_add(struct near *n, const char *name);

/* "did you mean a, b?", or otherwise if no name is near. */
void near_text(const struct near *n, const char *otherwise, char *text, size_t bytes);

#endif
