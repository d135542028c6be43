/* SPDX-License-Identifier: BSD-3-Clause */
/* traces.c - see traces.h. */
#include "config.h"

#include "src/profile/reader/traces.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/reader/nodes.h"
#include "src/profile/reader/reader.h"
#include "src/profile/reader/timelines.h"

/* Whether the ring lies within the chunk. */
static bool traces_head_valid(const struct prof_trace *h, size_t room)
{
	return h->records != 0 && (h->records & (h->records - 1)) == 0 &&
	       h->records <= room / sizeof(struct prof_traced);
}

/* A context that is not known is no damage: there may have been no room for it. */
static uint32_t event_context(const struct prof_file *f, const struct nodes *nodes, uint32_t number)
{
	const uint32_t i = number ? nodes_find(nodes, number) : PROF_NONE;

	return i < f->nnodes ? i : PROF_NONE;
}

static void events_take(struct prof_file *f, const struct nodes *nodes, const unsigned char *ring,
			const struct prof_trace *h, struct prof_rtrace *t)
{
	/* The oldest one may be half overwritten. */
	const uint64_t lost = h->next > h->records - 1 ? h->next - (h->records - 1) : 0;

	t->lost = lost;
	for (uint64_t i = lost; i < h->next; i++) {
		struct prof_traced e;

		memcpy(&e, ring + (size_t)(i & (h->records - 1)) * sizeof(e), sizeof(e));
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
}

static int traces_chunk_read(struct prof_file *f, const struct nodes *nodes,
			     const unsigned char *bytes, const struct chunk *c)
{
	const size_t room = c->end - c->begin;
	struct prof_rtrace *const t = &f->traces[f->ntraces];
	struct prof_trace h;

	if (room < sizeof(h)) {
		f->damaged++;
		return 0;
	}
	memcpy(&h, bytes + c->begin, sizeof(h));
	if (!traces_head_valid(&h, room - sizeof(h))) {
		f->damaged++;
		return 0;
	}
	*t = (struct prof_rtrace){
		.thread = c->owner,
		.events = calloc(h.next < h.records ? (size_t)h.next + 1 : h.records,
				 sizeof(*t->events)),
	};
	if (!t->events)
		return -ENOMEM;
	f->ntraces++;
	events_take(f, nodes, bytes + c->begin + sizeof(h), &h, t);
	return 0;
}

int traces_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
		const unsigned char *bytes)
{
	bool *met = calloc(f->nthreads + 1, sizeof(*met));
	int err = 0;

	f->traces = calloc(t->n + 1, sizeof(*f->traces));
	if (!f->traces || !met)
		err = -ENOMEM;
	for (size_t i = 0; i < t->n && !err; i++) {
		const uint32_t owner = t->chunks[i].owner;

		if (owner >= f->nthreads || met[owner]) {
			f->damaged++;
			continue;
		}
		met[owner] = true;
		err = traces_chunk_read(f, n, bytes, &t->chunks[i]);
	}
	free(met);
	return err;
}
