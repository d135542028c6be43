/* SPDX-License-Identifier: BSD-3-Clause */
/* json_process.c - processes, threads, their losses, CPUs and ranks. */
#include "config.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/job.h"
#include "src/model/liveness.h"
#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/path/sites.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

static const char *const lost_keys[PROF_LOST_CAUSES] = {
	[PROF_LOST_NO_ROOM] = "no_room",
	[PROF_LOST_REENTRY] = "reentry",
	[PROF_LOST_NO_THREAD] = "no_thread",
	[PROF_LOST_THROTTLED] = "throttled",
	[PROF_LOST_OVERRUN] = "overrun",
	[PROF_LOST_PAUSED] = "paused",
	[PROF_LOST_OWN] = "own",
	[PROF_LOST_ENTRIES] = "entries",
	[PROF_LOST_REGIONS] = "nested_regions",
	[PROF_LOST_CONSTRUCTS] = "nested_constructs",
	[PROF_LOST_PLACES] = "nested_counts",
	[PROF_LOST_RECORDS] = "unrecorded",
};

static struct json_object *json_lost(const uint64_t lost[PROF_LOST_MAX])
{
	struct json_object *o = json_new_object();
	uint64_t other = 0;

	for (unsigned c = 0; c < PROF_LOST_CAUSES; c++)
		json_put_number(o, lost_keys[c], lost[c]);
	for (unsigned c = PROF_LOST_CAUSES; c < PROF_LOST_MAX; c++)
		other = prof_add(other, lost[c]);
	json_put_number(o, "other", other);
	return o;
}

static struct json_object *json_tally(const struct model_tally *t)
{
	struct json_object *o = json_new_object();

	json_put_number(o, "taken", t->taken);
	json_put_number(o, "kept", t->kept);
	json_put_number(o, "guessed", t->guessed);
	json_add(o, "lost", json_lost(t->lost));
	json_put_number(o, "under_way", t->underway);
	json_add(o, "unaccounted", json_new_boolean(t->unaccounted));
	return o;
}

struct json_object *json_samples(const struct model *m)
{
	return json_tally(&m->tally);
}

struct json_object *json_counted(const struct prof_value *v, size_t threads)
{
	struct json_object *o;

	if (!threads)
		return NULL;
	o = json_new_object();
	json_put_number(o, "value", v->value);
	json_put_number(o, "enabled_ns", v->enabled_ns);
	json_put_number(o, "running_ns", v->running_ns);
	json_put_number(o, "threads", threads);
	return o;
}

/* All texts of one kind. */
static struct json_object *json_texts(const struct prof_file *f, enum prof_info_kind kind)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == kind)
			json_append(all, json_bytes(f->texts[i].text, f->texts[i].bytes));
	return all;
}

static struct json_object *json_arguments(const struct prof_file *f)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < f->ntexts; i++) {
		const struct prof_text *t = &f->texts[i];

		for (size_t at = 0; t->kind == PROF_INFO_ARGV && at < t->bytes;
		     at += strlen(t->text + at) + 1)
			json_append(all, json_text(t->text + at));
	}
	return all;
}

static struct json_object *json_process_modules(const struct prof_file *f)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < f->nmodules; i++) {
		const struct prof_rmodule *m = &f->modules[i];
		struct json_object *o = json_new_object();
		char id[2 * sizeof(m->build_id) + 1] = "";

		for (uint32_t b = 0; b < m->build_id_bytes && b < sizeof(m->build_id); b++)
			snprintf(id + 2 * b, 3, "%02x", m->build_id[b]);
		json_put_text(o, "path", m->path);
		json_put_text(o, "build_id", *id ? id : NULL);
		json_add(o, "executable", json_new_boolean(m->flags & PROF_MODULE_MAIN));
		json_add(o, "runtime", json_new_boolean(sites_module_owner(m) == SITE_RUNTIME));
		json_append(all, o);
	}
	return all;
}

