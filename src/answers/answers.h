/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers.h - the answers that are stored in a profile, or will be.
 *
 * The functions, locations and texts of answers that are added are borrowed.  For ordinary code,
 * one thread at a time.
 */
#ifndef OMPHWC_SRC_ANSWERS_ANSWERS_H
#define OMPHWC_SRC_ANSWERS_ANSWERS_H

#include <stddef.h>
#include <stdint.h>

#include "src/answers/ask.h"
#include "src/base/arena.h"
#include "src/base/interner.h"
#include "src/base/map.h"

enum { ANSWER_FRAMES_MAX = 256 };

struct answered {
	struct question question; /* file: NULL */
	struct answer answer;
};

/* Why names of a module are missing. */
struct answers_trouble {
	uint32_t module; /* id */
	const char *why;
};

/* A zeroed struct is empty and ready. */
struct answers {
	struct answered *all;
	size_t n;
	struct answers_trouble *troubles; /* by module */
	size_t ntroubles;
	/* private */
	size_t room, troubles_room;
	struct interner callees;
	struct map index;
	struct arena arena; /* what was read */
};

void answers_free(struct answers *a);

/* The answer, or NULL. */
const struct answer *answers_find(struct answers *a, const struct question *q);

/* Adds an answer, or replaces one. */
void answers_set(struct answers *a, const struct question *q, const struct answer *answer);

/* The same for troubles of modules; why NULL: none. */
const char *answers_trouble_of(const struct answers *a, uint32_t module);
void answers_set_trouble(struct answers *a, uint32_t module, const char *why);

/* Writes all of a into *bytes, which the caller frees.  Equal answers have equal bytes. */
void answers_pack(struct answers *a, unsigned char **bytes, size_t *n);

/* Reads what answers_pack() wrote into a, which is empty.  The bytes are not trusted.  0 or
   -EINVAL; answers_free() is required in any case. */
int answers_unpack(struct answers *a, const unsigned char *bytes, size_t n);

#endif
