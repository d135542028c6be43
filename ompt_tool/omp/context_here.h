/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context_here.h - finds a creation context that was met before. Inline, since each
 * region and task does so.
 *
 * The key of a cached context is the call's return address, the body of what is created
 * where that is reported, the encountering task's own context, and the distance between its
 * enter and exit frames. The stack words
 * between the two prove it, relative to the enter frame, so that the same code at
 * another depth of the stack hits too. Where there is no exit frame, the context
 * reaches to the stack's beginning, and the enter frame's own address is part of
 * the key. When objects have changed (object.h), return addresses prove nothing,
 * and all contexts are unwound anew.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_CONTEXT_HERE_H
#define OMPHWC_OMPT_TOOL_OMP_CONTEXT_HERE_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/context.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/unwind/object.h"

static inline uintptr_t context_load(uintptr_t address)
{
	return *(const uintptr_t *)address;
}

/* The distance from the enter frame to the exit frame, or the enter frame's address. */
static inline uintptr_t context_anchor(const struct context_finder *f, const struct encounter *e)
{
	return __builtin_expect(e->exit > e->enter && e->exit < f->own.hi, 1) ? e->exit - e->enter :
										e->enter;
}

static inline struct context_entry *context_entry_for(struct context_cache *cache,
						      const struct encounter *e, uint64_t prefix,
						      uintptr_t anchor)
{
	uint64_t h = (e->call ^ e->body << 11 ^ prefix << 20 ^ anchor << 7 ^ (uint64_t)e->kind) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return &cache->entry[h >> 59 & (CONTEXT_ENTRIES - 1)];
}

typedef uintptr_t context_pair __attribute__((vector_size(2 * sizeof(uintptr_t)), may_alias));

/* How two stack words differ from what they were. */
static inline context_pair context_differ(uintptr_t enter, const uintptr_t *distance,
					  const uintptr_t *value)
{
	const context_pair found = { context_load(enter + distance[0]),
				     context_load(enter + distance[1]) };

	return found ^ *(const context_pair *)value;
}

/* Whether the stack still has the words that prove the entry. Return addresses are compared by
   two, which takes the fewest instructions, and all of them: they are equal nearly always. */
static inline bool context_words_hold(const struct context_entry *entry, uintptr_t enter)
{
	const uint32_t all = sizeof(entry->words) / sizeof(*entry->words) * 4;
	const struct context_words *w = entry->words, *const end = w + entry->nreturns / 4;
	context_pair differ = { 0, 0 };

	for (; w != end; w++)
		differ |= context_differ(enter, w->distance, w->value) |
			  context_differ(enter, w->distance + 2, w->value + 2);
	if ((differ[0] | differ[1]) != 0)
		return false;
	for (uint32_t i = all - entry->nframes; i < all; i++) {
		w = &entry->words[i / 4];
		if (context_load(enter + w->distance[i % 4]) - enter != w->value[i % 4])
			return false;
	}
	return true;
}

/* Whether the entry is for this encounter's place, whose prefix it has. */
static inline bool context_entry_is_at(const struct context_entry *entry, const struct encounter *e,
				       uintptr_t anchor)
{
	return entry->context.node != 0 && entry->call == e->call && entry->anchor == anchor &&
	       entry->body == e->body;
}

/*
 * Whether enter can be the frame of the call of the runtime, which called us: on
 * the thread's own stack, further out than this frame.
 */
static inline bool context_is_frame(const struct context_finder *f, uintptr_t enter)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	return here >= f->own.lo && enter > here && enter < f->own.hi &&
	       f->own.hi - enter >= 2 * sizeof(uintptr_t) && enter % sizeof(uintptr_t) == 0;
}

/*
 * Whether all words from the enter frame to the farthest slot are known to be readable, and
 * enter is further out than this frame. known_lo … known_hi lies in the thread's own stack, so
 * this frame is there, too.
 */
static inline bool context_is_known(const struct context_finder *f,
				    const struct context_entry *entry, uintptr_t enter)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const struct pages *p = &f->own.pages;

	return __builtin_expect(here >= p->known_lo && enter > here && enter < p->known_hi &&
					entry->reach <= p->known_hi - enter &&
					p->seen == atomic_load_explicit(&pages_changes,
									memory_order_relaxed),
				1);
}

/* context_here(), whatever is known. */
struct context *context_find(struct context_finder *f, const struct encounter *e);

/* Whether the entry has the prefix of this encounter, as its token reports: the same task's is. */
static inline bool context_entry_is_of(const struct context_entry *entry, const struct encounter *e,
				       uintptr_t anchor)
{
	return __builtin_expect(entry && entry->token == e->token && entry->call == e->call &&
					entry->anchor == anchor && entry->body == e->body &&
					entry->kind == (uint32_t)e->kind,
				1);
}

/* The context of this encounter where an entry proves it, and where all pages that the proof
   needs are known to be readable; else NULL. */
static inline __attribute__((always_inline)) struct context *
context_known(struct context_finder *f, const struct encounter *e)
{
	struct context_cache *const cache = &f->cache;
	const uintptr_t anchor = context_anchor(f, e);
	struct context_entry *entry = cache->last;

	if (__builtin_expect(!context_entry_is_of(entry, e, anchor), 0)) {
		const uint64_t prefix = token_context(e->token);

		entry = context_entry_for(cache, e, prefix, anchor);
		if (entry->prefix != prefix || !context_entry_is_at(entry, e, anchor))
			return NULL;
	}
	/* Compilers compute the address once, not again at each use. */
	__asm__("" : "+r"(entry));
	if (__builtin_expect(cache->epoch != object_epoch() ||
				     !context_is_known(f, entry, e->enter) ||
				     !context_words_hold(entry, e->enter),
			     0))
		return NULL;
	entry->token = e->token;
	cache->last = entry;
	return &entry->context;
}

/* The same for the context that was found last only: less is to be compared. */
static inline __attribute__((always_inline)) struct context *
context_known_last(struct context_finder *f, const struct encounter *e)
{
	struct context_entry *entry = f->cache.last;

	if (!__builtin_expect(context_entry_is_of(entry, e, context_anchor(f, e)), 1))
		return NULL;
	if (!__builtin_expect(f->cache.epoch == object_epoch(), 1))
		return NULL;
	if (!__builtin_expect(context_is_known(f, entry, e->enter), 1))
		return NULL;
	if (!__builtin_expect(context_words_hold(entry, e->enter), 1))
		return NULL;
	return &entry->context;
}

/*
 * The context of this encounter: never NULL; valid until the finder's next call.
 * The caller fills in its stats and team fields.
 */
static inline __attribute__((always_inline)) struct context *context_here(struct context_finder *f,
									  const struct encounter *e)
{
	struct context *c = context_known(f, e);

	if (__builtin_expect(!c, 0)) {
		/* A copy, so that compilers can keep its members in registers. */
		const struct encounter copy = *e;

		return context_find(f, &copy);
	}
	return c;
}

#endif
