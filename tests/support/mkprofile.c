/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/mkprofile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_NS = 1000000000, END_NS = 2000000000 };

/* Where a chunk that is being filled stands; end 0: there is none. */
struct filling {
	size_t pos, end;
};

struct thread {
	struct filling nodes;
	size_t record; /* offset of its struct prof_thread */
};

struct mkprofile {
	unsigned char *bytes;
	size_t size, room;
	size_t chunk_bytes;
	struct filling infos;
	struct thread *threads;
	uint32_t nthreads;
	uint32_t nmodules;
	uint64_t *owner; /* by page: thread of its nodes */
};

static void *need(void *p)
{
	if (!p) {
		fputs("mkprofile: no memory\n", stderr);
		abort();
	}
	return p;
}

static size_t pages_up(size_t bytes)
{
	return (bytes + PROF_PAGE - 1) / PROF_PAGE * PROF_PAGE;
}

/* Adds zeros at the end: their offset. */
static size_t extend(struct mkprofile *m, size_t bytes, uint32_t owner)
{
	size_t at = m->size;

	if (m->size + bytes > m->room) {
		m->room = pages_up((m->size + bytes) * 2);
		m->bytes = need(realloc(m->bytes, m->room));
		m->owner = need(reallocarray(m->owner, m->room / PROF_PAGE, sizeof(*m->owner)));
	}
	memset(m->bytes + at, 0, bytes);
	m->size += bytes;
	for (size_t page = at / PROF_PAGE; page < m->size / PROF_PAGE; page++)
		m->owner[page] = owner;
	return at;
}

struct mkprofile *mk_new(void)
{
	struct mkprofile *m = need(calloc(1, sizeof(*m)));
	struct prof_header h = {
		.magic = PROF_MAGIC,
		.version = PROF_VERSION,
		.byte_order = PROF_BYTE_ORDER,
		.header_bytes = PROF_HEADER_BYTES,
		.granule_bytes = PROF_GRANULE,
		.used_bytes = PROF_HEADER_BYTES,
		.machine = 62,
		.pid = 4711,
		.ppid = 1,
		.run = PROF_RUN_RUNNING,
		.start_realtime_ns = UINT64_C(1700000000000000000),
		.start_monotonic_ns = START_NS,
		.ticks_start = START_NS,
	};

	m->chunk_bytes = PROF_PAGE;
	extend(m, PROF_HEADER_BYTES, 0);
	memcpy(m->bytes, &h, sizeof(h));
	return m;
}

void mk_free(struct mkprofile *m)
{
	free(m->bytes);
	free(m->owner);
	free(m->threads);
	free(m);
}

struct prof_header *mk_header(struct mkprofile *m)
{
	return (struct prof_header *)m->bytes;
}

unsigned char *mk_bytes(struct mkprofile *m)
{
	return m->bytes;
}

size_t mk_size(const struct mkprofile *m)
{
	return m->size;
}

void mk_chunk_bytes(struct mkprofile *m, size_t bytes)
{
	m->chunk_bytes = pages_up(bytes);
}

unsigned mk_event(struct mkprofile *m, const char *label, enum prof_unit unit)
{
	struct prof_header *h = mk_header(m);
	struct prof_event *e = &h->events[h->nevents];

	snprintf(e->label, sizeof(e->label), "%s", label);
	snprintf(e->requested, sizeof(e->requested), "%s", label);
	e->period = 1;
	e->flags = PROF_EVENT_USER_ONLY;
	e->unit = unit;
	return h->nevents++;
}

uint64_t mk_chunk(struct mkprofile *m, uint32_t kind, uint32_t owner, size_t bytes)
{
	size_t size = pages_up(bytes), at = extend(m, size, owner);
	struct prof_chunk c = { .magic = PROF_CHUNK_MAGIC,
				.kind = kind,
				.offset = at,
				.size_bytes = size,
				.owner = owner };

	memcpy(m->bytes + at, &c, sizeof(c));
	mk_header(m)->used_bytes = m->size;
	return at;
}

/* Room for bytes within a chunk of that kind: its offset. */
static size_t take_room(struct mkprofile *m, struct filling *f, uint32_t kind, uint32_t owner,
			size_t chunk_bytes, size_t bytes)
{
	size_t at;

	if (f->end - f->pos < bytes) {
		if (chunk_bytes < bytes + sizeof(struct prof_chunk))
			chunk_bytes = bytes + sizeof(struct prof_chunk);
		at = (size_t)mk_chunk(m, kind, owner, chunk_bytes);
		f->pos = at + sizeof(struct prof_chunk);
		f->end = at + pages_up(chunk_bytes);
	}
	at = f->pos;
	f->pos += bytes;
	return at;
}

