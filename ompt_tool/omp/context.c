/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/context.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "ompt_tool/omp/context_here.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/enter.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind.h"

enum {
	FOLD_HOPS = 64,		/* how many ancestors a recurring task is compared with */
	REGION_FOLD_FROM = 16,	/* recurring regions are distinguished down to this depth */
	BRANCHES_FOLD_FROM = 4, /* down to this depth where levels differ: n calls in each are
				   n^depth contexts */
	FOLD_FRAMES = 1 << 12,	/* of one context; stacks are shallower */
};

struct build {
	struct context_finder *finder;
	const struct encounter *e;
	struct token_view prefix;
	uintptr_t exit;	   /* 0: the walk can't be cut at an exit frame */
	uint32_t call;	   /* the frame that the call of the runtime returns to */
	uint32_t first, n; /* the context's frames: frame[first … n-1] */
	uint32_t last;	   /* the last frame whose pc is proven */
	bool cut;	   /* the walk ended where the task begins */
	bool recurs;	   /* the context is one that is around it already */
};

static bool is_runtime(const struct context_frame *f)
{
	uint32_t flags;

	module_locate(f->pc, &flags);
	return (flags & PROF_MODULE_RUNTIME) != 0;
}

/* As may_be_runtime() of the handler. */
static bool may_be_runtime(const struct context_frame *f)
{
	uint32_t flags;

	module_locate(f->pc, &flags);
	return (flags & (PROF_MODULE_RUNTIME | PROF_MODULE_MIXED)) != 0;
}

/* The walk has reached the beginning of the task: the first n frames are the task's.
   The runtime's frame behind them is the last to be proven, by its return address. */
static void cut_behind(struct build *b, uint32_t n)
{
	b->n = b->last = n;
	b->cut = true;
}

/*
 * Frame n encountered the region that this thread began and whose body is being
 * walked. The body ends at the runtime's frames inside of frame n; where there are
 * none (a serialized region), with frame n itself.
 */
static void cut_at_region(struct build *b, uint32_t n)
{
	const struct context_frame *frame = b->finder->cache.frame;
	uint32_t k = n;

	while (k > 0 && is_runtime(&frame[k - 1]))
		k--;
	if (k > 0 && k < n) {
		cut_behind(b, k);
		return;
	}
	b->n = n + 1;
	b->last = n;
	b->cut = true;
}

/* The task's frames are those inside of the outermost frames of the runtime. */
static void cut_inside_runtime(struct build *b)
{
	const struct context_frame *frame = b->finder->cache.frame;
	uint32_t k = b->n;

	b->last = b->n - 1;
	while (k > 0 && !is_runtime(&frame[k - 1]))
		k--;
	while (k > 0 && is_runtime(&frame[k - 1]))
		k--;
	if (k > 0)
		cut_behind(b, k);
}

/*
 * Walks the encountering task's frames, up to the runtime frame that holds its exit
 * pointer, without that frame. The runtime's frames and ours on the way in are left
 * out: the context begins with the frame that called the runtime. A region of this
 * thread's own, and an undeferred task, is known by the frame that encountered it:
 * the exit pointer of a serialized region is left over from a frame that has
 * returned.
 */
static void build_walk(struct build *b, struct unwind_cursor *c)
{
	struct context_finder *f = b->finder;
	struct context_frame *frame = f->cache.frame;
	uintptr_t region_cfa = b->prefix.region && b->prefix.region->owner == f->thread->index ?
				       b->prefix.region->cfa :
				       b->e->cfa;
	uint32_t exit_at = 0; /* b->n at the exit frame; 0: not met */
	struct bounds bounds;

	bounds_begin(&bounds, &f->own, c->sp, NULL);
	b->call = 0;
	for (b->n = 0; b->n < CONTEXT_FRAMES; b->n++) {
		struct context_frame *at = &frame[b->n];

		at->pc = c->pc;
		at->sp = c->sp;
		at->fp = c->fp;
		enum unwind_step step = bounds_step(c, &f->rules, &bounds);
		at->cfa = step == UNWIND_OK ? c->sp : 0;
		at->pc_slot = step == UNWIND_OK && c->plain ? c->pc_slot : 0;
		at->fp_slot = step == UNWIND_OK ? c->fp_slot : 0;
		at->fp_used = step == UNWIND_OK && c->fp_used;
		if (step != UNWIND_OK) {
			b->n++;
			break;
		}
		if (region_cfa != 0 && c->sp == region_cfa) {
			cut_at_region(b, b->n);
			return;
		}
		if (exit_at == 0 && b->exit != 0 && c->sp > b->exit && may_be_runtime(at))
			exit_at = b->n;
		if (exit_at != 0 && c->sp > region_cfa)
			break;
	}
	if (exit_at != 0)
		cut_behind(b, exit_at);
	else if (b->e->inside_runtime && b->prefix.kind != TOKEN_NONE)
		cut_inside_runtime(b);
	else
		b->last = b->n - 1;
}

