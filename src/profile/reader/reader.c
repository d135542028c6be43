/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/reader/chunks.h"
#include "src/profile/reader/columns.h"
#include "src/profile/reader/infos.h"
#include "src/profile/reader/load.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/stored_names.h"
#include "src/profile/reader/timelines.h"
#include "src/profile/reader/traces.h"

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

static void take_header(struct prof_file *f, const void *bytes, size_t size)
{
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
}

/* Chunks that are read when the nodes are known. */
struct later {
	struct timelines timelines, traces;
};

static void later_fini(struct later *l)
{
	timelines_fini(&l->timelines);
	timelines_fini(&l->traces);
}

static int later_read(const struct later *l, struct prof_file *f, const struct nodes *n,
		      const void *bytes)
{
	const int err = timelines_read(&l->timelines, f, n, bytes);

	return err ? err : traces_read(&l->traces, f, n, bytes);
}

static int reader_take_chunks(struct prof_file *f, struct nodes *n, struct later *l,
			      const void *bytes, size_t size)
{
	struct chunk_walk walk = { .bytes = bytes, .size = size, .pos = f->header.header_bytes };
	struct infos in = { 0 };
	struct chunk c;
	int err = 0;

	while (!err && chunk_next(&walk, &c)) {
		if (c.kind == PROF_CHUNK_INFO)
			err = infos_take(&in, f, bytes, &c);
		else if (c.kind == PROF_CHUNK_NODES)
			err = nodes_take(n, f, &c);
		else if (c.kind == PROF_CHUNK_NAMES)
			err = names_take(f, bytes, &c);
		else if (c.kind == PROF_CHUNK_TIMELINE)
			err = timelines_note(&l->timelines, &c);
		else if (c.kind == PROF_CHUNK_TRACE)
			err = timelines_note(&l->traces, &c);
	}
	f->damaged += walk.damaged;
	if (walk.another)
		return -EEXIST;
	if (!err)
		err = infos_finish(&in, f, n->roots_end);
	if (!err)
		err = nodes_link(n, f);
	return err ? err : later_read(l, f, n, bytes);
}

static enum prof_read_error take_file(const void *bytes, size_t size, const char *path,
				      struct prof_file **out)
{
	struct prof_file *f = calloc(1, sizeof(*f));
	struct later l = { 0 };
	struct nodes n = { 0 };
	int err = -ENOMEM;

	if (!f)
		goto fail;
	f->path = strdup(path);
	if (!f->path)
		goto fail;
	take_header(f, bytes, size);
	err = nodes_init(&n, bytes, size);
	if (!err)
		err = reader_take_chunks(f, &n, &l, bytes, size);
	if (err)
		goto fail;
	later_fini(&l);
	nodes_fini(&n);
	*out = f;
	return PROF_READ_OK;
fail:
	later_fini(&l);
	nodes_fini(&n);
	prof_free(f);
	errno = -err;
	return err == -EEXIST ? PROF_READ_SEVERAL : PROF_READ_SYSTEM;
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
	enum prof_read_error result = PROF_READ_SYSTEM;
	struct load l;
	int err;

	*version = 0;
	err = load_open(&l, path, PROF_HEADER_BYTES);
	if (err)
		return not_loaded(err);
	result = prof_check_header(l.bytes, l.size, version);
	if (result == PROF_READ_OK) {
		err = load_rest(&l);
		result = err ? not_loaded(err) : take_file(l.bytes, l.size, path, out);
	}
	if (!err && result == PROF_READ_SYSTEM)
		err = -errno;
	load_close(&l);
	errno = -err;
	return result;
}

static enum prof_read_error take_head(const struct load *l, const char *path,
				      struct prof_file **out)
{
	struct chunk_walk walk = { .bytes = l->bytes, .size = l->size };
	struct prof_file *f = calloc(1, sizeof(*f));
	struct infos in = { 0 };
	struct chunk c;
	int err = 0;

	if (f)
		f->path = strdup(path);
	if (!f || !f->path) {
		free(f);
		errno = ENOMEM;
		return PROF_READ_SYSTEM;
	}
	take_header(f, l->bytes, l->size);
	walk.pos = f->header.header_bytes;
	if (chunk_next(&walk, &c) && c.kind == PROF_CHUNK_INFO)
		err = infos_take(&in, f, l->bytes, &c);
	f->nthreads = 0;
	if (!err) {
		*out = f;
		return PROF_READ_OK;
	}
	prof_free(f);
	errno = -err;
	return PROF_READ_SYSTEM;
}

enum prof_read_error prof_read_head(const char *path, struct prof_file **out, uint32_t *version)
{
	enum prof_read_error result;
	struct load l;
	int err;

	*version = 0;
	err = load_open_file(&l, path, HEAD_BYTES);
	if (err)
		return not_loaded(err);
	result = prof_check_header(l.bytes, l.size, version);
	if (result == PROF_READ_OK)
		result = take_head(&l, path, out);
	err = errno;
	load_close(&l);
	errno = err;
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