static const char *const runs[PROF_RUNS] = {
	[PROF_RUN_RUNNING] = "running",	      [PROF_RUN_EXITED] = "exited",
	[PROF_RUN_EXECED] = "execed",	      [PROF_RUN_EXITED_AT_ONCE] = "exited_at_once",
	[PROF_RUN_UNPROFILED] = "unprofiled",
};

/* NULL: the file could grow whenever necessary. */
static const char *const refusals[PROF_REFUSALS] = {
	[PROF_REFUSED_DISK] = "disk_full",	  [PROF_REFUSED_QUOTA] = "quota",
	[PROF_REFUSED_FSIZE] = "file_size_limit", [PROF_REFUSED_LIMIT] = "profile_limit",
	[PROF_REFUSED_MEMORY] = "memory",	  [PROF_REFUSED_DAMAGED] = "file_damaged",
	[PROF_REFUSED_OTHER] = "other",
};

/* "NS WHAT THREAD NAME"; NULL: it is damaged. */
static struct json_object *json_mark(const char *text)
{
	static const char *const kinds[] = { "mark", "begin", "end" };
	unsigned long long n[3];

	for (int i = 0; i < 3; i++) {
		char *end;

		n[i] = strtoull(text, &end, 10);
		if (end == text || *end != ' ')
			return NULL;
		text = end + 1;
	}
	if (n[1] >= sizeof(kinds) / sizeof(*kinds))
		return NULL;
	struct json_object *o = json_new_object();

	json_put_number(o, "ns", n[0]);
	json_put_text(o, "kind", kinds[n[1]]);
	json_put_number(o, "tid", n[2]);
	json_put_text(o, "name", text);
	return o;
}

/* What the program named. */
static struct json_object *json_marks(const struct prof_file *f)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < f->ntexts; i++) {
		struct json_object *o =
			f->texts[i].kind == PROF_INFO_MARK ? json_mark(f->texts[i].text) : NULL;

		if (o)
			json_append(all, o);
	}
	return all;
}

/* ---- CPUs ------------------------------------------------------------------- */

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
static void json_put_thread_cpus(struct json_object *o, const struct report *r, uint32_t thread)
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

static struct json_object *json_placement(const struct report *r, uint32_t process)
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

/* ---- ranks ------------------------------------------------------------------ */

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

static struct json_object *json_process(const struct report *r, uint32_t process)
{
	static const struct {
		const char *key;
		enum prof_info_kind kind;
	} texts[] = {
		{ "executable", PROF_INFO_EXE },
		{ "host", PROF_INFO_HOST },
		{ "folder", PROF_INFO_CWD },
		{ "runtime", PROF_INFO_RUNTIME },
		{ "launcher", PROF_INFO_LAUNCHER },
		{ "rank", PROF_INFO_RANK },
		{ "ranks", PROF_INFO_SIZE },
		{ "local_rank", PROF_INFO_LOCAL_RANK },
		{ "node", PROF_INFO_NODE },
		{ "job", PROF_INFO_JOB },
		{ "array_task", PROF_INFO_ARRAY_TASK },
		{ "step", PROF_INFO_STEP },
		{ "run_id", PROF_INFO_RUN_ID },
	};
	const struct model_process *p = &r->model->processes[process];
	const struct prof_file *f = p->file;
	const struct prof_header *h = &f->header;
	const enum liveness alive = liveness_of(f);
	struct json_object *o = json_new_object();

