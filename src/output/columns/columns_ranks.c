/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_ranks.c - a job's ranks and hosts. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/profile/reader/reader.h"
#include "src/tables/rank_rows.h"

static const struct column rank_columns[] = {
	{ "rank", "the MPI rank; empty: a process without one" },
	{ "host", "where it ran" },
	{ "pid", "its process id, where it has one process" },
	{ "process", JSON_ALONE },
	{ "processes", "the number of its processes" },
	{ "threads", "the number of their threads" },
	{ "imbalance", "the most work of one of its threads over the mean" },
	{ NULL, NULL },
};

static const struct column host_columns[] = {
	{ "host", "the host; empty: not known" },
	{ "ranks", "the number of its MPI ranks" },
	{ "processes", "the number of its processes" },
	{ "threads", "the number of their threads" },
	{ "imbalance", "the sum of the processes' most work of one thread over that of the means" },
	{ NULL, NULL },
};

static void processes_cells(const struct cells *c, const struct rank_row *row)
{
	cells_number(c, "processes", row->nprocesses);
	cells_number(c, "threads", row->nthreads);
	cells_real_if(c, "imbalance", row->imbalance > 0, row->imbalance);
}

void rank_cells(const struct cells *c, const struct rank_row *row)
{
	cells_text(c, "rank", row->name);
	cells_text(c, "host", row->host);
	cells_number(c, "process", row->process);
	processes_cells(c, row);
}

static void rank_rows(const struct cells *c)
{
	struct rank_rows rows;

	rank_rows_by_rank(c->report->view, c->report->event, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		const struct rank_row *row = &rows.all[i];
		const struct prof_file *f = c->report->model->processes[row->process].file;

		rank_cells(c, row);
		cells_number_if(c, "pid", row->nprocesses == 1, f->header.pid);
		cells_end(c, COSTS_SELF, row->self);
	}
	rank_rows_fini(&rows);
}

static void host_rows(const struct cells *c)
{
	struct rank_rows rows;

	rank_rows_by_host(c->report->view, c->report->event, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		cells_text(c, "host", rows.all[i].name);
		cells_number(c, "ranks", rows.all[i].nranks);
		processes_cells(c, &rows.all[i]);
		cells_end(c, COSTS_SELF, rows.all[i].self);
	}
	rank_rows_fini(&rows);
}

const struct flat_table columns_rank = { rank_columns, COSTS_SELF, rank_rows };
const struct flat_table columns_host = { host_columns, COSTS_SELF, host_rows };
