/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merged.c - processes come before their trees: a process has the numbers of its modules in
 * its tree, so their paths are filled in at the end.
 */
#include "config.h"

#include "src/profile/reader/merged.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/base/grow.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/columns.h"
#include "src/profile/reader/merged_parts.h"
#include "src/profile/reader/stored_names.h"

uint64_t prof_packed_hash(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t h = FNV_BEGIN, word;

	for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h = (h ^ word) * UINT64_C(0x100000001b3);
		h ^= h >> 32;
	}
	return fnv(h, p, n);
}

/* ---- processes ------------------------------------------------------- */

static int merged_copy_text(const void *from, size_t bytes, char **to)
{
	*to = malloc(bytes + 1);
	if (!*to)
		return -ENOMEM;
	if (bytes)
		memcpy(*to, from, bytes);
	(*to)[bytes] = '\0';
	return 0;
}

/* A text is the one of the process before, or given. */
static int merged_take_text(struct unpack *u, const struct prof_file *before, struct prof_file *f)
{
	struct prof_text *t = &f->texts[f->ntexts];
	const size_t i = f->ntexts;
	const void *bytes;
	uint64_t n;
	int err;

	t->kind = (uint32_t)unpack_up_to(u, UINT32_MAX);
	n = unpack_number(u);
	if (!n && (!before || i >= before->ntexts || before->texts[i].kind != t->kind))
		return -EINVAL;
	t->bytes = n ? (size_t)n - 1 : before->texts[i].bytes;
	bytes = n ? unpack_bytes(u, t->bytes) : (const void *)before->texts[i].text;
	if (u->damaged)
		return -EINVAL;
	err = merged_copy_text(bytes, t->bytes, &t->text);
	f->ntexts += !err;
	return err;
}

static size_t merged_take_count(struct unpack *u)
{
	return (size_t)unpack_up_to(u, (uint64_t)(u->end - u->at));
}

static int take_texts(struct unpack *u, const struct prof_file *before, struct prof_file *f)
{
	const size_t n = merged_take_count(u);
	int err = 0;

	f->texts = calloc(n + 1, sizeof(*f->texts));
	if (!f->texts)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++)
		err = merged_take_text(u, before, f);
	return err;
}

/* *before is the thread before, of any process. */
static int take_threads(struct unpack *u, struct prof_thread *before, struct prof_file *f)
{
	const size_t n = (size_t)unpack_up_to(u, PROF_NONE - 1);

	for (size_t room = 0; f->nthreads < n && !u->damaged; f->nthreads++) {
		struct prof_rthread *t = grow_or_null(f->threads, f->nthreads, &room, sizeof(*t));

		if (!t)
			return -ENOMEM;
		f->threads = t;
		unpack_difference(u, before, sizeof(*before));
		before->index = (uint32_t)f->nthreads;
		t[f->nthreads].t = *before;
	}
	return u->damaged ? -EINVAL : 0;
}

/* The path and build-id are the tree's: bias has the module's number there until they come. */
static int merged_take_modules(struct unpack *u, struct prof_file *f)
{
	const size_t n = merged_take_count(u);

	f->modules = calloc(n + 1, sizeof(*f->modules));
	if (!f->modules)
		return -ENOMEM;
	for (; f->nmodules < n && !u->damaged; f->nmodules++) {
		struct prof_rmodule *m = &f->modules[f->nmodules];

		m->id = (uint32_t)unpack_up_to(u, UINT16_MAX);
		m->build_id_bytes = (uint32_t)unpack_up_to(u, UINT16_MAX);
		m->map_start = unpack_number(u);
		m->map_end = prof_add(m->map_start, unpack_number(u));
		m->bias = unpack_number(u);
		if (!m->id || (f->nmodules && m->id <= m[-1].id))
			return -EINVAL;
	}
	return u->damaged ? -EINVAL : 0;
}

