/* SPDX-License-Identifier: BSD-3-Clause */
/* json_losses.c - the run's and each region's time by what it was lost to. */
#include "config.h"

#include <json-c/json.h>

#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/construct_time.h"
#include "src/tables/losses.h"

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

struct json_object *json_region_time(const struct report *r, const struct region *g)
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