/* Skips the frames inside of the call: up to the frame that returns to e->call. Where
   no frame does, skips our own frames (which may lie in the program itself, when linked
   statically) and the runtime's frames outside of them. */
static void build_skip(struct build *b)
{
	const struct context_frame *frame = b->finder->cache.frame;
	uint32_t i = 0;

	for (uint32_t k = 0; k < b->n; k++)
		if (b->e->call != 0 && frame[k].pc == b->e->call) {
			b->call = k;
			return;
		}
	while (i < b->n && !is_runtime(&frame[i]))
		i++;
	if (i == b->n && b->n != 0 && may_be_runtime(&frame[0]))
		i = 0;
	while (i < b->n && is_runtime(&frame[i]))
		i++;
	b->call = i;
}

/* Whether a token's context can be a node: tokens come from the runtime, and are not
   trusted. */
static bool is_node(const struct prof_writer *w, uint32_t n)
{
	return n >= PROF_HEADER_BYTES / PROF_GRANULE && cct_link(w, n) != 0 &&
	       (cct_node(w, n)->info & 0xff) <= PROF_NODE_BOUNDARY;
}

/* Whether a context's innermost frame created what has that body; 0: it is not reported. */
static bool is_of_body(const struct prof_writer *w, const struct prof_node *frame, uint64_t body)
{
	const struct prof_node *n = cct_node(w, cct_link(w, frame->parent));

	return ((n->info & 0xff) == PROF_NODE_BODY ? n->value : 0) == body;
}

/* Goes up from a context to the boundary at which it begins; NULL: there is none. */
static const struct prof_node *boundary_of(const struct prof_writer *w, uint32_t context)
{
	const struct prof_node *n = cct_node(w, context);

	for (uint32_t up = 0; (n->info & 0xff) != PROF_NODE_BOUNDARY; up++) {
		if (n->parent == 0 || up == FOLD_FRAMES)
			return NULL;
		n = cct_node(w, cct_link(w, n->parent));
	}
	return n;
}

/* Whether two contexts have the same frames up to their boundaries: a recursion went through the
   same calls in both levels. */
static bool same_frames(const struct prof_writer *w, uint32_t a, uint32_t b)
{
	const struct prof_node *m = cct_node(w, a), *n = cct_node(w, b);

	for (uint32_t up = 0; up < FOLD_FRAMES; up++) {
		const bool ends = (m->info & 0xff) == PROF_NODE_BOUNDARY || m->parent == 0;

		if (ends || (n->info & 0xff) == PROF_NODE_BOUNDARY || n->parent == 0)
			return ends && (m->info & 0xff) == (n->info & 0xff);
		if (m->value != n->value)
			return false;
		m = cct_node(w, cct_link(w, m->parent));
		n = cct_node(w, cct_link(w, n->parent));
	}
	return false;
}

/* A task that is created where an ancestor of its creator was created gets that
   ancestor's context: otherwise a recursion would make an endless chain. */
static uint32_t fold(const struct build *b, uint64_t site, uint64_t body)
{
	const struct prof_writer *w = &process.writer;
	uint32_t context = is_node(w, b->prefix.context) ? b->prefix.context : 0;
	uint32_t level = 0, inner = 0; /* the contexts of this site that were met last */
	int from = b->e->kind == PROF_BOUNDARY_TASK ? 0 : REGION_FOLD_FROM;

	for (int hop = 0; context != 0 && hop < FOLD_HOPS; hop++) {
		const struct prof_node *n = cct_node(w, context);

		if ((n->info & 0xff) == PROF_NODE_FRAME && n->value == site &&
		    is_of_body(w, n, body)) {
			/* The outermost level is not compared: others call it. */
			if (from == REGION_FOLD_FROM && inner != 0 && !same_frames(w, inner, level))
				from = BRANCHES_FOLD_FROM;
			if (hop >= from)
				return context;
			inner = level;
			level = context;
		}
		n = boundary_of(w, context);
		context = n && is_node(w, (uint32_t)n->value) ? (uint32_t)n->value : 0;
	}
	return 0;
}

