/* SPDX-License-Identifier: BSD-3-Clause */
/* origins.c - one pass over the nodes, before any path is built. */
#include "config.h"

#include "src/path/origins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/base/pinned.h"
#include "src/path/bodies.h"
#include "src/path/sites.h"
#include "src/profile/reader/reader.h"
#include "src/view/names.h"

bool origins_there(const struct sites *s, const struct site *site, const char *origin)
{
	for (uint32_t i = 0; i < site->n; i++) {
		const struct line *l = &s->names->lines[s->lines[site->first + i]];
		const struct function *f = &s->names->functions[l->function];

		if (names_is_of(f->name, origin) || (f->origin && !strcmp(f->origin, origin)))
			return true;
	}
	return false;
}

/* Notes that the function, or 0 for one that is not known, is the body of what node created. */
static void origins_met(struct origins *o, uint32_t node, uint32_t function)
{
	uint32_t first, ignored;

	map_add(&o->alone, node, 0, function, &first);
	if (first != function || !function)
		map_add(&o->alone, node, 1, 1, &ignored);
}

/* The body that the code at a place passes to the runtime; 0: not known. */
static uint32_t origins_passed(struct sites *s, uint64_t place, bool exact)
{
	const struct answer entry = ask(s->resolver, s->file, QUERY_ENTRY, place, exact);
	const struct prof_rnode at = { .kind = PROF_NODE_FRAME,
				       .flags = PROF_FRAME_EXACT,
				       .a = entry.at };

	return entry.known ? sites_outermost(s, &at) : 0;
}

/* Compares a body with an origin with the functions at node, which created it. */
static void origins_compare(struct sites *s, uint32_t body, uint32_t node, struct origins *o)
{
	const uint64_t place = s->file->nodes[node].a;
	uint32_t id;

	/* The body whose name shows the origin of what node created: the one that its code passes,
	   or else the one that ran. gcc makes a body a jump to an equal one of another function. */
	const struct prof_rnode *n = &s->file->nodes[node];
	const uint32_t passed = origins_passed(s, n->a, n->flags & PROF_FRAME_EXACT);

	if (s->names->functions[passed].origin)
		body = passed;
	const struct site *creator = sites_find(s, &s->file->nodes[node]);
	if (creator->owner != SITE_USER)
		return;
	if (origins_there(s, creator, s->names->functions[body].origin)) {
		map_add(&o->own, place, 0, 1, &id);
		return;
	}
	id = names_origin(s->names, body);
	map_add(&o->functions, place, 0, id, &id);
}

/* Notes the function of the first frame of what node created.  The creator's own frame is also one
   while the team is created or joined. */
static void origins_seen(struct sites *s, uint32_t function, uint32_t node, struct origins *o)
{
	const struct site *creator;

	if (s->names->functions[function].outlined == SYM_NOT_OUTLINED) {
		creator = sites_find(s, &s->file->nodes[node]);
		if (s->names->lines[s->lines[creator->first + creator->n - 1]].function == function)
			return;
	}
	origins_met(o, node, function);
}

/* Notes the body at site, which node created. */
static void origins_body(struct sites *s, const struct site *site, uint32_t node, struct origins *o)
{
	const uint32_t function = s->names->lines[s->lines[site->first + site->n - 1]].function;
	struct function *f = &s->names->functions[function];
	const struct prof_rnode *creator = &s->file->nodes[node];

	f->body = f->body || !f->linkage;
	if (creator->kind != PROF_NODE_FRAME)
		return;
	if (f->directive) {
		/* Notes the body that was created at a place. */
		uint32_t first, ignored;

		const uint64_t place = creator->a;

		map_add(&o->bodies, place, 0, function, &first);
		if (first != function)
			map_add(&o->several, place, 0, 1, &ignored);
	}
	origins_seen(s, function, node, o);
	if (!f->origin || map_get(&o->own, creator->a, 0, 0))
		return;
	origins_compare(s, function, node, o);
}

/* Finds out whether the function that created the construct at node made a tail call and so
   has no frame. */
static void origins_tail_call(struct sites *s, uint32_t node, struct origins *o)
{
	const struct prof_rnode *n = &s->file->nodes[node];
	struct answer a = { .known = false };
	uint32_t id;

	if (n->kind != PROF_NODE_FRAME || map_get(&o->tails, n->a, 0, UINT32_MAX) != UINT32_MAX)
		return;
	const struct site *creator = sites_find(s, n);
	o->all = pinned_grow(o->all, o->n, &o->room, sizeof(*o->all));
	if (creator->owner == SITE_USER)
		a = ask(s->resolver, s->file, QUERY_TAIL, n->a, false);
	if (a.known && a.construct != CONSTRUCT_SERIAL) {
		o->all[o->n++] = (struct origin_tail){ .at = a.at, .kind = a.construct };
	} else {
		map_add(&o->tails, n->a, 0, 0, &id);
		return;
	}
	map_add(&o->tails, n->a, 0, (uint32_t)o->n, &id);
}

