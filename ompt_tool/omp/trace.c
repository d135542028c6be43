/* trace.c - see trace.h. */
#include "config.h"

#include "ompt_tool/omp/trace.h"

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/process.h"

enum { LEAST_BYTES = 1 << 12, MOST_BYTES = 1 << 30 };

/* Owned by this file: of a chunk, a power of two; 0: nothing is traced. */
static uint32_t ring_bytes;

void trace_prepare(uint64_t bytes)
{
	ring_bytes = 0;
	if (bytes == 0)
		return;
	ring_bytes = LEAST_BYTES;
	while (ring_bytes < MOST_BYTES && (uint64_t)ring_bytes * 2 <= bytes)
		ring_bytes *= 2;
}

bool trace_on(void)
{
	return ring_bytes != 0;
}

/* The head is in front of a power of two of records. */
static bool begin(struct omp_thread *t)
{
	const uint32_t head = sizeof(struct prof_chunk) + sizeof(struct prof_trace);
	struct prof_writer *const w = &process.writer;
	struct trace *r = &t->trace;
	uint64_t offset;

	if (r->refused || prof_chunk_new(w, PROF_CHUNK_TRACE, t->index, head + (size_t)ring_bytes,
					 &offset) != 0) {
		r->refused = true;
		return false;
	}
	r->head = (struct prof_trace *)(w->base + offset + sizeof(struct prof_chunk));
	r->records = (struct prof_traced *)(r->head + 1);
	r->room = ring_bytes / (uint32_t)sizeof(struct prof_traced);
	r->next = 0;
	r->head->records = r->room;
	return true;
}

void trace_note(struct omp_thread *t, enum prof_trace_kind kind, uint8_t state, uint64_t token)
{
	struct trace *r = &t->trace;

	/* Without a record, in a fork's child, the ring is the parent's. */
	if (ring_bytes == 0 || !t->record || (!r->head && !begin(t)))
		return;
	struct prof_traced *e = &r->records[r->next & (r->room - 1)];

	e->ticks = ticks_now();
	e->context = token_live_context(token);
	e->kind = (uint8_t)kind;
	e->state = state;
	r->next++;
	__atomic_store_n(&r->head->next, r->next, __ATOMIC_RELEASE);
}
