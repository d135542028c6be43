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

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/grow.h"
#include "src/base/pack.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/infos.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/values.h"

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

static char *text_copy(const void *from, size_t bytes)
{
	char *to = alloc_zeroed(bytes + 1, 1);

	if (bytes)
		memcpy(to, from, bytes);
	return to;
}

/* The number of elements, each of which takes a byte at least. */
static size_t take_count(struct unpack *u)
{
	return (size_t)unpack_up_to(u, (uint64_t)(u->end - u->at));
}

/* A text is the one of the process before, or given. */
static void take_texts(struct unpack *u, const struct prof_file *before, struct prof_file *f)
{
	const size_t n = take_count(u);

	f->texts = alloc_zeroed(n, sizeof(*f->texts));
	for (size_t i = 0; i < n; i++) {
		const uint32_t kind = (uint32_t)unpack_up_to(u, UINT32_MAX);
		const uint64_t bytes = unpack_number(u);
		const void *text;

		if (bytes == 0 && before && i < before->ntexts && before->texts[i].kind == kind) {
			f->texts[i] = before->texts[i];
			text = before->texts[i].text;
		} else {
			f->texts[i] = (struct prof_text){ .kind = kind, .bytes = bytes - 1 };
			text = unpack_bytes(u, f->texts[i].bytes);
		}
		if (u->damaged)
			return;
		f->texts[i].text = text_copy(text, f->texts[i].bytes);
		f->ntexts++;
	}
}

/* *before is the thread before, of any process. */
static void take_threads(struct unpack *u, struct prof_thread *before, struct prof_file *f)
{
	const size_t n = (size_t)unpack_up_to(u, PROF_NONE - 1);

	for (size_t room = 0; f->nthreads < n && !u->damaged; f->nthreads++) {
		f->threads = grow(f->threads, f->nthreads, &room, sizeof(*f->threads));
		unpack_difference(u, before, sizeof(*before));
		before->index = (uint32_t)f->nthreads;
		f->threads[f->nthreads].t = *before;
	}
}

/* The path and build-id are the tree's: build_id_bytes has the module's number there until they
   come. */
static void take_modules(struct unpack *u, struct prof_file *f)
{
	const size_t n = take_count(u);

	f->modules = alloc_zeroed(n, sizeof(*f->modules));
	for (; f->nmodules < n && !u->damaged; f->nmodules++) {
		struct prof_rmodule *m = &f->modules[f->nmodules];

		m->id = (uint32_t)unpack_up_to(u, UINT16_MAX);
		m->build_id_bytes = (uint32_t)unpack_up_to(u, UINT16_MAX);
		m->map_start = unpack_number(u);
		m->map_end = prof_add(m->map_start, unpack_number(u));
		m->bias = unpack_number(u);
		unpack_require(u, m->id && !(f->nmodules && m->id <= m[-1].id));
	}
}

/* A process's tree is one of those before, or the next, for all of whose processes it stands. */
static void take_tree_number(struct prof_merged *m, struct unpack *u, struct prof_file *f)
{
	const uint64_t number = unpack_up_to(u, m->ntrees);
	struct prof_file *tree;

	if (u->damaged)
		return;
	if (number == m->ntrees) {
		tree = alloc_zeroed(1, sizeof(*tree));
		*tree = (struct prof_file){ .path = f->path,
					    .header = f->header,
					    .texts = f->texts,
					    .ntexts = f->ntexts,
					    .columns = alloc_zeroed(1, sizeof(*tree->columns)) };
		m->trees = grow(m->trees, m->ntrees, &m->trees_room, sizeof(*m->trees));
		m->trees[m->ntrees++] = tree;
	}
	f->tree = m->trees[number];
}

/* What the next process has in common with the ones before. */
struct before {
	const struct prof_file *process; /* NULL: none */
	struct prof_header header;
	struct prof_thread thread;
};

