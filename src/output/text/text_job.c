/* SPDX-License-Identifier: BSD-3-Clause */
/* text_job.c - what a job's ranks are, and which of them report nothing. */
#include "config.h"

#include <inttypes.h>

#include "src/model/job.h"
#include "src/model/model.h"
#include "src/model/run_of.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"

void text_rank(const struct text *t)
{
	const struct run_of o = run_of(t->report->model->processes[0].file);

	if (o.rank < 0)
		return;
	fprintf(t->out, "rank %" PRId64, o.rank);
	if (o.size > 0)
		fprintf(t->out, " of %" PRId64, o.size);
	fputs(", ", t->out);
}

static void text_some(const struct text *t, const struct job *j, enum job_rank what,
		      const char *before, const char *after)
{
	if (j->of[what].list)
		fprintf(t->out, "%srank%s %s%s", before, j->of[what].n == 1 ? "" : "s",
			j->of[what].list, after);
}

/* "4 threads", or "2 to 4 threads": those of each process. */
static void text_threads_of_each(const struct text *t, bool openmp)
{
	const struct model *m = t->report->model;
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct model_process *p = &m->processes[i];
		const uint64_t n = openmp ? p->openmp_threads : p->threads.all;

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least < most)
		fprintf(t->out, "%s to ", format_count(least).s);
	fprintf(t->out, "%s %sthread%s", format_count(most).s, openmp ? "OpenMP " : "",
		most == 1 ? "" : "s");
}

static void text_counted(const struct text *t, const struct job *j)
{
	const size_t n = t->report->model->nprocesses;

	if (j->nranks != n) {
		fprintf(t->out, "%zu processes, ", n);
		text_threads_of_each(t, false);
		fputs(" each\n", t->out);
	}
	if (j->nranks == 0)
		return;
	fprintf(t->out, "%" PRIu64, j->nranks);
	if (j->size > 0 && (uint64_t)j->size != j->nranks)
		fprintf(t->out, " of %" PRId64, j->size);
	fputs(j->nranks == 1 && j->size <= 1 ? " rank" : " ranks", t->out);
	fputs(" x ", t->out);
	text_threads_of_each(t, true);
	fprintf(t->out, ", on %" PRIu64 " host%s\n", j->nhosts, j->nhosts == 1 ? "" : "s");
}

bool text_job(const struct text *t)
{
	const struct model *m = t->report->model;
	bool all = true;
	struct job j;

	job_build(m, &j);
	text_counted(t, &j);
	if (j.nranks == 0) {
		all = false;
	} else {
		text_some(t, &j, JOB_MISSING, "missing: no profile here of ", "\n");
		text_some(t, &j, JOB_KILLED, "killed, or ended by _exit unseen: ", "\n");
		text_some(t, &j, JOB_UNKNOWN, "killed, or still running: ", "\n");
		text_some(t, &j, JOB_NO_OPENMP, "", " never began OpenMP\n");
	}
	job_fini(&j);
	for (size_t i = 0; i < m->nprocesses && all; i++)
		all = run_of(m->processes[i].file).rank >= 0;
	return all;
}