static enum prof_boundary_kind boundary_kind(const struct token_view *v)
{
	return v->kind == TOKEN_TASK ? PROF_BOUNDARY_TASK : PROF_BOUNDARY_REGION;
}

static uint32_t build_nodes(struct build *b)
{
	struct omp_thread *t = b->finder->thread;
	const struct context_frame *frame = b->finder->cache.frame;
	uint32_t flags;

	if (b->first == b->n)
		return b->prefix.context; /* the task has no frames of its own */
	const uint64_t body = b->e->body != 0 ? module_locate(b->e->body, &flags) : 0;
	uint32_t node = fold(b, module_locate(frame[b->first].pc, &flags), body);
	b->recurs = node != 0;
	if (node != 0)
		return node;
	node = cct_root(&t->cct);
	/* Joins the creator's context. A worker's own stack does not hold the creator's
	   callers. */
	if (b->prefix.kind != TOKEN_NONE && (b->cut || t->kind == PROF_THREAD_WORKER))
		node = cct_child(&t->cct, node,
				 PROF_BOUNDARY_INFO(boundary_kind(&b->prefix), PROF_TEAM_UNKNOWN),
				 b->prefix.context);
	for (uint32_t i = b->n; i > b->first && node != 0; i--) {
		if (i == b->first + 1 && body != 0)
			node = cct_child(&t->cct, node, PROF_NODE_INFO(PROF_NODE_BODY, 0, 0, 0),
					 body);
		if (node == 0)
			break;
		uint64_t loc = module_locate(frame[i - 1].pc, &flags);
		uint32_t mark = (flags & PROF_MODULE_RUNTIME ? PROF_FRAME_RUNTIME : 0u) |
				(flags & PROF_MODULE_TOOL ? PROF_FRAME_TOOL : 0u);

		node = cct_child(&t->cct, node, PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, mark), loc);
	}
	return node;
}

enum { WORDS = CONTEXT_SLOTS + 4 }; /* those that are there again are no slots */

static void word_set(struct context_entry *entry, uint32_t i, uintptr_t distance, uintptr_t value)
{
	entry->words[i / 4].distance[i % 4] = distance;
	entry->words[i / 4].value[i % 4] = value;
}

static bool prove_word(struct context_entry *entry, uintptr_t enter, uintptr_t address,
		       uintptr_t value, bool is_return)
{
	const uintptr_t distance = address - enter;

	if (address < enter || entry->nreturns + entry->nframes == CONTEXT_SLOTS)
		return false;
	if (entry->reach < distance + sizeof(uintptr_t))
		entry->reach = distance + sizeof(uintptr_t);
	word_set(entry, is_return ? entry->nreturns++ : WORDS - ++entry->nframes, distance, value);
	return true;
}

static bool prove_return(struct context_entry *entry, uintptr_t enter, uintptr_t address)
{
	return prove_word(entry, enter, address, context_load(address), true);
}

static bool prove_frame(struct context_entry *entry, uintptr_t enter, uintptr_t address,
			uintptr_t fp)
{
	return prove_word(entry, enter, address, fp - enter, false);
}

/*
 * Notes the words that led from frame to frame. A caller's frame pointer is proven
 * only where a rule further out uses it; it is a stack address then.
 */
