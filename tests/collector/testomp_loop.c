/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_loop.c - libtestomp's work shares: loops, sections, single.
 *
 * A share is made by the first thread that comes to it, and freed by the last that has done
 * with it. Threads may be several shares apart (nowait), so a team has a list of them, and
 * each thread counts how many it has begun. Iterations are counted from 0.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>

#include "tests/collector/testomp_loop.h"

static struct share *share_new(void)
{
	struct share *s = calloc(1, sizeof(*s));

	if (!s)
		testomp_die("no memory for a work share");
	return s;
}

struct share *share_of_loop(long start, long end, long incr, long chunk, enum schedule schedule,
			    bool ordered)
{
	struct share *s = share_new();
	const long span = incr > 0 ? end - start : start - end, step = incr > 0 ? incr : -incr;

	s->start = start;
	s->incr = incr;
	s->count = span > 0 ? (span + step - 1) / step : 0;
	s->schedule = schedule;
	s->chunk = chunk > 0 || schedule == SCHEDULE_STATIC ? chunk : 1;
	s->ordered = ordered;
	return s;
}

struct share *share_of_sections(unsigned count)
{
	return share_of_loop(1, (long)count + 1, 1, 1, SCHEDULE_DYNAMIC, false);
}

void share_give(struct team *t, struct share *s)
{
	s->number = 1;
	s->users = t->size;
	t->shares = s;
}

/* ---- begin and end ---------------------------------------------------- */

static struct share *share_find(const struct team *t, unsigned number)
{
	struct share *s;

	for (s = t->shares; s && s->number != number; s = s->next)
		;
	return s;
}

bool share_begin(struct member *m, struct share *offered)
{
	struct team *t = m->team;
	bool first;

	m->shares++;
	m->from = m->to = m->turn = 0;
	pthread_mutex_lock(&t->lock);
	m->share = share_find(t, m->shares);
	first = !m->share;
	if (first) {
		offered->number = m->shares;
		offered->users = t->size;
		offered->next = t->shares;
		t->shares = m->share = offered;
	}
	pthread_mutex_unlock(&t->lock);
	if (!first)
		free(offered);
	return first;
}

void share_end(struct member *m)
{
	struct share **at, *s = m->share;
	struct team *t = m->team;

	m->share = NULL;
	if (!s)
		return;
	pthread_mutex_lock(&t->lock);
	if (--s->users == 0) {
		for (at = &t->shares; *at != s; at = &(*at)->next)
			;
		*at = s->next;
	} else {
		s = NULL;
	}
	pthread_mutex_unlock(&t->lock);
	free(s);
}

/* ---- chunks ----------------------------------------------------------- */

static bool static_even(struct member *m, const struct share *s)
{
	const long size = m->team->size, me = m->number;
	const long each = s->count / size, rest = s->count % size;

	if (m->turn++ > 0)
		return false;
	m->from = me * each + (me < rest ? me : rest);
	m->to = m->from + each + (me < rest);
	return m->to > m->from;
}

static bool static_chunks(struct member *m, const struct share *s)
{
	m->from = (m->turn++ * (long)m->team->size + m->number) * s->chunk;
	m->to = s->count - m->from < s->chunk ? s->count : m->from + s->chunk;
	return m->from < s->count;
}

static bool next_of_rest(struct member *m, struct share *s)
{
	long rest, n;

	pthread_mutex_lock(&m->team->lock);
	rest = s->count - s->given;
	n = s->chunk;
	if (s->schedule == SCHEDULE_GUIDED && rest / m->team->size > n)
		n = rest / m->team->size;
	m->from = s->given;
	m->to = s->given += n < rest ? n : rest;
	pthread_mutex_unlock(&m->team->lock);
	return m->to > m->from;
}

static bool take_chunk(struct member *m, struct share *s)
{
	if (s->schedule != SCHEDULE_STATIC)
		return next_of_rest(m, s);
	return s->chunk > 0 ? static_chunks(m, s) : static_even(m, s);
}

bool share_next(struct member *m, long *from, long *to)
{
	struct share *s = m->share;

	ordered_pass(m);
	if (!take_chunk(m, s)) {
		m->from = m->to = 0;
		return false;
	}
	*from = s->start + m->from * s->incr;
	*to = s->start + m->to * s->incr;
	return true;
}

/* ---- ordered ---------------------------------------------------------- */

static bool is_its_turn(const struct member *m)
{
	return atomic_load(&m->share->done) == m->from;
}

void ordered_wait(struct member *m)
{
	struct share *s = m->share;
	struct wait before;
	unsigned seen;

	if (!s || !s->ordered || is_its_turn(m))
		return;
	before = wait_begin(THR_ODWT_STATE, (uint64_t)(uintptr_t)&s->turns);
	tell(OMP_EVENT_THR_BEGIN_ODWT);
	while (seen = atomic_load(&s->turns), !is_its_turn(m))
		word_wait(&s->turns, seen);
	tell(OMP_EVENT_THR_END_ODWT);
	wait_end(before);
}

void ordered_pass(struct member *m)
{
	struct share *s = m->share;

	if (!s->ordered || m->to <= m->from)
		return;
	ordered_wait(m);
	atomic_store(&s->done, m->to);
	atomic_fetch_add(&s->turns, 1);
	futex_wake(&s->turns, INT_MAX);
}
