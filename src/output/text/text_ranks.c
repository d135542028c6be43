/* SPDX-License-Identifier: BSD-3-Clause */
/* text_ranks.c - a job's ranks and hosts, and what ranks wait for. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/job.h"
#include "src/model/model.h"
#include "src/model/run_of.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/losses.h"
#include "src/tables/rank_rows.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum { NAMED_MAX = 4 };

#define WORTH_NAMING 1.02 /* an imbalance within ranks: where it is most */
#define WAIT_LEAST 0.01	  /* a wait that is mentioned, of the slowest rank's time */
#define WAITS_LONGER 0.1  /* of the longest wait: a rank that is named */

/* ---- tables ---------------------------------------------------------- */

static const struct text_own host_own[] = {
	{ "ranks", 6, COLUMN_OWN },
	{ "thr", 6, COLUMN_OWN },
	{ "imbal", 7, COLUMN_OWN },
	{ 0 },
};

static void text_rank_row(const struct text *t, const struct rank_row *row, bool hosts)
{
	text_cells(t, row->self);
	if (hosts)
		text_cell_number(t, 0, format_count(row->nranks ? row->nranks : row->nprocesses).s);
	text_cell(t, hosts, format_count(row->nthreads).s);
	if (row->imbalance > 0)
		fprintf(t->out, "%*.2f", t->own[hosts + 1].width, row->imbalance);
	else
		text_cell_number(t, hosts + 1, "-");
	if (hosts)
		text_last(t, row->name ? row->name : "(host not known)");
	else {
		const struct prof_file *f = t->report->model->processes[row->process].file;
		char *name = NULL, many[32];

		snprintf(many, sizeof(many), "%" PRIu32 " processes", row->nprocesses);
		if (row->nprocesses == 1)
			snprintf(many, sizeof(many), "pid %" PRIu32, f->header.pid);
		name = alloc_printf("%s%s, %s%s%s, %" PRIu64 " thread%s",
				    row->name ? "rank " : "process", row->name ? row->name : "",
				    row->host ? row->host : "", row->host ? ", " : "", many,
				    row->nthreads, row->nthreads == 1 ? "" : "s");
		text_last(t, name);
		free(name);
	}
}

static void text_rank_table(const struct text *whole, bool hosts)
{
	const struct text fit = text_fit(whole, hosts ? host_own : host_own + 1), *t = &fit;
	const struct report *r = t->report;
	struct text_rest rest = { 0 };
	struct rank_rows rows;

	if (hosts)
		rank_rows_by_host(r->view, r->event, &rows);
	else
		rank_rows_by_rank(r->view, r->event, &rows);
	text_titles(t, hosts ? "host" : "rank");
	for (size_t i = 0; i < rows.n; i++) {
		/* Ranks that a filter left out. */
		if (r->view->kept && cost_is_zero(rows.all[i].self, r->model->nevents))
			continue;
		if (text_shows(t, rows.all[i].self, i))
			text_rank_row(t, &rows.all[i], hosts);
		else
			text_rest_add(t, &rest, rows.all[i].self);
	}
	text_rest_print(t, &rest, 0);
	rank_rows_fini(&rows);
}

void text_ranks(const struct text *t)
{
	text_rank_table(t, false);
}

void text_hosts(const struct text *t)
{
	text_rank_table(t, true);
}

/* ---- imbalance ------------------------------------------------------- */

static struct formatted text_ranks_amount(const struct text *t, double weight)
{
	return format_real(weight, t->report->model->events[t->report->event].unit);
}

static void text_ranks_put_name(const struct text *t, const struct ranks *r, uint32_t rank)
{
	fputs("rank ", t->out);
	format_text(t->out, r->all[rank].name, 0);
}

/* "; the others wait 3.1 s for it in MPI_Allreduce at step (app.c:40) (ranks 0, 1)" */
static void text_ranks_put_wait(const struct text *t, const struct ranks *r, const double *times,
				const struct rank_spread *s)
{
	struct rank_wait w;
	char *place;

	if (!ranks_wait(r, times, s->slowest, &w) || w.waited < WAIT_LEAST * s->most)
		return;
	place = label_line(&t->report->view->names, w.call->line);
	fprintf(t->out, "; the others wait %s in %s at ", text_ranks_amount(t, w.waited).s,
		w.call->call ? w.call->call : "MPI");
	format_name(t->out, place, 0);

	/* " (ranks 0, 1, 2)": those that are there longer than the slowest. */
	const struct rank_call *call = w.call;
	const uint32_t slowest = s->slowest;
	double most = 0;
	size_t n = 0, named = 0;

	for (size_t i = 0; i < r->n; i++)
		if ((double)call->in[i] - (double)call->in[slowest] > most)
			most = (double)call->in[i] - (double)call->in[slowest];
	for (size_t i = 0; i < r->n; i++)
		n += (double)call->in[i] - (double)call->in[slowest] > WAITS_LONGER * most;
	fprintf(t->out, " (rank%s", n == 1 ? "" : "s");
	for (size_t i = 0; i < r->n && named < NAMED_MAX; i++) {
		if ((double)call->in[i] - (double)call->in[slowest] <= WAITS_LONGER * most)
			continue;
		fputs(named++ ? ", " : " ", t->out);
		format_text(t->out, r->all[i].name, 0);
	}
	if (n > named)
		fprintf(t->out, " and %zu more", n - named);
	putc(')', t->out);
	free(place);
}

