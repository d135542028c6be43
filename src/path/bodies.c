/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/path/bodies.h"

#include <stdlib.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/path/sites.h"
#include "src/profile/reader/reader.h"

/* The parent node, or NULL. */
static const struct prof_rnode *bodies_below(const struct prof_file *f, const struct prof_rnode *n)
{
	return n->parent == PROF_NONE ? NULL : &f->nodes[n->parent];
}

bool bodies_called(struct sites *s, uint32_t frame)
{
	const struct prof_file *f = s->file;
	const struct prof_rnode *n = &f->nodes[frame], *below = bodies_below(f, n);
	const bool boundary = below && below->kind == PROF_NODE_BOUNDARY;
	enum callsite_way way;

	if (boundary)
		below = bodies_below(f, below);
	/* An interrupted frame (exact PC) did not call the frame above it. */
	if (PROF_LOC_MODULE(n->a) == PROF_MODULE_ID_KERNEL || !below ||
	    below->kind != PROF_NODE_FRAME || below->flags & PROF_FRAME_EXACT ||
	    sites_find(s, below)->owner != SITE_RUNTIME)
		return false;
	way = ask(s->resolver, f, QUERY_WAY, below->a, false).way;
	return way == CALLSITE_POINTER || (way == CALLSITE_UNKNOWN && boundary);
}

const struct answer *bodies_find(struct bodies *b, const struct sites *s, uint64_t place,
				 bool exact, const char *callee)
{
	const struct question q = {
		.query = QUERY_BODY, .exact = exact, .file = s->file, .loc = place, .callee = callee
	};
	uint32_t id = map_get(&b->by_call, place, (uintptr_t)callee, UINT32_MAX);

	if (id == UINT32_MAX) {
		b->all = pinned_grow(b->all, b->n, &b->room, sizeof(*b->all));
		b->all[b->n] = ask_question(s->resolver, &q);
		id = b->all[b->n].known ? (uint32_t)++b->n : 0;
		map_add(&b->by_call, place, (uintptr_t)callee, id, &id);
	}
	return id ? &b->all[id - 1] : NULL;
}

void bodies_fini(struct bodies *b)
{
	map_free(&b->by_call);
	pinned_free(b->all);
	*b = (struct bodies){ 0 };
}
