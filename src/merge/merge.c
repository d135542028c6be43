/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/merge/chunks_out.h"
#include "src/merge/tree_names.h"
#include "src/model/profiles.h"
#include "src/profile/reader/extract.h"
#include "src/profile/reader/reader.h"

/* More batches at one time than that would only take memory. */
enum { WIDTH_MOST = 64 };

/* ---- reading --------------------------------------------------------- */

static int merge_read_one(struct merge_part *p, const char *path, uint32_t input)
{
	struct prof_file *f;
	uint32_t version;
	enum prof_read_error result;

	errno = 0;
	result = prof_read(path, &f, &version);
	if (prof_read_starved(result))
		return -errno;
	if (result != PROF_READ_OK) {
		const int error = errno;

		p->refused = grow(p->refused, p->nrefused, &p->refused_room, sizeof(*p->refused));
		profiles_refuse(&p->refused[p->nrefused++], path, result, version, error);
		return 0;
	}
	batch_add(&p->batch, f, input);
	return 0;
}

/* Successive processes of one merged file. */
static int read_merged(struct merge_part *p, const struct merge_inputs *in, size_t first, size_t n)
{
	const struct merge_input *input = &in->all[first];
	struct prof_file *files[EXTRACT_AT_ONCE];
	int err = prof_extract(input->merged, input->process, n, EXTRACT_IDS_OWN, files);

	for (size_t i = 0; i < n && !err; i++)
		batch_add(&p->batch, files[i], (uint32_t)(first + i));
	return err;
}

/* How many inputs from i on are read at once. */
static size_t read_at_once(const struct merge_inputs *in, size_t i, size_t end)
{
	const struct merge_input *first = &in->all[i];
	size_t n = 1;

	while (first->merged && n < EXTRACT_AT_ONCE && i + n < end &&
	       first[n].merged == first->merged && first[n].process == first->process + n)
		n++;
	return n;
}

void merge_read(const struct merge_inputs *in, const struct merge_range *range,
		struct merge_part *part)
{
	const size_t end = range->first + range->n;

	*part = (struct merge_part){ 0 };
	for (size_t i = range->first, n; i < end && !part->err; i += n) {
		n = read_at_once(in, i, end);
		part->err = in->all[i].merged ? read_merged(part, in, i, n) :
						merge_read_one(part, in->all[i].path, (uint32_t)i);
	}
	if (forest_is_full(&part->batch.forest))
		part->err = -E2BIG;
	if (!part->err)
		batch_end(&part->batch);
}

void merge_part_free(struct merge_part *p)
{
	forest_mappings_free(p->mappings, &p->batch.forest);
	batch_free(&p->batch);
	free(p->refused);
	*p = (struct merge_part){ 0 };
}

int merge_take(struct merge *m, struct merge_part *p)
{
	if (p->err)
		return p->err;
	for (size_t i = 0; i < p->nrefused; i++) {
		const struct profiles_error *e = &p->refused[i];

		message_parts(e->path, e->why, e->todo);
	}
	m->refused += p->nrefused;
	m->nprocesses += p->batch.nprocesses;
	for (size_t i = 0; i < BATCH_SPECIALS; i++)
		m->special[i] += p->batch.special[i];
	p->mappings = forest_merge(&m->forest, &p->batch.forest);
	return forest_is_full(&m->forest) ? -E2BIG : 0;
}

/* ---- writing --------------------------------------------------------- */

static int write_tree(struct merge *m, int fd, uint32_t tree, uint64_t *end)
{
	struct pack payload = { 0 };
	int err;

	chunk_out_tree(&m->forest.trees[tree], &payload);
	err = chunk_out_write(fd, *end, PROF_CHUNK_TREE, tree, &payload);
	*end += chunk_out_bytes(payload.n);
	pack_free(&payload);
	return err;
}

static int write_names(struct merge *m, int fd, uint32_t tree, uint64_t *end)
{
	unsigned char *names;
	size_t n;
	int err = tree_names(&m->forest.trees[tree], m->inputs, m->sysroot, &names, &n);

	if (err || !n)
		return err;
	err = chunk_out_names(fd, *end, tree, names, n);
	*end += chunk_out_bytes(n);
	free(names);
	return err;
}

int merge_finish(struct merge *m, int fd, uint64_t end)
{
	int err = 0;

	for (uint32_t i = 0; i < m->forest.ntrees && !err; i++)
		err = write_tree(m, fd, i, &end);
	for (uint32_t i = 0; i < m->forest.ntrees && !err; i++)
		err = write_names(m, fd, i, &end);
	return err ? err : chunk_out_header(fd, end);
}

static int write_part(const struct merge_part *p, const struct pack *payload, int fd, uint64_t *end)
{
	const int err =
		p->batch.nprocesses ? chunk_out_write(fd, *end, PROF_CHUNK_RANKS, 0, payload) : 0;

	*end += p->batch.nprocesses ? chunk_out_bytes(payload->n) : 0;
	return err;
}

/* ---- rounds ---------------------------------------------------------- */

/* Successive batches: read at the same time, merged one after the other, packed at the same
   time, written one after the other. */
struct round {
	struct merge_part *parts;
	struct pack *payloads;
	size_t width;
};

static void round_init(struct round *r, size_t most)
{
	size_t width = 1;

#ifdef _OPENMP
	width = (size_t)omp_get_max_threads();
#endif
	r->width = width > WIDTH_MOST ? WIDTH_MOST : width;
	r->width = r->width > most ? most : r->width;
	r->parts = alloc_zeroed(r->width + 1, sizeof(*r->parts));
	r->payloads = alloc_zeroed(r->width + 1, sizeof(*r->payloads));
}

static int round_run(struct merge *m, struct round *r, const struct merge_range *ranges, size_t n,
		     int fd, uint64_t *end)
{
	int err = 0;

#pragma omp parallel for schedule(dynamic, 1)
	for (size_t i = 0; i < n; i++)
		merge_read(m->inputs, &ranges[i], &r->parts[i]);
	for (size_t i = 0; i < n && !err; i++)
		err = merge_take(m, &r->parts[i]);
	if (!err) {
#pragma omp parallel for schedule(dynamic, 1)
		for (size_t i = 0; i < n; i++)
			batch_pack(&r->parts[i].batch, r->parts[i].mappings, &r->payloads[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!err)
			err = write_part(&r->parts[i], &r->payloads[i], fd, end);
		pack_free(&r->payloads[i]);
		merge_part_free(&r->parts[i]);
	}
	return err;
}

static int rounds_run(struct merge *m, struct round *r, const struct merge_range *ranges,
		      size_t nranges, int fd)
{
	uint64_t end = PROF_HEADER_BYTES;
	int err = 0;

	for (size_t i = 0; i < nranges && !err; i += r->width) {
		const size_t n = nranges - i < r->width ? nranges - i : r->width;

		err = round_run(m, r, &ranges[i], n, fd, &end);
		if (m->progress)
			m->progress(ranges[i + n - 1].first + ranges[i + n - 1].n, m->inputs->n);
	}
	if (!err && !m->nprocesses)
		err = -ENODATA;
	return err ? err : merge_finish(m, fd, end);
}

int merge_run(struct merge *m, int fd)
{
	struct round r = { 0 };
	struct merge_range *ranges;
	size_t n;
	int err = 0;

	inputs_batches(m->inputs, &ranges, &n);
	round_init(&r, n);
	err = rounds_run(m, &r, ranges, n, fd);
	free(r.parts);
	free(r.payloads);
	free(ranges);
	return err;
}

void merge_fini(struct merge *m)
{
	forest_free(&m->forest);
}