static void text_ranks_put_times(const struct text *t, const struct ranks *r, const double *times,
				 double least, const char *what, int indent)
{
	struct rank_spread s;

	if (!ranks_spread(r, times, &s) || ranks_between(&s) < least)
		return;
	fprintf(t->out, "%*s%s%.2f: ", indent, "", what, ranks_between(&s));
	if (ranks_between(&s) < RANKS_UNEVEN) {
		/* "least 3.0 s (rank 0), median 3.1 s, most 3.2 s (rank 3)" */
		fprintf(t->out, "least %s (", text_ranks_amount(t, s.least).s);
		text_ranks_put_name(t, r, s.fastest);
		fprintf(t->out, "), median %s, ", text_ranks_amount(t, s.median).s);
		fprintf(t->out, "most %s (", text_ranks_amount(t, s.most).s);
		text_ranks_put_name(t, r, s.slowest);
		fputs(")\n", t->out);
		return;
	}
	/* "rank 3 is busy longest, 6.0 s; median 3.1 s, least 3.0 s (rank 0)" */
	text_ranks_put_name(t, r, s.slowest);
	fprintf(t->out, " is busy longest, %s; median %s, least %s (",
		text_ranks_amount(t, s.most).s, text_ranks_amount(t, s.median).s,
		text_ranks_amount(t, s.least).s);
	text_ranks_put_name(t, r, s.fastest);
	putc(')', t->out);
	text_ranks_put_wait(t, r, times, &s);
	putc('\n', t->out);
}

void text_mpi_threads(const struct text *t)
{
	const struct view_sum *own = t->report->view->mpi_threads;

	if (own && own[t->report->event].weight)
		fprintf(t->out, "not shown: %s of the MPI library's own threads\n",
			text_ranks_amount(t, (double)own[t->report->event].weight).s);
}

void text_ranks_of_region(const struct text *t, const struct region_row *g)
{
	double *times;

	if (!t->ranks || !t->ranks->n || g->special == REGION_IDLE || losses_is_outside(g->special))
		return;
	times = alloc_zeroed(t->ranks->n, sizeof(*times));
	ranks_in_region(t->ranks, g, times);
	text_ranks_put_times(t, t->ranks, times, RANKS_UNEVEN, "between ranks ", TEXT_BENEATH);
	free(times);
}

void text_ranks_of_run(const struct text *t)
{
	const struct report *r = t->report;
	struct ranks ranks;
	struct regions regions;
	double *times;

	ranks_build(r->view, r->event, &ranks);
	if (ranks.n) {
		const struct region_row *worst;
		struct region_row part;
		uint32_t thread;
		char *name;

		times = alloc_zeroed(ranks.n, sizeof(*times));
		regions_build(r->view, r->event, false, &regions);
		ranks_in_run(&ranks, &regions, times);
		text_ranks_put_times(t, &ranks, times, 0, "imbalance between ranks ", 0);
		/* "imbalance within ranks 1.22: most in step:36 (app.c), by rank 1 thread 3" */
		const double within = ranks_within_run(&ranks, &regions, &worst);

		if (within > 0) {
			fprintf(t->out, "imbalance within ranks %.2f", within);
			if (within >= WORTH_NAMING && worst && ranks_worst(&ranks, worst, &part)) {
				name = region_label(t->report->view, worst->special, worst->line);
				region_imbalance(&part, t->report->event, &thread);
				fputs(": most in ", t->out);
				format_name(t->out, name, 0);
				fputs(", by ", t->out);
				thread_name(t->out, t->report->model, thread);
				free(name);
			}
			putc('\n', t->out);
		}
		regions_fini(&regions);
		free(times);
	}
	ranks_fini(&ranks);
}

/* ---- which ranks there are --------------------------------------------- */

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
