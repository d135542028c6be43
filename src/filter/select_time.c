/* SPDX-License-Identifier: BSD-3-Clause */
/* select_time.c - the part of each record that was sampled in a part of the time. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/map.h"
#include "src/base/message.h"
#include "src/filter/filter.h"
#include "src/filter/select.h"
#include "src/model/model.h"
#include "src/model/moments.h"
#include "src/tables/lanes.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* ---- times ------------------------------------------------------------- */

static const struct {
	const char *unit;
	double ns;
} units[] = {
	{ "", 1e9 },   { "s", 1e9 },	{ "ms", 1e6 },	 { "us", 1e3 },
	{ "ns", 1.0 }, { "min", 6e10 }, { "h", 3.6e12 },
};

/* "1.5", "300ms", "10%" of all. */
static bool time_read(const char *text, double all_ns, double *ns)
{
	char *end;
	const double n = strtod(text, &end);

	if (end == text || !isfinite(n) || n < 0)
		return false;
	if (!strcmp(end, "%")) {
		*ns = n / 100 * all_ns;
		return n <= 100;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].unit)) {
			*ns = n * units[i].ns;
			return true;
		}
	return false;
}

static int time_option(const struct filtered *f, enum filter_kind kind, double all_ns, double *ns,
		       struct trouble *t)
{
	const char *value = f->options->value[kind];

	if (!value || time_read(value, all_ns, ns))
		return 0;
	trouble(t, "no time", "use for example 1.5, 300ms or 10%", "%s %s",
		filter_option_name(kind), value);
	return -EINVAL;
}

static int times_read(struct filtered *f, double all_ns, struct trouble *t)
{
	int err;

	f->from_ns = 0;
	f->to_ns = all_ns;
	err = time_option(f, FILTER_FROM, all_ns, &f->from_ns, t);
	if (!err)
		err = time_option(f, FILTER_TO, all_ns, &f->to_ns, t);
	if (err || f->from_ns < f->to_ns)
		return err;
	trouble(t, "no time is between them", "the run ends at 100%", "--from and --to");
	return -EINVAL;
}

/* ---- cells ------------------------------------------------------------- */

enum { OUTSIDE, INSIDE };

/* The cells of a process, summed up: for each node, event and state one outside of the time and
   one inside. */
struct select_time_summed {
	struct moment_cell *cells;
	size_t n;
	struct map numbers;
};

static void summed_add(struct select_time_summed *s, const struct prof_rcell *c, uint32_t slot,
		       uint64_t weight, uint64_t samples)
{
	uint32_t at;

	if (!weight && !samples)
		return;
	if (map_add(&s->numbers, (uint64_t)c->node << 1 | slot, PROF_CELL_KEY(c->event, c->state),
		    (uint32_t)s->n, &at))
		s->cells[s->n++] = (struct moment_cell){
			.node = c->node,
			.slot = slot,
			.event = c->event,
			.state = c->state,
		};
	s->cells[at].weight = prof_add(s->cells[at].weight, weight);
	s->cells[at].samples = prof_add(s->cells[at].samples, samples);
}

/* A cell's samples before a time, in whole numbers: what is rounded off comes with the next cell
   of the same bucket.  So the parts before and after a time add up. */
struct edge {
	double ns, weights, counts;
};

static uint64_t before_of(uint64_t n, double part, double *carry)
{
	const double some = (double)n * part + *carry;
	const uint64_t whole = some < (double)n ? (uint64_t)some : n;

	if (part >= 1)
		return n;
	*carry = fmin(some - (double)whole, 1);
	return whole;
}

static struct cost edge_before(struct edge *e, double begin, double end, const struct prof_rcell *c)
{
	const double part = end <= e->ns ? 1 : begin < e->ns ? (e->ns - begin) / (end - begin) : 0;

