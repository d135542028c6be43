/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_together.c - for how long processes ran, side by side or one after another, and of how
 * many runs they are.
 *
 * Processes of one boot of one machine have one clock. Clocks of the day of different machines
 * may differ by anything; but a launcher starts its ranks together. So a machine's clock is set
 * by the first rank of a launch that has ranks elsewhere, too, and by the clock of the day where
 * there is none.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/model/run_of.h"

enum { NO_LAUNCH = UINT32_MAX };

/* The time of a process. */
struct together_stretch {
	double begin, end; /* by its clock, later by the first one's */
	uint64_t day_ns;   /* begin by the clock of the day */
	uint32_t clock;	   /* number */
	uint32_t launch;   /* number; NO_LAUNCH: it is no rank */
};

struct stretches {
	struct together_stretch *all;
	size_t n;
	struct map clocks, launches;
};

static uint64_t together_hash_text(uint64_t h, const char *text)
{
	return text ? fnv(h, text, strlen(text) + 1) : h;
}

static uint32_t together_number(struct map *m, uint64_t a, uint64_t b)
{
	uint32_t number;

	map_add(m, a, b, (uint32_t)m->count, &number);
	return number;
}

static uint32_t launch_of(struct stretches *s, const struct prof_file *f)
{
	const struct run_of o = run_of(f);
	uint64_t h = together_hash_text(FNV_BEGIN, o.launcher);

	if (o.rank < 0 || o.size < 2)
		return NO_LAUNCH;
	h = together_hash_text(h, o.job);
	h = together_hash_text(h, o.task);
	return together_number(&s->launches, together_hash_text(h, o.step), (uint64_t)o.size);
}

static void stretches_add(struct stretches *s, const struct model_process *p)
{
	const struct prof_header *h = &p->file->header;
	struct together_stretch *t = &s->all[s->n];
	struct prof_reading last;

	if (!model_last_reading(p, &last))
		return;
	t->begin = (double)h->start_monotonic_ns;
	t->end = (double)last.monotonic_ns;
	t->day_ns = h->start_realtime_ns;
	/* The clock that the process's times are of; one of its own where that is not known. */
	const char *boot = prof_text(p->file, PROF_INFO_BOOT);
	const uint64_t space = p->file->header.owner.space;
	t->clock = boot && *boot ?
			   together_number(&s->clocks, together_hash_text(FNV_BEGIN, boot), space) :
			   together_number(&s->clocks, s->n, UINT64_MAX);
	t->launch = launch_of(s, p->file);
	s->n++;
}

static int by_clock(const void *a, const void *b)
{
	const struct together_stretch *x = a, *y = b;

	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* A process begins or ends. */
struct change {
	double ns;
	int by;
};

static int together_by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	/* Ends first: a process may begin when another has ended. */
	return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns) : x->by - y->by;
}

/* What is to be added to the times of t's clock, whose first process it is. first: when each
   launch began, as far as it is known. */
static double shift_of(const struct stretches *s, const struct together_stretch *t,
		       const double *first)
{
	for (const struct together_stretch *r = t; r < s->all + s->n && r->clock == t->clock; r++)
		if (r->launch != NO_LAUNCH && first[r->launch] >= 0)
			return first[r->launch] - r->begin;
	return (double)(int64_t)(t->day_ns - s->all[0].day_ns) - t->begin;
}

static struct model_together stretches_sum(struct stretches *s)
{
	struct change *changes = alloc_zeroed(2 * s->n + 1, sizeof(*changes));
	struct model_together sum = { 0 };
	uint32_t now = 0;

	for (size_t i = 0; i < s->n; i++) {
		changes[2 * i] = (struct change){ s->all[i].begin, 1 };
		changes[2 * i + 1] = (struct change){ s->all[i].end, -1 };
	}
	qsort(changes, 2 * s->n, sizeof(*changes), together_by_time);
	for (size_t i = 0; i < 2 * s->n; i++) {
		const double lasted = i ? changes[i].ns - changes[i - 1].ns : 0;

		sum.ns += now ? lasted : 0;
		sum.sum_ns += now * lasted;
		now += (uint32_t)changes[i].by;
		if (now > sum.most)
			sum.most = now;
	}
	free(changes);
	return sum;
}

void model_together(const struct model *m, bool (*has_part)(const struct model_process *p),
		    struct model_together *sum)
{
	struct stretches s = { .all = alloc_zeroed(m->nprocesses + 1, sizeof(*s.all)) };

	for (size_t i = 0; i < m->nprocesses; i++)
		if (!has_part || has_part(&m->processes[i]))
			stretches_add(&s, &m->processes[i]);
	/* Makes one clock of all: that of the first process, from its begin on. */
	double *first = alloc_zeroed(s.launches.count + 1, sizeof(*first)), shift = 0;

	for (size_t i = 0; i < s.launches.count; i++)
		first[i] = -1;
	qsort(s.all, s.n, sizeof(*s.all), by_clock);
	for (size_t i = 0; i < s.n; i++) {
		struct together_stretch *t = &s.all[i];

		if (i == 0 || t->clock != t[-1].clock)
			shift = shift_of(&s, t, first);
		t->begin += shift;
		t->end += shift;
		if (t->launch != NO_LAUNCH && first[t->launch] < 0)
			first[t->launch] = t->begin;
	}
	free(first);
	*sum = stretches_sum(&s);
	map_free(&s.clocks);
	map_free(&s.launches);
	free(s.all);
}

size_t model_runs(const struct model *m)
{
	struct run_of *all = alloc_zeroed(m->nprocesses + 1, sizeof(*all));
	size_t *run = alloc_zeroed(m->nprocesses + 1, sizeof(*run)), n = 0, nruns = 0;

	/* What reports nothing is not known to be of another run. */
	for (size_t i = 0; i < m->nprocesses; i++) {
		all[n] = run_of(m->processes[i].file);
		n += run_of_is_known(&all[n]);
	}
	run_of_group(all, n, run, &nruns);
	if (nruns == 0)
		nruns = 1;
	free(run);
	free(all);
	return nruns;
}