static void take_process(struct prof_merged *m, struct unpack *u, struct before *b)
{
	const size_t i = m->nprocesses;
	struct prof_file *f = alloc_zeroed(1, sizeof(*f));
	const unsigned char *path;
	size_t n;

	m->processes = grow(m->processes, i, &m->processes_room, sizeof(*m->processes));
	m->kept = grow(m->kept, i, &m->kept_room, sizeof(*m->kept));
	m->rest = grow(m->rest, i, &m->rest_room, sizeof(*m->rest));
	m->processes[m->nprocesses++] = f;
	path = unpack_text(u, &n);
	f->path = text_copy(path, n);
	unpack_difference(u, &b->header, sizeof(b->header));
	f->header = b->header;
	f->file_bytes = unpack_number(u);
	f->missing_bytes = unpack_number(u);
	f->damaged = (size_t)unpack_number(u);
	f->unfinished = (size_t)unpack_number(u);
	m->kept[i].kept = unpack_number(u);
	m->kept[i].guessed = unpack_number(u);

	struct prof_header *h = &f->header;

	for (size_t k = 0; k < PROF_EVENTS_MAX; k++) {
		h->events[k].label[sizeof(h->events[k].label) - 1] = '\0';
		h->events[k].requested[sizeof(h->events[k].requested) - 1] = '\0';
	}
	unpack_require(u, h->nevents <= PROF_EVENTS_MAX && h->run >= PROF_RUN_RUNNING &&
				  h->run < PROF_RUNS && h->refused < PROF_REFUSALS);
	take_texts(u, b->process, f);
	take_threads(u, &b->thread, f);
	take_tree_number(m, u, f);
	take_modules(u, f);
	b->process = f;
	m->nthreads += f->nthreads;
}

/* ---- columns --------------------------------------------------------- */

static void take_columns(struct prof_merged *m, struct unpack *u, uint64_t first_thread)
{
	const uint64_t nthreads = m->nthreads - first_thread, number = unpack_number(u);
	struct prof_column c = { .first_thread = (uint32_t)first_thread,
				 .nthreads = (uint32_t)nthreads };
	uint64_t node = 0;

	unpack_require(u, number < m->ntrees);
	for (size_t n = take_count(u); n; n--) {
		node += unpack_up_to(u, UINT32_MAX);
		c.bytes = unpack_text(u, &c.n);
		unpack_require(u, node < PROF_NONE);
		if (u->damaged)
			return;
		c.node = (uint32_t)node;
		m->nvalues = prof_add(m->nvalues, column_count(&c));
		columns_add(m->trees[number]->columns, &c);
	}
}

/* ---- trees ----------------------------------------------------------- */

static void take_tree_modules(struct prof_file *t, struct unpack *u)
{
	const size_t n = (size_t)unpack_up_to(u, UINT16_MAX - 1);

	for (size_t i = 0, room = 0; i < n; i++) {
		const unsigned char *path, *build_id;
		size_t length, bytes;

		t->modules = grow(t->modules, t->nmodules, &room, sizeof(*t->modules));

		struct prof_rmodule *m = &t->modules[i];

		path = unpack_text(u, &length);
		build_id = unpack_text(u, &bytes);
		m->id = (uint32_t)i + 1;
		m->flags = (uint32_t)unpack_up_to(u, UINT32_MAX);
		m->map_start = unpack_number(u);
		m->map_end = prof_add(m->map_start, unpack_number(u));
		m->bias = unpack_number(u);
		unpack_require(u, bytes <= sizeof(m->build_id));
		if (u->damaged)
			return;
		memcpy(m->build_id, build_id, bytes);
		m->build_id_bytes = (uint32_t)bytes;
		m->path = alloc_text_part((const char *)path, length);
		t->nmodules++;
	}
}

