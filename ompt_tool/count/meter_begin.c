/* SPDX-License-Identifier: BSD-3-Clause */
/* meter_begin.c - which of a thread's events are read fast, which slowly, and in which order. */
#include "config.h"

#include "ompt_tool/count/meter.h"

#include <string.h>

#include "ompt_tool/machine/ticks.h"

/* Groups whose events are summed are read together. */
static void settle_groups(struct meters *m)
{
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
}

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

/* The order in which places keep their nodes. An event that not all of the thread's groups
   could open has none. */
static void settle_order(struct meters *m)
{
	uint32_t rest = m->numbers;

	for (m->nevents = 0; m->nevents < m->nfast; m->nevents++)
		rest &= ~(1u << m->event[m->nevents]);
	for (; rest != 0; rest &= rest - 1)
		m->event[m->nevents++] = (uint8_t)__builtin_ctz(rest);
}

void meters_begin(struct meters *m, struct place place, uint64_t min_ticks)
{
	memset(m->last, 0, sizeof(m->last));
	memset(m->begun, 0, sizeof(m->begun));
	m->fast = m->slow = (struct meter){ .now = place };
	m->slow.min_ticks = min_ticks;
	m->clock_ns = 0;
	settle_groups(m);
	m->numbers = meters_total(m, m->last);
	settle_fast(m);
	settle_order(m);
	m->only_fast = m->nfast != 0 && m->slow.groups == 0;
	memcpy(m->begun, m->last, sizeof(m->begun));
	m->fast.read_ticks = m->slow.read_ticks = ticks_now();
	m->fast.since_ticks = m->slow.since_ticks = m->fast.read_ticks;
	meters_forget(m);
}
