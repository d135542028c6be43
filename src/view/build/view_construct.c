/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_construct.c - the construct that each sample is counted for.
 *
 * It is the innermost known one: the construct that the thread waits in (a critical
 * section, a taskwait), the worksharing construct that the profiler recorded, the explicit
 * task, or the parallel region.  The barrier at the end of a construct comes after the
 * runtime reported the end; its construct is found by the line, which is that of the
 * directive.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/toolchain/toolchain.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

static uint32_t construct_add(struct view *v, const struct view_construct *c, uint64_t key)
{
	uint32_t id;

	v->constructs = pinned_grow(v->constructs, v->nconstructs, &v->constructs_room,
				    sizeof(*v->constructs));
	if (map_add(&v->by_construct, (uint64_t)c->kind << 32 | c->line, key,
		    (uint32_t)v->nconstructs, &id))
		v->constructs[v->nconstructs++] = *c;
	return id;
}

uint32_t view_construct(struct view *v, enum construct_kind kind, uint32_t line, const char *object)
{
	const struct view_construct c = {
		.kind = (uint8_t)kind,
		.line = line,
		.object = object,
		.elapsed_known = true,
	};

	/* Names of objects are interned, so their addresses identify them. */
	return construct_add(v, &c, (uintptr_t)object);
}

void view_construct_lock(struct view_construct *c, const char *lock)
{
	/* Names are interned: equal names have equal addresses. */
	if (!lock || (c->object && c->object != lock))
		c->several = true;
	c->object = c->several ? NULL : lock;
}

/* ---- where it is ----------------------------------------------------- */

static struct view_span construct_span(struct view_builder *b, uint64_t loc)
{
	uint32_t id;

	b->spans = pinned_grow(b->spans, b->nspans, &b->spans_room, sizeof(*b->spans));
	if (map_add(&b->by_call, (uintptr_t)b->file, loc, (uint32_t)b->nspans, &id)) {
		const struct answer a = ask(b->options->resolver, b->file, QUERY_SPAN, loc, false);

		/* The beginning is known even without lines. */
		b->spans[b->nspans++] = (struct view_span){ .begin = a.at,
							    .file = a.text,
							    .first = a.known ? a.first : 0,
							    .last = a.known ? a.last : 0 };
	}
	return b->spans[id];
}

/* The line of what created the body, whose containing function is unknown (a template's); 0:
   unknown. */
static uint32_t construct_creation(const struct view *v, const struct path *x)
{
	uint32_t line = v->regions[x->region].line;

	if (x->at.in_task && x->task)
		line = v->tasks[x->task].line;
	return line ? line : x->at.user_line;
}

/* The line of the call before loc (exact: of the instruction there), in a function of the
   source. */
static uint32_t construct_line(struct view_builder *b, uint64_t loc, bool exact,
			       const struct path *x)
{
	const struct origin_tail *tail = exact ? NULL :
						 origins_tail(&b->paths.evidence.origins, loc);
	const struct prof_rnode call = {
		.kind = PROF_NODE_FRAME,
		.a = tail ? tail->at : loc,
		.flags = tail || exact ? PROF_FRAME_EXACT : 0,
	};
	struct names *n = &b->view->names;
	const struct function *f;
	uint32_t line, function, creation = 0;
	const struct site *site = sites_find(&b->paths.evidence.sites, &call);

	line = b->paths.evidence.sites.lines[site->first];
	function = n->lines[line].function;
	f = &n->functions[function];
	if (f->outlined != SYM_NOT_OUTLINED && f->origin)
		function = names_origin(n, function);
	else if (f->outlined != SYM_NOT_OUTLINED || f->body)
		creation = construct_creation(b->view, x);
	if (creation)
		function = n->lines[creation].function;
	line = names_line(n, function, n->lines[line].file, n->lines[line].line);
	if (creation && names_is_called(&n->lines[creation]))
		line = names_called(n, line);
	return evidence_place(&b->paths.evidence, line, call.a, tail || exact);
}

/* Where gcc gave the call that begins a construct the line of the code before, that of its first
   code counts. */
static uint32_t construct_placed(struct view_builder *b, const struct view_span *span,
				 uint32_t line)
{
	struct names *n = &b->view->names;
	const struct line *at = &n->lines[line];
	const char *called;

	if (!span->first || !at->line)
		return line;
	called = ask(b->options->resolver, b->file, QUERY_CALLED, span->begin, false).text;
	if (!(toolchain_entry(called)->flags & ENTRY_UNPLACED))
		return line;
	return names_line(n, at->function, span->file ? span->file : at->file, span->first);
}

void view_construct_extend(struct view_builder *b, struct view_construct *c,
			   const struct view_span *span)
{
	const unsigned line = b->view->names.lines[c->line].line;

	if (construct_is_point((enum construct_kind)c->kind)) {
		c->first_line = c->last_line = line;
		return;
	}
	if (!span->first)
		return;
	/* The directive is the first line; code that was moved here from elsewhere does not
	   count. */
	c->first_line = line ? line : span->first;
	if (span->last > c->last_line && span->last >= c->first_line)
		c->last_line = span->last;
}

