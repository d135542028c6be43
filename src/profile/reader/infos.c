/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/infos.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/base/grow.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/reader.h"

enum {
	MODULE_ID_MAX = UINT16_MAX, /* a location has 16 bits for it */
	THREADS_SPARE = 64,
};

static char *infos_copy_text(const unsigned char *from, size_t bytes)
{
	char *to = alloc_bytes(bytes + 1);

	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return to;
}

static void infos_take_text(struct infos *in, struct prof_file *f, uint32_t kind,
			    const unsigned char *payload, size_t bytes)
{
	/* Trailing NULs are padding; those between arguments are kept. */
	while (bytes && !payload[bytes - 1])
		bytes--;
	if (kind != PROF_INFO_ARGV)
		bytes = strnlen((const char *)payload, bytes);
	f->texts = grow(f->texts, f->ntexts, &in->texts_room, sizeof(*f->texts));
	f->texts[f->ntexts++] = (struct prof_text){ kind, infos_copy_text(payload, bytes), bytes };
}

/* Later minor versions may add kinds. */
static void take_record(struct infos *in, struct prof_file *f, uint32_t kind,
			const unsigned char *payload, size_t bytes)
{
	if (kind == PROF_INFO_PENDING)
		f->unfinished++;
	else if (kind == PROF_INFO_MODULE) {
		struct prof_module m;
		struct prof_rmodule *r;

		if (bytes < sizeof(m)) {
			f->damaged++;
			return;
		}
		memcpy(&m, payload, sizeof(m));
		if (m.id == 0 || m.id > MODULE_ID_MAX || m.build_id_bytes > sizeof(m.build_id) ||
		    m.map_start > m.map_end || m.path_bytes > bytes - sizeof(m)) {
			f->damaged++;
			return;
		}
		f->modules = grow(f->modules, f->nmodules, &in->modules_room, sizeof(*f->modules));
		r = &f->modules[f->nmodules++];
		*r = (struct prof_rmodule){ .id = m.id,
					    .flags = m.flags,
					    .path = infos_copy_text(payload + sizeof(m),
								    m.path_bytes),
					    .map_start = m.map_start,
					    .map_end = m.map_end,
					    .bias = m.bias,
					    .build_id_bytes = m.build_id_bytes };
		memcpy(r->build_id, m.build_id, m.build_id_bytes);
	} else if (kind == PROF_INFO_THREAD) {
		if (bytes < sizeof(struct prof_thread)) {
			f->damaged++;
			return;
		}
		f->threads = grow(f->threads, f->nthreads, &in->threads_room, sizeof(*f->threads));
		memcpy(&f->threads[f->nthreads++].t, payload, sizeof(struct prof_thread));
	} else if (kind <= PROF_INFO_BOOT ||
		   (kind >= PROF_INFO_CPUS && kind <= PROF_INFO_DESCRIPTOR))
		infos_take_text(in, f, kind, payload, bytes);
}

static bool all_zero(const unsigned char *p, size_t bytes)
{
	return !bytes || (!*p && !memcmp(p, p + 1, bytes - 1));
}

void infos_take(struct infos *in, struct prof_file *f, const unsigned char *bytes,
		const struct chunk *c)
{
	size_t pos = c->begin;

	while (c->end - pos >= sizeof(struct prof_info)) {
		const struct prof_info *r = (const struct prof_info *)(bytes + pos);

		if (!r->bytes || r->bytes % 8 || r->bytes < sizeof(*r) || r->bytes > c->end - pos)
			break;
		take_record(in, f, r->kind, bytes + pos + sizeof(*r), r->bytes - sizeof(*r));
		pos += r->bytes;
	}
	/* A record without a valid length hides all that follows it; zeros are unused space. */
	f->damaged += !all_zero(bytes + pos, c->end - pos);
}

static int infos_by_id(const void *a, const void *b)
{
	const struct prof_rmodule *x = a, *y = b;

	return x->id != y->id ? (x->id > y->id) - (x->id < y->id) :
				(x->map_start > y->map_start) - (x->map_start < y->map_start);
}

void infos_finish(struct prof_file *f, uint64_t roots_end)
{
	size_t limit = f->nthreads * 2 + THREADS_SPARE, end = 0;
	struct prof_rthread *dense;
	size_t kept = 0;

	if (f->nmodules)
		qsort(f->modules, f->nmodules, sizeof(*f->modules), infos_by_id);
	for (size_t i = 0; i < f->nmodules; i++) {
		if (kept && f->modules[kept - 1].id == f->modules[i].id) {
			free(f->modules[i].path);
			f->damaged++;
		} else {
			f->modules[kept++] = f->modules[i];
		}
	}
	f->nmodules = kept;
	for (size_t i = 0; i < f->nthreads; i++)
		if (f->threads[i].t.index < limit && f->threads[i].t.index >= end)
			end = (size_t)f->threads[i].t.index + 1;
	if (roots_end > end)
		end = roots_end < limit ? (size_t)roots_end : limit;
	dense = alloc_zeroed(end, sizeof(*dense));
	/* Stores thread records at their indices; an index without a record stays empty. */
	size_t placed = 0;

	for (size_t i = 0; i < end; i++)
		dense[i].t.index = PROF_NONE;
	for (size_t i = 0; i < f->nthreads; i++) {
		uint32_t index = f->threads[i].t.index;

		if (index >= end || dense[index].t.index != PROF_NONE) {
			f->damaged++;
			continue;
		}
		dense[index] = f->threads[i];
		placed++;
	}
	for (size_t i = 0; i < end; i++)
		dense[i].t.index = (uint32_t)i;
	f->unfinished += end - placed;
	free(f->threads);
	f->threads = dense;
	f->nthreads = end;
}

void infos_take_names(struct prof_file *f, const unsigned char *bytes, const struct chunk *c)
{
	const size_t room = c->end - c->begin;
	struct prof_names n;

	if (room < sizeof(n)) {
		f->damaged++;
		return;
	}
	memcpy(&n, bytes + c->begin, sizeof(n));
	bytes += c->begin + sizeof(n);
	if (n.bytes > room - sizeof(n) || fnv(FNV_BEGIN, bytes, (size_t)n.bytes) != n.hash) {
		f->damaged++;
		return;
	}
	if (n.version != PROF_NAMES_VERSION || !n.bytes)
		return;
	free(f->names);
	f->names = alloc_bytes((size_t)n.bytes);
	memcpy(f->names, bytes, (size_t)n.bytes);
	f->names_bytes = (size_t)n.bytes;
}
