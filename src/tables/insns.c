/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * insns.c - sums of addresses.
 *
 * A view has one record for each leaf that no filter left out, in the order of the profiles'
 * leaves.  So the record
 * shows the class, and the leaf's innermost frame the address.
 */
#include "config.h"

#include "src/tables/insns.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/symbols/symbols.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* A range of code in one tree, and its piece. */
struct insns_range {
	uint32_t tree, module, piece;
	uint64_t lo, hi;
};

struct insns_builder {
	const struct view *view;
	const char *name; /* of the function */
	struct insns *insns;
	size_t pieces_room;
	struct insns_range *ranges;
	size_t nranges, ranges_room;
	size_t *rooms; /* capacities of the pieces' insns */
	size_t rooms_room;
	struct map by_address; /* piece, address: insn */
	uint32_t tree;	       /* of the model */
	size_t leaf, record;
	const char *origin; /* while outlined functions are searched: their origin; else NULL */
};

/* The piece of that object at that address; ranks share it. */
static uint32_t builder_piece(struct insns_builder *b, const struct sym_piece *p,
			      const struct prof_rmodule *m)
{
	struct insns *i = b->insns;

	for (uint32_t piece = 0; piece < i->npieces; piece++)
		if (i->pieces[piece].lo == p->lo && !strcmp(i->pieces[piece].path, m->path))
			return piece;
	i->pieces = grow(i->pieces, i->npieces, &b->pieces_room, sizeof(*i->pieces));
	b->rooms = grow(b->rooms, i->npieces, &b->rooms_room, sizeof(*b->rooms));
	i->pieces[i->npieces++] = (struct insns_piece){
		.file = b->view->model->trees[b->tree].file,
		.path = m->path,
		.function = p->function->name,
		.module = p->module,
		.lo = p->lo,
		.hi = p->hi,
		.sum = alloc_zeroed(b->view->model->nevents * OMP_CLASSES + 1, sizeof(struct cost)),
	};
	return (uint32_t)i->npieces - 1;
}

static void builder_add(const struct sym_piece *p, void *arg)
{
	struct insns_builder *b = arg;
	const struct prof_rmodule *m =
		prof_module_by_id(b->view->model->trees[b->tree].file, p->module);

	if (!m || (b->origin && (!p->function->origin || strcmp(p->function->origin, b->origin))))
		return;
	const uint32_t piece = builder_piece(b, p, m);

	b->ranges = grow(b->ranges, b->nranges, &b->ranges_room, sizeof(*b->ranges));
	b->ranges[b->nranges++] = (struct insns_range){
		.tree = b->tree,
		.module = p->module,
		.piece = piece,
		.lo = p->lo,
		.hi = p->hi,
	};
}

/* ---- samples --------------------------------------------------------- */

static struct insn *builder_insn(struct insns_builder *b, uint32_t piece, uint64_t address)
{
	struct insns_piece *p = &b->insns->pieces[piece];
	uint32_t n;

	p->insns = grow(p->insns, p->ninsns, &b->rooms[piece], sizeof(*p->insns));
	if (map_add(&b->by_address, piece, address, (uint32_t)p->ninsns, &n))
		p->insns[p->ninsns++] = (struct insn){
			.address = address,
			.self = alloc_zeroed(b->view->model->nevents * OMP_CLASSES + 1,
					     sizeof(struct cost)),
		};
	return &p->insns[n];
}

static const struct insns_range *builder_range(const struct insns_builder *b, uint64_t loc)
{
	for (size_t i = 0; i < b->nranges; i++) {
		const struct insns_range *g = &b->ranges[i];

		if (g->tree == b->tree && g->module == PROF_LOC_MODULE(loc) &&
		    PROF_LOC_ADDRESS(loc) >= g->lo && PROF_LOC_ADDRESS(loc) < g->hi)
			return g;
	}
	return NULL;
}

/* Whether the view counts the record for a line of the function itself, wherever in the runtime the
   thread was. */
static bool builder_is_own(const struct insns_builder *b, const struct view_record *r)
{
	const struct names *n = &b->view->names;

	return match_function(&n->functions[n->lines[r->line].function], b->name);
}

