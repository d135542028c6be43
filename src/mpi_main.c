/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_main.c - ompcount-mpi: merge, by the processes of an MPI program.
 *
 * Each process reads a part of the batches and merges their forests.  Neighbours merge theirs
 * pairwise, always the later into the earlier, so that the numbers are those of the serial
 * merge; everybody gets the result, and writes the chunks of its batches at their place.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/exit_status.h"
#include "src/command_line.h"
#include "src/merge/batch.h"
#include "src/merge/chunks_out.h"
#include "src/merge/forest.h"
#include "src/merge/merge.h"
#include "src/merge_command.h"
#include "src/output/outfile.h"

#include "src/base/alloc.h"

struct mpi {
	int rank, size;
	struct merge merge;
	struct merge_inputs inputs;
	struct merge_part *parts; /* of this process */
	struct pack *payloads;
	size_t nparts;
};

/* The first failure of any process: an error number is negative. */
static int agree(int err)
{
	int all;

	MPI_Allreduce(&err, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

static int send_pack(const struct pack *p, int to)
{
	unsigned long n = p->n > INT_MAX ? ULONG_MAX : p->n;

	MPI_Send(&n, 1, MPI_UNSIGNED_LONG, to, 0, MPI_COMM_WORLD);
	if (n == ULONG_MAX)
		return -E2BIG;
	MPI_Send(p->bytes, (int)n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
	return 0;
}

static int receive_bytes(unsigned char **bytes, size_t *bytes_n, int from)
{
	unsigned long n;

	MPI_Recv(&n, 1, MPI_UNSIGNED_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	*bytes_n = n;
	*bytes = NULL;
	if (n == ULONG_MAX)
		return -E2BIG;
	*bytes = alloc_bytes(n + 1);
	MPI_Recv(*bytes, (int)n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return 0;
}

/* The bytes of process 0 for all; *bytes is for the caller to free. */
static int mpi_main_share(const struct pack *p, unsigned char **bytes, size_t *n, int rank)
{
	unsigned long length = 0;

	if (!rank)
		length = p->n > INT_MAX ? ULONG_MAX : p->n;
	MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
	*bytes = NULL;
	*n = length;
	if (length == ULONG_MAX)
		return -E2BIG;
	*bytes = alloc_bytes(length + 1);
	if (!rank && length)
		memcpy(*bytes, p->bytes, length);
	MPI_Bcast(*bytes, (int)length, MPI_BYTE, 0, MPI_COMM_WORLD);
	return 0;
}

/* ---- what to do ------------------------------------------------------ */

static int unpack_inputs(struct unpack *u, struct merge_inputs *in)
{
	const size_t n = (size_t)unpack_number(u);
	size_t bytes;
	int err = 0;

	in->all = alloc_zeroed(n + 1, sizeof(*in->all));
	for (; in->n < n && !err; in->n++) {
		const unsigned char *path = unpack_text(u, &bytes);

		in->all[in->n].path = alloc_text((const char *)path);
		in->all[in->n].bytes = unpack_number(u);
		path = unpack_text(u, &bytes);
		in->all[in->n].process = (size_t)unpack_number(u);
		err = bytes ? inputs_merged(in, (const char *)path, &in->all[in->n].merged) : 0;
	}
	return err;
}

/* Process 0 looks for the profiles, and sends their names to the others. */
static int share_inputs(struct mpi *m, const struct merge_options *o, int *status)
{
	struct pack p = { 0 };
	struct unpack u;
	unsigned char *bytes;
	size_t n;
	int err;

	*status = m->rank ? 0 : merge_inputs(o, &m->inputs);
	MPI_Bcast(status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (*status)
		return 0;
	if (!m->rank) {
		const struct merge_inputs *in = &m->inputs;

		pack_number(&p, in->n);
		for (size_t i = 0; i < in->n; i++) {
			const char *source = inputs_source(in, &in->all[i]);

			pack_text(&p, in->all[i].path, strlen(in->all[i].path) + 1);
			pack_number(&p, in->all[i].bytes);
			pack_text(&p, source, source ? strlen(source) + 1 : 0);
			pack_number(&p, in->all[i].process);
		}
	}
	err = mpi_main_share(&p, &bytes, &n, m->rank);
	u = (struct unpack){ .at = bytes, .end = bytes ? bytes + n : NULL };
	if (!err && m->rank)
		err = unpack_inputs(&u, &m->inputs);
	pack_free(&p);
	free(bytes);
	return agree(err);
}

/* ---- reading --------------------------------------------------------- */

static int read_parts(struct mpi *m, const struct merge_range *ranges, size_t nranges)
{
	const size_t first = nranges * (size_t)m->rank / (size_t)m->size;
	const size_t end = nranges * ((size_t)m->rank + 1) / (size_t)m->size;
	int err = 0;

	m->parts = alloc_zeroed(end - first + 1, sizeof(*m->parts));
	m->payloads = alloc_zeroed(end - first + 1, sizeof(*m->payloads));
	m->nparts = end - first;
#pragma omp parallel for schedule(dynamic, 1)
	for (size_t i = 0; i < m->nparts; i++)
		merge_read(&m->inputs, &ranges[first + i], &m->parts[i]);
	for (size_t i = 0; i < m->nparts && !err; i++)
		err = merge_take(&m->merge, &m->parts[i]);
	return err;
}

/* ---- the forest ------------------------------------------------------ */

/* All forests in *all, in the order of the processes; of process 0. */
static int reduce(const struct mpi *m, struct forest *all)
{
	int err = 0;

	forest_mappings_free(forest_merge(all, &m->merge.forest), &m->merge.forest);
	for (int step = 1; step < m->size; step *= 2) {
		if (m->rank % (2 * step)) {
			struct pack p = { 0 };
			int failed;

			forest_pack(all, &p);
			failed = send_pack(&p, (m->rank - step));
			pack_free(&p);

			return err ? err : failed;
		}
		if (m->rank + step < m->size) {
			/* Merges the forest of a later process into the own one. */
			struct forest other = { 0 };
			struct unpack u;
			unsigned char *bytes;
			size_t n;
			int failed = receive_bytes(&bytes, &n, (m->rank + step));

			u = (struct unpack){ .at = bytes, .end = bytes ? bytes + n : NULL };
			if (!failed)
				failed = forest_unpack(&u, &other);
			free(bytes);
			if (!failed)
				forest_mappings_free(forest_merge(all, &other), &other);
			forest_free(&other);

			err = err ? err : failed;
		}
	}
	return err;
}

/* Everybody gets the forest of process 0. */
static int share_forest(const struct mpi *m, struct forest *all)
{
	struct pack p = { 0 };
	struct unpack u;
	unsigned char *bytes;
	size_t n;
	int err;

	if (!m->rank)
		forest_pack(all, &p);
	err = mpi_main_share(&p, &bytes, &n, m->rank);
	pack_free(&p);
	u = (struct unpack){ .at = bytes, .end = bytes ? bytes + n : NULL };
	if (!err && m->rank) {
		forest_free(all);
		err = forest_unpack(&u, all);
	}
	free(bytes);
	return agree(err);
}

/* Replaces the numbers of the own forest by those of the common one. */
static void compose(struct merge_part *p, const struct forest_mapping *own)
{
	for (size_t t = 0; t < p->batch.forest.ntrees; t++) {
		struct forest_mapping *m = &p->mappings[t];
		const struct forest_mapping *to = &own[m->tree];

		for (size_t i = 0; i < p->batch.forest.trees[t].nnodes; i++)
			m->nodes[i] = to->nodes[m->nodes[i]];
		for (size_t i = 0; i < p->batch.forest.trees[t].nmodules; i++)
			m->modules[i + 1] = to->modules[m->modules[i + 1]];
		m->tree = to->tree;
	}
}

static int mpi_main_join(struct mpi *m)
{
	struct forest all = { 0 };
	int err = agree(reduce(m, &all));

	if (!err)
		err = share_forest(m, &all);
	if (!err) {
		/* The numbers of the common forest for all parts. */
		struct forest_mapping *own = forest_merge(&all, &m->merge.forest);

		for (size_t i = 0; i < m->nparts; i++)
			compose(&m->parts[i], own);
		forest_mappings_free(own, &m->merge.forest);
	}
	if (forest_is_full(&all))
		err = -E2BIG;
	forest_free(&m->merge.forest);
	m->merge.forest = all;
	return agree(err);
}

/* ---- writing --------------------------------------------------------- */

/* Writes the own chunks behind those of earlier processes. Process 0 has made the file at path,
   which the others open. */
static int mpi_main_write_to(struct mpi *m, int fd)
{
	unsigned long long own = 0, before = 0, all = 0;
	uint64_t at;
	int err = 0;

#pragma omp parallel for schedule(dynamic, 1)
	for (size_t i = 0; i < m->nparts; i++)
		batch_pack(&m->parts[i].batch, m->parts[i].mappings, &m->payloads[i]);
	for (size_t i = 0; i < m->nparts; i++)
		if (m->parts[i].batch.nprocesses)
			own += chunk_out_bytes(m->payloads[i].n);
	MPI_Exscan(&own, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	at = PROF_HEADER_BYTES + (m->rank ? before : 0);
	for (size_t i = 0; i < m->nparts && !err; i++) {
		if (!m->parts[i].batch.nprocesses)
			continue;
		err = chunk_out_write(fd, at, PROF_CHUNK_RANKS, 0, &m->payloads[i]);
		at += chunk_out_bytes(m->payloads[i].n);
	}
	err = agree(err);
	if (!err && !m->rank)
		err = merge_finish(&m->merge, fd, PROF_HEADER_BYTES + all);
	return agree(err);
}

static int open_shared(const struct mpi *m, struct outfile *out, const char *output, int *fd)
{
	char path[PATH_MAX + 16] = "";
	int err = 0;

	if (!m->rank) {
		err = outfile_open_over(out, output);
		if (!err && !out->target) {
			outfile_abandon(out);
			err = -ESPIPE;
		}
		if (!err && snprintf(path, sizeof(path), "%s", out->temporary) >= PATH_MAX)
			err = -ENAMETOOLONG;
	}
	err = agree(err);
	if (err)
		return err;
	MPI_Bcast(path, sizeof(path), MPI_CHAR, 0, MPI_COMM_WORLD);
	*fd = m->rank ? open(path, O_WRONLY | O_CLOEXEC) : fileno(out->stream);
	return agree(*fd < 0 ? -errno : 0);
}

/* ---- all ------------------------------------------------------------- */

static int mpi_main_work(struct mpi *m)
{
	struct merge_range *ranges;
	size_t n;
	int err = 0;
	unsigned long all[2 + BATCH_SPECIALS];

	inputs_batches(&m->inputs, &ranges, &n);
	err = read_parts(m, ranges, n);
	free(ranges);
	err = agree(err);
	if (err)
		return err;

	/* The sums of what the processes count, in process 0. */
	unsigned long own[2 + BATCH_SPECIALS] = { m->merge.nprocesses, m->merge.refused };

	for (size_t i = 0; i < BATCH_SPECIALS; i++)
		own[2 + i] = m->merge.special[i];
	MPI_Allreduce(own, all, 2 + BATCH_SPECIALS, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
	m->merge.nprocesses = all[0];
	m->merge.refused = all[1];
	for (size_t i = 0; i < BATCH_SPECIALS; i++)
		m->merge.special[i] = all[2 + i];
	return m->merge.nprocesses ? mpi_main_join(m) : -ENODATA;
}

static int mpi_main_merge_to(struct mpi *m, const struct merge_options *o)
{
	struct outfile out = { 0 };
	int fd = -1;
	int err = open_shared(m, &out, o->output, &fd);

	if (!err)
		err = mpi_main_work(m);
	if (!err)
		err = mpi_main_write_to(m, fd);
	if (m->rank && fd >= 0) {
		const int failed = close(fd) ? -errno : 0;

		err = err ? err : failed;
	}
	err = agree(err);
	if (m->rank)
		return err ? COMMAND_FAILED : 0;
	if (err)
		outfile_abandon(&out);
	else
		err = outfile_commit(&out);
	return merge_report(o, &m->merge, m->inputs.refused + m->merge.refused, err);
}

static void mpi_fini(struct mpi *m)
{
	for (size_t i = 0; i < m->nparts; i++) {
		pack_free(&m->payloads[i]);
		merge_part_free(&m->parts[i]);
	}
	free(m->parts);
	free(m->payloads);
	merge_fini(&m->merge);
	inputs_free(&m->inputs);
}

static int merge_all(const struct merge_options *o)
{
	struct mpi m = { .merge.sysroot = o->sysroot };
	int err, status;

	MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &m.size);
	m.merge.inputs = &m.inputs;
	err = share_inputs(&m, o, &status);
	if (!status && err)
		status = m.rank ? COMMAND_FAILED : merge_report(o, &m.merge, 0, err);
	if (!status)
		status = mpi_main_merge_to(&m, o);
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	mpi_fini(&m);
	return status;
}

int main(int argc, char **argv)
{
	struct merge_options o;
	int provided, status;

	if (argc < 2 || strcmp(argv[1], "merge") != 0)
		return command_misused("ompcount-mpi", "it has one command",
				       "use mpirun ompcount-mpi merge -o FILE FOLDER");
	status = merge_parse(argc - 1, argv + 1, &o);
	if (status)
		return status < 0 ? 0 : status;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	status = merge_all(&o);
	MPI_Finalize();
	return status;
}
