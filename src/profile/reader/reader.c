/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/infos.h"
#include "src/profile/reader/load.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/timelines.h"
#include "src/profile/reader/values.h"

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
		else if (c.kind == PROF_CHUNK_TIMELINE || c.kind == PROF_CHUNK_TRACE)
			timelines_note(t, &c);
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
	take_header(f, bytes, size);
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
