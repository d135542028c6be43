/* SPDX-License-Identifier: BSD-3-Clause */
/* text_ranks.c - a job's ranks and hosts, and what ranks wait for. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/output/thread_name.h"
#include "src/tables/losses.h"
#include "src/tables/rank_rows.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { NAMED_MAX = 4 };

#define WORTH_NAMING 1.02 /* an imbalance within ranks: where it is most */
#define WAIT_LEAST 0.01	  /* a wait that is mentioned, of the slowest rank's time */
#define WAITS_LONGER 0.1  /* of the longest wait: a rank that is named */

/* ---- tables ---------------------------------------------------------- */

/* Prints a process that has no rank by its number. */
static void put_rank(const struct text *t, const struct rank_row *row)
{
	const struct prof_file *f = t->report->model->processes[row->process].file;
	char *name = NULL, many[32];

	snprintf(many, sizeof(many), "%" PRIu32 " processes", row->nprocesses);
	if (row->nprocesses == 1)
		snprintf(many, sizeof(many), "pid %" PRIu32, f->header.pid);
	name = alloc_printf("%s%s, %s%s%s, %" PRIu64 " thread%s", row->name ? "rank " : "process",
			    row->name ? row->name : "", row->host ? row->host : "",
			    row->host ? ", " : "", many, row->nthreads,
			    row->nthreads == 1 ? "" : "s");
	text_last(t, name);
	free(name);
}

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
	else
		put_rank(t, row);
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

/* "rank 3 is busy longest, 6.0 s; median 3.1 s, least 3.0 s (rank 0)" */
static void put_spread(const struct text *t, const struct ranks *r, const struct rank_spread *s)
{
	text_ranks_put_name(t, r, s->slowest);
	fprintf(t->out, " is busy longest, %s; median %s, least %s (",
		text_ranks_amount(t, s->most).s, text_ranks_amount(t, s->median).s,
		text_ranks_amount(t, s->least).s);
	text_ranks_put_name(t, r, s->fastest);
	putc(')', t->out);
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
	put_spread(t, r, &s);
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

void text_ranks_of_region(const struct text *t, const struct region *g)
{
	double *times;

	if (!t->ranks || !t->ranks->n || g->special == REGION_IDLE || losses_is_outside(g->special))
		return;
	times = alloc_zeroed(t->ranks->n, sizeof(*times));
	ranks_in_region(t->ranks, g, times);
	text_ranks_put_times(t, t->ranks, times, RANKS_UNEVEN, "between ranks ", TEXT_BENEATH);
	free(times);
}

/* "imbalance within ranks 1.22: most in step:36 (app.c), by rank 1 thread 3" */
static void put_within(const struct text *t, const struct ranks *r, const struct regions *regions)
{
	const struct region *worst;
	const double within = ranks_within_run(r, regions, &worst);
	struct region part;
	uint32_t thread;
	char *name;

	if (within <= 0)
		return;
	fprintf(t->out, "imbalance within ranks %.2f", within);
	if (within >= WORTH_NAMING && worst && ranks_worst(r, worst, &part)) {
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

void text_ranks_of_run(const struct text *t)
{
	const struct report *r = t->report;
	struct ranks ranks;
	struct regions regions;
	double *times;

	ranks_build(r->view, r->event, &ranks);
	if (ranks.n) {
		times = alloc_zeroed(ranks.n, sizeof(*times));
		regions_build(r->view, r->event, false, &regions);
		ranks_in_run(&ranks, &regions, times);
		text_ranks_put_times(t, &ranks, times, 0, "imbalance between ranks ", 0);
		put_within(t, &ranks, &regions);
		regions_fini(&regions);
		free(times);
	}
	ranks_fini(&ranks);
}
