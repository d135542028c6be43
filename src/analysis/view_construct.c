/*
 * view_construct.c - the construct that each sample is counted for.
 *
 * The innermost that is known: one that the thread waits in (a critical
 * section, a taskwait), the worksharing construct that the profiler noted, the
 * explicit task, the parallel region.  A barrier at a construct's end comes
 * when the runtime has left the construct already; it is found again by its
 * line, which is the directive's.
 */
#include "config.h"

#include <errno.h>

#include "src/analysis/grow.h"
#include "src/analysis/model.h"
#include "src/analysis/resolver.h"
#include "src/analysis/view.h"
#include "src/analysis/view_build.h"

/* A construct's kind until its barrier is settled. */
enum { CONSTRUCT_ENDING = CONSTRUCT_KINDS };

static int construct_add(struct view *v, const struct view_construct *c, uint64_t key,
			 uint32_t *construct)
{
	struct view_construct *room = grow(v->constructs, v->nconstructs, &v->constructs_room,
					   sizeof(*room));
	int added;

	if (!room)
		return -ENOMEM;
	v->constructs = room;
	added = idmap_add(&v->by_construct, (uint64_t)c->kind << 32 | c->line, key,
			  (uint32_t)v->nconstructs, construct);
	if (added == 1)
		v->constructs[v->nconstructs++] = *c;
	return added < 0 ? added : 0;
}

int view_construct(struct view *v, enum construct_kind kind, uint32_t line, const char *object,
		   uint32_t *construct)
{
	const struct view_construct c = {
		.kind = (uint8_t)kind, .line = line, .object = object, .elapsed_known = true,
	};

	/* Objects' names are interned: their addresses tell them apart. */
	return construct_add(v, &c, (uintptr_t)object, construct);
}

/* ---- of a sample ----------------------------------------------------- */

int view_construct_of(struct view_builder *b, const struct prof_rnode *node,
		      const struct context *x, uint32_t *construct)
{
	const struct prof_rnode call = { .kind = PROF_NODE_FRAME, .a = node->a };
	const struct resolver *r = b->options->resolver;
	enum construct_kind kind = construct_of_profile(node->flags);
	struct names *n = &b->view->names;
	const struct site *site;
	const struct function *f;
	uint32_t line, function;
	int err = sites_find(&b->contexts.sites, &call, &site);

	if (err)
		return err;
	line = b->contexts.sites.lines[site->first];
	function = n->lines[line].function;
	f = &n->functions[function];
	if (f->outlined != SYM_NOT_OUTLINED && f->origin)
		err = names_origin(n, function, &function);
	else if (f->outlined != SYM_NOT_OUTLINED && x->user_line)
		function = n->lines[x->user_line].function;
	if (!err)
		err = names_line(n, function, n->lines[line].file, n->lines[line].line, &line);
	if (kind == CONSTRUCT_FOR && r->loop)
		kind = r->loop(r->self, b->process->file, node->a);
	return err ? err : view_construct(b->view, kind, line, NULL, construct);
}

/* The CONSTRUCT node of a leaf's path, or NULL. */
static const struct prof_rnode *construct_node(const struct prof_file *f,
					       const struct prof_rnode *leaf)
{
	const struct prof_rnode *n = leaf->parent == PROF_NONE ? NULL : &f->nodes[leaf->parent];

	if (n && n->kind == PROF_NODE_OBJECT)
		n = n->parent == PROF_NONE ? NULL : &f->nodes[n->parent];
	return n && n->kind == PROF_NODE_CONSTRUCT ? n : NULL;
}

/* The task or region that everything lies in. */
static int construct_outer(struct view *v, const struct context *x, const struct view_record *r,
			   uint32_t *construct)
{
	static const unsigned char specials[REGION_SPECIALS] = {
		[REGION_SERIAL] = CONSTRUCT_SERIAL, [REGION_IDLE] = CONSTRUCT_IDLE,
		[REGION_UNKNOWN] = CONSTRUCT_UNKNOWN, [REGION_OUTSIDE] = CONSTRUCT_OUTSIDE,
	};

	if (x->flags & CONTEXT_TASK && x->task && r->region == x->region)
		return view_construct(v, CONSTRUCT_TASK, v->tasks[x->task].line, NULL, construct);
	if (r->region >= REGION_SPECIALS)
		return view_construct(v, CONSTRUCT_PARALLEL, v->regions[r->region].line, NULL,
				      construct);
	*construct = specials[r->region];
	return 0;
}