	return (struct cost){
		.samples = before_of(c->samples, part, &e->counts),
		.weight = before_of(c->weight, part, &e->weights),
	};
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* ---- records ----------------------------------------------------------- */

static void within_add(void *arg, const struct moment_cell *c, uint32_t target, uint64_t weight,
		       uint64_t samples)
{
	struct cost *within = arg;
	const struct cost cost = { .samples = samples, .weight = weight };

	if (c->slot == INSIDE)
		cost_plus(&within[target], &cost);
}

/* within: of the process's leaves. */
static void process_within(const struct view *v, size_t process, struct filtered *f,
			   struct cost *within)
{
	const struct prof_file *file = v->model->processes[process].file;
	const size_t n = moments_leaves(file);
	uint32_t *self = alloc_zeroed(n + 1, sizeof(*self));
	struct select_time_summed s = { 0 };

	size_t room = 1;

	for (size_t i = 0; i < file->ntimelines; i++)
		room += 2 * file->timelines[i].n;
	s = (struct select_time_summed){ .cells = alloc_zeroed(room, sizeof(*s.cells)) };
	for (size_t i = 0; i < file->ntimelines; i++) {
		const struct prof_rtimeline *t = &file->timelines[i];
		const double scale = lanes_ns_per_tick(v, process),
			     width = ldexp(scale, (int)t->shift);
		const double origin =
			lanes_offset_ns(v, process) +
			(double)(int64_t)(t->origin_ticks - file->header.ticks_start) * scale;
		struct edge from = { .ns = f->from_ns };
		struct edge to = { .ns = f->options->value[FILTER_TO] ? f->to_ns : INFINITY };

		if (t->n && width > f->bucket_ns)
			f->bucket_ns = width;
		for (size_t k = 0; k < t->n; k++) {
			const struct prof_rcell *c = &t->cells[k];
			const double begin = origin + c->bucket * width, end = begin + width;
			const struct cost before = edge_before(&from, begin, end, c);
			const struct cost until = edge_before(&to, begin, end, c);
			const uint64_t weight = difference(until.weight, before.weight);
			const uint64_t samples = difference(until.samples, before.samples);

			summed_add(&s, c, INSIDE, weight, samples);
			summed_add(&s, c, OUTSIDE, c->weight - weight, c->samples - samples);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		self[i] = i;
	moments_place(&(struct moments){
		.file = file,
		.cells = s.cells,
		.ncells = s.n,
		.target = self,
		.ntargets = n,
		.add = within_add,
		.arg = within,
	});
	map_free(&s.numbers);
	free(s.cells);
	free(self);
}

int select_time(const struct view *v, struct filtered *f, struct trouble *t)
{
	struct cost *by_leaf;
	size_t leaf = 0;
	int err;

	if (!lanes_exist(v)) {
		trouble(t, "the profile does not have when samples were taken",
			"run it again with ompcount --timeline", "%s",
			f->options->value[FILTER_FROM] ? "--from" : "--to");
		return -ENOENT;
	}
	double end = 0;

	for (size_t i = 0; i < v->model->nprocesses; i++)
		end = fmax(end, lanes_offset_ns(v, i) +
					(double)model_elapsed_ns(&v->model->processes[i]));
	err = times_read(f, end, t);
	if (err)
		return err;
	for (size_t i = 0; i < v->model->nprocesses; i++)
		leaf += moments_leaves(v->model->processes[i].file);
	by_leaf = alloc_zeroed(leaf + 1, sizeof(*by_leaf));
	for (size_t i = leaf = 0; i < v->model->nprocesses; i++) {
		process_within(v, i, f, by_leaf + leaf);
		leaf += moments_leaves(v->model->processes[i].file);
	}
	f->within = alloc_zeroed(v->nrecords + 1, sizeof(*f->within));
	for (size_t i = 0, record = 0; record < v->nrecords; i++)
		if (!v->kept || v->kept[i])
			f->within[record++] = by_leaf[i];
	free(by_leaf);
	for (size_t i = 0; i < v->nrecords; i++)
		f->kept[i] = f->kept[i] && (f->within[i].samples || f->within[i].weight);
	return 0;
}
