/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/infos.h"
#include "src/profile/reader/load.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/values.h"

/* ---- timelines and traces ---------------------------------------------- */

/* The chunks that were met. */
struct timelines {
	struct chunk *chunks;
	size_t n, room;
};

static void timelines_fini(struct timelines *t)
{
	free(t->chunks);
	*t = (struct timelines){ 0 };
}

/* ---- timelines --------------------------------------------------------- */

static void cells_take(struct prof_file *f, const struct nodes *nodes, const unsigned char *from,
		       size_t n, struct prof_rtimeline *t)
{
	uint32_t bucket = 0;

	for (size_t i = 0; i < n; i++) {
		struct prof_rcell *const r = &t->cells[t->n];
		struct prof_cell c;

		memcpy(&c, from + i * sizeof(c), sizeof(c));
		*r = (struct prof_rcell){
			.bucket = c.bucket,
			.weight = c.weight,
			.samples = c.samples >> PROF_CELL_SAMPLES_SHIFT,
			.event = (uint8_t)(c.samples >> 8),
			.state = (uint8_t)c.samples,
		};
		if (PROF_STATE_OF(r->state) >= PROF_STATES)
			r->state = (uint8_t)(PROF_STATE_UNDEFINED | (r->state & PROF_STATE_MARKS));
		if (r->event >= f->header.nevents || c.bucket < bucket) {
			f->damaged++;
			continue;
		}
		r->node = nodes_find(nodes, c.node);
		if (r->node == PROF_NONE || f->nodes[r->node].thread != t->thread) {
			/* The writer may have added a node to a page that was read before. */
			if (f->header.run == PROF_RUN_RUNNING)
				f->unfinished++;
			else
				f->damaged++;
			continue;
		}
		if (!nodes_have_leaves(f->nodes[r->node].kind)) {
			f->damaged++;
			continue;
		}
		bucket = c.bucket;
		t->n++;
	}
}

/* Whether the areas lie within the chunk, and the cells within an area. */
static bool timeline_is_sound(const struct prof_timeline *h, size_t room)
{
	const uint64_t shift = h->now >> 1 & 0x7fffffff;

	return h->cells <= PROF_CELLS_MOST && h->now >> 32 <= h->cells &&
	       2 * (size_t)h->cells * sizeof(struct prof_cell) <= room &&
	       shift <= PROF_TIMELINE_SHIFT_MOST;
}

/* The room bytes at `at` are the chunk's contents.  False: they contradict themselves. */
static bool timeline_take(struct prof_file *f, const struct nodes *nodes, uint32_t owner,
			  const unsigned char *at, size_t room)
{
	struct prof_rtimeline *const t = &f->timelines[f->ntimelines];
	struct prof_timeline h;
	size_t n;

	if (room < sizeof(h))
		return false;
	memcpy(&h, at, sizeof(h));
	if (!timeline_is_sound(&h, room - sizeof(h)))
		return false;
	n = (size_t)(h.now >> 32);
	*t = (struct prof_rtimeline){
		.thread = owner,
		.shift = (unsigned)(h.now >> 1 & PROF_TIMELINE_SHIFT_MOST),
		.origin_ticks = h.origin_ticks,
		.cells = alloc_zeroed(n, sizeof(*t->cells)),
	};
	f->ntimelines++;
	at += sizeof(h) + (h.now & 1) * h.cells * sizeof(struct prof_cell);
	cells_take(f, nodes, at, n, t);
	return true;
}

/* ---- traces ------------------------------------------------------------ */

/* A context that is not known is no damage: there may have been no room for it. */
static uint32_t event_context(const struct prof_file *f, const struct nodes *nodes, uint32_t number)
{
	const uint32_t i = number ? nodes_find(nodes, number) : PROF_NONE;

	return i < f->nnodes ? i : PROF_NONE;
}

