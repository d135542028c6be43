/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_hide.c - makes the tree anew, without the hidden functions, and moves all that refers
 * to its nodes and to lines of hidden functions.
 *
 * Things that lay in several hidden functions may come to lie in one place: then they
 * become one, as if the profile had one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/construct_kind.h"
#include "src/profile/reader/reader.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

struct hide {
	struct view *view;
	const bool *hidden; /* by function */
	struct tree tree;
	uint32_t *node;	  /* by old node: the new one; 0: all of its path is hidden */
	uint32_t *line;	  /* by old node: line of the innermost code that is not hidden; 0: none */
	uint32_t *region; /* by old number: the new one */
	uint32_t *task;
	uint32_t *memory;
};

/* Parents precede their children. */
static void hide_nodes(struct hide *h, bool lines)
{
	const struct view *v = h->view;

	for (size_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];

		h->node[i] = h->node[n->parent];
		h->line[i] = h->line[n->parent];
		if (h->hidden[n->function])
			continue;
		/* A call has no lines. */
		const uint32_t node = (uint32_t)i;
		const struct function *f = &v->names.functions[v->tree.nodes[node].function];
		if (f->kind == FUNCTION_PLAIN && (f->module || !f->library) &&
		    !view_called(v, node))
			h->line[i] = n->line;
		h->node[i] =
			tree_child(&h->tree, h->node[n->parent], n->function, lines ? n->line : 0);
		h->tree.nodes[h->node[i]].why |= n->why;
	}
}

/* Special regions and tasks have numbers that are no node's. */
static uint32_t hide_node(const struct hide *h, uint32_t node)
{
	return node < h->view->tree.n ? h->node[node] : node;
}

static bool hide_has_line(const struct hide *h, uint32_t line)
{
	return h->hidden[h->view->names.lines[line].function];
}

/* The line for one in a function on the path to node. */
static uint32_t hide_line(const struct hide *h, uint32_t line, uint32_t node)
{
	const struct view *v = h->view;
	const uint32_t function = v->names.lines[line].function;
	uint32_t at = node;

	if (!hide_has_line(h, line) || node >= v->tree.n)
		return line;
	while (at && v->tree.nodes[at].function != function)
		at = v->tree.nodes[at].parent;
	return h->line[at ? at : node];
}

/* ---- things that lie in the tree ------------------------------------- */

static void hide_regions(struct hide *h)
{
	struct view *v = h->view;
	struct map known = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < v->nregions; i++) {
		struct view_region r = v->regions[i];

		r.line = hide_line(h, r.line, r.node);
		r.node = hide_node(h, r.node);
		/* Both have lower numbers. */
		r.parent = h->region[r.parent];
		r.begun = h->region[r.begun];
		if (map_add(&known, (uint64_t)r.node << 32 | r.line, r.parent, (uint32_t)n,
			    &h->region[i]))
			v->regions[n++] = r;
		else
			region_counts_add(&v->regions[h->region[i]].counts, &r.counts);
	}
	map_free(&known);
	v->nregions = n;
	for (size_t i = 0; i < v->nrecurrences; i++) {
		v->recurrences[i].region = h->region[v->recurrences[i].region];
		v->recurrences[i].around = h->region[v->recurrences[i].around];
	}
}

static void hide_tasks(struct hide *h)
{
	struct view *v = h->view;
	struct map known = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < v->ntasks; i++) {
		struct view_task t = v->tasks[i];

		t.line = hide_line(h, t.line, t.node);
		t.node = hide_node(h, t.node);
		t.region = h->region[t.region];
		if (map_add(&known, t.node, t.line, (uint32_t)n, &h->task[i])) {
			v->tasks[n++] = t;
		} else {
			struct view_task *a = &v->tasks[h->task[i]];

			a->created = prof_add(a->created, t.created);
			a->run = prof_add(a->run, t.run);
			a->stolen = prof_add(a->stolen, t.stolen);
			a->cancelled = prof_add(a->cancelled, t.cancelled);
			a->body_ns = prof_add(a->body_ns, t.body_ns);
			a->body_known = a->body_known && t.body_known;
			a->sampled = a->sampled || t.sampled;
			a->creators = a->creators || t.creators;
		}
	}
	map_free(&known);
	v->ntasks = n;
	for (size_t i = 0; i < n; i++)
		v->tasks[i].creator = h->task[v->tasks[i].creator];
}

