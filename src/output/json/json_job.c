/* SPDX-License-Identifier: BSD-3-Clause */
/* json_job.c - what a job's ranks are, and which of them report nothing. */
#include "config.h"

#include <json-c/json.h>

#include "src/model/job.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"

struct json_object *json_job(const struct report *r)
{
	static const char *const keys[JOB_RANKS] = {
		[JOB_MISSING] = "missing",
		[JOB_KILLED] = "killed",
		[JOB_UNKNOWN] = "killed_or_running",
		[JOB_NO_OPENMP] = "without_openmp",
	};
	struct json_object *o = NULL;
	struct job j;

	job_build(r->model, &j);
	if (j.nranks > 0) {
		o = json_new_object();
		json_put_number(o, "ranks", j.nranks);
		json_add(o, "size", json_number_if(j.size > 0, (uint64_t)j.size));
		json_put_number(o, "hosts", j.nhosts);
		for (unsigned i = 0; i < JOB_RANKS; i++)
			json_put_text(o, keys[i], j.of[i].list);
	}
	job_fini(&j);
	return o;
}