/* As timeline_take(). */
static bool trace_take(struct prof_file *f, const struct nodes *nodes, uint32_t owner,
		       const unsigned char *at, size_t room)
{
	struct prof_rtrace *const t = &f->traces[f->ntraces];
	struct prof_trace h;

	if (room < sizeof(h))
		return false;
	memcpy(&h, at, sizeof(h));
	/* Whether the ring lies within the chunk. */
	if (h.records == 0 || (h.records & (h.records - 1)) != 0 ||
	    h.records > (room - sizeof(h)) / sizeof(struct prof_traced))
		return false;
	*t = (struct prof_rtrace){
		.thread = owner,
		/* The oldest one may be half overwritten. */
		.lost = h.next > h.records - 1 ? h.next - (h.records - 1) : 0,
		.events = alloc_zeroed(h.next < h.records ? (size_t)h.next : h.records,
				       sizeof(*t->events)),
	};
	f->ntraces++;

	const unsigned char *ring = at + sizeof(h);

	for (uint64_t i = t->lost; i < h.next; i++) {
		struct prof_traced e;

		memcpy(&e, ring + (size_t)(i & (h.records - 1)) * sizeof(e), sizeof(e));
		if (e.kind < PROF_TRACE_FORK || e.kind >= PROF_TRACE_KINDS) {
			f->damaged += f->header.version <= PROF_VERSION;
			continue;
		}
		t->events[t->n++] = (struct prof_rtraced){
			.ticks = e.ticks,
			.context = event_context(f, nodes, e.context),
			.kind = e.kind,
			.state = e.state < PROF_STATES ? e.state : PROF_STATE_UNDEFINED,
		};
	}
	return true;
}

/* ---- all --------------------------------------------------------------- */

/* Fills in f->timelines and f->traces, after nodes_link().  bytes is the whole file. */
static void timelines_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
			   const unsigned char *bytes)
{
	bool(*met)[2] = alloc_zeroed(f->nthreads, sizeof(*met)); /* by thread and kind */

	f->timelines = alloc_zeroed(t->n, sizeof(*f->timelines));
	f->traces = alloc_zeroed(t->n, sizeof(*f->traces));
	for (size_t i = 0; i < t->n; i++) {
		const struct chunk *c = &t->chunks[i];
		const bool traces = c->kind == PROF_CHUNK_TRACE;
		const unsigned char *at = bytes + c->begin;

		/* Of two chunks of one thread the first one is kept. */
		if (c->owner >= f->nthreads || met[c->owner][traces]) {
			f->damaged++;
			continue;
		}
		met[c->owner][traces] = true;
		f->damaged += !(traces ? trace_take(f, n, c->owner, at, c->end - c->begin) :
					 timeline_take(f, n, c->owner, at, c->end - c->begin));
	}
	free(met);
}

/* The header's beginning, which identifies the file in every version. */
enum {
	ORDER_END = offsetof(struct prof_header, byte_order) + sizeof(uint32_t),
	FEATURES_KNOWN = PROF_FEATURE_MERGED,
	HEAD_BYTES = 1 << 16,
};

static uint32_t version_major(uint32_t version)
{
	return version >> 16;
}

/* Whether this is a profile that can be read.  h holds the first size bytes. */
static enum prof_read_error check_kind(const struct prof_header *h, size_t size)
{
	size_t magic = size < sizeof(h->magic) ? size : sizeof(h->magic);

	if (!size)
		return PROF_READ_EMPTY;
	if (memcmp(h->magic, PROF_MAGIC, magic) != 0)
		return memcmp(h->magic, PROF_MAGIC_UNRELEASED, magic) != 0 ? PROF_READ_FOREIGN :
									     PROF_READ_OLDER;
	if (size < ORDER_END)
		return PROF_READ_TRUNCATED;
	if (h->byte_order == __builtin_bswap32(PROF_BYTE_ORDER))
		return PROF_READ_ORDER;
	if (h->byte_order != PROF_BYTE_ORDER)
		return PROF_READ_DAMAGED;
	if (version_major(h->version) > PROF_VERSION_MAJOR)
		return PROF_READ_NEWER;
	if (version_major(h->version) < PROF_VERSION_MAJOR)
		return PROF_READ_DAMAGED;
	return size < PROF_HEADER_BYTES ? PROF_READ_TRUNCATED : PROF_READ_OK;
}