/* ---- of a sample ----------------------------------------------------- */

/* Whether the call before loc begins the region x is in, too: gcc's and the directive are one. */
static bool construct_is_combined(struct view_builder *b, uint64_t loc, const struct path *x)
{
	const struct view_region *r = &b->view->regions[x->region];
	const char *called;

	if (x->region < REGION_SPECIALS || !r->combined || !r->line)
		return false;
	called = ask(b->options->resolver, b->file, QUERY_CALLED, loc, false).text;
	return called && toolchain_entry(called)->flags & ENTRY_FORK &&
	       toolchain_entry(called)->construct == r->combined;
}

uint32_t view_construct_at(struct view_builder *b, enum construct_kind kind, uint64_t loc,
			   const char *object, const struct path *x)
{
	const struct view_span span = construct_span(b, loc);
	const uint32_t line = construct_is_combined(b, loc, x) ?
				      b->view->regions[x->region].line :
				      construct_placed(b, &span, construct_line(b, loc, false, x));
	const uint32_t id = view_construct(b->view, kind, line, object);

	view_construct_extend(b, &b->view->constructs[id], &span);
	return id;
}

uint32_t view_construct_of(struct view_builder *b, const struct prof_rnode *node,
			   const struct path *x)
{
	const struct resolver *r = b->options->resolver;
	const struct origin_tail *tail = origins_tail(&b->paths.evidence.origins, node->a);
	enum construct_kind kind = construct_of_profile(node->flags), called;
	struct view_construct *c;
	uint32_t id;

	/* The kind according to the code of the call, which corresponds to the source.  The runtime
	   reports the schedule that it chose for schedule(runtime), and takes gcc's sections for a
	   loop. */
	if (construct_is_loop(kind) || kind == CONSTRUCT_MASKED) {
		called = tail ? tail->kind :
				ask(r, b->file, QUERY_CONSTRUCT, node->a, false).construct;
		if (kind == CONSTRUCT_MASKED)
			kind = called == CONSTRUCT_MASTER ? called : kind;
		else if (called == CONSTRUCT_SECTIONS ||
			 (called != CONSTRUCT_FOR && construct_is_loop(called)))
			kind = called;
	}
	id = view_construct_at(b, kind, node->a, NULL, x);
	c = &b->view->constructs[id];
	if (kind == CONSTRUCT_SECTIONS && !c->count_least)
		c->count_least = c->count_most =
			ask(r, b->file, QUERY_SECTIONS, node->a, false).count;
	return id;
}

/* The construct that the thread waits in or creates. */
static uint32_t construct_wait(struct view_builder *b, enum construct_kind kind,
			       const struct path *x, const char *object)
{
	const uint64_t loc = b->file->nodes[x->at.user_frame].a;
	const struct view_span span = construct_span(b, loc);
	uint32_t line = path_build_place(&b->paths, x), id;

	if (b->view->names.functions[x->at.entry].entry->construct == CONSTRUCT_TASKLOOP)
		kind = CONSTRUCT_TASKLOOP;
	/* The thread waits at the taskgroup's end. */
	if (kind == CONSTRUCT_TASKGROUP && (span.first || span.begin != loc))
		line = construct_line(b, span.begin, false, x);
	line = construct_placed(b, &span, line);
	id = view_construct(b->view, kind, line, kind == CONSTRUCT_CRITICAL ? object : NULL);
	view_construct_extend(b, &b->view->constructs[id], &span);
	if (kind == CONSTRUCT_LOCK && object)
		view_construct_lock(&b->view->constructs[id], object);
	return id;
}

uint32_t view_construct_loop(struct view_builder *b, uint64_t at, const struct path *x)
{
	const struct answer a = ask(b->options->resolver, b->file, QUERY_LOOP_LINES, at, true);
	const struct view_span span = { .begin = at, .first = a.first, .last = a.last };
	struct names *n = &b->view->names;
	uint32_t line = construct_line(b, at, true, x), id;

	if (span.first)
		line = names_line(n, n->lines[line].function, a.text, span.first);
	id = view_construct(b->view, CONSTRUCT_FOR_STATIC, line, NULL);
	view_construct_extend(b, &b->view->constructs[id], &span);
	return id;
}

/* The construct that the code at x shows; UINT32_MAX: none. */
static uint32_t construct_by_code(struct view_builder *b, const struct path *x,
				  const struct view_record *r)
{
	struct answer barrier = { .construct = CONSTRUCT_UNKNOWN };

	if (r->leaf == LEAF_IMPLICIT_BARRIER)
		barrier = view_gnu_barrier(b, x);
	if (barrier.construct == CONSTRUCT_FOR_STATIC)
		return view_construct_loop(b, barrier.at, x);
	if (barrier.construct == CONSTRUCT_SINGLE)
		return view_construct_at(b, CONSTRUCT_SINGLE, barrier.at, NULL, x);
	/* Threads that OpenMP does not know execute loops, too. */
	if (x->at.loop && r->leaf != LEAF_FORK_JOIN &&
	    (r->region == x->region || (r->region == REGION_OUTSIDE && x->region == REGION_SERIAL)))
		return view_construct_loop(b, x->at.loop, x);
	return UINT32_MAX;
}