/* Only blocks of the heap lie in the tree, by the path that allocated them. */
static void hide_memory(struct hide *h)
{
	struct view *v = h->view;
	struct map known = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < v->nmemory; i++) {
		struct view_memory m = v->memory[i];
		bool added = true;

		h->memory[i] = (uint32_t)n;
		if (m.kind == VIEW_MEMORY_BLOCK) {
			m.line = hide_line(h, m.line, m.node);
			m.node = hide_node(h, m.node);
			added = map_add(&known, (uint64_t)m.node << 1 | m.by_runtime, m.line,
					(uint32_t)n, &h->memory[i]);
		}
		if (added) {
			v->memory[n++] = m;
		} else {
			struct view_memory *a = &v->memory[h->memory[i]];

			a->blocks = prof_add(a->blocks, m.blocks);
			a->bytes = prof_add(a->bytes, m.bytes);
			a->measured = prof_add(a->measured, m.measured);
			a->cycles = prof_add(a->cycles, m.cycles);
		}
	}
	map_free(&known);
	v->nmemory = n;
}

/* ---- records --------------------------------------------------------- */

/* A construct in a hidden function may have been called from several places. */
static void hide_construct(struct hide *h, struct view_record *r)
{
	struct view *v = h->view;
	const struct view_construct *c = &v->constructs[r->construct];

	if (r->construct < CONSTRUCT_SPECIALS || !hide_has_line(h, c->line))
		return;
	r->construct = view_construct(v, (enum construct_kind)c->kind,
				      hide_line(h, c->line, r->node), c->object);
}

static void hide_record(struct hide *h, struct view_record *r)
{
	const struct view *v = h->view;
	const bool called = view_called(v, r->node) && h->hidden[r->within];
	const uint32_t old = called ? v->tree.nodes[r->node].parent : r->node;

	hide_construct(h, r);
	if (hide_has_line(h, r->line))
		r->line = h->line[old];
	r->node = h->node[old];
	r->region = h->region[r->region];
	r->task = h->task[r->task];
	r->memory = h->memory[r->memory];
	if (!r->node && old) {
		/* A path without any function left has to have a name. */

		const uint32_t function =
			names_artificial(&h->view->names, "(hidden)", FUNCTION_ARTIFICIAL);
		r->node = tree_child(&h->tree, 0, function, 0);
	}
}

/* The numbers of hidden constructs are those of calls from everywhere. */
static void hide_constructs(struct hide *h)
{
	struct view *v = h->view;

	for (size_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++)
		if (hide_has_line(h, v->constructs[i].line))
			v->constructs[i].entries = 0;
}

void view_hide(struct view *v, const bool *hidden, bool lines)
{
	struct hide h;
	struct tree old;

	h = (struct hide){
		.view = v,
		.hidden = hidden,
		.node = alloc_zeroed(v->tree.n, sizeof(*h.node)),
		.line = alloc_zeroed(v->tree.n, sizeof(*h.line)),
		.region = alloc_zeroed(v->nregions + 1, sizeof(*h.region)),
		.task = alloc_zeroed(v->ntasks + 1, sizeof(*h.task)),
		.memory = alloc_zeroed(v->nmemory + 1, sizeof(*h.memory)),
	};
	tree_init(&h.tree);
	hide_nodes(&h, lines);
	hide_regions(&h);
	hide_tasks(&h);
	hide_memory(&h);
	for (size_t i = 0; i < v->nrecords; i++)
		hide_record(&h, &v->records[i]);
	for (size_t i = 0; i < v->nblames; i++)
		hide_record(&h, &v->blames[i].record);
	for (size_t i = 0; i < v->ncounts; i++)
		v->counts[i].region = h.region[v->counts[i].region];
	for (size_t i = 0; i < v->ncreated; i++)
		v->created[i].task = h.task[v->created[i].task];
	hide_constructs(&h);
	old = v->tree;
	v->tree = h.tree;
	h.tree = old;
	tree_fini(&h.tree);
	free(h.node);
	free(h.line);
	free(h.region);
	free(h.task);
	free(h.memory);
}
