/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * questions.h - the table of questions.
 *
 * A new one is a number in enum query, and a row with its function in questions.c.  A file of a
 * later version may have more questions than the table: their answers are left out.
 */
#ifndef OMPHWC_SRC_ANSWERS_QUESTIONS_H
#define OMPHWC_SRC_ANSWERS_QUESTIONS_H

#include <stdbool.h>

#include "src/answers/ask.h"

struct lookup;

/*
 * The members of a stored answer, in the order in which they are stored: b known, c construct,
 * r barrier, e single, w way, n count, f first, l last, @ at, < entry, > end, t text, R location.
 */
struct question_row {
	const char *shape;
	bool callee; /* it depends on a callee */
	/* Changes *a, which says that nothing is known, to what files answer. */
	void (*files)(struct lookup *l, const struct question *q, struct answer *a);
};

extern const struct question_row question_rows[QUERIES];

#endif