static bool entry_prove(struct context_entry *entry, const struct build *b, uintptr_t enter)
{
	const struct context_frame *frame = b->finder->cache.frame;
	bool fp_matters = false;

	entry->nreturns = entry->nframes = 0;
	entry->reach = 2 * sizeof(uintptr_t);
	if (b->first == b->n)
		return false;
	for (uint32_t i = b->last + 1; i-- > b->call;) {
		const struct context_frame *f = &frame[i];

		if (i < b->last) {
			if (f->pc_slot == 0 || !prove_return(entry, enter, f->pc_slot))
				return false;
			if (f->fp_slot != 0 && fp_matters &&
			    !prove_frame(entry, enter, f->fp_slot, frame[i + 1].fp))
				return false;
		}
		fp_matters = f->fp_used || (f->fp_slot == 0 && fp_matters);
	}
	/* On each machine the enter frame holds the fp of the call itself. */
	if (fp_matters && (context_load(enter) != frame[b->call].fp ||
			   !prove_frame(entry, enter, enter, frame[b->call].fp)))
		return false;
	/* Return addresses are compared by four. */
	const uint32_t last = entry->nreturns - 1;

	for (; entry->nreturns % 4 != 0; entry->nreturns++)
		word_set(entry, entry->nreturns, entry->words[last / 4].distance[last % 4],
			 entry->words[last / 4].value[last % 4]);
	return true;
}

static void build(struct build *b, const struct encounter *e)
{
	struct unwind_cursor c;

	if (e->call != 0 && context_is_frame(b->finder, e->enter) &&
	    enter_cursor(&c, e->enter, e->call)) {
		build_walk(b, &c);
	} else {
		unwind_begin_here(&c);
		build_walk(b, &c);
		build_skip(b);
	}
	b->first = b->call;
	if (e->in_body) {
		/* To the runtime's frames outside of the body, or to the frame that called it
		   without them. */
		while (b->first < b->n && !is_runtime(&b->finder->cache.frame[b->first]))
			b->first++;
		if (b->first == b->n && b->call + 1 < b->n)
			b->first = b->call + 1;
	}
	/* Of gcc's undeferred tasks libomp gives a call in its own GOMP_task. */
	while (b->first < b->n && is_runtime(&b->finder->cache.frame[b->first]))
		b->first++;
}

static struct context *context_make(struct context_finder *f, const struct encounter *e,
				    struct context_entry *entry, uint64_t prefix, uintptr_t anchor)
{
	struct build b = { .finder = f, .e = e };
	struct context *result = &f->cache.uncached;
	bool on_stack = context_is_frame(f, e->enter);

	f->cache.last = NULL; /* it may be this entry */
	token_read(e->token, &b.prefix);
	/* The exit pointer is only compared with addresses, so it may be anywhere on a
	   coroutine's stack. */
	if (e->cfa == 0 && e->exit > e->enter && (!on_stack || e->exit < f->own.hi))
		b.exit = e->exit;
	build(&b, e);
	f->cache.walked = b.n;
	uint32_t node = build_nodes(&b);
	if (on_stack && node != 0 && entry_prove(entry, &b, e->enter)) {
		entry->call = e->call;
		entry->prefix = prefix;
		entry->token = e->token;
		entry->kind = e->kind;
		entry->body = e->body;
		entry->anchor = anchor;
		result = &entry->context;
	} else {
		entry->context.node = 0;
	}
	*result = (struct context){ .node = node, .created = CONTEXT_NO_TASK };
	if (b.recurs) {
		result->around = b.prefix.context;
		result->around_kind = boundary_kind(&b.prefix);
	}
	if (b.first < b.n && f->cache.frame[b.first].cfa != 0)
		result->cfa = f->cache.frame[b.first].cfa - e->enter;
	return result;
}

/* Whether the words that prove the entry can be read. */
static bool slots_are_there(struct context_finder *f, const struct context_entry *entry,
			    uintptr_t enter)
{
	struct pages *p = &f->own.pages;

	if (entry->reach > f->own.hi - enter)
		return false;
	pages_begin(p, f->own.lo, f->own.hi, (uintptr_t)__builtin_frame_address(0));
	for (uint32_t i = 0; i < WORDS; i++)
		if ((i < entry->nreturns || i >= WORDS - entry->nframes) &&
		    !pages_have(p, enter + entry->words[i / 4].distance[i % 4], sizeof(uintptr_t)))
			return false;
	return true;
}

struct context *context_find(struct context_finder *f, const struct encounter *e)
{
	const uint64_t prefix = token_context(e->token);
	const uintptr_t anchor = context_anchor(f, e);
	struct context_entry *entry = context_entry_for(&f->cache, e, prefix, anchor);