/* A root's value is a kind of threads. */
static bool is_sound(const struct prof_file *t, const struct prof_rnode *r)
{
	uint8_t state = r->state;

	if (r->parent == PROF_NONE)
		return r->kind == PROF_NODE_ROOT && r->context == PROF_NONE;
	if (r->kind == PROF_NODE_LEAF)
		state = PROF_STATE_OF(state);
	return nodes_usable(t, r) &&
	       (r->kind == PROF_NODE_BOUNDARY || r->kind == PROF_NODE_CPU || state < PROF_STATES);
}

static void take_node(struct prof_file *t, struct unpack *u, struct prof_rnode *r)
{
	const uint64_t n = t->nnodes, above = unpack_up_to(u, n), from = unpack_up_to(u, n);
	const uint32_t info = (uint32_t)unpack_up_to(u, UINT32_MAX);

	*r = (struct prof_rnode){ .parent = above ? (uint32_t)(n - above) : PROF_NONE,
				  .context = from ? (uint32_t)(n - from) : PROF_NONE,
				  .kind = (uint8_t)info,
				  .event = (uint8_t)(info >> 8),
				  .state = (uint8_t)(info >> 16),
				  .flags = (uint8_t)(info >> 24) };
	r->a = unpack_number(u);
	r->a |= unpack_number(u) << PROF_LOC_ADDRESS_BITS;
	if (r->kind == PROF_NODE_STATS && r->flags == PROF_STATS_OBJECT) {
		r->b = unpack_number(u);
		r->b |= unpack_number(u) << PROF_LOC_ADDRESS_BITS;
	}
	unpack_require(u, is_sound(t, r));
}

/* ---- the file -------------------------------------------------------- */

/* Contents whose hash is right. */
static struct unpack unpack_chunk(const unsigned char *bytes, const struct chunk *c)
{
	const size_t room = c->end - c->begin;
	struct prof_packed p;

	if (room < sizeof(p))
		return (struct unpack){ .damaged = true };
	memcpy(&p, bytes + c->begin, sizeof(p));
	bytes += c->begin + sizeof(p);
	if (p.version != PROF_PACKED_VERSION || p.bytes > room - sizeof(p) ||
	    prof_packed_hash(bytes, (size_t)p.bytes) != p.hash)
		return (struct unpack){ .damaged = true };
	return (struct unpack){ .at = bytes, .end = bytes + p.bytes };
}

/* False: it is damaged. */
static bool take_chunk(struct prof_merged *m, const unsigned char *bytes, const struct chunk *c)
{
	struct prof_file *tree = NULL;
	struct unpack u;

	if (c->kind != PROF_CHUNK_RANKS) {
		if (c->owner >= m->ntrees)
			return false;
		tree = m->trees[c->owner];
	}
	if (c->kind == PROF_CHUNK_NAMES) {
		/* A tree has its names once. */
		if (tree->names)
			return false;
		infos_take_names(tree, bytes, c);
		return !tree->damaged;
	}
	u = unpack_chunk(bytes, c);
	if (tree) {
		const size_t n = (size_t)unpack_up_to(&u, PROF_NONE - 1);

		unpack_require(&u, !tree->nnodes && !tree->nmodules);
		take_tree_modules(tree, &u);
		for (size_t room = 0; tree->nnodes < n && !u.damaged; tree->nnodes++) {
			tree->nodes = grow(tree->nodes, tree->nnodes, &room, sizeof(*tree->nodes));
			take_node(tree, &u, &tree->nodes[tree->nnodes]);
		}
	} else {
		const uint64_t first_thread = m->nthreads;
		const size_t first = m->nprocesses;
		struct before before = { 0 };
		const size_t n = take_count(&u);

		unpack_require(&u, unpack_number(&u) == sizeof(struct prof_header));
		unpack_require(&u, unpack_number(&u) == sizeof(struct prof_thread));
		for (size_t i = 0; i < n && !u.damaged; i++)
			take_process(m, &u, &before);
		unpack_require(&u, m->nthreads < PROF_NONE);
		for (size_t left = take_count(&u); left && !u.damaged; left--)
			take_columns(m, &u, first_thread);
		for (size_t i = first; i < m->nprocesses && !u.damaged; i++) {
			struct prof_packed_rest *r = &m->rest[i];

			r->bare = unpack_text(&u, &r->nbare);
			r->times = unpack_text(&u, &r->ntimes);
			m->timed = m->timed || r->ntimes;
		}
	}
	return !u.damaged;
}

