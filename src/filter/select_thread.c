/* SPDX-License-Identifier: BSD-3-Clause */
/* select_thread.c - records by the numbers of their threads and ranks. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/filter/select.h"
#include "src/model/model.h"
#include "src/view/view.h"

struct range {
	uint32_t lo, hi;
};

struct ranges {
	struct range *all;
	size_t n, room;
};

static bool number_read(const char **s, uint32_t *n)
{
	char *end;
	unsigned long value;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	value = strtoul(*s, &end, 10);
	*s = end;
	*n = (uint32_t)value;
	return !errno && value <= UINT32_MAX;
}

static bool range_read(const char **s, struct range *r)
{
	if (!number_read(s, &r->lo))
		return false;
	r->hi = r->lo;
	if (**s == '-') {
		++*s;
		if (!number_read(s, &r->hi))
			return false;
	}
	return r->lo <= r->hi && (!**s || **s == ',');
}

/* 0 or -EINVAL. */
static int ranges_read(struct ranges *ranges, const char *s)
{
	struct range r;

	for (;;) {
		ranges->all = grow(ranges->all, ranges->n, &ranges->room, sizeof(*ranges->all));
		if (!range_read(&s, &r))
			return -EINVAL;
		ranges->all[ranges->n++] = r;
		if (!*s++)
			return 0;
	}
}

static bool ranges_have(const struct ranges *ranges, uint32_t n)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (n >= ranges->all[i].lo && n <= ranges->all[i].hi)
			return true;
	return false;
}

typedef bool number_of(const struct model *m, uint32_t thread, uint32_t *number);

static bool thread_number(const struct model *m, uint32_t thread, uint32_t *number)
{
	*number = m->threads[thread].number;
	return true;
}

static bool rank_number(const struct model *m, uint32_t thread, uint32_t *number)
{
	const char *rank = prof_text(m->processes[m->threads[thread].process].file, PROF_INFO_RANK);

	return rank && number_read(&rank, number) && !*rank;
}

/* The least and greatest number of a thread with records. */
static bool numbers_extent(const struct view *v, number_of *of, struct range *r)
{
	bool any = false;
	uint32_t n;

	*r = (struct range){ .lo = UINT32_MAX };
	for (size_t i = 0; i < v->nrecords; i++) {
		if (!of(v->model, v->records[i].thread, &n))
			continue;
		any = true;
		r->lo = n < r->lo ? n : r->lo;
		r->hi = n > r->hi ? n : r->hi;
	}
	return any;
}

static int numbers_select(const struct view *v, number_of *of, const char *option,
			  const char *value, bool *kept, struct trouble *t)
{
	struct ranges ranges = { 0 };
	int err = ranges_read(&ranges, value);
	bool any = false;
	uint32_t n;

	if (err == -EINVAL)
		trouble(t, "no list of numbers", "use for example 0,2-4", "%s %s", option, value);
	for (size_t i = 0; i < v->nrecords && !err; i++) {
		const bool listed = of(v->model, v->records[i].thread, &n) &&
				    ranges_have(&ranges, n);

		any = any || listed;
		kept[i] = kept[i] && listed;
	}
	if (!err && !any) {
		struct range r;

		char todo[sizeof(t->todo)] = "the profiles have none";

		if (numbers_extent(v, of, &r))
			snprintf(todo, sizeof(todo), "there are %" PRIu32 " to %" PRIu32, r.lo,
				 r.hi);
		trouble(t, "nothing with such a number was sampled", todo, "%s %s", option, value);
		err = -ENOENT;
	}
	free(ranges.all);
	return err;
}

int select_thread(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	return numbers_select(v, thread_number, "--thread", value, kept, t);
}

int select_rank(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	return numbers_select(v, rank_number, "--rank", value, kept, t);
}