uint32_t origins_function(const struct origins *o, uint64_t place)
{
	return map_get(&o->own, place, 0, 0) ? 0 : map_get(&o->functions, place, 0, 0);
}

uint32_t origins_directive(struct sites *s, struct origins *o, uint64_t place, bool exact)
{
	uint32_t body = map_get(&o->created, place, exact, UINT32_MAX);

	if (body != UINT32_MAX)
		return body;
	body = origins_passed(s, place, exact);
	if (!body && !map_get(&o->several, place, 0, 0))
		body = map_get(&o->bodies, place, 0, 0);
	if (!s->names->functions[body].directive)
		body = 0;
	map_add(&o->created, place, exact, body, &body);
	return body;
}

/* The parent of a BODY node in a key: for its body, or to show that there are several. */
#define REPORTED_SEVERAL (UINT64_C(1) << 32)

/* Notes the body of a frame that is a creation context's, if it has one. */
static void origins_note_reported(const struct sites *s, uint32_t frame, struct origins *o)
{
	const struct prof_rnode *nodes = s->file->nodes, *n = &nodes[frame];
	const struct prof_rnode *body = n->parent == PROF_NONE ? NULL : &nodes[n->parent];
	uint32_t first, ignored;

	if (!body || body->kind != PROF_NODE_BODY)
		return;
	map_add(&o->reported, body->parent, n->a, n->parent, &first);
	if (nodes[first].a != body->a)
		map_add(&o->reported, body->parent | REPORTED_SEVERAL, n->a, 1, &ignored);
}

bool origins_are_several(const struct origins *o, uint32_t parent, uint64_t place)
{
	return map_get(&o->reported, parent | REPORTED_SEVERAL, place, 0);
}

uint64_t origins_reported(const struct origins *o, const struct sites *s, uint32_t frame)
{
	const struct prof_rnode *n = &s->file->nodes[frame];
	const uint32_t body = map_get(&o->reported, n->parent, n->a, PROF_NONE);

	return body == PROF_NONE || origins_are_several(o, n->parent, n->a) ?
		       0 :
		       s->file->nodes[body].a;
}

uint32_t origins_alone(const struct origins *o, uint32_t node)
{
	return map_get(&o->alone, node, 1, 0) ? 0 : map_get(&o->alone, node, 0, 0);
}

bool origins_is_own(const struct origins *o, uint64_t place)
{
	return map_get(&o->own, place, 0, 0);
}

const struct origin_tail *origins_tail(const struct origins *o, uint64_t place)
{
	const uint32_t id = map_get(&o->tails, place, 0, 0);

	return id ? &o->all[id - 1] : NULL;
}

void origins_fini(struct origins *o)
{
	map_free(&o->functions);
	map_free(&o->own);
	map_free(&o->tails);
	map_free(&o->bodies);
	map_free(&o->several);
	map_free(&o->created);
	map_free(&o->alone);
	map_free(&o->reported);
	pinned_free(o->all);
}

/* A call that creates and that no runtime reports, as of teams with libgomp, is known by the
   runtime's frames alone. */
static void origins_unreported(struct sites *s, uint32_t node, struct origins *o)
{
	const struct prof_file *f = s->file;
	const struct prof_rnode *n = &f->nodes[node];
	bool runtimes;

	if (n->kind != PROF_NODE_FRAME || n->parent == PROF_NONE ||
	    f->nodes[n->parent].kind != PROF_NODE_FRAME ||
	    f->nodes[n->parent].flags & PROF_FRAME_EXACT)
		return;
	const struct site *site = sites_find(s, n);
	runtimes = site->owner == SITE_RUNTIME;
	if (runtimes)
		site = sites_find(s, &f->nodes[n->parent]);
	if (runtimes && site->owner == SITE_USER)
		origins_tail_call(s, n->parent, o);
}

void origins_find(struct sites *s, struct origins *origins)
{
	const struct prof_file *f = s->file;
	/* By node: the creation context, until the body's first frame was met. */
	uint32_t *created = alloc_zeroed(f->nnodes + 1, sizeof(*created));
	const struct site *site;

	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		created[i] = n->parent == PROF_NONE ? PROF_NONE : created[n->parent];
		if (n->kind == PROF_NODE_BOUNDARY)
			created[i] = n->context;
		if (n->kind == PROF_NODE_BOUNDARY && n->context != PROF_NONE)
			origins_tail_call(s, n->context, origins);
		origins_unreported(s, i, origins);
		if (n->kind == PROF_NODE_FRAME)
			origins_note_reported(s, i, origins);
		if (n->kind != PROF_NODE_FRAME || created[i] == PROF_NONE)
			continue;
		site = sites_find(s, n);
		if (site->owner == SITE_SYSTEM) {
			/* A body that left by a tail call of the C library's function, which is
			   node frame. */

			const uint32_t node = created[i];

			const bool called = bodies_called(s, i);
			if (called)
				origins_met(origins, node, 0);
		}
		if (site->owner != SITE_USER)
			continue;
		origins_body(s, site, created[i], origins);
		created[i] = PROF_NONE;
	}
	free(created);
}