	json_put_text(o, "profile", f->path);
	json_put_number(o, "profile_bytes", f->file_bytes);
	json_put_number(o, "pid", h->pid);
	json_put_number(o, "parent_pid", h->ppid);
	json_add(o, "command", json_arguments(f));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		json_put_text(o, texts[i].key, prof_text(f, texts[i].kind));
	json_add(o, "environment", json_texts(f, PROF_INFO_ENV));
	json_add(o, "notes", json_texts(f, PROF_INFO_NOTE));
	json_add(o, "marks", json_marks(f));
	json_put_text(o, "run", runs[h->run]);
	json_add(o, "alive",
		 alive == LIVENESS_UNKNOWN || alive == LIVENESS_EXECED ?
			 NULL :
			 json_new_boolean(alive == LIVENESS_RUNS));
	json_put_number(o, "start_realtime_ns", h->start_realtime_ns);
	json_add(o, "elapsed_ns",
		 json_number_if(h->end_monotonic_ns > h->start_monotonic_ns,
				h->end_monotonic_ns - h->start_monotonic_ns));
	json_add(o, "sampled_from_ns",
		 json_number_if(h->sampled_from_ns > h->start_monotonic_ns,
				h->sampled_from_ns - h->start_monotonic_ns));
	json_add(o, "sampled_until_ns",
		 json_number_if(h->sampled_until_ns > h->start_monotonic_ns,
				h->sampled_until_ns - h->start_monotonic_ns));
	json_put_number(o, "threads", p->threads.all);
	json_put_number(o, "threads_most", p->threads.most);
	json_put_number(o, "threads_initial", p->threads.begun[PROF_THREAD_INITIAL]);
	json_put_number(o, "threads_worker", p->threads.begun[PROF_THREAD_WORKER]);
	json_put_number(o, "threads_in_others_records", p->threads.shared);
	json_add(o, "samples", json_tally(&p->tally));
	json_put_number(o, "damaged", f->damaged);
	json_put_number(o, "unfinished", f->unfinished);
	json_put_number(o, "missing_bytes", f->missing_bytes);
	json_put_text(o, "no_room_because", refusals[h->refused]);
	json_add(o, "topology", json_texts(f, PROF_INFO_TOPOLOGY));
	json_add(o, "placement", json_placement(r, process));
	json_add(o, "modules", json_process_modules(f));
	return o;
}

void json_processes(struct json_stream *s, const struct report *r, size_t most)
{
	json_open(s, "processes");
	for (uint32_t i = 0; i < r->model->nprocesses && i < most; i++)
		json_element(s, json_process(r, i));
	json_close(s);
}

/* ---- threads --------------------------------------------------------- */

/* One element for each event of the model; null if the process does not have the event. */
static struct json_object *json_thread_events(const struct model *m, uint32_t thread)
{
	const struct model_process *p = &m->processes[m->threads[thread].process];
	const struct prof_thread *t = m->threads[thread].t;
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < m->nevents; e++) {
		struct json_object *o = NULL;

		for (unsigned own = 0; own < p->file->header.nevents && !o; own++) {
			if (p->event[own] != e)
				continue;
			o = json_new_object();
			json_put_number(o, "taken", t->samples[own]);
			json_add(o, "counted",
				 json_counted(&t->values[own], t->values_known >> own & 1));
		}
		json_append(all, o);
	}
	return all;
}

static struct json_object *json_process_thread(const struct report *r, uint32_t thread,
					       const struct cost *self)
{
	const struct model *m = r->model;
	const struct prof_thread *t = m->threads[thread].t;
	struct json_object *o = json_new_object();
	const struct cells c = json_cells(o, r);

	json_put_number(o, "id", thread);
	json_put_number(o, "process", m->threads[thread].process);
	json_put_number(o, "index", m->threads[thread].number);
	thread_cells(&c, t);
	json_add(o, "lost", json_lost(t->lost));
	json_add(o, "events", json_thread_events(m, thread));
	json_put_thread_cpus(o, r, thread);
	json_add(o, "self", self ? json_costs(r->view, self) : NULL);
	return o;
}

/* Includes threads without samples; their costs are null. */
void json_threads(struct json_stream *s, const struct report *r, size_t most)
{
	const struct model *m = r->model;
	struct map rows = { 0 };
	struct table t;
	uint32_t id;

	table_build(r->view, TABLE_THREAD, &t);
	for (uint32_t i = 0; i < t.n; i++)
		map_add(&rows, t.rows[i].key, 0, i, &id);
	json_open(s, "threads");
	for (uint32_t i = 0; i < m->nthreads && i < most; i++) {
		uint32_t row = map_get(&rows, i, 0, UINT32_MAX);

		json_element(s, json_process_thread(r, i,
						    row == UINT32_MAX ? NULL : t.rows[row].self));
	}
	json_close(s);
	map_free(&rows);
	table_fini(&t);
}
