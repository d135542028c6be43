/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_of.c - joins profiles to runs, by what is surest first.
 *
 * Ranks of one launch are recognized by their job, the number of ranks, the time, and by no rank
 * being there twice: a job's next launch may begin while ranks of the last one end.
 */
#include "config.h"

#include "src/model/run_of.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/map.h"
#include "src/profile/reader/reader.h"

enum { NONE = UINT32_MAX, RANK_DIGITS_MOST = 10 };

#define BETWEEN_NS UINT64_C(10000000000)

/* ---- one profile ------------------------------------------------------- */

static const char *run_of_text_of(const struct prof_file *f, enum prof_info_kind kind)
{
	const char *text = prof_text(f, kind);

	return text && *text ? text : NULL;
}

static int64_t run_of_number_of(const struct prof_file *f, enum prof_info_kind kind)
{
	const char *text = run_of_text_of(f, kind);

	if (!text || text[strspn(text, "0123456789")] || strlen(text) > RANK_DIGITS_MOST)
		return -1;
	const long long n = strtoll(text, NULL, 10);

	return n <= INT32_MAX ? n : -1;
}

struct run_of run_of(const struct prof_file *f)
{
	const struct prof_header *h = &f->header;
	uint64_t last = h->end_monotonic_ns, elapsed = 0;

	if (!last && h->nlatest)
		last = h->latest[(h->nlatest - 1) % 2].monotonic_ns;
	if (last > h->start_monotonic_ns)
		elapsed = last - h->start_monotonic_ns;
	return (struct run_of){
		.id = run_of_text_of(f, PROF_INFO_RUN_ID),
		.launcher = run_of_text_of(f, PROF_INFO_LAUNCHER),
		.job = run_of_text_of(f, PROF_INFO_JOB),
		.task = run_of_text_of(f, PROF_INFO_ARRAY_TASK),
		.step = run_of_text_of(f, PROF_INFO_STEP),
		.host = run_of_text_of(f, PROF_INFO_HOST),
		.rank = run_of_number_of(f, PROF_INFO_RANK),
		.size = run_of_number_of(f, PROF_INFO_SIZE),
		.pid = h->pid,
		.parent = h->ppid,
		.start_ns = h->start_realtime_ns,
		.end_ns = prof_add(h->start_realtime_ns, elapsed),
	};
}

bool run_of_is_known(const struct run_of *o)
{
	return o->id || o->rank >= 0;
}

/* ---- sets of profiles -------------------------------------------------- */

/* The profiles of a set are a list that begins at its first one, which stands for it. */
struct sets {
	const struct run_of *all;
	size_t n;
	uint32_t *set;	/* of each profile */
	uint32_t *next; /* NONE: the last one */
	uint32_t *last; /* of the set that the profile stands for */
};

/* Joins the sets of profiles a and b.  The earlier profile stands for both. */
static void sets_join(struct sets *s, uint32_t a, uint32_t b)
{
	const uint32_t x = s->set[a], y = s->set[b];
	const uint32_t to = x < y ? x : y, from = x < y ? y : x;

	if (x == y)
		return;
	for (uint32_t i = from; i != NONE; i = s->next[i])
		s->set[i] = to;
	s->next[s->last[to]] = from;
	s->last[to] = s->last[from];
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static uint64_t run_of_hash_of(const char *text)
{
	return text ? fnv(FNV_BEGIN, text, strlen(text)) : 0;
}

/* ---- of one ompcount; of one process and its children ------------------ */

static void join_children(struct sets *s)
{
	struct map processes = { 0 };
	uint32_t of;

	for (uint32_t i = 0; i < s->n; i++)
		map_add(&processes, run_of_hash_of(s->all[i].host), s->all[i].pid, i, &of);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct run_of *o = &s->all[i];

		/* A shell that is profiled may start ompcount many times. */
		if (o->id || o->parent == 0)
			continue;
		of = map_get(&processes, run_of_hash_of(o->host), o->parent, NONE);
		if (of != NONE && same_text(o->host, s->all[of].host) &&
		    o->start_ns <= s->all[of].end_ns && s->all[of].start_ns <= o->end_ns)
			sets_join(s, i, of);
	}
	map_free(&processes);
}

/* ---- ranks of one launch ----------------------------------------------- */

/* A set with ranks. */
struct launch {
	const struct run_of *rank; /* one of them */
	uint64_t start_ns, end_ns;
	uint32_t set;
};