static bool merged_is_known(uint32_t kind)
{
	return kind == PROF_CHUNK_RANKS || kind == PROF_CHUNK_TREE || kind == PROF_CHUNK_NAMES;
}

/* The headers of chunks have no hash.  So the chunks must fill the file without a gap, and only a
   later version has kinds that are not known. */
static enum prof_read_error take_all(struct prof_merged *m, const struct prof_header *h)
{
	const bool later = (h->version & 0xffff) > PROF_VERSION_MINOR;
	struct chunk_walk walk = { .bytes = m->load.bytes,
				   .size = m->load.size,
				   .pos = h->header_bytes };
	size_t end = later ? walk.pos : PROF_HEADER_BYTES;
	struct chunk c;

	while (chunk_next(&walk, &c)) {
		const bool known = merged_is_known(c.kind);

		if (c.begin != end + sizeof(struct prof_chunk) || !(later || known) ||
		    (known && !take_chunk(m, m->load.bytes, &c)))
			return PROF_READ_DAMAGED;
		end = c.end;
	}
	if (walk.another)
		return PROF_READ_SEVERAL;
	return walk.damaged || end != h->used_bytes || !m->nprocesses ? PROF_READ_DAMAGED :
									PROF_READ_OK;
}

/* Gives a process's modules their paths, which are the tree's.  False: there is none. */
static bool finish_process(struct prof_file *f)
{
	for (size_t i = 0; i < f->nmodules; i++) {
		struct prof_rmodule *m = &f->modules[i];
		const struct prof_rmodule *of = prof_module_by_id(f->tree, m->build_id_bytes);

		m->build_id_bytes = 0;
		if (!of)
			return false;
		m->tree_id = of->id;
		m->flags = of->flags;
		m->build_id_bytes = of->build_id_bytes;
		memcpy(m->build_id, of->build_id, sizeof(m->build_id));
		m->path = alloc_text(of->path);
	}
	return true;
}

static bool finish_tree(struct prof_file *tree)
{
	const struct prof_columns *c = tree->columns;

	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].node >= tree->nnodes)
			return false;
	columns_sort(tree->columns, tree->nnodes);
	return true;
}

static enum prof_read_error take_file(struct prof_merged *m)
{
	const enum prof_read_error result = take_all(m, (const struct prof_header *)m->load.bytes);
	bool sound = result == PROF_READ_OK;

	for (size_t i = 0; i < m->ntrees && sound; i++)
		sound = finish_tree(m->trees[i]);
	for (size_t i = 0; i < m->nprocesses && sound; i++)
		sound = finish_process(m->processes[i]);
	return result == PROF_READ_OK && !sound ? PROF_READ_DAMAGED : result;
}

enum prof_read_error prof_read_merged(const char *path, struct prof_merged **out, uint32_t *version)
{
	struct prof_merged *m = alloc_zeroed(1, sizeof(*m));
	enum prof_read_error result = PROF_READ_SYSTEM;
	int err;

	*version = 0;
	err = load_open(&m->load, path, PROF_HEADER_BYTES, false);
	if (!err) {
		result = prof_check_header(m->load.bytes, m->load.size, version);
		if (result == PROF_READ_MERGED)
			err = load_rest(&m->load);
		if (!err && result == PROF_READ_MERGED)
			result = take_file(m);
	}
	if (err || result != PROF_READ_OK) {
		prof_merged_free(m);
		errno = -err;
		return err ? PROF_READ_SYSTEM : result;
	}
	*out = m;
	return PROF_READ_OK;
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
