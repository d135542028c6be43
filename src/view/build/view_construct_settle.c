/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_construct_settle.c - what of the constructs is found when all are known: the construct that
 * a barrier ends, and the numbers of regions and tasks.
 */
#include "config.h"

#include <stdlib.h>

#include "src/answers/ask.h"
#include "src/model/model.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* The worksharing construct whose directive is at the barrier's line. */
static uint32_t construct_ended(const struct view *v, const struct view_construct *c,
				const uint32_t *only)
{
	const struct line *l = &v->names.lines[c->line];
	uint32_t id = only[l->function];

	if (!l->line)
		return id && id != UINT32_MAX ? id : c->otherwise;

	for (unsigned kind = 0; kind < CONSTRUCT_KINDS; kind++) {
		if (!construct_ends_in_barrier((enum construct_kind)kind))
			continue;
		id = map_get(&v->by_construct, (uint64_t)kind << 32 | c->line, 0, 0);
		if (id)
			return id;
	}
	return c->otherwise;
}

/* Extends c by the lines of a region's or task's body. */
static void construct_extent(struct view_builder *b, struct view_construct *c, uint32_t body)
{
	const struct function *f = &b->view->names.functions[body];
	struct answer a;

	if (!body || !f->symbol)
		return;
	a = ask_extent(b->options->resolver, f->symbol);
	if (a.known)
		view_construct_extend(b, c,
				      &(struct view_span){ .first = a.first, .last = a.last });
}

/* Adds the numbers of a region or task to its construct. */
static void construct_settle(struct view_builder *b, const struct view_construct *numbers,
			     uint32_t body)
{
	struct view_construct *c;
	const uint32_t id = view_construct(b->view, numbers->kind, numbers->line, NULL);

	c = &b->view->constructs[id];
	c->entries = prof_add(c->entries, numbers->entries);
	c->elapsed_ns = prof_add(c->elapsed_ns, numbers->elapsed_ns);
	c->elapsed_known = c->elapsed_known && numbers->elapsed_known;
	if (numbers->nthreads > c->nthreads)
		c->nthreads = numbers->nthreads;
	construct_extent(b, c, body);
}

/* Replaces the barriers whose construct was to be found. */
static void settle_endings(struct view *v)
{
	/* For barriers without a line number, by function: the only construct without a line number
	   that ends in a barrier. 0: there is none; UINT32_MAX: there are several. */
	uint32_t *only = alloc_zeroed(v->names.nfunctions, sizeof(*only));

	for (uint32_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++) {
		const struct view_construct *c = &v->constructs[i];
		const struct line *l = &v->names.lines[c->line];

		if (construct_ends_in_barrier((enum construct_kind)c->kind) && !l->line)
			only[l->function] = only[l->function] ? UINT32_MAX : i;
	}
	for (size_t i = 0; i < v->nconstructs; i++)
		if (v->constructs[i].kind == CONSTRUCT_ENDING)
			v->constructs[i].otherwise = construct_ended(v, &v->constructs[i], only);
	free(only);
	for (size_t i = 0; i < v->nrecords; i++)
		if (v->constructs[v->records[i].construct].kind == CONSTRUCT_ENDING)
			v->records[i].construct = v->constructs[v->records[i].construct].otherwise;
	for (size_t i = 0; i < v->nparts; i++)
		if (v->constructs[v->parts[i].construct].kind == CONSTRUCT_ENDING)
			v->parts[i].construct = v->constructs[v->parts[i].construct].otherwise;
}

void view_settle_constructs(struct view_builder *b)
{
	struct view *v = b->view;

	settle_endings(v);
	view_settle_entrants(v);
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct view_region *r = &v->regions[i];
		const struct view_construct numbers = {
			.kind = r->kind,
			.line = r->line,
			.entries = r->counts.entries,
			.elapsed_ns = r->counts.elapsed_ns,
			.elapsed_known = !r->counts.elapsed_unknown,
			.nthreads = r->counts.team_most,
		};

		const uint32_t combined =
			!r->combined ? 0 :
				       map_get(&b->view->by_construct,
					       (uint64_t)r->combined << 32 | r->line, 0, 0);

		if (combined)
			construct_extent(b, &b->view->constructs[combined], r->body);
		construct_settle(b, &numbers, r->body);
	}
	for (size_t i = 1; i < v->ntasks; i++) {
		/* A taskloop is entered by the thread that creates its tasks. */
		const struct view_task *t = &v->tasks[i];
		const bool loop = t->kind == CONSTRUCT_TASKLOOP;
		const struct view_construct numbers = {
			.kind = t->kind,
			.line = t->line,
			.entries = loop ? 0 : t->run,
			.elapsed_ns = loop ? 0 : t->body_ns,
			.elapsed_known = loop || (t->body_known && (t->body_ns || !t->run)),
		};

		construct_settle(b, &numbers, t->body);
	}
}
