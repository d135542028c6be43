/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c - looks at a profile: see live.h. */
#include "config.h"

#include "src/screen/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/liveness.h"
#include "src/model/model.h"
#include "src/output/printable.h"
#include "src/profile/clock.h"
#include "src/screen/cpu_time.h"
#include "src/screen/shown.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

static void table_free(struct live_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->rows[i].label);
	free(t->rows);
	*t = (struct live_table){ .n = 0 };
}

void live_forget(struct live *l)
{
	for (unsigned k = 0; k < LIVE_KINDS; k++)
		table_free(&l->tables[k]);
	free(l->sum.label);
	l->sum = (struct live_row){ .label = NULL };
	free(l->cpus);
	free(l->last_cpus);
	l->cpus = l->last_cpus = NULL;
	l->ncpus = l->nlast_cpus = 0;
	l->samples = l->last_samples = l->look_ns = 0;
	l->seconds = 0;
}

void live_fini(struct live *l)
{
	live_forget(l);
	free(l->about);
	l->about = NULL;
}

/* ---- rows ------------------------------------------------------------------ */

static void row_fill(struct live_row *row, const struct cost *block, size_t event)
{
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		row->all[c] = row->last[c] = cost_at(block, event, (enum omp_class)c)->weight;
}

static void table_fill(const struct view *v, size_t event, enum live_kind kind,
		       struct live_table *to)
{
	struct table t;

	table_build(v, kind == LIVE_THREADS ? TABLE_THREAD : TABLE_CALL, &t);
	to->rows = alloc_zeroed(t.n + 1, sizeof(*to->rows));
	for (size_t i = 0; i < t.n && to->rows; i++) {
		if (kind == LIVE_THREADS) {
			char *name = thread_text(v->model, (uint32_t)t.rows[i].key);

			to->rows[i].tid = v->model->threads[t.rows[i].key].t->tid;
			to->rows[i].label = alloc_printf("%s, tid %u", name, to->rows[i].tid);
			free(name);
		} else {
			to->rows[i].label = table_call_label(v, &t.rows[i]);
		}
		row_fill(&to->rows[i], t.rows[i].self, event);
		to->n++;
	}
	table_fini(&t);
}

static int by_label(const void *a, const void *b)
{
	const struct live_row *x = a, *y = b;

	return strcmp(x->label ? x->label : "", y->label ? y->label : "");
}

static void row_since(struct live_row *row, const struct live_row *before)
{
	for (unsigned c = 0; c < OMP_CLASSES && before; c++)
		row->last[c] =
			row->all[c] - (before->all[c] < row->all[c] ? before->all[c] : row->all[c]);
}

/* Both are sorted by label.  Rows of one label (copies of a function) have their sums. */
static void table_since(struct live_table *now, const struct live_table *before)
{
	size_t n = 0;

	if (now->n)
		qsort(now->rows, now->n, sizeof(*now->rows), by_label);
	for (size_t i = 0; i < now->n; i++) {
		if (n && !by_label(&now->rows[n - 1], &now->rows[i])) {
			for (unsigned c = 0; c < OMP_CLASSES; c++)
				now->rows[n - 1].all[c] += now->rows[i].all[c];
			free(now->rows[i].label);
			continue;
		}
		now->rows[n++] = now->rows[i];
	}
	now->n = n;
	for (size_t i = 0; i < n; i++) {
		memcpy(now->rows[i].last, now->rows[i].all, sizeof(now->rows[i].last));
		row_since(&now->rows[i], before->n ? bsearch(&now->rows[i], before->rows, before->n,
							     sizeof(*before->rows), by_label) :
						     NULL);
	}
}

/* ---- CPUs ------------------------------------------------------------------- */

static int live_by_tid(const void *a, const void *b)
{
	const struct cpu_time *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Of OpenMP's threads, and of others that have a row: not of an MPI library's own. */
static void look_cpus(struct live *l, const struct prof_file *f, const struct live_table *rows)
{
	free(l->last_cpus);
	l->last_cpus = l->cpus;
	l->nlast_cpus = l->ncpus;
	l->cpus = alloc_zeroed(f->nthreads + 1, sizeof(*l->cpus));
	l->ncpus = 0;
	for (size_t i = 0; !l->ended && i < f->nthreads; i++) {
		const struct prof_thread *t = &f->threads[i].t;
		bool ours = t->kind != PROF_THREAD_UNKNOWN;

		for (size_t r = 0; !ours && r < rows->n; r++)
			ours = rows->rows[r].tid == t->tid;
		if (ours && !t->end_ns)
			l->ncpus += cpu_time_read(f->header.pid, t->tid, &l->cpus[l->ncpus]);
	}
	qsort(l->cpus, l->ncpus, sizeof(*l->cpus), live_by_tid);
}

static const struct cpu_time *cpu_time_before(const struct live *l, const struct cpu_time *now)
{
	const struct cpu_time *t = l->nlast_cpus ? bsearch(now, l->last_cpus, l->nlast_cpus,
							   sizeof(*now), live_by_tid) :
						   NULL;

	return t && t->ran_ns <= now->ran_ns && t->waited_ns <= now->waited_ns ? t : NULL;
}

size_t live_cpus(const struct live *l, double *had, double *waited)
{
	size_t n = 0;

	*had = *waited = 0;
	for (size_t i = 0; i < l->ncpus && l->seconds > 0; i++) {
		const struct cpu_time *now = &l->cpus[i], *before = cpu_time_before(l, now);

		if (!before)
			continue;
		*had += (double)(now->ran_ns - before->ran_ns) / 1e9 / l->seconds;
		*waited += (double)(now->waited_ns - before->waited_ns) / 1e9 / l->seconds;
		n++;
	}
	return n;
}

double live_cpus_of(const struct live *l, uint32_t tid)
{
	const struct cpu_time key = { .tid = tid };
	const struct cpu_time *now =
		l->ncpus ? bsearch(&key, l->cpus, l->ncpus, sizeof(key), live_by_tid) : NULL;
	const struct cpu_time *before = now ? cpu_time_before(l, now) : NULL;

	return before && l->seconds > 0 ?
		       (double)(now->ran_ns - before->ran_ns) / 1e9 / l->seconds :
		       -1;
}

/* ---- a look ---------------------------------------------------------------- */

/* Without the threads of an MPI library: how many these are is not known. */
static char *about(const struct view *v)
{
	const struct model *m = v->model;
	const bool mpi = v->mpi_threads;
	const uint64_t threads = mpi ? m->processes[0].openmp_threads : m->all_threads;
	const struct prof_file *f = m->processes[0].file;
	const char *host = prof_text(f, PROF_INFO_HOST), *exe = prof_text(f, PROF_INFO_EXE);
	const uint64_t ns = model_elapsed_ns(&m->processes[0]);
	char *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);

	format_text(out, exe ? path_base(exe) : "(program not known)", 0);
	fprintf(out, ": pid %u", f->header.pid);
	if (host) {
		fputs(" on ", out);
		format_text(out, host, 0);
	}
	fprintf(out, ", %" PRIu64 " %sthread%s", threads, mpi ? "OpenMP " : "",
		threads == 1 ? "" : "s");
	if (ns)
		fprintf(out, ", %s", format_amount(ns, PROF_UNIT_NS).s);
	alloc_stream_end(out);
	return text;
}

