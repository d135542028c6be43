/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/chunks.h"

#include <string.h>

#include "src/profile/format.h"

static const struct prof_chunk *header_at(const struct chunk_walk *w, size_t pos)
{
	if (w->size < sizeof(struct prof_chunk) || pos > w->size - sizeof(struct prof_chunk))
		return NULL;
	return (const struct prof_chunk *)(w->bytes + pos);
}

/* Comparing the stored offset makes it unlikely that contents are taken for a header. */
static bool is_header(const struct chunk_walk *w, size_t pos)
{
	const struct prof_chunk *h = header_at(w, pos);

	return h && h->magic == PROF_CHUNK_MAGIC && h->offset == pos && h->kind != 0 &&
	       h->size_bytes >= PROF_PAGE && h->size_bytes % PROF_PAGE == 0;
}

static bool chunks_is_profile(const struct chunk_walk *w, size_t pos)
{
	const struct prof_header *h = (const struct prof_header *)(w->bytes + pos);

	return w->size - pos >= PROF_HEADER_BYTES &&
	       memcmp(h->magic, PROF_MAGIC, sizeof(h->magic)) == 0 &&
	       h->byte_order == PROF_BYTE_ORDER && h->granule_bytes == PROF_GRANULE;
}

/* A damaged size must not hide the chunks that follow. */
static size_t chunk_end(struct chunk_walk *w, size_t pos, uint64_t size_bytes)
{
	size_t end = size_bytes > w->size - pos ? w->size : pos + (size_t)size_bytes;

	if (size_bytes > w->size - pos)
		w->damaged++;
	for (size_t p = pos + PROF_PAGE; p < end; p += PROF_PAGE) {
		if (is_header(w, p)) {
			w->damaged += end == pos + size_bytes;
			return p;
		}
	}
	return end;
}

bool chunk_next(struct chunk_walk *w, struct chunk *c)
{
	const struct prof_chunk *h;

	for (; (h = header_at(w, w->pos)); w->pos += PROF_PAGE) {
		if (is_header(w, w->pos)) {
			c->kind = h->kind;
			c->owner = h->owner;
			c->begin = w->pos + sizeof(*h);
			c->end = w->pos = chunk_end(w, w->pos, h->size_bytes);
			return true;
		}
		w->damaged += h->magic == PROF_CHUNK_MAGIC;
		w->another = chunks_is_profile(w, w->pos);
		if (w->another)
			return false;
	}
	return false;
}