size_t mk_info(struct mkprofile *m, uint32_t kind, const void *payload, size_t bytes)
{
	size_t whole = (sizeof(struct prof_info) + bytes + 7) / 8 * 8;
	size_t at = take_room(m, &m->infos, PROF_CHUNK_INFO, 0, PROF_PAGE, whole);
	struct prof_info r = { .bytes = (uint32_t)whole, .kind = kind };

	memcpy(m->bytes + at, &r, sizeof(r));
	if (bytes)
		memcpy(m->bytes + at + sizeof(r), payload, bytes);
	return at + sizeof(r);
}

uint32_t mk_thread(struct mkprofile *m, enum prof_thread_kind kind, uint32_t tid)
{
	struct prof_thread t = {
		.index = m->nthreads, .tid = tid, .kind = kind, .start_ns = START_NS
	};

	m->threads = need(reallocarray(m->threads, m->nthreads + 1, sizeof(*m->threads)));
	m->threads[m->nthreads] = (struct thread){
		.record = mk_info(m, PROF_INFO_THREAD, &t, sizeof(t)),
	};
	mk_header(m)->nthreads = m->nthreads + 1;
	return m->nthreads++;
}

struct prof_thread *mk_thread_record(struct mkprofile *m, uint32_t thread)
{
	return (struct prof_thread *)(m->bytes + m->threads[thread].record);
}

uint32_t mk_module_full(struct mkprofile *m, const struct prof_module *module, const char *path)
{
	size_t bytes = sizeof(*module) + strlen(path);
	unsigned char *payload = need(malloc(bytes));
	struct prof_module copy = *module;

	copy.path_bytes = (uint32_t)strlen(path);
	memcpy(payload, &copy, sizeof(copy));
	memcpy(payload + sizeof(copy), path, strlen(path));
	mk_info(m, PROF_INFO_MODULE, payload, bytes);
	free(payload);
	if (copy.id > m->nmodules)
		m->nmodules = copy.id;
	return copy.id;
}

uint32_t mk_module(struct mkprofile *m, const char *path, uint32_t flags)
{
	struct prof_module module = { .id = m->nmodules + 1, .flags = flags };

	module.map_start = module.bias = UINT64_C(0x7f0000000000) + module.id * 0x1000000ull;
	module.map_end = module.map_start + 0x800000;
	return mk_module_full(m, &module, path);
}

void mk_text(struct mkprofile *m, enum prof_info_kind kind, const char *text)
{
	mk_info(m, kind, text, strlen(text) + (kind == PROF_INFO_ARGV));
}

size_t mk_timeline(struct mkprofile *m, uint32_t thread, unsigned shift,
		   const struct prof_cell *cells, uint32_t n)
{
	const struct prof_timeline h = {
		.now = PROF_TIMELINE_NOW(1, shift, n),
		.origin_ticks = mk_header(m)->ticks_start,
		.cells = n,
	};
	const size_t bytes = sizeof(struct prof_chunk) + sizeof(h) + 2 * n * sizeof(*cells);
	const size_t at =
		(size_t)mk_chunk(m, PROF_CHUNK_TIMELINE, thread, bytes) + sizeof(struct prof_chunk);

	memcpy(m->bytes + at, &h, sizeof(h));
	if (n)
		memcpy(m->bytes + at + sizeof(h) + n * sizeof(*cells), cells, n * sizeof(*cells));
	return at;
}

size_t mk_trace(struct mkprofile *m, uint32_t thread, const struct prof_traced *events, uint32_t n)
{
	const struct prof_trace h = { .next = n, .records = n };
	const size_t bytes = sizeof(struct prof_chunk) + sizeof(h) + n * sizeof(*events);
	const size_t at =
		(size_t)mk_chunk(m, PROF_CHUNK_TRACE, thread, bytes) + sizeof(struct prof_chunk);

	memcpy(m->bytes + at, &h, sizeof(h));
	memcpy(m->bytes + at + sizeof(h), events, n * sizeof(*events));
	return at;
}

void mk_end(struct mkprofile *m)
{
	struct prof_header *h = mk_header(m);

	h->run = PROF_RUN_EXITED;
	h->end_monotonic_ns = h->ticks_end = END_NS;
	for (uint32_t i = 0; i < m->nthreads; i++)
		mk_thread_record(m, i)->end_ns = END_NS;
}

