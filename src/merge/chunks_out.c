/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/chunks_out.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fnv.h"
#include "src/merge/forest.h"
#include "src/profile/reader/merged.h"

static int chunks_out_write_all(int fd, const void *bytes, size_t n, uint64_t at)
{
	const unsigned char *p = bytes;

	while (n) {
		const ssize_t done = pwrite(fd, p, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		p += done;
		n -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

uint64_t chunk_out_bytes(size_t n)
{
	_Static_assert(sizeof(struct prof_packed) == sizeof(struct prof_names), "one length");
	const uint64_t bytes = sizeof(struct prof_chunk) + sizeof(struct prof_packed) + n;

	return (bytes + PROF_PAGE - 1) / PROF_PAGE * PROF_PAGE;
}

/* The chunk's header, its contents' header, the payload, and zeros up to the end. */
static int write_chunk(int fd, uint64_t at, enum prof_chunk_kind kind, uint32_t owner,
		       const void *head, const unsigned char *payload, size_t n)
{
	static const unsigned char zeros[PROF_PAGE];
	const struct prof_chunk chunk = {
		.magic = PROF_CHUNK_MAGIC,
		.kind = kind,
		.offset = at,
		.size_bytes = chunk_out_bytes(n),
		.owner = owner,
	};
	unsigned char heads[sizeof(chunk) + sizeof(struct prof_packed)];
	const uint64_t end = at + sizeof(heads) + n;
	int err;

	memcpy(heads, &chunk, sizeof(chunk));
	memcpy(heads + sizeof(chunk), head, sizeof(struct prof_packed));
	err = chunks_out_write_all(fd, heads, sizeof(heads), at);
	if (!err)
		err = chunks_out_write_all(fd, payload, n, at + sizeof(heads));
	if (!err)
		err = chunks_out_write_all(fd, zeros, at + chunk.size_bytes - end, end);
	return err;
}

int chunk_out_write(int fd, uint64_t at, enum prof_chunk_kind kind, uint32_t owner,
		    const struct pack *payload)
{
	const struct prof_packed head = {
		.hash = prof_packed_hash(payload->bytes, payload->n),
		.bytes = payload->n,
		.version = PROF_PACKED_VERSION,
	};

	return write_chunk(fd, at, kind, owner, &head, payload->bytes, payload->n);
}

int chunk_out_names(int fd, uint64_t at, uint32_t owner, const unsigned char *names, size_t n)
{
	const struct prof_names head = {
		.hash = fnv(FNV_BEGIN, names, n),
		.bytes = n,
		.version = PROF_NAMES_VERSION,
	};

	return write_chunk(fd, at, PROF_CHUNK_NAMES, owner, &head, names, n);
}

int chunk_out_header(int fd, uint64_t end)
{
	const struct prof_header h = {
		.magic = PROF_MAGIC,
		.version = PROF_VERSION,
		.byte_order = PROF_BYTE_ORDER,
		.header_bytes = PROF_HEADER_BYTES,
		.granule_bytes = PROF_GRANULE,
		.features = PROF_FEATURE_MERGED,
		.used_bytes = end,
		.run = PROF_RUN_EXITED,
	};
	unsigned char page[PROF_HEADER_BYTES] = { 0 };

	memcpy(page, &h, sizeof(h));
	return chunks_out_write_all(fd, page, sizeof(page), 0);
}

static void pack_location(struct pack *out, uint64_t loc)
{
	pack_number(out, PROF_LOC_ADDRESS(loc));
	pack_number(out, PROF_LOC_MODULE(loc));
}

void chunk_out_tree(const struct forest_tree *t, struct pack *out)
{
	pack_number(out, t->nnodes);
	pack_number(out, t->nmodules);
	for (size_t i = 0; i < t->nmodules; i++) {
		const struct forest_module *m = &t->modules[i];

		pack_text(out, m->path, strlen(m->path));
		pack_text(out, m->build_id, m->build_id_bytes);
		pack_number(out, m->flags);
		pack_number(out, m->map_start);
		pack_number(out, m->map_bytes);
		pack_number(out, m->bias);
	}
	for (size_t i = 0; i < t->nnodes; i++) {
		const struct forest_node *n = &t->nodes[i];

		pack_number(out, n->parent ? i + 1 - n->parent : 0);
		pack_number(out, n->context ? i + 1 - n->context : 0);
		pack_number(out, n->info);
		pack_location(out, n->a);
		if ((n->info & 0xff) == PROF_NODE_STATS && n->info >> 24 == PROF_STATS_OBJECT)
			pack_location(out, n->b);
	}
}