/* Where the sample was, or the call of the function's in which it was, if that is the runtime's. */
static void builder_leaf(struct insns_builder *b, const struct prof_file *f, uint32_t frame,
			 const struct view_record *r)
{
	const struct insns_range *g = NULL;
	uint64_t loc = 0;

	if (frame != PROF_NONE && f->nodes[frame].kind == PROF_NODE_FRAME &&
	    f->nodes[frame].flags & PROF_FRAME_EXACT)
		g = builder_range(b, loc = f->nodes[frame].a);
	/* What a region's thread does outside of its body counts where the region was created. */
	while (!g && frame != PROF_NONE && builder_is_own(b, r)) {
		const struct prof_rnode *n = &f->nodes[frame];

		frame = n->kind == PROF_NODE_BOUNDARY ? n->context : n->parent;
		n = frame == PROF_NONE ? NULL : &f->nodes[frame];
		if (n && n->kind == PROF_NODE_FRAME)
			g = builder_range(b, loc = n->a - !(n->flags & PROF_FRAME_EXACT));
	}
	if (!g)
		return;
	cost_add_record(builder_insn(b, g->piece, PROF_LOC_ADDRESS(loc))->self, r);
	cost_add_record(b->insns->pieces[g->piece].sum, r);
}

/* The records are in the order of the leaves' values, without those that a filter removed. */
static void builder_value(const struct model_value *v, void *arg)
{
	struct insns_builder *b = arg;
	const bool *kept = b->view->kept;

	b->tree = (uint32_t)(v->tree - b->view->model->trees);
	if (kept && !kept[b->leaf++])
		return;
	b->record++;
	/* The innermost frame or boundary of a leaf; PROF_NONE: unknown. */
	const struct prof_file *f = v->tree->file;
	uint32_t at = v->node->parent;

	while (at != PROF_NONE &&
	       (f->nodes[at].kind == PROF_NODE_OBJECT || f->nodes[at].kind == PROF_NODE_CONSTRUCT ||
		f->nodes[at].kind == PROF_NODE_DATA || f->nodes[at].kind == PROF_NODE_BLOCK))
		at = f->nodes[at].parent;
	builder_leaf(b, v->tree->file, at, &b->view->records[b->record - 1]);
}

static int insns_order(const void *a, const void *b)
{
	const struct insn *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

int insns_build(const struct view *v, struct symbols *s, const char *name, struct insns *i)
{
	struct insns_builder b = { .view = v, .name = name, .insns = i };

	*i = (struct insns){ 0 };
	for (; b.tree < v->model->ntrees; b.tree++) {
		/* Finds the functions of that name and those outlined from them. The names of
		   outlined functions do not identify them. */
		const struct prof_file *f = b.view->model->trees[b.tree].file;
		const struct names *n = &b.view->names;

		b.origin = NULL;
		symbols_pieces(s, f, name, builder_add, &b);
		for (size_t k = 1; k < n->nfunctions; k++) {
			const struct function *o = &n->functions[k];
			const struct function whole = { .name = o->origin };

			if (!o->symbol || o->outlined == SYM_NOT_OUTLINED || !o->origin ||
			    !o->linkage || !match_function(&whole, name))
				continue;
			b.origin = o->origin;
			symbols_pieces(s, f, o->linkage, builder_add, &b);
		}
	}
	if (i->npieces != 0)
		model_values(b.view->model, PROF_NODE_LEAF, builder_value, &b);
	for (size_t p = 0; p < i->npieces; p++)
		if (i->pieces[p].ninsns)
			qsort(i->pieces[p].insns, i->pieces[p].ninsns, sizeof(*i->pieces[p].insns),
			      insns_order);
	free(b.ranges);
	free(b.rooms);
	map_free(&b.by_address);
	return i->npieces != 0 ? 0 : -ENOENT;
}

void insns_fini(struct insns *i)
{
	for (size_t p = 0; p < i->npieces; p++) {
		for (size_t n = 0; n < i->pieces[p].ninsns; n++)
			free(i->pieces[p].insns[n].self);
		free(i->pieces[p].insns);
		free(i->pieces[p].sum);
	}
	free(i->pieces);
	*i = (struct insns){ 0 };
}