int view_record_construct(struct view_builder *b, const struct context *x,
			  const struct prof_rnode *leaf, struct view_record *r)
{
	const enum construct_kind own = construct_of_leaf(r->leaf);
	const struct prof_rnode *node = construct_node(b->process->file, leaf);
	struct view_construct ending = {
		.kind = CONSTRUCT_ENDING, .line = x->user_line, .elapsed_known = true,
	};
	int err;

	if (own != CONSTRUCT_SPECIALS && x->user_line && !(x->flags & CONTEXT_DIRECT))
		return view_construct(b->view, own, x->user_line,
				      own == CONSTRUCT_CRITICAL ? r->object : NULL,
				      &r->construct);
	if (node && r->region != REGION_IDLE && r->leaf != LEAF_FORK_JOIN)
		return view_construct_of(b, node, x, &r->construct);
	err = construct_outer(b->view, x, r, &r->construct);
	if (err || r->leaf != LEAF_IMPLICIT_BARRIER || !x->entry || x->flags & CONTEXT_DIRECT)
		return err;
	ending.otherwise = r->construct;
	return construct_add(b->view, &ending, ending.otherwise, &r->construct);
}

/* ---- when all are known ---------------------------------------------- */

/* The worksharing construct whose directive is at that line. */
static uint32_t construct_ended(const struct view *v, const struct view_construct *c)
{
	uint32_t id;

	for (unsigned kind = 0; kind < CONSTRUCT_KINDS; kind++) {
		if (!construct_ends_in_barrier((enum construct_kind)kind))
			continue;
		id = idmap_get(&v->by_construct, (uint64_t)kind << 32 | c->line, 0, 0);
		if (id)
			return id;
	}
	return c->otherwise;
}

static void construct_extent(struct view_builder *b, struct view_construct *c, uint32_t body)
{
	const struct resolver *r = b->options->resolver;
	const struct function *f = &b->view->names.functions[body];

	c->first_line = b->view->names.lines[c->line].line;
	if (!body || !f->symbol || !r->extent ||
	    !r->extent(r->self, f->symbol, &c->first_line, &c->last_line))
		return;
	/* The directive comes before its body. */
	if (b->view->names.lines[c->line].line &&
	    b->view->names.lines[c->line].line < c->first_line)
		c->first_line = b->view->names.lines[c->line].line;
}

static int construct_settle(struct view_builder *b, enum construct_kind kind, uint32_t line,
			    uint64_t entries, uint64_t elapsed_ns, bool elapsed_known,
			    uint32_t body)
{
	struct view_construct *c;
	uint32_t id;
	int err = view_construct(b->view, kind, line, NULL, &id);

	if (err)
		return err;
	c = &b->view->constructs[id];
	c->entries = prof_add(c->entries, entries);
	c->elapsed_ns = prof_add(c->elapsed_ns, elapsed_ns);
	c->elapsed_known = c->elapsed_known && elapsed_known;
	construct_extent(b, c, body);
	return 0;
}

int view_settle_constructs(struct view_builder *b)
{
	struct view *v = b->view;
	int err = 0;

	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_construct *c = &v->constructs[v->records[i].construct];

		if (c->kind == CONSTRUCT_ENDING)
			v->records[i].construct = construct_ended(v, c);
	}
	for (size_t i = REGION_SPECIALS; i < v->nregions && !err; i++) {
		const struct view_region *r = &v->regions[i];

		err = construct_settle(b, CONSTRUCT_PARALLEL, r->line, r->entries, r->elapsed_ns,
				       r->elapsed_known, r->body);
	}
	for (size_t i = 1; i < v->ntasks && !err; i++)
		err = construct_settle(b, CONSTRUCT_TASK, v->tasks[i].line, v->tasks[i].run, 0,
				       false, v->tasks[i].body);
	return err;
}
