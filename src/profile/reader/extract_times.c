/* SPDX-License-Identifier: BSD-3-Clause */
/* extract_times.c - timelines and traces as doc/profile-format.md describes. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/base/pack.h"
#include "src/profile/reader/extract_parts.h"
#include "src/profile/reader/merged.h"
#include "src/profile/reader/reader.h"

/* Elements that each take some bytes at least. */
static size_t extract_times_take_count(struct unpack *u, size_t bytes)
{
	return (size_t)unpack_up_to(u, (uint64_t)(u->end - u->at) / bytes);
}

/* ---- timelines --------------------------------------------------------- */

static int take_cell(struct unpack *u, const struct prof_file *tree, const struct prof_file *f,
		     uint64_t *bucket, struct prof_rcell *c)
{
	*bucket += unpack_up_to(u, UINT32_MAX);
	if (*bucket > UINT32_MAX)
		return -EINVAL;
	c->bucket = (uint32_t)*bucket;
	c->node = (uint32_t)unpack_up_to(u, PROF_NONE);
	c->event = (uint8_t)unpack_up_to(u, UINT8_MAX);
	c->state = (uint8_t)unpack_up_to(u, UINT8_MAX);
	c->weight = unpack_number(u);
	c->samples = unpack_number(u);
	return u->damaged || c->node >= tree->nnodes || c->event >= f->header.nevents ||
			       PROF_STATE_OF(c->state) >= PROF_STATES ?
		       -EINVAL :
		       0;
}

static int take_timeline(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	enum { CELL_BYTES = 6 };
	struct prof_rtimeline *t = &f->timelines[f->ntimelines];
	uint64_t bucket = 0;
	size_t n;
	int err = 0;

	t->thread = (uint32_t)unpack_up_to(u, PROF_NONE);
	t->shift = (unsigned)unpack_up_to(u, PROF_TIMELINE_SHIFT_MOST);
	t->origin_ticks = f->header.ticks_start + unpack_number(u);
	n = extract_times_take_count(u, CELL_BYTES);
	if (u->damaged || t->thread >= f->nthreads || (f->ntimelines && t->thread <= t[-1].thread))
		return -EINVAL;
	t->cells = calloc(n + 1, sizeof(*t->cells));
	if (!t->cells)
		return -ENOMEM;
	f->ntimelines++;
	for (; t->n < n && !err; t->n++)
		err = take_cell(u, tree, f, &bucket, &t->cells[t->n]);
	return err;
}

static int take_timelines(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	const size_t n = extract_times_take_count(u, 1);
	int err = 0;

	f->timelines = calloc(n + 1, sizeof(*f->timelines));
	if (!f->timelines)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++)
		err = take_timeline(u, tree, f);
	return err;
}

/* ---- traces ------------------------------------------------------------ */

static int take_trace(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	enum { EVENT_BYTES = 4 };
	struct prof_rtrace *t = &f->traces[f->ntraces];
	uint64_t ticks = f->header.ticks_start;
	size_t n;
	int err = 0;

	t->thread = (uint32_t)unpack_up_to(u, PROF_NONE);
	t->lost = unpack_number(u);
	n = extract_times_take_count(u, EVENT_BYTES);
	if (u->damaged || t->thread >= f->nthreads)
		return -EINVAL;
	t->events = calloc(n + 1, sizeof(*t->events));
	if (!t->events)
		return -ENOMEM;
	f->ntraces++;
	for (; t->n < n && !err; t->n++) {
		struct prof_rtraced *e = &t->events[t->n];

		ticks += unpack_number(u);
		e->ticks = ticks;
		e->context = (uint32_t)unpack_up_to(u, tree->nnodes) - 1;
		e->kind = (uint8_t)unpack_up_to(u, PROF_TRACE_KINDS - 1);
		e->state = (uint8_t)unpack_up_to(u, PROF_STATES - 1);
		err = u->damaged || e->kind < PROF_TRACE_FORK ? -EINVAL : 0;
	}
	return err;
}

static int take_traces(struct unpack *u, const struct prof_file *tree, struct prof_file *f)
{
	const size_t n = extract_times_take_count(u, 1);
	int err = 0;

	f->traces = calloc(n + 1, sizeof(*f->traces));
	if (!f->traces)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++)
		err = take_trace(u, tree, f);
	return err;
}

int extract_times(const struct prof_packed_rest *rest, const struct prof_file *tree,
		  struct prof_file *f)
{
	struct unpack u = { .at = rest->times, .end = rest->times + rest->ntimes };
	int err = rest->ntimes ? take_timelines(&u, tree, f) : 0;

	if (!err && rest->ntimes)
		err = take_traces(&u, tree, f);
	return err ? err : u.damaged ? -EINVAL : 0;
}
