/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/unsampled.h"

#include <math.h>

#include "src/model/model.h"
#include "src/tables/tables.h"

#define DEVIATIONS 3 /* chance explains more in one of 370 cases */

/* Sums over the threads. */
struct sums {
	double taken;	 /* what samples stand for, also those that are lost */
	double samples;	 /* and their number */
	double variance; /* of their weight, if none is left out */
	double square;	 /* of the periods, weighed with the samples */
	bool periods;	 /* every thread's event has one */
};

/* Of n whole periods and a part p of one a thread has n or n + 1 samples. */
static void thread_add(struct unsampled *u, struct sums *s, const struct prof_thread *t, unsigned e,
		       double period)
{
	const double value = (double)t->values[e].value, samples = (double)t->samples[e];
	const double part = period > 0 ? fmod(value, period) / period : 0;

	u->counted += value;
	s->taken += samples * period;
	s->samples += samples;
	s->variance += period * period * part * (1 - part);
	s->square += samples * period * period;
	s->periods = s->periods && period > 0;
	/* With more it would have one, but for time in the kernel. */
	if (value > 0 && !t->samples[e] && (period <= 0 || value < 2 * period)) {
		u->brief++;
		u->brief_counted += value;
	}
}

static size_t threads_add(const struct model *m, size_t event, struct unsampled *u, struct sums *s)
{
	size_t known = 0;

	for (size_t i = 0; i < m->nthreads; i++) {
		const struct model_process *p = &m->processes[m->threads[i].process];
		const struct prof_thread *t = m->threads[i].t;

		for (unsigned e = 0; e < p->file->header.nevents; e++) {
			if (p->event[e] != event || !(t->values_known & 1u << e))
				continue;
			thread_add(u, s, t, e, (double)p->file->header.events[e].period);
			known++;
		}
	}
	return known;
}

struct unsampled unsampled_of(const struct model *m, size_t event, const struct cost *kept)
{
	const struct model_event *e = &m->events[event];
	struct unsampled u = { 0 };
	struct sums s = { .periods = true };

	if (threads_add(m, event, &u, &s) < m->nthreads || u.counted <= 0)
		return (struct unsampled){ 0 };
	u.known = true;
	u.rest = u.counted - (double)kept->weight;
	if (!s.periods)
		return u;
	/* A record may be of several threads: of what each of them counted nothing is known. */
	for (size_t i = 0; i < m->nprocesses && s.samples > 0; i++)
		s.variance += (double)m->processes[i].threads.shared / 4 * s.square / s.samples;
	u.lost = s.taken > (double)kept->weight ? s.taken - (double)kept->weight : 0;
	/* Each sample may as well have met the kernel as user code. */
	const double outside = u.rest > u.lost ? (u.rest - u.lost) / u.counted : 0;

	u.chance = sqrt(s.variance + s.square * outside);
	if (e->unit == PROF_UNIT_NS && e->flags & PROF_EVENT_USER_ONLY &&
	    u.rest - u.lost > DEVIATIONS * u.chance)
		u.kernel = u.rest - u.lost;
	return u;
}
