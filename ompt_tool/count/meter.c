/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is written to the profile only grows, and a place's value is written before
 * its times: a process that is killed between the two loses the time of one
 * reading.
 */
#include "config.h"

#include "ompt_tool/count/meter.h"

#include <string.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"

enum {
	OWN_SHARE = 16,	 /* so small a part of the time may belong to other places */
	FAST_TRIES = 10, /* retries when the kernel has moved an event meanwhile */
};

/* An entry of places[] that is free. */
static const struct place no_place = { 0, PROF_PARTS };

_Static_assert(sizeof(struct place) == sizeof(uint64_t), "no padding");

static inline bool same_place(struct place a, struct place b)
{
	uint64_t x, y;

	/* One comparison, which compilers do not make of two. */
	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	return x == y;
}

/* ---- nodes ----------------------------------------------------------- */

/* NULL without room. */
static struct prof_node *count_node(struct omp_thread *t, uint32_t parent, int event, uint32_t part,
				    enum prof_count_field what)
{
	uint32_t n = parent;

	if (n != 0)
		n = cct_child(&t->cct, parent, PROF_NODE_INFO(PROF_NODE_COUNT, event, part, what),
			      0);
	return n != 0 ? cct_node(t->cct.writer, n) : NULL;
}

static bool find_nodes(struct omp_thread *t, const struct meters *m, struct place place,
		       struct meter_nodes *nodes)
{
	uint32_t node = cct_root(&t->cct);

	if (node != 0 && place.context != 0)
		node = cct_child(&t->cct, node,
				 PROF_BOUNDARY_INFO(PROF_BOUNDARY_REGION, PROF_TEAM_UNKNOWN),
				 place.context);
	for (int i = 0; i < m->nevents; i++) {
		const int event = m->event[i];

		nodes[i].value = count_node(t, node, event, place.part, PROF_COUNT_VALUE);
		nodes[i].time = count_node(t, node, event, place.part, PROF_COUNT_TIME);
		if (!nodes[i].value || !nodes[i].time)
			return false;
	}
	return true;
}

static __attribute__((noinline)) struct meter_nodes *
place_find(struct omp_thread *t, struct meters *m, struct place place, uint32_t i)
{
	const bool found = find_nodes(t, m, place, m->nodes[i]);

	m->places[i] = found ? place : no_place;
	return found ? m->nodes[i] : NULL;
}

/* The nodes of a place, in the order of m->event. NULL without room: its counts are then in
   the thread's total only. */
static inline struct meter_nodes *place_of(struct omp_thread *t, struct meters *m,
					   struct place place)
{
	const uint32_t i = (place.context * 5u + place.part) % METER_PLACES;

	return same_place(m->places[i], place) ? m->nodes[i] : place_find(t, m, place, i);
}

/* ---- reading --------------------------------------------------------- */

/* The growth from *last to now; clocks may step back by some nanoseconds. */
static uint64_t grown(uint64_t now, uint64_t *last)
{
	uint64_t more = now > *last ? now - *last : 0;

	*last += more;
	return more;
}

/* Adds an event to its number's sum. Several events may have one number, each on cores
   of its own kind: their counts add up, and each is enabled all the time. */
static void add_value(struct pmu_value *sum, uint32_t *seen, unsigned number,
		      const struct pmu_value *v)
{
	struct pmu_value *s = &sum[number];

	if ((*seen & 1u << number) == 0)
		*s = (struct pmu_value){ 0 };
	*seen |= 1u << number;
	s->value += v->value;
	s->running_ns += v->running_ns;
	if (v->enabled_ns > s->enabled_ns)
		s->enabled_ns = v->enabled_ns;
}

static bool read_slow(const struct meters *m, int group, struct pmu_value *sum, uint32_t *seen)
{
	struct pmu_value values[PMU_COUNTS_MAX];

	if (pmu_counts_read(&m->counts, group, values) != 0)
		return false;
	for (int i = 0; i < m->counts.size[group]; i++)
		add_value(sum, seen, m->counts.counts[m->counts.first[group] + i].number,
			  &values[i]);
	return true;
}

/* Reads an event. A group has all of its counters, or none: then its events are parked.
   They stand still, and only their enabled time goes on, as that of all others does. */