/* Later minor versions may have a longer header; shorter ones never existed. */
static enum prof_read_error check_layout(const struct prof_header *h)
{
	if (h->features & ~(uint64_t)FEATURES_KNOWN)
		return PROF_READ_NEWER;
	if (h->header_bytes < PROF_HEADER_BYTES || h->header_bytes % PROF_PAGE ||
	    h->granule_bytes != PROF_GRANULE || h->nevents > PROF_EVENTS_MAX)
		return PROF_READ_DAMAGED;
	return h->features & PROF_FEATURE_MERGED ? PROF_READ_MERGED : PROF_READ_OK;
}

enum prof_read_error prof_check_header(const void *bytes, size_t size, uint32_t *version)
{
	struct prof_header h = { .version = 0 };
	enum prof_read_error err;

	memcpy(&h, bytes, size < sizeof(h) ? size : sizeof(h));
	err = check_kind(&h, size);
	*version = 0;
	if (err == PROF_READ_OK || err == PROF_READ_NEWER)
		*version = h.version;
	return err == PROF_READ_OK ? check_layout(&h) : err;
}

/* False: another profile lies behind the first. */
static bool take_chunks(struct prof_file *f, struct nodes *n, struct timelines *t,
			const void *bytes, size_t size)
{
	struct chunk_walk walk = { .bytes = bytes, .size = size, .pos = f->header.header_bytes };
	struct infos in = { 0 };
	struct chunk c;

	nodes_init(n, bytes, size);
	while (chunk_next(&walk, &c)) {
		if (c.kind == PROF_CHUNK_INFO)
			infos_take(&in, f, bytes, &c);
		else if (c.kind == PROF_CHUNK_NODES)
			nodes_take(n, f, &c);
		else if (c.kind == PROF_CHUNK_NAMES)
			infos_take_names(f, bytes, &c);
		else if (c.kind == PROF_CHUNK_TIMELINE || c.kind == PROF_CHUNK_TRACE) {
			t->chunks = grow(t->chunks, t->n, &t->room, sizeof(*t->chunks));
			t->chunks[t->n++] = c;
		}
	}
	f->damaged += walk.damaged;
	if (walk.another)
		return false;
	infos_finish(f, n->roots_end);
	nodes_link(n, f);
	timelines_read(t, f, n, bytes);
	return true;
}

static struct prof_file *file_begin(const void *bytes, size_t size, const char *path)
{
	struct prof_file *f = alloc_zeroed(1, sizeof(*f));

	f->path = alloc_text(path);

	struct prof_header *h = &f->header;

	memcpy(h, bytes, sizeof(*h));
	for (size_t i = 0; i < PROF_EVENTS_MAX; i++) {
		h->events[i].label[sizeof(h->events[i].label) - 1] = '\0';
		h->events[i].requested[sizeof(h->events[i].requested) - 1] = '\0';
	}
	if (h->run < PROF_RUN_RUNNING || h->run >= PROF_RUNS) {
		h->run = PROF_RUN_RUNNING;
		f->damaged++;
	}
	if (h->refused >= PROF_REFUSALS)
		h->refused = PROF_REFUSED_OTHER;
	f->file_bytes = size;
	if (h->used_bytes > size)
		f->missing_bytes = h->used_bytes - size;
	return f;
}

static enum prof_read_error take_file(const void *bytes, size_t size, const char *path,
				      struct prof_file **out)
{
	struct prof_file *f = file_begin(bytes, size, path);
	struct timelines t = { 0 };
	struct nodes n;
	const bool alone = take_chunks(f, &n, &t, bytes, size);