/* ---- nodes -------------------------------------------------------------- */

uint32_t mk_node(struct mkprofile *m, uint32_t thread, const struct prof_node *node)
{
	size_t at = take_room(m, &m->threads[thread].nodes, PROF_CHUNK_NODES, thread,
			      m->chunk_bytes, sizeof(*node));

	memcpy(m->bytes + at, node, sizeof(*node));
	return (uint32_t)(at / PROF_GRANULE);
}

struct prof_node *mk_node_at(struct mkprofile *m, uint32_t number)
{
	return (struct prof_node *)(m->bytes + (size_t)number * PROF_GRANULE);
}

static uint32_t owner_of(const struct mkprofile *m, uint32_t number)
{
	return (uint32_t)m->owner[(size_t)number * PROF_GRANULE / PROF_PAGE];
}

static uint32_t add(struct mkprofile *m, uint32_t parent, uint32_t info, uint64_t a, uint64_t b)
{
	struct prof_node n = { .parent = parent, .info = info, .a = a, .b = b };

	return mk_node(m, owner_of(m, parent), &n);
}

uint32_t mk_root(struct mkprofile *m, uint32_t thread)
{
	struct prof_node n = { .info = PROF_NODE_INFO(PROF_NODE_ROOT, 0, 0, 0), .value = thread };

	return mk_node(m, thread, &n);
}

uint32_t mk_frame(struct mkprofile *m, uint32_t parent, uint64_t loc, uint32_t flags)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, flags), loc, 0);
}

uint32_t mk_boundary(struct mkprofile *m, uint32_t parent, uint32_t context,
		     enum prof_boundary_kind kind)
{
	return add(m, parent, PROF_BOUNDARY_INFO(kind, PROF_TEAM_UNKNOWN), context, 0);
}

uint32_t mk_object(struct mkprofile *m, uint32_t parent, uint64_t value, uint32_t flags)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_OBJECT, 0, 0, flags), value, 0);
}

uint32_t mk_construct(struct mkprofile *m, uint32_t parent, uint64_t loc,
		      enum prof_construct_kind kind)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_CONSTRUCT, 0, 0, kind), loc, 0);
}

uint32_t mk_data(struct mkprofile *m, uint32_t parent, uint64_t value, enum prof_data_kind kind,
		 enum prof_data_source source)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_DATA, source, 0, kind), value, 0);
}

uint32_t mk_block(struct mkprofile *m, uint32_t parent, uint32_t context,
		  enum prof_data_source source)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_BLOCK, source, 0, 0), context, 0);
}

uint32_t mk_leaf(struct mkprofile *m, uint32_t parent, unsigned event, enum prof_state state,
		 enum prof_cause cause, uint64_t samples, uint64_t weight)
{
	mk_thread_record(m, owner_of(m, parent))->samples[event] += samples;
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_LEAF, event, state, cause), samples, weight);
}

uint32_t mk_stats(struct mkprofile *m, uint32_t parent, enum prof_stats_kind kind, uint64_t a,
		  uint64_t b)
{
	return add(m, parent, PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, kind), a, b);
}

uint32_t mk_cpu(struct mkprofile *m, uint32_t root, unsigned event, uint32_t cpu, uint64_t samples,
		uint64_t weight)
{
	return add(m, root, PROF_CPU_INFO(event, cpu), samples, weight);
}

uint32_t mk_count(struct mkprofile *m, uint32_t parent, unsigned event, enum prof_part part,
		  const struct prof_value *v, uint64_t ticks)
{
	uint32_t first = add(m, parent,
			     PROF_NODE_INFO(PROF_NODE_COUNT, event, part, PROF_COUNT_VALUE),
			     v->value, v->enabled_ns);

	add(m, parent, PROF_NODE_INFO(PROF_NODE_COUNT, event, part, PROF_COUNT_TIME), v->running_ns,
	    ticks);
	return first;
}

uint32_t mk_path_of(struct mkprofile *m, uint32_t parent, const uint64_t *locs)
{
	for (; *locs; locs++)
		parent = mk_frame(m, parent, *locs, 0);
	return parent;
}

int mk_write(struct mkprofile *m, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), err = 0;
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (!err && done < m->size) {
		ssize_t n = write(fd, m->bytes + done, m->size - done);

		if (n < 0)
			err = -errno;
		else
			done += (size_t)n;
	}
	if (close(fd) && !err)
		err = -errno;
	return err;
}
