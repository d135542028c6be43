/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/job.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/liveness.h"
#include "src/model/model.h"
#include "src/model/run_of.h"

/* A process of a rank, or what all of a rank's together are. */
struct job_member {
	uint32_t rank;
	const char *host;
	bool killed, unknown, openmp;
};

static int job_by_rank(const void *a, const void *b)
{
	const struct job_member *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_host(const void *a, const void *b)
{
	const struct job_member *x = a, *y = b;

	return strcmp(x->host, y->host);
}

/* All members, and the largest size that one shows. */
static size_t read_members(const struct model *m, struct job_member *all, int64_t *size)
{
	size_t n = 0;

	*size = -1;
	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct run_of o = run_of(m->processes[i].file);

		if (o.rank < 0)
			continue;

		const struct prof_file *f = m->processes[i].file;
		const enum liveness l = liveness_of(f);

		all[n++] = (struct job_member){
			.rank = (uint32_t)o.rank,
			.host = o.host ? o.host : "",
			.killed = l == LIVENESS_GONE,
			.unknown = l == LIVENESS_UNKNOWN,
			.openmp = prof_text(f, PROF_INFO_RUNTIME),
		};
		if (o.size > *size)
			*size = o.size;
	}
	return n;
}

struct job_list {
	FILE *out;
	uint64_t first, next; /* the range that is not written yet */
	uint64_t n;
};

static void list_write(struct job_list *l)
{
	if (l->next == l->first)
		return;
	fprintf(l->out, "%s%" PRIu64, ftell(l->out) > 0 ? "," : "", l->first);
	if (l->next - l->first > 1)
		fprintf(l->out, "-%" PRIu64, l->next - 1);
}

/* Adds the ranks from first to end - 1.  They ascend. */
static void list_add(struct job_list *l, uint64_t first, uint64_t end)
{
	if (first >= end)
		return;
	l->n += end - first;
	if (first != l->next || l->next == l->first) {
		list_write(l);
		l->first = first;
	}
	l->next = end;
}

static bool job_is(const struct job_member *m, enum job_rank what)
{
	switch (what) {
	case JOB_KILLED: return m->killed;
	case JOB_UNKNOWN: return m->unknown;
	case JOB_NO_OPENMP: return !m->openmp;
	default: return false;
	}
}

static void job_list(struct job *j, const struct job_member *all, enum job_rank what)
{
	struct job_list l = { .n = 0 };
	char *text = NULL;
	size_t bytes;

	l.out = alloc_stream(&text, &bytes);
	uint64_t next = 0;

	for (size_t i = 0; i < j->nranks; i++) {
		if (what == JOB_MISSING)
			list_add(&l, next, all[i].rank);
		else if (job_is(&all[i], what))
			list_add(&l, all[i].rank, (uint64_t)all[i].rank + 1);
		next = (uint64_t)all[i].rank + 1;
	}
	if (what == JOB_MISSING && j->size > 0)
		list_add(&l, next, (uint64_t)j->size);
	list_write(&l);
	alloc_stream_end(l.out);
	j->of[what].n = l.n;
	j->of[what].list = text;
	if (l.n == 0) {
		free(text);
		j->of[what].list = NULL;
	}
}

void job_build(const struct model *m, struct job *j)
{
	struct job_member *all = alloc_zeroed(m->nprocesses + 1, sizeof(*all));
	size_t n = 0;

	*j = (struct job){ .size = -1 };
	if (model_runs(m) == 1)
		n = read_members(m, all, &j->size);
	if (n > 0) {
		uint64_t hosts = 0;

		qsort(all, n, sizeof(*all), by_host);
		for (size_t i = 0; i < n; i++)
			hosts += i == 0 || strcmp(all[i - 1].host, all[i].host) != 0;
		j->nhosts = hosts;
		/* Makes one member of each rank's. */
		size_t ranks = 0;

		qsort(all, n, sizeof(*all), job_by_rank);
		for (size_t i = 0; i < n; i++) {
			struct job_member *last = &all[ranks - (ranks > 0)];

			if (ranks == 0 || last->rank != all[i].rank) {
				all[ranks++] = all[i];
				continue;
			}
			last->killed |= all[i].killed;
			last->unknown |= all[i].unknown;
			last->openmp |= all[i].openmp;
		}
		j->nranks = ranks;
	}
	for (unsigned what = 0; n > 0 && what < JOB_RANKS; what++)
		job_list(j, all, (enum job_rank)what);
	free(all);
}

void job_fini(struct job *j)
{
	for (unsigned i = 0; i < JOB_RANKS; i++)
		free(j->of[i].list);
	*j = (struct job){ .size = -1 };
}
