/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/merge.h"

#include <errno.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/answers.h"
#include "src/answers/lookup.h"
#include "src/answers/questions.h"
#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/merge/chunks_out.h"
#include "src/merge/forest.h"
#include "src/merge/inputs.h"
#include "src/model/model.h"
#include "src/model/profiles.h"
#include "src/profile/reader/extract.h"
#include "src/profile/reader/reader.h"
#include "src/view/outlive.h"

/* ---- names ------------------------------------------------------------- */

enum { THREAD_KINDS = PROF_THREAD_OTHER + 1 };

struct tree_answers {
	struct prof_file **files; /* whose names are taken; the first one is the tree's first */
	struct answers *answers;  /* of each of them: functions stay where they were unpacked */
	size_t n, files_room, answers_room;
	struct answers all;
};

/* ---- stored names ---------------------------------------------------- */

/* Takes the names stored in f, and f. */
static void tree_answers_add(struct tree_answers *known, const struct forest_tree *t,
			     struct prof_file *f)
{
	struct answers *answers;
	uint32_t *number; /* in the tree, of each of the process's ids of modules */
	size_t n;

	known->files = grow(known->files, known->n, &known->files_room, sizeof(struct prof_file *));
	known->answers = grow(known->answers, known->n, &known->answers_room, sizeof(*answers));
	known->files[known->n] = f;
	answers = &known->answers[known->n++];
	*answers = (struct answers){ 0 };
	if (!f->names || answers_unpack(answers, f->names, f->names_bytes))
		return;
	n = f->nmodules ? (size_t)f->modules[f->nmodules - 1].id + 1 : 1;
	number = alloc_zeroed(n, sizeof(*number));
	for (size_t i = 0; i < f->nmodules; i++) {
		const struct forest_module m = forest_module_of(&f->modules[i]);

		number[f->modules[i].id] = forest_module_number(t, &m);
	}
	for (size_t i = 0; i < answers->n; i++) {
		struct answered x = answers->all[i];

		/* In the tree's numbers. */
		if (x.question.query != QUERY_EXTENT)
			x.question.loc = forest_location(number, n, x.question.loc);
		for (const char *member = question_rows[x.question.query].shape; *member;
		     member++) {
			switch (*member) {
			case '@': x.answer.at = forest_location(number, n, x.answer.at); break;
			case '<':
				x.answer.entry = forest_location(number, n, x.answer.entry);
				break;
			case '>': x.answer.end = forest_location(number, n, x.answer.end); break;
			}
		}
		if (!answers_find(&known->all, &x.question))
			answers_set(&known->all, &x.question, &x.answer);
	}
	for (size_t i = 0; i < answers->ntroubles; i++) {
		const uint32_t id = answers->troubles[i].module;

		if (id < n && number[id])
			answers_set_trouble(&known->all, number[id], answers->troubles[i].why);
	}
	free(number);
}

/* ---- which profiles -------------------------------------------------- */

/* The names of the tree that the process was of, in its ids of modules. */
static int tree_answers_by_merged(struct tree_answers *known, const struct forest_tree *t,
				  const struct merge_input *input)
{
	struct prof_file *f;
	int err = prof_extract(input->merged, input->process, 1, EXTRACT_IDS_TREE, &f);

	if (err)
		return err;
	if (f->tree->names) {
		f->names = alloc_bytes(f->tree->names_bytes);
		memcpy(f->names, f->tree->names, f->tree->names_bytes);
		f->names_bytes = f->tree->names_bytes;
	}
	tree_answers_add(known, t, f);
	return 0;
}

static int tree_answers_by(struct tree_answers *known, const struct forest_tree *t,
			   const struct merge_inputs *in, uint32_t input)
{
	struct prof_file *f;
	uint32_t version;
	enum prof_read_error result;

	if (in->all[input].merged)
		return tree_answers_by_merged(known, t, &in->all[input]);
	errno = 0;
	result = prof_read(in->all[input].path, &f, &version);
	if (prof_read_starved(result))
		return -errno;
	/* It was read before: what has happened to it since then is no failure. */
	if (result == PROF_READ_OK)
		tree_answers_add(known, t, f);
	return 0;
}

static int tree_answers_all(struct tree_answers *known, const struct forest_tree *t,
			    const struct merge_inputs *in)
{
	struct map met = { 0 };
	uint32_t last = UINT32_MAX;
	int err = 0;

	for (size_t i = 0; i < t->nnodes && err >= 0; i++) {
		uint32_t ignored;

		/* Whether the node's location is the first of its kind. */
		const struct forest_node *n = &t->nodes[i];
		const bool a = n->a && map_add(&met, n->a, 0, 1, &ignored);
		const bool b = n->b && map_add(&met, n->b, 0, 1, &ignored);

		if ((a || b || !i) && t->nodes[i].first != last) {
			last = t->nodes[i].first;
			err = tree_answers_by(known, t, in, last);
		}
	}
	map_free(&met);
	return err;
}

/* ---- all names ------------------------------------------------------- */

