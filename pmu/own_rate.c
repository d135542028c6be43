/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_rate.c - the sampling rate in an event's name.
 */
#include "config.h"

#include "pmu/own_rate.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/event.h"

struct taken {
	const char *name;
	struct pmu_rate rate;
	bool any;
	struct pmu_refusal *why;
};

static int refuse_number(const struct taken *t, const char *term, int length)
{
	pmu_refuse_because(t->why, EINVAL, t->name, "give a whole number of 1 or more",
			   "that is no way to sample: %.*s", length, term);
	return -1;
}

/* Whether the term is `what='; if so, reads its number. */
static int take_number(struct taken *t, const char *term, size_t length, const char *what,
		       uint64_t most, uint64_t *number)
{
	const size_t used = strlen(what);
	char *end;

	if (length < used || strncmp(term, what, used))
		return 0;
	errno = 0;
	*number = strtoull(term + used, &end, 0);
	if (!isdigit((unsigned char)term[used]) || end != term + length || errno || !*number ||
	    *number > most)
		return refuse_number(t, term, (int)length);
	t->any = true;
	return 1;
}

static int take_term(struct taken *t, const char *term, size_t length)
{
	uint64_t number;
	int answer = take_number(t, term, length, "period=", UINT64_MAX, &number);

	if (answer > 0)
		t->rate.period = number;
	if (answer)
		return answer;
	answer = take_number(t, term, length, "freq=", UINT32_MAX, &number);
	if (answer > 0)
		t->rate.freq_hz = (uint32_t)number;
	return answer;
}

/* Copies the text between the slashes to `to', without the terms that are taken.
   Returns its end, or NULL with *why. */
static char *copy_rest(struct taken *t, const char *from, const char *end, char *to)
{
	const char *const begin = to;

	while (from <= end) {
		const char *comma = memchr(from, ',', (size_t)(end - from));
		const size_t length = (size_t)((comma ? comma : end) - from);
		const int taken = take_term(t, from, length);

		if (taken < 0)
			return NULL;
		if (!taken) {
			if (to != begin)
				*to++ = ',';
			memcpy(to, from, length);
			to += length;
		}
		from += length + 1;
	}
	return to;
}

int pmu_own_rate(const char *name, struct pmu_rate *rate, char bare[PMU_BARE_BYTES],
		 struct pmu_refusal *why)
{
	const char *first = strchr(name, '/'), *last = strrchr(name, '/');
	struct taken t = { .name = name, .why = why };
	char *rest, *to;

	if (strlen(name) > PMU_BARE_BYTES - 2) {
		pmu_refuse(why, E2BIG, "event", "its name is too long", NULL);
		return -1;
	}
	strcpy(bare, name);
	if (first == last)
		return 0;
	rest = bare + (first + 1 - name);
	to = copy_rest(&t, first + 1, last, rest);
	if (!to)
		return -1;
	if (!t.any) {
		strcpy(bare, name);
		return 0;
	}
	/* Where no slashes remain, a colon precedes the modifiers. */
	if (to == rest)
		sprintf(rest - 1, "%s%s", isalnum((unsigned char)last[1]) ? ":" : "", last + 1);
	else
		sprintf(to, "/%s", last + 1);
	*rate = t.rate;
	return 0;
}
