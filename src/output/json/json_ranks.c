/* SPDX-License-Identifier: BSD-3-Clause */
/* json_ranks.c - a job's ranks: what each did, and how even they are. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/construct_time.h"
#include "src/tables/losses.h"
#include "src/tables/rank_rows.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

static struct json_object *json_wait(const struct report *r, const struct rank_wait *w)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "call", w->call->call);
	json_put_place(o, r->view, w->call->line);
	json_add(o, "waited", json_amount(w->waited));
	return o;
}

/* Of more ranks a region has no list. */
enum { BUSY_RANKS = 256 };

static struct json_object *json_busy(const struct ranks *ranks, const double *times)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < ranks->n; i++)
		json_append(all, json_amount(times[i]));
	return all;
}

/* Of the run, or a region; without busy. */
static struct json_object *json_ranks_spread(const struct report *r, const struct ranks *ranks,
					     const double *times)
{
	struct json_object *o;
	struct rank_spread s;
	struct rank_wait w;

	if (!ranks_spread(ranks, times, &s))
		return NULL;
	o = json_new_object();
	json_add(o, "imbalance", json_ratio(ranks_between(&s)));
	json_add(o, "least", json_amount(s.least));
	json_add(o, "median", json_amount(s.median));
	json_add(o, "most", json_amount(s.most));
	json_add(o, "mean", json_amount(s.mean));
	json_put_text(o, "fastest", ranks->all[s.fastest].name);
	json_put_text(o, "slowest", ranks->all[s.slowest].name);
	json_add(o, "wait",
		 ranks_between(&s) >= RANKS_UNEVEN && ranks_wait(ranks, times, s.slowest, &w) ?
			 json_wait(r, &w) :
			 NULL);
	return o;
}

/* The same with busy, of so many ranks at most, and within (0: not known). */
static struct json_object *json_ranks_times(const struct report *r, const struct ranks *ranks,
					    const double *times, size_t most, double within)
{
	struct json_object *o = json_ranks_spread(r, ranks, times);

	if (!o)
		return NULL;
	json_add(o, "busy", ranks->n <= most ? json_busy(ranks, times) : NULL);
	json_add(o, "within", within > 0 ? json_ratio(within) : NULL);
	return o;
}

struct json_object *json_region_ranks(const struct report *r, const struct ranks *ranks,
				      const struct region_row *g)
{
	double *times = alloc_zeroed(ranks->n + 1, sizeof(*times));
	struct json_object *o;

	ranks_in_region(ranks, g, times);
	o = json_ranks_times(r, ranks, times, BUSY_RANKS, ranks_within(ranks, g));
	free(times);
	return o;
}

struct json_object *json_run_ranks(const struct report *r, const struct ranks *ranks,
				   const struct regions *regions)
{
	double *times = alloc_zeroed(ranks->n + 1, sizeof(*times));
	const struct region_row *worst;
	struct json_object *o;

	ranks_in_run(ranks, regions, times);
	o = json_ranks_times(r, ranks, times, SIZE_MAX, ranks_within_run(ranks, regions, &worst));
	free(times);
	return o;
}

static struct json_object *json_rank(const struct report *r, const struct rank_row *row)
{
	struct json_object *o = json_new_object();
	const struct cells c = json_cells(o, r);

	rank_cells(&c, row);
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

void json_ranks(struct json_stream *s, const struct report *r)
{
	const bool timed = r->losses && !r->losses->unknown;
	struct json_object *o, *all, *of;
	struct regions regions;
	struct rank_rows rows;
	struct ranks ranks;

	ranks_build(r->view, r->event, &ranks);
	if (!ranks.n) {
		ranks_fini(&ranks);
		return;
	}
	o = json_new_object();
	of = json_new_array();
	all = json_new_array();
	regions_build(r->view, r->event, timed, &regions);
	json_add(o, "run", json_run_ranks(r, &ranks, &regions));
	/* Beside the members of `regions', in their order. */
	for (size_t i = 0; i < regions.n; i++)
		json_append(of, json_region_ranks(r, &ranks, &regions.all[i]));
	json_add(o, "regions", of);
	regions_fini(&regions);
	rank_rows_by_rank(r->view, r->event, &rows);
	for (size_t i = 0; i < rows.n; i++)
		if (rows.all[i].name)
			json_append(all, json_rank(r, &rows.all[i]));
	rank_rows_fini(&rows);
	json_add(o, "all", all);
	json_member(s, "ranks", o);
	ranks_fini(&ranks);
}

/* ---- losses ------------------------------------------------------------ */

/* Runs without MPI lose nothing to it, and only wall time sees what is blocked. */
static struct json_object *json_lost_ns(const struct losses *l, const double lost[LOSSES])
{
	struct json_object *o = json_new_object();

	for (unsigned i = 0; i < LOSSES; i++)
		if (losses_has((enum loss)i, l->classes))
			json_add(o, loss_key((enum loss)i), json_amount(lost[i]));
	return o;
}

static void json_put_split(struct json_object *o, const struct losses *l,
			   const struct time_split *s)
{
	json_add(o, "thread_ns", json_amount(s->all));
	json_add(o, "work_ns", json_amount(s->work));
	json_add(o, "lost_ns", json_lost_ns(l, s->lost));
}

struct json_object *json_time(const struct report *r)
{
	const struct losses *l = r->losses;
	struct json_object *o, *e;

	if (!l || l->unknown || l->run.all <= 0)
		return NULL;
	o = json_new_object();
	json_put_number(o, "event", l->event);
	json_add(o, "elapsed_ns", json_amount(l->elapsed_ns));
	json_put_number(o, "threads", l->threads);
	json_add(o, "processes_at_once", json_ratio(l->at_once));
	json_add(o, "until_last_sample", json_new_boolean(l->cut_short));
	json_put_split(o, l, &l->run);
	e = json_new_object();
	json_add(e, "parallel", json_ratio(losses_efficiency(l)));
	json_add(e, "serial", json_ratio(losses_serial_efficiency(l)));
	json_add(e, "region", json_ratio(losses_region_efficiency(l)));
	if (l->mpi) {
		const struct mpi_factors f = losses_mpi_factors(l, r->view);

		json_add(e, "openmp",
			 json_ratio(losses_serial_efficiency(l) + losses_region_efficiency(l) - 1));
		json_add(e, "mpi", json_ratio(losses_mpi_efficiency(l)));
		json_add(e, "mpi_balance", json_ratio(f.balance));
		json_add(e, "mpi_communication", json_ratio(f.communication));
	}
	json_add(o, "efficiency", e);
	return o;
}

struct json_object *json_construct_time(const struct report *r, const struct construct_times *times,
					const struct view_construct *c)
{
	struct time_split split;
	struct json_object *o;

	if (construct_time(times, c, &split) != CONSTRUCT_SPLIT)
		return NULL;
	o = json_new_object();
	json_put_split(o, r->losses, &split);
	return o;
}

struct json_object *json_region_time(const struct report *r, const struct region_row *g)
{
	const struct losses *l = r->losses;
	struct time_split split;
	struct json_object *o;
	double by[LOSSES];

	if (!l || l->unknown)
		return NULL;
	o = json_new_object();
	losses_of_region(l, g, &split);
	json_put_split(o, l, &split);
	json_add(o, "gain_ns", json_amount(losses_gain(l, g, by)));
	json_add(o, "gain_by_ns", json_lost_ns(l, by));
	return o;
}
