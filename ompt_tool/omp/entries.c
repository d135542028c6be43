/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call is one place in the source, whatever contexts it is met in: all its counts
 * are beneath the context in which it was met first, so later contexts need not be
 * asked for.
 */
#include "config.h"

#include "ompt_tool/omp/entries.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/begun.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/context.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/object.h"

struct entries_site {
	uintptr_t call;
	uint64_t epoch;	    /* object_epoch() when this was filled in */
	uint64_t low, high; /* the objects that STATS_OBJECT nodes name */
	uint32_t count;	    /* STATS_CONSTRUCT node; 0: none */
	uint32_t end;	    /* STATS_END likewise */
	uint8_t kind;	    /* enum prof_construct_kind; 0: unused */
	bool inside;	    /* the call was made inside the runtime */
};

struct entries_span {
	struct begun begun; /* a mutex has no token, since it does not nest */
	uint64_t begin_ticks;
	uintptr_t call;
	uint32_t count, end;
	uint8_t kind;
};

struct entries {
	struct entries_site site[ENTRIES_SITES];
	struct entries_span span[ENTRIES_DEPTH]; /* outermost first */
	uint32_t n;
};

/* Owned by this file; set before any thread. */
static bool on;

void entries_prepare(bool wanted)
{
	on = wanted;
}

bool entries_on(void)
{
	return on;
}