static bool header_is_sound(struct prof_header *h)
{
	for (size_t i = 0; i < PROF_EVENTS_MAX; i++) {
		h->events[i].label[sizeof(h->events[i].label) - 1] = '\0';
		h->events[i].requested[sizeof(h->events[i].requested) - 1] = '\0';
	}
	return h->nevents <= PROF_EVENTS_MAX && h->run >= PROF_RUN_RUNNING && h->run < PROF_RUNS &&
	       h->refused < PROF_REFUSALS;
}

/* Adds a tree, for all of whose processes the first one stands. */
static int add_tree(struct prof_merged *m, const struct prof_file *first)
{
	struct prof_file **room =
		grow_or_null(m->trees, m->ntrees, &m->trees_room, sizeof(struct prof_file *));
	struct prof_file *tree = room ? malloc(sizeof(*tree)) : NULL;

	if (room)
		m->trees = room;
	if (!tree)
		return -ENOMEM;
	*tree = (struct prof_file){ .path = first->path,
				    .header = first->header,
				    .texts = first->texts,
				    .ntexts = first->ntexts,
				    .columns = calloc(1, sizeof(*tree->columns)) };
	m->trees[m->ntrees++] = tree;
	return tree->columns ? 0 : -ENOMEM;
}

/* A process's tree is one of those before, or the next. */
static int take_tree(struct prof_merged *m, struct unpack *u, struct prof_file *f)
{
	const uint64_t number = unpack_up_to(u, m->ntrees);
	int err = u->damaged ? -EINVAL : 0;

	if (!err && number == m->ntrees)
		err = add_tree(m, f);
	if (!err)
		f->tree = m->trees[number];
	return err;
}

/* What the next process has in common with the ones before. */
struct before {
	const struct prof_file *process; /* NULL: none */
	struct prof_header header;
	struct prof_thread thread;
};

static int take_process(struct prof_merged *m, struct unpack *u, struct before *b,
			struct prof_file *f, struct prof_kept *kept)
{
	const unsigned char *path;
	size_t n;
	int err;

	path = unpack_text(u, &n);
	unpack_difference(u, &b->header, sizeof(b->header));
	f->header = b->header;
	f->file_bytes = unpack_number(u);
	f->missing_bytes = unpack_number(u);
	f->damaged = (size_t)unpack_number(u);
	f->unfinished = (size_t)unpack_number(u);
	kept->kept = unpack_number(u);
	kept->guessed = unpack_number(u);
	if (u->damaged || !header_is_sound(&f->header))
		return -EINVAL;
	err = merged_copy_text(path, n, &f->path);
	if (!err)
		err = take_texts(u, b->process, f);
	if (!err)
		err = take_threads(u, &b->thread, f);
	if (!err)
		err = take_tree(m, u, f);
	if (!err)
		err = merged_take_modules(u, f);
	b->process = f;
	return err;
}

static int add_process(struct prof_merged *m, struct unpack *u, struct before *b)
{
	struct prof_file **files = grow_or_null(m->processes, m->nprocesses, &m->processes_room,
						sizeof(struct prof_file *));
	struct prof_kept *kept = grow_or_null(m->kept, m->nprocesses, &m->kept_room, sizeof(*kept));
	struct prof_packed_rest *rest =
		grow_or_null(m->rest, m->nprocesses, &m->rest_room, sizeof(*rest));

	if (files)
		m->processes = files;
	if (kept)
		m->kept = kept;
	if (rest)
		m->rest = rest;
	if (!files || !kept || !rest)
		return -ENOMEM;
	files[m->nprocesses] = calloc(1, sizeof(struct prof_file));
	if (!files[m->nprocesses])
		return -ENOMEM;
	m->nprocesses++;
	return take_process(m, u, b, files[m->nprocesses - 1], &kept[m->nprocesses - 1]);
}

/* ---- columns --------------------------------------------------------- */