/* The tree's modules and nodes as a profile's. */
static void tree_names_take(const struct forest_tree *t, struct prof_file *f)
{
	f->modules = alloc_zeroed(t->nmodules + 1, sizeof(*f->modules));
	for (; f->nmodules < t->nmodules; f->nmodules++) {
		const struct forest_module *m = &t->modules[f->nmodules];
		struct prof_rmodule *to = &f->modules[f->nmodules];

		*to = (struct prof_rmodule){ .id = (uint32_t)f->nmodules + 1,
					     .flags = m->flags,
					     .build_id_bytes = m->build_id_bytes,
					     .map_start = m->map_start,
					     .map_end = m->map_start + m->map_bytes,
					     .bias = m->bias };
		memcpy(to->build_id, m->build_id, sizeof(to->build_id));
		to->path = alloc_text(m->path);
	}
	f->nodes = alloc_zeroed(t->nnodes + 1, sizeof(*f->nodes));
	f->threads = alloc_zeroed(THREAD_KINDS, sizeof(*f->threads));
	for (f->nthreads = 0; f->nthreads < THREAD_KINDS; f->nthreads++)
		f->threads[f->nthreads].t = (struct prof_thread){
			.index = (uint32_t)f->nthreads,
			.kind = (uint32_t)f->nthreads,
		};
	for (; f->nnodes < t->nnodes; f->nnodes++) {
		const struct forest_node *n = &t->nodes[f->nnodes];
		struct prof_rnode *to = &f->nodes[f->nnodes];

		*to = (struct prof_rnode){ .parent = n->parent - 1,
					   .context = n->context - 1,
					   .kind = (uint8_t)n->info,
					   .event = (uint8_t)(n->info >> 8),
					   .state = (uint8_t)(n->info >> 16),
					   .flags = (uint8_t)(n->info >> 24),
					   .a = n->a,
					   .b = n->b };
		to->thread = n->parent		 ? f->nodes[n->parent - 1].thread :
			     n->a < THREAD_KINDS ? (uint32_t)n->a :
						   PROF_THREAD_OTHER;
	}
}

/* Asks for all that reports ask of the tree, as a profile with the header and texts of its first
   process, and packs all that is known. */
static int ask_tree(const struct forest_tree *t, struct tree_answers *known, const char *sysroot,
		    unsigned char **names, size_t *n)
{
	const struct prof_file *first = known->files[0];
	struct prof_file *f = alloc_zeroed(1, sizeof(*f));
	struct lookup lookup;
	struct model m;
	int err;

	f->path = alloc_text(first->path);
	f->header = first->header;
	f->texts = first->texts;
	f->ntexts = first->ntexts;
	answers_pack(&known->all, &f->names, &f->names_bytes);
	tree_names_take(t, f);
	lookup_open(&lookup, sysroot);
	lookup_keep(&lookup, false);
	model_init(&m);
	err = model_add(&m, f);
	if (!err)
		outlive_ask(&m, &lookup.resolver);
	if (!err)
		lookup_pack(&lookup, f, names, n);
	model_fini(&m);
	lookup_close(&lookup);
	f->texts = NULL;
	f->ntexts = 0;
	prof_free(f);
	return err;
}

/* *names is for the caller to free; NULL where there are none.  0 or -errno. */
static int tree_names(const struct forest_tree *t, const struct merge_inputs *in,
		      const char *sysroot, unsigned char **names, size_t *n)
{
	struct tree_answers known = { 0 };
	int err = tree_answers_all(&known, t, in);

	*names = NULL;
	*n = 0;
	if (!err && known.n)
		err = ask_tree(t, &known, sysroot, names, n);
	for (size_t i = 0; i < known.n; i++) {
		prof_free(known.files[i]);
		answers_free(&known.answers[i]);
	}
	free(known.files);
	free(known.answers);
	answers_free(&known.all);
	return err;
}

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

/* ---- rounds ---------------------------------------------------------- */

/* Successive batches: read at the same time, merged one after the other, packed at the same
   time, written one after the other. */
struct round {
	struct merge_part *parts;
	struct pack *payloads;
};

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
		if (!err && r->parts[i].batch.nprocesses) {
			err = chunk_out_write(fd, *end, PROF_CHUNK_RANKS, 0, &r->payloads[i]);
			*end += chunk_out_bytes(r->payloads[i].n);
		}
		pack_free(&r->payloads[i]);
		merge_part_free(&r->parts[i]);
	}
	return err;
}

int merge_run(struct merge *m, int fd)
{
	uint64_t end = PROF_HEADER_BYTES;
	struct round r = { 0 };
	struct merge_range *ranges;
	size_t nranges, width = 1;
	int err = 0;

	inputs_batches(m->inputs, &ranges, &nranges);
#ifdef _OPENMP
	width = (size_t)omp_get_max_threads();
#endif
	width = width > WIDTH_MOST ? WIDTH_MOST : width;
	width = width > nranges ? nranges : width;
	r.parts = alloc_zeroed(width + 1, sizeof(*r.parts));
	r.payloads = alloc_zeroed(width + 1, sizeof(*r.payloads));
	for (size_t i = 0, n; i < nranges && !err; i += n) {
		n = nranges - i < width ? nranges - i : width;
		err = round_run(m, &r, &ranges[i], n, fd, &end);
		if (m->progress)
			m->progress(ranges[i + n - 1].first + ranges[i + n - 1].n, m->inputs->n);
	}
	if (!err)
		err = m->nprocesses ? merge_finish(m, fd, end) : -ENODATA;
	free(r.parts);
	free(r.payloads);
	free(ranges);
	return err;
}

void merge_fini(struct merge *m)
{
	forest_free(&m->forest);
}
