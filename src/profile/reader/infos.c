/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/infos.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/reader.h"

enum {
	MODULE_ID_MAX = UINT16_MAX, /* a location has 16 bits for it */
	THREADS_SPARE = 64,
};

static char *infos_copy_text(const unsigned char *from, size_t bytes)
{
	char *to = malloc(bytes + 1);

	if (to) {
		memcpy(to, from, bytes);
		to[bytes] = '\0';
	}
	return to;
}

static int infos_take_text(struct infos *in, struct prof_file *f, uint32_t kind,
			   const unsigned char *payload, size_t bytes)
{
	struct prof_text *t = grow_or_null(f->texts, f->ntexts, &in->texts_room, sizeof(*t));

	if (!t)
		return -ENOMEM;
	f->texts = t;
	/* Trailing NULs are padding; those between arguments are kept. */
	while (bytes && !payload[bytes - 1])
		bytes--;
	if (kind != PROF_INFO_ARGV)
		bytes = strnlen((const char *)payload, bytes);
	t += f->ntexts;
	*t = (struct prof_text){ kind, infos_copy_text(payload, bytes), bytes };
	if (!t->text)
		return -ENOMEM;
	f->ntexts++;
	return 0;
}

static int infos_take_module(struct infos *in, struct prof_file *f, uint32_t kind,
			     const unsigned char *payload, size_t bytes)
{
	struct prof_module m;
	struct prof_rmodule *r =
		grow_or_null(f->modules, f->nmodules, &in->modules_room, sizeof(*r));

	(void)kind;
	if (!r)
		return -ENOMEM;
	f->modules = r;
	if (bytes < sizeof(m)) {
		f->damaged++;
		return 0;
	}
	memcpy(&m, payload, sizeof(m));
	if (m.id == 0 || m.id > MODULE_ID_MAX || m.build_id_bytes > sizeof(m.build_id) ||
	    m.map_start > m.map_end || m.path_bytes > bytes - sizeof(m)) {
		f->damaged++;
		return 0;
	}
	r += f->nmodules;
	*r = (struct prof_rmodule){ .id = m.id,
				    .flags = m.flags,
				    .map_start = m.map_start,
				    .map_end = m.map_end,
				    .bias = m.bias,
				    .build_id_bytes = m.build_id_bytes };
	memcpy(r->build_id, m.build_id, m.build_id_bytes);
	r->path = infos_copy_text(payload + sizeof(m), m.path_bytes);
	if (!r->path)
		return -ENOMEM;
	f->nmodules++;
	return 0;
}

static int take_thread(struct infos *in, struct prof_file *f, uint32_t kind,
		       const unsigned char *payload, size_t bytes)
{
	struct prof_rthread *t =
		grow_or_null(f->threads, f->nthreads, &in->threads_room, sizeof(*t));

	(void)kind;
	if (!t)
		return -ENOMEM;
	f->threads = t;
	if (bytes < sizeof(struct prof_thread)) {
		f->damaged++;
		return 0;
	}
	memcpy(&t[f->nthreads++].t, payload, sizeof(struct prof_thread));
	return 0;
}

struct taker {
	uint32_t first, last;
	int (*take)(struct infos *, struct prof_file *, uint32_t kind, const unsigned char *payload,
		    size_t bytes);
};

static const struct taker takers[] = {
	{ PROF_INFO_ARGV, PROF_INFO_BOOT, infos_take_text },
	{ PROF_INFO_MODULE, PROF_INFO_MODULE, infos_take_module },
	{ PROF_INFO_THREAD, PROF_INFO_THREAD, take_thread },
	{ PROF_INFO_CPUS, PROF_INFO_PHASE, infos_take_text },
};

static int take_record(struct infos *in, struct prof_file *f, uint32_t kind,
		       const unsigned char *payload, size_t bytes)
{
	if (kind == PROF_INFO_PENDING) {
		f->unfinished++;
		return 0;
	}
	for (size_t i = 0; i < sizeof(takers) / sizeof(takers[0]); i++)
		if (kind >= takers[i].first && kind <= takers[i].last)
			return takers[i].take(in, f, kind, payload, bytes);
	return 0; /* a kind that a later minor version added */
}

static bool all_zero(const unsigned char *p, size_t bytes)
{
	return !bytes || (!*p && !memcmp(p, p + 1, bytes - 1));
}

int infos_take(struct infos *in, struct prof_file *f, const unsigned char *bytes,
	       const struct chunk *c)
{
	size_t pos = c->begin;

	while (c->end - pos >= sizeof(struct prof_info)) {
		const struct prof_info *r = (const struct prof_info *)(bytes + pos);
		int err;

		if (!r->bytes || r->bytes % 8 || r->bytes < sizeof(*r) || r->bytes > c->end - pos)
			break;
		err = take_record(in, f, r->kind, bytes + pos + sizeof(*r), r->bytes - sizeof(*r));
		if (err)
			return err;
		pos += r->bytes;
	}
	/* A record without a valid length hides all that follows it; zeros are unused space. */
	f->damaged += !all_zero(bytes + pos, c->end - pos);
	return 0;
}

static int infos_by_id(const void *a, const void *b)
{
	const struct prof_rmodule *x = a, *y = b;

	return x->id != y->id ? (x->id > y->id) - (x->id < y->id) :
				(x->map_start > y->map_start) - (x->map_start < y->map_start);
}

static void finish_modules(struct prof_file *f)
{
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
}

/* Stores thread records at their indices; an index without a record stays empty. */
static size_t infos_place_threads(struct prof_file *f, struct prof_rthread *dense, size_t end)
{
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
	return placed;
}

int infos_finish(struct infos *in, struct prof_file *f, uint64_t roots_end)
{
	size_t limit = f->nthreads * 2 + THREADS_SPARE, end = 0;
	struct prof_rthread *dense = NULL;

	finish_modules(f);
	for (size_t i = 0; i < f->nthreads; i++)
		if (f->threads[i].t.index < limit && f->threads[i].t.index >= end)
			end = (size_t)f->threads[i].t.index + 1;
	if (roots_end > end)
		end = roots_end < limit ? (size_t)roots_end : limit;
	if (end) {
		dense = calloc(end, sizeof(*dense));
		if (!dense)
			return -ENOMEM;
		f->unfinished += end - infos_place_threads(f, dense, end);
	}
	free(f->threads);
	f->threads = dense;
	f->nthreads = in->threads_room = end;
	return 0;
}