static int run_of_by_start(const void *a, const void *b)
{
	const struct launch *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->set > y->set) - (x->set < y->set);
}

/* ranks: those of each launch, by its number. */
static bool has_rank_of(const struct sets *s, const struct map *ranks, uint32_t number,
			uint32_t set)
{
	for (uint32_t i = set; i != NONE; i = s->next[i])
		if (s->all[i].rank >= 0 &&
		    map_get(ranks, number, (uint64_t)s->all[i].rank, NONE) != NONE)
			return true;
	return false;
}

/* Of a step that is known, a short rank may have ended before another one began.  A job that runs
   again has the same steps. */
static bool is_of(const struct launch *l, const struct launch *part)
{
	const struct run_of *a = l->rank, *b = part->rank;
	const uint64_t between_ns = a->step ? BETWEEN_NS : 0;

	return same_text(a->job, b->job) && same_text(a->task, b->task) &&
	       same_text(a->step, b->step) && same_text(a->launcher, b->launcher) &&
	       a->size == b->size && l->start_ns <= prof_add(part->end_ns, between_ns) &&
	       part->start_ns <= prof_add(l->end_ns, between_ns);
}

/* The sets with ranks, by their start; how many there are. */
static uint32_t launches_of(const struct sets *s, struct launch *all)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct launch *l = &all[n];

		if (s->set[i] != i)
			continue;
		*l = (struct launch){ .set = i, .start_ns = UINT64_MAX };
		for (uint32_t k = i; k != NONE; k = s->next[k]) {
			const struct run_of *o = &s->all[k];

			if (o->rank < 0)
				continue;
			if (!l->rank)
				l->rank = o;
			if (o->start_ns < l->start_ns)
				l->start_ns = o->start_ns;
			if (o->end_ns > l->end_ns)
				l->end_ns = o->end_ns;
		}
		if (l->rank)
			n++;
	}
	qsort(all, n, sizeof(*all), run_of_by_start);
	return n;
}

static void join_ranks(struct sets *s)
{
	struct launch *all = alloc_zeroed(s->n + 1, sizeof(*all));
	const uint32_t n = launches_of(s, all);
	/* The latest launch that fits has the rank. */
	struct map ranks = { 0 };
	uint32_t nlaunches = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct launch part = all[i];
		uint32_t at = nlaunches;

		while (at > 0 &&
		       !(is_of(&all[at - 1], &part) && !has_rank_of(s, &ranks, at - 1, part.set)))
			at--;
		if (at == 0) {
			all[nlaunches] = part;
			at = ++nlaunches;
		}
		/* Adds the set to the launch of that number. */
		struct launch *l = &all[at - 1];
		uint32_t of;

		if (part.start_ns < l->start_ns)
			l->start_ns = part.start_ns;
		if (part.end_ns > l->end_ns)
			l->end_ns = part.end_ns;
		for (uint32_t k = part.set; k != NONE; k = s->next[k])
			if (s->all[k].rank >= 0)
				map_add(&ranks, at - 1, (uint64_t)s->all[k].rank, 1, &of);
		sets_join(s, all[at - 1].set, part.set);
	}
	map_free(&ranks);
	free(all);
}

/* ---- together ---------------------------------------------------------- */

void run_of_group(const struct run_of *all, size_t n, size_t *run, size_t *nruns)
{
	struct sets s;

	s = (struct sets){ .all = all, .n = n };
	s.set = alloc_zeroed(n + 1, sizeof(*s.set));
	s.next = alloc_zeroed(n + 1, sizeof(*s.next));
	s.last = alloc_zeroed(n + 1, sizeof(*s.last));
	for (uint32_t i = 0; i < n; i++) {
		s.set[i] = s.last[i] = i;
		s.next[i] = NONE;
	}
	struct map first = { 0 };
	uint32_t of;

	for (uint32_t i = 0; i < s.n; i++) {
		if (s.all[i].id && !map_add(&first, run_of_hash_of(s.all[i].id), 0, i, &of) &&
		    same_text(s.all[i].id, s.all[of].id))
			sets_join(&s, i, of);
	}
	map_free(&first);
	join_children(&s);
	join_ranks(&s);
	*nruns = 0;
	for (uint32_t i = 0; i < n; i++)
		run[i] = s.set[i] == i ? (*nruns)++ : run[s.set[i]];
	free(s.set);
	free(s.next);
	free(s.last);
}
