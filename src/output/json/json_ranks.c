/* json_ranks.c - a job's ranks: what each did, and how even they are. */
#include "config.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/losses.h"
#include "src/tables/rank_rows.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

static struct json_object *json_wait(const struct report *r, const struct rank_wait *w)
{
	struct json_object *o = json_object_new_object();

	json_put_text(o, "call", w->call->call);
	json_put_place(o, r->view, w->call->line);
	json_object_object_add(o, "waited", json_object_new_double(w->waited));
	return o;
}

/* Of the run, or a region. */
static struct json_object *json_spread(const struct report *r, const struct ranks *ranks,
				       const double *times)
{
	struct json_object *o, *all;
	struct rank_spread s;
	struct rank_wait w;

	if (ranks_spread(ranks, times, &s))
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "imbalance", json_object_new_double(ranks_between(&s)));
	json_object_object_add(o, "least", json_object_new_double(s.least));
	json_object_object_add(o, "median", json_object_new_double(s.median));
	json_object_object_add(o, "most", json_object_new_double(s.most));
	json_object_object_add(o, "mean", json_object_new_double(s.mean));
	json_put_text(o, "fastest", ranks->all[s.fastest].name);
	json_put_text(o, "slowest", ranks->all[s.slowest].name);
	all = json_object_new_array();
	for (size_t i = 0; i < ranks->n; i++)
		json_object_array_add(all, json_object_new_double(times[i]));
	json_object_object_add(o, "busy", all);
	json_object_object_add(o, "wait",
			       ranks_wait(ranks, times, s.slowest, &w) ? json_wait(r, &w) : NULL);
	return o;
}

static struct json_object *json_rank(const struct report *r, const struct rank_row *row)
{
	struct json_object *o = json_object_new_object();

	json_put_text(o, "rank", row->name);
	json_put_text(o, "host", row->host);
	json_put_number(o, "process", row->process);
	json_put_number(o, "processes", row->nprocesses);
	json_put_number(o, "threads", row->nthreads);
	json_object_object_add(o, "imbalance",
			       row->imbalance > 0 ? json_object_new_double(row->imbalance) : NULL);
	json_object_object_add(o, "self", json_costs(r->view, row->self));
	return o;
}

static int json_all_ranks(struct json_object *o, const struct report *r)
{
	struct json_object *all = json_object_new_array();
	struct rank_rows rows;
	int err = rank_rows_by_rank(r->view, r->event, &rows);

	for (size_t i = 0; i < rows.n && !err; i++)
		if (rows.all[i].name)
			json_object_array_add(all, json_rank(r, &rows.all[i]));
	rank_rows_fini(&rows);
	json_object_object_add(o, "all", all);
	return err;
}

/* Beside the members of `regions', in their order. */
static struct json_object *json_regions_of(const struct report *r, const struct ranks *ranks,
					   const struct regions *regions, double *times)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < regions->n; i++) {
		const double within = ranks_within(ranks, &regions->all[i]);
		struct json_object *o;

		ranks_in_region(ranks, &regions->all[i], times);
		o = json_spread(r, ranks, times);
		if (o)
			json_object_object_add(o, "within",
					       within > 0 ? json_object_new_double(within) : NULL);
		json_object_array_add(all, o);
	}
	return all;
}

static int json_several(struct json_stream *s, const struct report *r, const struct ranks *ranks)
{
	const bool timed = r->losses && !r->losses->unknown;
	double *times = calloc(ranks->n, sizeof(*times));
	struct json_object *o = json_object_new_object();
	struct regions regions = { 0 };
	int err = times ? regions_build(r->view, r->event, timed, &regions) : -ENOMEM;

	if (!err) {
		ranks_in_run(ranks, &regions, times);
		json_object_object_add(o, "run", json_spread(r, ranks, times));
		json_object_object_add(o, "regions", json_regions_of(r, ranks, &regions, times));
		regions_fini(&regions);
		err = json_all_ranks(o, r);
	}
	if (err)
		json_object_put(o);
	else
		json_member(s, "ranks", o);
	free(times);
	return err;
}

int json_ranks(struct json_stream *s, const struct report *r)
{
	struct ranks ranks;
	int err = ranks_build(r->view, r->event, &ranks);

	if (!err && ranks.n)
		err = json_several(s, r, &ranks);
	ranks_fini(&ranks);
	return err;
}