static bool read_event(const struct pmu_fastread *f, struct pmu_value *v, bool *parked)
{
	for (int tries = 0; tries < FAST_TRIES; tries++) {
		*parked = false;
		if (pmu_fastread(f, v) == 0)
			return true;
		*parked = true;
		if (pmu_fastread_parked(f, v) == 0)
			return true;
	}
	return false;
}

static bool read_fast(const struct meters *m, int group, struct pmu_value *sum, uint32_t *seen,
		      uint32_t *parked)
{
	const struct pmu_count *c = &m->counts.counts[m->counts.first[group]];
	struct pmu_value values[PMU_COUNTS_MAX];
	bool stands[PMU_COUNTS_MAX];

	for (int i = 0; i < m->counts.size[group]; i++)
		if (!read_event(&c[i].fast, &values[i], &stands[i]))
			return false;
	for (int i = 0; i < m->counts.size[group]; i++) {
		add_value(sum, seen, c[i].number, &values[i]);
		*parked |= (uint32_t)stands[i] << c[i].number;
	}
	return true;
}

/* Sets the enabled times of parked events: all events of a thread are enabled together. */
static void complete(struct meters *m, struct pmu_value *sum, uint32_t seen, uint32_t parked)
{
	uint64_t clock = 0, passed;

	for (int i = 0; i < PROF_EVENTS_MAX && clock == 0; i++)
		if ((seen & ~parked & 1u << i) != 0)
			clock = sum[i].enabled_ns;
	if (clock == 0)
		return;
	passed = grown(clock, &m->clock_ns);
	for (int i = 0; i < PROF_EVENTS_MAX; i++)
		if ((parked & 1u << i) != 0 && sum[i].enabled_ns < m->last[i].enabled_ns + passed)
			sum[i].enabled_ns = m->last[i].enabled_ns + passed;
}

/* Reads all fast groups in one pass, when all of them have counters. */
static bool read_together(struct meters *m, struct pmu_value *sum, uint32_t *seen)
{
	struct pmu_value values[PROF_EVENTS_MAX];

	if (pmu_steady_begin(&m->steady, m->fastread, m->nfast, values))
		return false;
	for (int i = 0; i < m->nfast; i++) {
		sum[m->event[i]] = values[i];
		*seen |= 1u << m->event[i];
	}
	m->clock_ns = values[0].enabled_ns;
	return true;
}

static uint32_t read_groups(struct meters *m, uint32_t groups, struct pmu_value *sum)
{
	uint32_t seen = 0, parked = 0;

	if (groups == m->fast.groups && read_together(m, sum, &seen))
		return seen;
	for (int g = 0; g < m->counts.ngroups; g++) {
		if ((groups & 1u << g) == 0)
			continue;
		if (!m->counts.fast[g] || !read_fast(m, g, sum, &seen, &parked))
			read_slow(m, g, sum, &seen);
	}
	if (parked != 0)
		complete(m, sum, seen, parked);
	else if (m->fast.groups == groups && seen != 0)
		m->clock_ns = sum[__builtin_ctz(seen)].enabled_ns;
	return seen;
}

/* ---- stretches ------------------------------------------------------- */

static void spend(struct meter *m, struct place place, uint64_t ticks)
{
	for (int i = 0; i < m->nspent; i++)
		if (same_place(m->spent[i].place, place)) {
			m->spent[i].ticks += ticks;
			return;
		}
	/* Further places can't have a share that is large enough. */
	if (m->nspent == METER_SPENT)
		return;
	m->spent[m->nspent].place = place;
	m->spent[m->nspent++].ticks = ticks;
}

/* The place that had nearly all of the time since the last reading. */
static struct place whose(const struct meter *m, uint64_t passed)
{
	int most = 0;

	for (int i = 1; i < m->nspent; i++)
		if (m->spent[i].ticks > m->spent[most].ticks)
			most = i;
	if (m->nspent != 0 && m->spent[most].ticks >= passed - passed / OWN_SHARE)
		return m->spent[most].place;
	return (struct place){ 0, PROF_PART_MIXED };
}

static inline void add(const struct meter_nodes *to, uint64_t value, uint64_t enabled,
		       uint64_t running, uint64_t ticks)
{
	to->value->a += value;
	to->value->b += enabled;
	to->time->a += running;
	to->time->b += ticks;
}