static void look_sums(struct live *l, const struct view *v, size_t event)
{
	struct live_row before = l->sum;
	const uint64_t samples = l->samples;
	struct table total;

	table_build(v, TABLE_STATE, &total);
	row_fill(&l->sum, total.total, event);
	row_since(&l->sum, l->look_ns ? &before : NULL);
	l->samples = cost_sum(total.total, event).samples;
	l->last_samples = l->samples > samples ? l->samples - samples : 0;
	table_fini(&total);
	free(before.label);
	l->sum.label = v->model->nevents ? alloc_text(v->model->events[event].label) : NULL;
	l->unit = v->model->nevents ? v->model->events[event].unit : 0;
}

static const char *ended_words(enum liveness alive)
{
	switch (alive) {
	case LIVENESS_RUNS:
	case LIVENESS_UNKNOWN: return NULL;
	case LIVENESS_GONE: return "it was killed";
	case LIVENESS_EXECED: return "it became another program";
	default: return "it has ended";
	}
}

/* A process that is gone may have written its end after the profile was read. */
static enum liveness look_alive(const struct live *l, const struct prof_file *f)
{
	enum liveness alive = liveness_of(f);
	struct profiles again;
	struct profiles_error e;

	if (alive != LIVENESS_GONE)
		return alive;
	profiles_init(&again);
	if (!profiles_add(&again, l->path, &e) && again.nfiles &&
	    again.files[0]->header.pid == f->header.pid)
		alive = liveness_of(again.files[0]);
	profiles_fini(&again);
	return alive;
}

static void live_look_at(struct live *l, const struct shown *s)
{
	const struct model *m = &s->profiles.model;
	const int found = l->event ? model_find_event(m, l->event) : -1;
	struct regions r;

	l->nevents = 0;
	for (size_t e = 0; e < m->nevents; e++)
		l->nevents += model_is_sampled(m, e);
	const size_t event = found >= 0 ? (size_t)found : model_first_sampled(m);
	struct live_table now[LIVE_KINDS] = { 0 };
	uint64_t at;

	/* A look at another process's profile of the same name begins anew. */
	const struct prof_header *h = &m->processes[0].file->header;

	if (l->pid && (l->pid != h->pid || l->start_ns != h->start_realtime_ns))
		live_forget(l);
	l->pid = h->pid;
	l->start_ns = h->start_realtime_ns;

	const struct view *v = s->view;
	struct live_table *to = &now[LIVE_REGIONS];

	regions_build(v, event, false, &r);
	to->rows = alloc_zeroed(r.n + 1, sizeof(*to->rows));
	for (size_t i = 0; i < r.n && to->rows; i++) {
		to->rows[i].label = region_label(v, r.all[i].special, r.all[i].line);
		row_fill(&to->rows[i], r.all[i].self, event);
		to->n++;
	}
	regions_fini(&r);
	table_fill(v, event, LIVE_FUNCTIONS, &now[LIVE_FUNCTIONS]);
	table_fill(v, event, LIVE_THREADS, &now[LIVE_THREADS]);
	l->ended = ended_words(look_alive(l, m->processes[0].file));
	look_cpus(l, m->processes[0].file, &now[LIVE_THREADS]);
	at = clock_ns(CLOCK_MONOTONIC);
	look_sums(l, s->view, event);
	for (unsigned k = 0; k < LIVE_KINDS; k++) {
		table_since(&now[k], &l->tables[k]);
		table_free(&l->tables[k]);
		l->tables[k] = now[k];
	}
	l->seconds = l->look_ns ? (double)(at - l->look_ns) / 1e9 : 0;
	l->look_ns = at;
	free(l->about);
	l->about = about(s->view);
}

int live_look(struct live *l)
{
	char *path = (char *)(uintptr_t)l->path;
	struct profiles_error e;
	static struct shown s;
	int err = shown_open(&s, &path, 1, VIEW_USER, &e);

	l->trouble[0] = '\0';
	if (err == -EINVAL)
		snprintf(l->trouble, sizeof(l->trouble), "%s", e.why);
	else if (!err)
		live_look_at(l, &s);
	shown_close(&s);
	return err;
}