	timelines_fini(&t);
	nodes_fini(&n);
	if (!alone) {
		prof_free(f);
		return PROF_READ_SEVERAL;
	}
	*out = f;
	return PROF_READ_OK;
}

enum prof_read_error prof_read_memory(const void *bytes, size_t size, const char *path,
				      struct prof_file **out, uint32_t *version)
{
	enum prof_read_error err = prof_check_header(bytes, size, version);

	return err == PROF_READ_OK ? take_file(bytes, size, path, out) : err;
}

static enum prof_read_error not_loaded(int err)
{
	errno = -err;
	return err == -ESPIPE ? PROF_READ_PIPE : PROF_READ_SYSTEM;
}

enum prof_read_error prof_read(const char *path, struct prof_file **out, uint32_t *version)
{
	enum prof_read_error result;
	struct load l;
	int err;

	*version = 0;
	err = load_open(&l, path, PROF_HEADER_BYTES, false);
	if (err)
		return not_loaded(err);
	result = prof_check_header(l.bytes, l.size, version);
	if (result == PROF_READ_OK) {
		err = load_rest(&l);
		if (!err)
			result = take_file(l.bytes, l.size, path, out);
	}
	load_close(&l);
	return err ? not_loaded(err) : result;
}

enum prof_read_error prof_read_head(const char *path, struct prof_file **out, uint32_t *version)
{
	enum prof_read_error result;
	struct load l;
	int err;

	*version = 0;
	err = load_open(&l, path, HEAD_BYTES, true);
	if (err)
		return not_loaded(err);
	result = prof_check_header(l.bytes, l.size, version);
	if (result == PROF_READ_OK) {
		struct chunk_walk walk = { .bytes = l.bytes, .size = l.size };
		struct infos in = { 0 };
		struct chunk c;

		*out = file_begin(l.bytes, l.size, path);
		walk.pos = (*out)->header.header_bytes;
		if (chunk_next(&walk, &c) && c.kind == PROF_CHUNK_INFO)
			infos_take(&in, *out, l.bytes, &c);
		(*out)->nthreads = 0;
	}
	load_close(&l);
	return result;
}

void prof_free(struct prof_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nmodules; i++)
		free(f->modules[i].path);
	for (size_t i = 0; i < f->ntexts; i++)
		free(f->texts[i].text);
	for (size_t i = 0; i < f->ntimelines; i++)
		free(f->timelines[i].cells);
	free(f->timelines);
	for (size_t i = 0; i < f->ntraces; i++)
		free(f->traces[i].events);
	free(f->traces);
	free(f->modules);
	free(f->texts);
	columns_free(f->columns);
	free(f->names);
	free(f->threads);
	free(f->nodes);
	free(f->path);
	free(f);
}

const char *prof_text(const struct prof_file *f, enum prof_info_kind kind)
{
	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == (uint32_t)kind)
			return f->texts[i].text;
	return NULL;
}

static bool is_repeated(const struct prof_file *f, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (f->texts[i].kind == f->texts[number].kind &&
		    strcmp(f->texts[i].text, f->texts[number].text) == 0)
			return true;
	return false;
}

const char *prof_text_next(const struct prof_file *f, enum prof_info_kind kind, size_t *at)
{
	for (; *at < f->ntexts; ++*at)
		if (f->texts[*at].kind == (uint32_t)kind && !is_repeated(f, *at))
			return f->texts[(*at)++].text;
	return NULL;
}

static int compare_id(const void *key, const void *module)
{
	uint32_t id = *(const uint32_t *)key;
	const struct prof_rmodule *m = module;

	return (id > m->id) - (id < m->id);
}

const struct prof_rmodule *prof_module_by_id(const struct prof_file *f, uint32_t id)
{
	if (!f->nmodules)
		return NULL;
	return bsearch(&id, f->modules, f->nmodules, sizeof(*f->modules), compare_id);
}

bool prof_read_starved(enum prof_read_error result)
{
	return result == PROF_READ_SYSTEM && errno == ENOMEM;
}