static int take_columns(struct prof_merged *m, struct unpack *u, uint64_t first_thread)
{
	const uint64_t nthreads = m->nthreads - first_thread, number = unpack_number(u);
	struct prof_column c = { .first_thread = (uint32_t)first_thread,
				 .nthreads = (uint32_t)nthreads };
	uint64_t node = 0;
	int err = number < m->ntrees ? 0 : -EINVAL;

	for (size_t n = merged_take_count(u); n && !err; n--) {
		node += unpack_up_to(u, UINT32_MAX);
		c.bytes = unpack_text(u, &c.n);
		if (u->damaged || node >= PROF_NONE)
			return -EINVAL;
		c.node = (uint32_t)node;
		m->nvalues = prof_add(m->nvalues, column_count(&c));
		err = columns_add(m->trees[number]->columns, &c);
	}
	return err;
}

/* Of each process from first on. */
static int take_rest(struct prof_merged *m, struct unpack *u, size_t first)
{
	for (size_t i = first; i < m->nprocesses && !u->damaged; i++) {
		struct prof_packed_rest *r = &m->rest[i];

		r->bare = unpack_text(u, &r->nbare);
		r->times = unpack_text(u, &r->ntimes);
		m->timed = m->timed || r->ntimes;
	}
	return u->damaged ? -EINVAL : 0;
}

static int take_ranks(struct prof_merged *m, struct unpack *u)
{
	const uint64_t first_thread = m->nthreads;
	const size_t first = m->nprocesses;
	struct before before = { 0 };
	size_t n = merged_take_count(u);
	int err = 0;

	if (unpack_number(u) != sizeof(struct prof_header) ||
	    unpack_number(u) != sizeof(struct prof_thread))
		return -EINVAL;
	for (; n && !err; n--) {
		err = add_process(m, u, &before);
		if (!err)
			m->nthreads += before.process->nthreads;
	}
	if (!err && m->nthreads >= PROF_NONE)
		err = -EINVAL;
	for (n = err ? 0 : merged_take_count(u); n && !err; n--)
		err = take_columns(m, u, first_thread);
	return err ? err : u->damaged ? -EINVAL : take_rest(m, u, first);
}

/* ---- the file -------------------------------------------------------- */

/* Contents whose hash is right. */
static int unpack_chunk(const unsigned char *bytes, const struct chunk *c, struct unpack *u)
{
	const size_t room = c->end - c->begin;
	struct prof_packed p;

	if (room < sizeof(p))
		return -EINVAL;
	memcpy(&p, bytes + c->begin, sizeof(p));
	bytes += c->begin + sizeof(p);
	if (p.version != PROF_PACKED_VERSION || p.bytes > room - sizeof(p) ||
	    prof_packed_hash(bytes, (size_t)p.bytes) != p.hash)
		return -EINVAL;
	*u = (struct unpack){ .at = bytes, .end = bytes + p.bytes };
	return 0;
}

/* A tree has its names once. */
static int take_names(struct prof_file *tree, const unsigned char *bytes, const struct chunk *c)
{
	const int err = tree->names ? -EINVAL : names_take(tree, bytes, c);

	return !err && tree->damaged ? -EINVAL : err;
}

static int take_chunk(struct prof_merged *m, const unsigned char *bytes, const struct chunk *c)
{
	struct unpack u;
	int err;

	if (c->kind != PROF_CHUNK_RANKS && c->owner >= m->ntrees)
		return -EINVAL;
	if (c->kind == PROF_CHUNK_NAMES)
		return take_names(m->trees[c->owner], bytes, c);
	err = unpack_chunk(bytes, c, &u);
	if (err)
		return err;
	return c->kind == PROF_CHUNK_RANKS ? take_ranks(m, &u) :
					     merged_take_tree(m->trees[c->owner], &u);
}

static bool merged_is_known(uint32_t kind)
{
	return kind == PROF_CHUNK_RANKS || kind == PROF_CHUNK_TREE || kind == PROF_CHUNK_NAMES;
}