/* Ends a series of steady readings, which last[] does not include yet. */
static void leave_steady(struct meters *m)
{
	const uint64_t ns = m->steady.n != 0 ? pmu_steady_passed(&m->steady) : 0;

	for (int i = 0; i < m->steady.n; i++) {
		struct pmu_value *last = &m->last[m->event[i]];

		last->value += pmu_steady_gained(&m->steady, i);
		last->enabled_ns += ns;
		last->running_ns += ns;
	}
	m->clock_ns += ns;
	m->steady.n = 0;
}

/* Reads the registers; false when the kernel has touched an event. A function of its own
   since it calls one for each register. */
static __attribute__((noinline)) bool look_steadily(struct meters *m, uint64_t now)
{
	return pmu_steady_look(&m->steady, now);
}

/* The path of most readings: the kernel has not touched the events since the last one.
   It writes only the place's nodes. */
static inline void book_steadily(struct omp_thread *t, struct meters *m, struct place place,
				 uint64_t now, uint64_t ticks)
{
	const uint64_t ns = pmu_steady_time(&m->steady, now);
	struct meter_nodes *nodes = place_of(t, m, place);
	struct pmu_steady_event *e = m->steady.events;
	struct pmu_steady_event *const end = e + m->steady.n;

	do {
		const uint64_t more = pmu_steady_take(e++);

		if (nodes)
			add(nodes++, more, ns, ns, ticks);
	} while (e != end);
}

static void meter_read(struct omp_thread *t, struct meters *all, struct meter *m, uint64_t now)
{
	struct pmu_value sum[PROF_EVENTS_MAX];
	const uint64_t passed = now - m->read_ticks;
	uint32_t seen;
	struct place place = m->now;

	if (m->nspent != 0) {
		spend(m, m->now, now - m->since_ticks);
		place = whose(m, passed);
	}
	m->nspent = 0;
	m->read_ticks = now;
	/* Without a record, the next reading includes this one. */
	if (!process_has_profile() || !t->record)
		return;
	if (m == &all->fast) {
		if (look_steadily(all, now)) {
			book_steadily(t, all, place, now, passed);
			return;
		}
		leave_steady(all);
	}
	seen = read_groups(all, m->groups, sum);
	struct meter_nodes *nodes = place_of(t, all, place);

	for (int k = 0; k < all->nevents; k++) {
		const int i = all->event[k];

		if ((seen & 1u << i) == 0)
			continue;
		struct pmu_value *last = &all->last[i];
		const uint64_t value = grown(sum[i].value, &last->value);
		const uint64_t enabled = grown(sum[i].enabled_ns, &last->enabled_ns);
		const uint64_t running = grown(sum[i].running_ns, &last->running_ns);

		/* Where a value stepped back, it is not written before it has grown again. */
		if (last->enabled_ns != sum[i].enabled_ns ||
		    last->running_ns != sum[i].running_ns || last->value != sum[i].value)
			leave_steady(all);
		if (nodes)
			add(&nodes[k], value, enabled, running, passed);
	}
}

static void meter_move(struct omp_thread *t, struct meters *all, struct meter *m,
		       struct place place, uint64_t now)
{
	if (now - m->read_ticks >= m->min_ticks)
		meter_read(t, all, m, now);
	else
		spend(m, m->now, now - m->since_ticks);
	m->now = place;
	m->since_ticks = now;
}

static __attribute__((noinline)) void move_each(struct omp_thread *t, struct meters *m,
						struct place place, uint64_t now)
{
	if (m->fast.groups != 0)
		meter_move(t, m, &m->fast, place, now);
	else
		m->fast.now = place;
	if (m->slow.groups != 0)
		meter_move(t, m, &m->slow, place, now);
	else
		m->slow.now = place;
}

void meters_move(struct omp_thread *t, struct meters *m, struct place place)
{
	/* The place has not changed, for both meters. */
	if (same_place(m->fast.now, place))
		return;
	const uint64_t now = ticks_now();

	/* A series of steady readings begins only where the thread has its record. */
	if (!m->only_fast || !look_steadily(m, now)) {
		move_each(t, m, place, now);
		return;
	}
	book_steadily(t, m, m->fast.now, now, now - m->fast.read_ticks);
	m->fast.read_ticks = now;
	m->fast.now = place;
}

