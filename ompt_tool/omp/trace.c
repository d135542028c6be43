/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/trace.h"

#include <stdatomic.h>
#include <unistd.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/process.h"

enum {
	LEAST_BYTES = 1 << 12,
	MOST_BYTES = 1 << 30,
	ALL_BYTES = 64 << 20, /* of all rings, unless there are more CPUs */
	RINGS_MOST = 1024,
};

/* Owned by this file. */
uint32_t trace_ring_bytes; /* a power of two */
static uint32_t rings_most;
static _Atomic uint32_t nrings; /* asked for; more than rings_most: some were refused */

enum { RING_NONE, RING_USED, RING_ENDED };

static struct {
	_Atomic uint32_t state;
	uint64_t offset; /* of its chunk */
} rings[RINGS_MOST];

void trace_prepare(uint64_t bytes)
{
	trace_ring_bytes = 0;
	if (bytes == 0)
		return;
	trace_ring_bytes = LEAST_BYTES;
	while (trace_ring_bytes < MOST_BYTES && (uint64_t)trace_ring_bytes * 2 <= bytes)
		trace_ring_bytes *= 2;
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t n = ALL_BYTES / trace_ring_bytes;

	if (cpus > 0 && n < 2 * (uint64_t)cpus + 2)
		n = 2 * (uint32_t)cpus + 2;
	rings_most = n < RINGS_MOST ? n : RINGS_MOST;
	trace_fork_child();
}

void trace_fork_child(void)
{
	for (uint32_t i = 0; i < RINGS_MOST && i < atomic_load(&nrings); i++)
		atomic_store(&rings[i].state, RING_NONE);
	atomic_store(&nrings, 0);
}

uint32_t trace_rings_most(void)
{
	return rings_most;
}

/* Once for the process. */
static void note_reuse(void)
{
	static const char text[] =
		"more threads than --trace has rings: the events of some that had "
		"ended are gone: a smaller --trace=SIZE makes more rings";
	static atomic_flag noted = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&noted))
		prof_info_append(&process.writer, PROF_INFO_NOTE, text, sizeof(text) - 1, NULL, 0);
}

static bool take(uint32_t i)
{
	uint32_t ended = RING_ENDED;

	return atomic_compare_exchange_strong(&rings[i].state, &ended, RING_USED);
}

/* The number of a new ring, or of one whose thread has ended; 0: there is none. */
static uint32_t ring_find(uint32_t thread)
{
	const uint32_t head = sizeof(struct prof_chunk) + sizeof(struct prof_trace);
	const uint32_t i = atomic_load(&nrings) < rings_most ? atomic_fetch_add(&nrings, 1) :
							       rings_most;

	if (i < rings_most) {
		if (prof_chunk_new(&process.writer, PROF_CHUNK_TRACE, thread,
				   head + (size_t)trace_ring_bytes, &rings[i].offset) != 0)
			return 0;
		atomic_store(&rings[i].state, RING_USED);
		return i + 1;
	}
	note_reuse();
	for (uint32_t k = 0; k < rings_most; k++)
		if (take(k))
			return k + 1;
	return 0;
}

static struct prof_chunk *chunk_of(const struct trace *r)
{
	return (struct prof_chunk *)(process.writer.base + rings[r->ring - 1].offset);
}

/* The head is in front of a power of two of records.  A reused ring is empty before it has
   another owner. */
static bool begin(struct omp_thread *t)
{
	struct trace *r = &t->trace;

	if (r->refused)
		return false;
	r->ring = ring_find(t->index);
	if (r->ring == 0) {
		r->refused = true;
		return false;
	}
	struct prof_chunk *const c = chunk_of(r);

	r->head = (struct prof_trace *)(c + 1);
	r->records = (struct prof_traced *)(r->head + 1);
	r->room = trace_ring_bytes / (uint32_t)sizeof(struct prof_traced);
	r->next = 0;
	r->head->records = r->room;
	__atomic_store_n(&r->head->next, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&c->owner, t->index, __ATOMIC_RELEASE);
	return true;
}

/* The next thread of the record goes on with the ring, if no other thread has it by then. */
static bool begin_again(struct omp_thread *t)
{
	struct trace *r = &t->trace;

	if (r->ring != 0 && take(r->ring - 1)) {
		struct prof_chunk *const c = chunk_of(r);

		r->head = (struct prof_trace *)(c + 1);
		if (c->owner == t->index && r->head->next == r->next)
			return true;
		atomic_store(&rings[r->ring - 1].state, RING_ENDED);
	}
	return begin(t);
}

void trace_end(struct omp_thread *t)
{
	if (!t->trace.head)
		return;
	t->trace.head = NULL;
	atomic_store(&rings[t->trace.ring - 1].state, RING_ENDED);
}

static void note(struct omp_thread *t, enum prof_trace_kind kind, uint8_t state, uint32_t context)
{
	struct trace *r = &t->trace;

	/* Without a record, in a fork's child, the ring is the parent's. */
	if (trace_ring_bytes == 0 || !t->record || (!r->head && !begin_again(t)))
		return;
	struct prof_traced *e = &r->records[r->next & (r->room - 1)];

	e->ticks = ticks_now();
	e->context = context;
	e->kind = (uint8_t)kind;
	e->state = state;
	r->next++;
	__atomic_store_n(&r->head->next, r->next, __ATOMIC_RELEASE);
}

void trace_note(struct omp_thread *t, enum prof_trace_kind kind, uint8_t state, uint64_t token)
{
	note(t, kind, state, token_live_context(token));
}

void trace_construct(struct omp_thread *t, enum prof_trace_kind kind, uint32_t node)
{
	note(t, kind, 0, node);
}
