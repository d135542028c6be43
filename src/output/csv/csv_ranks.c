/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_ranks.c - a job's ranks and hosts. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/profile/reader/reader.h"
#include "src/tables/rank_rows.h"

/* ---- ranks ----------------------------------------------------------- */

enum { RANK_RANK, RANK_HOST, RANK_PID, RANK_PROCESSES, RANK_THREADS, RANK_IMBALANCE, RANK_COLUMNS };

static const struct csv_column rank_columns[RANK_COLUMNS] = {
	[RANK_RANK] = { "rank", "the MPI rank; empty: a process without one" },
	[RANK_HOST] = { "host", "where it ran" },
	[RANK_PID] = { "pid", "its process id, where it has one process" },
	[RANK_PROCESSES] = { "processes", "the number of its processes" },
	[RANK_THREADS] = { "threads", "the number of their threads" },
	[RANK_IMBALANCE] = { "imbalance", "the most work of one of its threads over the mean" },
};

static void rank_row(struct csv *c, const struct rank_row *row)
{
	const struct prof_file *f = c->report->model->processes[row->process].file;

	csv_text(c, RANK_RANK, row->name);
	csv_text(c, RANK_HOST, row->host);
	csv_number_if(c, RANK_PID, row->nprocesses == 1, f->header.pid);
	csv_number(c, RANK_PROCESSES, row->nprocesses);
	csv_number(c, RANK_THREADS, row->nthreads);
	if (row->imbalance > 0)
		csv_real(c, RANK_IMBALANCE, row->imbalance);
	csv_self(c, row->self);
	csv_row(c);
}

int csv_ranks(FILE *out, const struct report *r)
{
	struct rank_rows rows = { 0 };
	struct csv c;
	int err = csv_begin(&c, out, r, rank_columns, RANK_COLUMNS, CSV_SELF);

	if (!err)
		rank_rows_by_rank(r->view, r->event, &rows);
	for (size_t i = 0; i < rows.n && !err; i++)
		rank_row(&c, &rows.all[i]);
	rank_rows_fini(&rows);
	return csv_end(&c, err);
}

/* ---- hosts ----------------------------------------------------------- */

enum { HOST_HOST, HOST_RANKS, HOST_PROCESSES, HOST_THREADS, HOST_IMBALANCE, HOST_COLUMNS };

static const struct csv_column host_columns[HOST_COLUMNS] = {
	[HOST_HOST] = { "host", "the host; empty: not known" },
	[HOST_RANKS] = { "ranks", "the number of its MPI ranks" },
	[HOST_PROCESSES] = { "processes", "the number of its processes" },
	[HOST_THREADS] = { "threads", "the number of their threads" },
	[HOST_IMBALANCE] = { "imbalance", "the sum of the processes' most work of one thread over "
					  "that of the means" },
};

static void host_row(struct csv *c, const struct rank_row *row)
{
	csv_text(c, HOST_HOST, row->name);
	csv_number(c, HOST_RANKS, row->nranks);
	csv_number(c, HOST_PROCESSES, row->nprocesses);
	csv_number(c, HOST_THREADS, row->nthreads);
	if (row->imbalance > 0)
		csv_real(c, HOST_IMBALANCE, row->imbalance);
	csv_self(c, row->self);
	csv_row(c);
}

int csv_hosts(FILE *out, const struct report *r)
{
	struct rank_rows rows = { 0 };
	struct csv c;
	int err = csv_begin(&c, out, r, host_columns, HOST_COLUMNS, CSV_SELF);

	if (!err)
		rank_rows_by_host(r->view, r->event, &rows);
	for (size_t i = 0; i < rows.n && !err; i++)
		host_row(&c, &rows.all[i]);
	rank_rows_fini(&rows);
	return csv_end(&c, err);
}