static void make_room(struct omp_thread *t)
{
	void *room = mmap(NULL, sizeof(struct entries), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	t->entries = room == MAP_FAILED ? NULL : room;
}

void entries_begin(struct omp_thread *t)
{
	if (on && !t->entries)
		make_room(t);
	if (t->entries)
		t->entries->n = 0;
}

void entries_forget(struct omp_thread *t)
{
	struct entries *e = t->entries;

	if (!e)
		return;
	memset(e->site, 0, sizeof(e->site));
	for (uint32_t i = 0; i < e->n; i++)
		e->span[i].count = e->span[i].end = 0;
}

static struct prof_node *node_of(uint32_t node)
{
	return node != 0 && process.writer.base ? cct_node(&process.writer, node) : NULL;
}

/* ---- sites ----------------------------------------------------------- */

static uint64_t running_task(void)
{
	const struct runtime *r = atomic_load(&runtime_current);
	struct runtime_view v = { 0 };

	if (r)
		r->query(&v);
	return v.token;
}

static bool is_inside(uintptr_t call)
{
	uint32_t flags;

	module_locate(call, &flags);
	return (flags & PROF_MODULE_RUNTIME) != 0;
}

/* Makes the site's nodes. Only on demand: a call address inside the runtime may stand
   for many calls of the program. */
static void site_make(struct omp_thread *t, struct entries_site *s)
{
	const uint64_t task = running_task();
	const enum prof_construct_kind kind = (enum prof_construct_kind)s->kind;
	struct token_view v;

	token_read(task, &v);
	s->count = construct_stats(t, kind, s->call, task, v.context, PROF_STATS_CONSTRUCT);
	s->end = construct_stats(t, kind, s->call, task, v.context, PROF_STATS_END);
}

static struct entries_site *site_at(struct omp_thread *t, enum prof_construct_kind kind,
				    uintptr_t call)
{
	const uintptr_t slot = (call ^ call >> 7 ^ (uintptr_t)kind) % ENTRIES_SITES;
	struct entries_site *s = &t->entries->site[slot];

	const uint64_t epoch = object_epoch();

	if (s->call != call || s->kind != (uint8_t)kind || s->epoch != epoch)
		*s = (struct entries_site){
			.call = call,
			.epoch = epoch,
			.kind = (uint8_t)kind,
			.inside = is_inside(call),
			.low = UINT64_MAX,
		};
	return s;
}

/* Notes the addresses of the objects met at the site; the reader names them. */
static void site_object(struct omp_thread *t, struct entries_site *s, uint64_t object)
{
	uint32_t flags;
	uint64_t task, loc;
	struct token_view v;
	struct prof_node *node;

	if (object >= s->low && object <= s->high)
		return;
	task = running_task();
	token_read(task, &v);
	node = node_of(construct_stats(t, (enum prof_construct_kind)s->kind, s->call, task,
				       v.context, PROF_STATS_OBJECT));
	if (!node)
		return;
	s->low = object < s->low ? object : s->low;
	s->high = object > s->high ? object : s->high;
	loc = module_locate(object, &flags);
	if (node->a == 0 || loc < node->a)
		node->a = loc;
	if (loc > node->b)
		node->b = loc;
}

/* The site of the program's call. Several calls of the program may share an address
   inside the runtime, or have none. */
static struct entries_site *site_of(struct omp_thread *t, enum prof_construct_kind kind,
				    uintptr_t call)
{
	struct entries_site *s = site_at(t, kind, call);

	if (call == 0 || s->inside) {
		call = context_call(&t->contexts, running_task());
		if (call != 0)
			s = site_at(t, kind, call);
	}
	if (s->count == 0)
		site_make(t, s);
	return s;
}

/* The site that counts this entry; NULL: the entry is lost, and counted as lost. */
static struct entries_site *enter(struct omp_thread *t, enum prof_construct_kind kind,
				  uintptr_t call)
{
	struct entries_site *s = t->entries ? site_of(t, kind, call) : NULL;
	struct prof_node *node = s ? node_of(s->count) : NULL;

	if (!node) {
		t->record->lost[PROF_LOST_ENTRIES]++;
		return NULL;
	}
	node->a++;
	return s;
}

/* ---- from entry to end ----------------------------------------------- */

static bool is_mutex(uint8_t kind)
{
	return kind >= PROF_CONSTRUCT_CRITICAL && kind <= PROF_CONSTRUCT_LOCK;
}

static void span_drop(struct entries *e, uint32_t i)
{
	e->n--;
	memmove(&e->span[i], &e->span[i + 1], (e->n - i) * sizeof(e->span[0]));
}

static void spans_drop_over(struct entries *e)
{
	for (uint32_t i = begun_lasting(e->span, sizeof(*e->span), e->n, 0); i < e->n;)
		if (e->span[i].begun.token != 0)
			span_drop(e, i);
		else
			i++;
}

/* Whether span i lies within another span of the same construct: a waiting task may run
   a task that waits at the same place. The outer one counts the time. */
static bool is_within_like(const struct entries *e, uint32_t i)
{
	const struct entries_span *s = &e->span[i];

	for (uint32_t k = 0; k < i && !is_mutex(s->kind); k++)
		if (e->span[k].kind == s->kind && e->span[k].call == s->call &&
		    !begun_is_over(&e->span[k].begun, 0))
			return true;
	return false;
}

static void span_close(struct entries *e, uint32_t i, uint64_t now)
{
	const bool within = is_within_like(e, i);
	const struct entries_span s = e->span[i];
	struct prof_node *count = node_of(s.count), *end = node_of(s.end);
	const uint64_t ticks = now - s.begin_ticks;

	span_drop(e, i);
	if (!count || !end)
		return;
	if (!within)
		count->b += ticks;
	end->a++;
	if (ticks > end->b)
		end->b = ticks;
}

void entries_count(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call)
{
	if (__builtin_expect(!t->entries, 0))
		make_room(t);
	enter(t, kind, call);
}

void entries_enter(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		   uint64_t key)
{
	struct entries_site *s = enter(t, kind, call);

	if (!s)
		return;
	if (kind == PROF_CONSTRUCT_LOCK)
		site_object(t, s, key);
	struct entries *e = t->entries;
	spans_drop_over(e);
	if (e->n == ENTRIES_DEPTH)
		span_drop(e, 0);
	e->span[e->n++] = (struct entries_span){
		.begun = { .token = is_mutex(s->kind) ? 0 : key, .key = key },
		.kind = s->kind,
		.call = s->call,
		.count = s->count,
		.end = s->end,
		.begin_ticks = ticks_now(),
	};
}

/* A wait ends: the ends of the waits inside of it were lost. */
static void spans_drop_inside(struct entries *e, uint32_t outer)
{
	for (uint32_t i = e->n; i-- > outer + 1;)
		if (!is_mutex(e->span[i].kind))
			span_drop(e, i);
}

void entries_leave(struct omp_thread *t, enum prof_construct_kind kind, uint64_t key)
{
	const uint64_t now = ticks_now();
	struct entries *e = t->entries;

	for (uint32_t i = e ? e->n : 0; i-- > 0;)
		if (e->span[i].kind == (uint8_t)kind && e->span[i].begun.key == key) {
			if (!is_mutex(e->span[i].kind))
				spans_drop_inside(e, i);
			span_close(e, i, now);
			return;
		}
}

/* Ends all spans of that object; the end of the outermost was reported, or not. */
static void spans_end(struct entries *e, uint64_t key, bool reported)
{
	const uint64_t now = ticks_now();
	uint32_t first = UINT32_MAX;

	for (uint32_t i = e->n; i-- > 0;) {
		if (!is_mutex(e->span[i].kind) || e->span[i].begun.key != key)
			continue;
		if (first != UINT32_MAX)
			span_drop(e, first);
		first = i;
	}
	if (first == UINT32_MAX)
		return;
	if (reported)
		span_close(e, first, now);
	else
		span_drop(e, first);
}

void entries_acquire(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t key)
{
	/* Another thread released it, or its release was not reported. */
	if (t->entries && t->entries->n != 0)
		spans_end(t->entries, key, false);
	entries_enter(t, kind, call, key);
}

void entries_release(struct omp_thread *t, uint64_t key)
{
	if (t->entries)
		spans_end(t->entries, key, true);
}