	if (f->cache.epoch != object_epoch())
		context_forget(f);
	if (context_is_frame(f, e->enter) && slots_are_there(f, entry, e->enter) &&
	    entry->prefix == prefix && context_entry_is_at(entry, e, anchor) &&
	    context_words_hold(entry, e->enter))
		return &entry->context;
	return context_make(f, e, entry, prefix, anchor);
}

/* Whether the frame at enter returns to call. */
static bool is_enter(const struct context_finder *f, uintptr_t enter, uintptr_t call)
{
	return context_is_frame(f, enter) && context_load(enter + sizeof(uintptr_t)) == call;
}

static uint32_t distance_of(uintptr_t call)
{
	return (uint32_t)(call >> 2 & (CONTEXT_DISTANCES - 1));
}

void context_enter(const struct context_finder *f, struct encounter *e, uintptr_t here)
{
	const uint32_t i = distance_of(e->call);
	const uintptr_t enter = here + f->cache.distance[i].distance;

	if (e->call == 0 || is_enter(f, e->enter, e->call))
		return;
	e->enter = f->cache.distance[i].call == e->call && is_enter(f, enter, e->call) ? enter : 0;
}

void context_learn(struct context_finder *f, const struct encounter *e, uintptr_t here)
{
	const struct context_frame *frame = f->cache.frame;
	const uint32_t i = distance_of(e->call);
	uint32_t k = 0;

	if (e->enter != 0 || e->call == 0)
		return;
	while (k < f->cache.walked && frame[k].pc != e->call)
		k++;
	if (k == f->cache.walked || !context_is_frame(f, frame[k].sp - 2 * sizeof(uintptr_t)))
		return;

	const uintptr_t enter = enter_of(frame[k].sp, frame[k].fp);

	if (enter <= here || !is_enter(f, enter, e->call))
		return;
	f->cache.distance[i].call = e->call;
	f->cache.distance[i].distance = enter - here;
}

/* Whether a frame is of the C library, or of its threads. */
static bool is_system(const struct context_frame *f)
{
	const struct object *o = object_find(f->pc);

	return o &&
	       (o == object_find((uintptr_t)abort) || o == object_find((uintptr_t)pthread_self));
}

static bool runs_main(const struct omp_thread *t)
{
	return t->record && process.writer.base &&
	       t->record->tid == prof_header(&process.writer)->pid;
}

bool context_is_runtimes(struct context_finder *f, const struct encounter *e)
{
	struct build b = { .finder = f, .e = e };
	uint32_t flags, k;

	module_locate(e->call, &flags);
	if ((flags & PROF_MODULE_RUNTIME) == 0 || runs_main(f->thread))
		return false;
	token_read(e->token, &b.prefix);
	build(&b, e);
	for (k = b.first; k < b.n && is_runtime(&f->cache.frame[k]); k++)
		;
	if (k == b.n)
		return false;
	while (k < b.n && is_system(&f->cache.frame[k]))
		k++;
	return k == b.n;
}

uintptr_t context_call(struct context_finder *f, uint64_t token)
{
	const struct encounter e = { .token = token };
	struct build b = { .finder = f, .e = &e };
	uint32_t k;

	token_read(token, &b.prefix);
	build(&b, &e);
	/* The caller of a region's code is a frame of the runtime; a cut walk ended
	   behind that frame. Where there is no such frame, or no frame inside of it,
	   the region's code does not run yet: the runtime does something for the
	   region, and the call is the one that created it. */
	for (k = b.first; k < b.n && !is_runtime(&f->cache.frame[k]); k++)
		;
	if (k == b.n && (b.last != b.n || b.first == b.n) && b.prefix.region)
		return b.prefix.region->call;
	return b.first < b.n ? f->cache.frame[b.first].pc : 0;
}

uintptr_t context_caller(struct context_finder *f, uintptr_t enter, uintptr_t call)
{
	struct unwind_cursor c;
	struct bounds bounds;

	if (!context_is_frame(f, enter) || !enter_cursor(&c, enter, call))
		return 0;
	bounds_begin(&bounds, &f->own, c.sp, NULL);
	return bounds_step(&c, &f->rules, &bounds) == UNWIND_OK ? c.sp : 0;
}

void context_forget(struct context_finder *f)
{
	f->cache.epoch = object_epoch();
	f->cache.last = NULL;
	for (int i = 0; i < CONTEXT_ENTRIES; i++)
		f->cache.entry[i].context.node = 0;
}