/* The explicit task or region that contains the sample. */
static uint32_t construct_outer(struct view *v, const struct path *x, const struct view_record *r)
{
	static const unsigned char specials[REGION_SPECIALS] = {
		[REGION_SERIAL] = CONSTRUCT_SERIAL,
		[REGION_IDLE] = CONSTRUCT_IDLE,
		[REGION_UNKNOWN] = CONSTRUCT_UNKNOWN,
		[REGION_OUTSIDE] = CONSTRUCT_OUTSIDE,
	};

	if (x->at.in_task && x->task && r->region == x->region)
		return view_construct(v, v->tasks[x->task].kind, v->tasks[x->task].line, NULL);
	if (r->region >= REGION_SPECIALS)
		return view_construct(v, v->regions[r->region].kind, v->regions[r->region].line,
				      NULL);
	return specials[r->region];
}

/* Whether the runtime begins or ends a task and no frame of the task's creator is known, so
   that the line is where the region began. */
static bool is_between(const struct view *v, const struct path *x, const struct view_record *r,
		       enum construct_kind own)
{
	return own == CONSTRUCT_TASK && r->region >= REGION_SPECIALS &&
	       x->at.user_line == v->names.lines[v->regions[r->region].line].whole;
}

/* Whether the wait is in a call for more iterations of an ordered loop, which shows no ordered
   region. */
static bool is_in_loop(const struct view *v, const struct path *x, enum construct_kind own)
{
	return own == CONSTRUCT_ORDERED &&
	       v->names.functions[x->at.entry].entry->flags & ENTRY_ITERATIONS;
}

/* Whether the wait is in the call that forks: it is at the end of the region. */
static bool is_in_fork(const struct view *v, const struct path *x)
{
	return v->names.functions[x->at.entry].entry->flags & ENTRY_FORK;
}

/* Whether the thread waits at the end of a loop or of sections: there is no barrier in these. */
static bool is_at_end(const struct prof_rnode *node, const struct view_record *r)
{
	const enum construct_kind kind = construct_of_profile(node->flags);

	return r->leaf == LEAF_IMPLICIT_BARRIER &&
	       (construct_is_loop(kind) || kind == CONSTRUCT_SECTIONS);
}

void view_record_construct(struct view_builder *b, const struct path *x,
			   const struct prof_rnode *leaf, struct view_record *r)
{
	const enum construct_kind own = construct_of_leaf(r->leaf);
	/* The CONSTRUCT node of a leaf's path, or NULL. */
	const struct prof_rnode *n = leaf->parent == PROF_NONE ? NULL :
								 &b->file->nodes[leaf->parent];

	if (n && n->kind == PROF_NODE_OBJECT)
		n = n->parent == PROF_NONE ? NULL : &b->file->nodes[n->parent];
	const struct prof_rnode *node = n && n->kind == PROF_NODE_CONSTRUCT ? n : NULL;
	struct view_construct ending = {
		.kind = CONSTRUCT_ENDING,
		.line = x->at.user_line,
		.elapsed_known = true,
	};
	const bool offloads = node && own == CONSTRUCT_TARGET &&
			      construct_is_target(construct_of_profile(node->flags));
	const enum inside inside = node ? view_inside(b, node, leaf) : INSIDE;

	if (inside == BEHIND)
		node = NULL;
	if (node && r->region != REGION_IDLE && !is_at_end(node, r))
		r->inside = view_construct_of(b, node, x);
	if (inside == INSIDE_UNSURE && r->inside)
		b->view->constructs[r->inside].unsure = true;
	if (own != CONSTRUCT_SPECIALS && !offloads && x->at.user_line && !x->at.direct &&
	    !is_between(b->view, x, r, own) && !is_in_loop(b->view, x, own)) {
		r->construct = construct_wait(b, own, x, r->object);
		if (r->leaf == LEAF_BARRIER)
			b->view->constructs[r->construct].unsure = true;
		return;
	}
	r->construct = construct_by_code(b, x, r);
	if (r->construct != UINT32_MAX)
		return;
	if (node && r->region != REGION_IDLE && r->leaf != LEAF_FORK_JOIN) {
		r->construct = view_construct_of(b, node, x);
		return;
	}
	r->construct = construct_outer(b->view, x, r);
	/* A loop's reduction comes after its end, too. */
	if ((r->leaf != LEAF_IMPLICIT_BARRIER && r->leaf != LEAF_REDUCTION) || !x->at.entry ||
	    x->at.direct || is_in_fork(b->view, x))
		return;
	ending.otherwise = r->construct;
	r->construct = construct_add(b->view, &ending, ending.otherwise);
}
