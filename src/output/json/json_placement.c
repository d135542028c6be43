/* SPDX-License-Identifier: BSD-3-Clause */
/* json_placement.c - the CPUs on which threads ran. */
#include "config.h"

#include <json-c/json.h>

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"

static struct json_object *json_part(int64_t number)
{
	return json_number_if(number >= 0, number >= 0 ? (uint64_t)number : 0);
}

void json_cpus(struct json_stream *s, const struct report *r, size_t most)
{
	const struct placement *p = r->placement;

	json_open(s, "cpus");
	for (size_t i = 0; p && i < p->ncpus && i < most; i++) {
		struct json_object *o = json_new_object();
		const struct cells c = json_cells(o, r);

		cpu_cells(&c, &p->cpus[i]);
		json_add(o, "events", json_sums(p->cpus[i].self, r->model->nevents));
		json_element(s, o);
	}
	json_close(s);
}

/* Adds the thread's CPUs, moves and times. */
void json_put_thread_cpus(struct json_object *o, const struct report *r, uint32_t thread)
{
	static const struct placement_thread none;
	const struct placement_thread *t = r->placement ? &r->placement->threads[thread] : &none;
	struct json_object *all = json_new_array();
	const struct cells c = json_cells(o, r);

	for (size_t i = 0; i < t->nuses; i++) {
		const struct placement_use *u = &r->placement->uses[t->first + i];
		struct json_object *use = json_new_object();

		json_put_number(use, "cpu", u->cpu);
		json_add(use, "events", json_sums(u->self, r->model->nevents));
		json_append(all, use);
	}
	json_add(o, "cpus", all);
	thread_schedule_cells(&c, t);
}

static struct json_object *json_shared(const struct placement_process *p)
{
	struct json_object *o;

	if (!p->sharers)
		return NULL;
	o = json_new_object();
	json_put_number(o, "threads", p->sharers);
	json_put_number(o, "cpu", p->shared_cpu);
	json_put_number(o, "free_cpu", p->free_cpu);
	json_put_number(o, "ran_ns", p->sharers_ran_ns);
	json_put_number(o, "waited_ns", p->sharers_waited_ns);
	return o;
}

struct json_object *json_placement(const struct report *r, uint32_t process)
{
	const struct placement_process *p = r->placement ? &r->placement->processes[process] : NULL;
	struct json_object *o;

	if (!p || !p->ncpus)
		return NULL;
	o = json_new_object();
	json_put_text(o, "mask", placement_mask(r->model->processes[process].file));
	json_put_number(o, "cpus", p->ncpus);
	json_put_number(o, "openmp_threads", r->model->processes[process].openmp_threads);
	json_add(o, "crowded", json_new_boolean(p->crowded));
	json_add(o, "shared", json_shared(p));
	json_add(o, "socket", json_part(p->socket));
	json_add(o, "unused_socket", json_part(p->other_socket));
	return o;
}