void meters_rename(struct meters *m, struct place from, struct place to)
{
	if (same_place(m->fast.now, from))
		m->fast.now = to;
	if (same_place(m->slow.now, from))
		m->slow.now = to;
}

void meters_flush(struct omp_thread *t, struct meters *m)
{
	if (m->fast.groups != 0)
		meter_read(t, m, &m->fast, ticks_now());
	if (m->slow.groups != 0)
		meter_read(t, m, &m->slow, ticks_now());
	m->fast.since_ticks = m->fast.read_ticks;
	m->slow.since_ticks = m->slow.read_ticks;
}

uint32_t meters_total(const struct meters *m, struct pmu_value total[PROF_EVENTS_MAX])
{
	uint32_t seen = 0, whole = ~0u;

	for (int g = 0; g < m->counts.ngroups; g++)
		if (!read_slow(m, g, total, &seen))
			for (int i = 0; i < m->counts.n; i++)
				if (m->counts.counts[i].group == g)
					whole &= ~(1u << m->counts.counts[i].number);
	seen &= whole;
	for (int i = 0; i < PROF_EVENTS_MAX; i++) {
		if ((seen & 1u << i) == 0)
			continue;
		total[i].value -= m->begun[i].value;
		total[i].enabled_ns -= m->begun[i].enabled_ns;
		total[i].running_ns -= m->begun[i].running_ns;
	}
	return seen;
}

void meters_end(struct meters *m)
{
	m->fast.groups = m->slow.groups = 0;
	m->nfast = m->steady.n = 0;
}

void meters_forget(struct meters *m)
{
	for (int i = 0; i < METER_PLACES; i++)
		m->places[i] = no_place;
}

/* ---- which events are read fast, which slowly, and in which order ---------- */

/* The fast groups' events are read in one pass where none is summed. */
static void settle_fast(struct meters *m)
{
	uint32_t numbers = 0;

	m->nfast = m->steady.n = 0;
	for (int i = 0; i < m->counts.n; i++) {
		const struct pmu_count *c = &m->counts.counts[i];

		if (!m->counts.size[c->group] || !m->counts.fast[c->group])
			continue;
		if ((numbers & 1u << c->number) != 0 || (m->numbers & 1u << c->number) == 0) {
			m->nfast = 0;
			return;
		}
		numbers |= 1u << c->number;
		m->fastread[m->nfast] = &c->fast;
		m->event[m->nfast++] = c->number;
	}
}

void meters_begin(struct meters *m, struct place place, uint64_t min_ticks)
{
	memset(m->last, 0, sizeof(m->last));
	memset(m->begun, 0, sizeof(m->begun));
	m->fast = m->slow = (struct meter){ .now = place };
	m->slow.min_ticks = min_ticks;
	m->clock_ns = 0;
	/* Groups whose events are summed are read together. */
	uint32_t slow = 0;

	for (int pass = 0; pass < m->counts.ngroups; pass++)
		for (int i = 0; i < m->counts.n; i++) {
			const struct pmu_count *c = &m->counts.counts[i];

			if (!m->counts.fast[c->group])
				slow |= 1u << c->number;
			else if ((slow & 1u << c->number) != 0)
				m->counts.fast[c->group] = false;
		}
	for (int g = 0; g < m->counts.ngroups; g++)
		if (m->counts.size[g] != 0)
			(m->counts.fast[g] ? &m->fast : &m->slow)->groups |= 1u << g;
	m->numbers = meters_total(m, m->last);
	settle_fast(m);
	/* The order in which places keep their nodes. An event that not all of the thread's
	   groups could open has none. */
	uint32_t rest = m->numbers;

	for (m->nevents = 0; m->nevents < m->nfast; m->nevents++)
		rest &= ~(1u << m->event[m->nevents]);
	for (; rest != 0; rest &= rest - 1)
		m->event[m->nevents++] = (uint8_t)__builtin_ctz(rest);
	m->only_fast = m->nfast != 0 && m->slow.groups == 0;
	memcpy(m->begun, m->last, sizeof(m->begun));
	m->fast.read_ticks = m->slow.read_ticks = ticks_now();
	m->fast.since_ticks = m->slow.since_ticks = m->fast.read_ticks;
	meters_forget(m);
}