/* The headers of chunks have no hash.  So the chunks must fill the file without a gap, and only a
   later version has kinds that are not known. */
static int take_all(struct prof_merged *m, const struct prof_header *h)
{
	const bool later = (h->version & 0xffff) > PROF_VERSION_MINOR;
	struct chunk_walk walk = { .bytes = m->load.bytes,
				   .size = m->load.size,
				   .pos = h->header_bytes };
	size_t end = later ? walk.pos : PROF_HEADER_BYTES;
	struct chunk c;
	int err = 0;

	while (!err && chunk_next(&walk, &c)) {
		if (c.begin != end + sizeof(struct prof_chunk) ||
		    !(later || merged_is_known(c.kind)))
			return -EINVAL;
		if (merged_is_known(c.kind))
			err = take_chunk(m, m->load.bytes, &c);
		end = c.end;
	}
	if (walk.another)
		return -EEXIST;
	return err ? err : walk.damaged || end != h->used_bytes ? -EINVAL : 0;
}

/* Gives a process's modules their paths, which are the tree's. */
static int finish_process(struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++) {
		struct prof_rmodule *m = &f->modules[i];
		const struct prof_rmodule *of = prof_module_by_id(f->tree, m->build_id_bytes);

		m->build_id_bytes = 0;
		if (!of)
			return -EINVAL;
		m->tree_id = of->id;
		m->flags = of->flags;
		m->build_id_bytes = of->build_id_bytes;
		memcpy(m->build_id, of->build_id, sizeof(m->build_id));
		m->path = strdup(of->path);
		if (!m->path)
			return -ENOMEM;
	}
	return 0;
}

static int finish_tree(struct prof_file *tree)
{
	const struct prof_columns *c = tree->columns;

	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].node >= tree->nnodes)
			return -EINVAL;
	return columns_sort(tree->columns, tree->nnodes);
}

static int merged_take_chunks(struct prof_merged *m)
{
	int err = take_all(m, (const struct prof_header *)m->load.bytes);

	if (!err && !m->nprocesses)
		err = -EINVAL;
	for (size_t i = 0; i < m->ntrees && !err; i++)
		err = finish_tree(m->trees[i]);
	for (size_t i = 0; i < m->nprocesses && !err; i++)
		err = finish_process(m->processes[i]);
	return err;
}

enum prof_read_error prof_read_merged(const char *path, struct prof_merged **out, uint32_t *version)
{
	struct prof_merged *m = calloc(1, sizeof(*m));
	enum prof_read_error result;
	int err;

	*version = 0;
	if (!m)
		return PROF_READ_SYSTEM;
	err = load_open(&m->load, path, PROF_HEADER_BYTES);
	if (err) {
		free(m);
		errno = -err;
		return PROF_READ_SYSTEM;
	}
	result = prof_check_header(m->load.bytes, m->load.size, version);
	if (result == PROF_READ_MERGED) {
		err = load_rest(&m->load);
		if (!err)
			err = merged_take_chunks(m);
		result = !err		? PROF_READ_OK :
			 err == -EINVAL ? PROF_READ_DAMAGED :
			 err == -EEXIST ? PROF_READ_SEVERAL :
					  PROF_READ_SYSTEM;
	}
	if (result == PROF_READ_OK) {
		*out = m;
		return PROF_READ_OK;
	}
	prof_merged_free(m);
	errno = -err;
	return result;
}

void prof_merged_free(struct prof_merged *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->ntrees; i++) {
		/* Its first process's. */
		m->trees[i]->path = NULL;
		m->trees[i]->texts = NULL;
		m->trees[i]->ntexts = 0;
		prof_free(m->trees[i]);
	}
	for (size_t i = 0; i < m->nprocesses; i++)
		prof_free(m->processes[i]);
	free(m->processes);
	free(m->kept);
	free(m->rest);
	free(m->trees);
	load_close(&m->load);
	free(m);
}
