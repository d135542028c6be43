/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The links of a damaged or hostile file may point anywhere.  There are three passes, each
 * linear in the number of nodes:
 *   1. nodes on cycles of parent links are dropped, with all nodes beneath them;
 *   2. nodes are ordered so that each follows its parent and its creation
 *      context, and are checked against their parent;
 *   3. only if the second pass found a cycle (which then contains a context
 *      link): context links on cycles are cut (cycles.c), and the second pass is
 *      repeated.
 */
#include "config.h"

#include "src/profile/reader/nodes.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/chunks.h"
#include "src/profile/reader/cycles.h"
#include "src/profile/reader/reader.h"

enum { SLOT_NONE = 0, SLOT_UNFINISHED = UINT32_MAX };

void nodes_init(struct nodes *n, const unsigned char *bytes, size_t size)
{
	*n = (struct nodes){ .bytes = bytes, .slots = size / PROF_GRANULE };
	/* Node numbers have 32 bits; two values are reserved here. */
	if (n->slots > UINT32_MAX - 1)
		n->slots = UINT32_MAX - 1;
	n->slot = alloc_zeroed(n->slots, sizeof(*n->slot));
}

void nodes_fini(struct nodes *n)
{
	free(n->slot);
	free(n->number);
	free(n->result);
	*n = (struct nodes){ 0 };
}

static const struct prof_node *node_at(const struct nodes *n, size_t number)
{
	return (const struct prof_node *)(n->bytes + number * PROF_GRANULE);
}

static uint8_t nodes_kind_of(const struct prof_node *p)
{
	return (uint8_t)p->info;
}

/* Whether the value of such a node is a node number. */
static bool names_context(uint8_t kind)
{
	return kind == PROF_NODE_BOUNDARY || kind == PROF_NODE_BLOCK;
}

void nodes_take(struct nodes *n, struct prof_file *f, const struct chunk *c)
{
	size_t end = c->end / PROF_GRANULE;

	if (end > n->slots) {
		f->damaged++;
		end = n->slots;
	}
	for (size_t i = c->begin / PROF_GRANULE; i < end; i++) {
		const struct prof_node *p = node_at(n, i);

		if (!p->info) {
			n->slot[i] = SLOT_UNFINISHED;
			f->unfinished += (p->parent | p->left | p->right | p->info) ||
					 (p->a | p->b);
			continue;
		}
		n->number = grow(n->number, n->count, &n->room, sizeof(*n->number));
		n->number[n->count++] = (uint32_t)i;
		n->slot[i] = (uint32_t)n->count;
		if (nodes_kind_of(p) == PROF_NODE_ROOT && p->value >= n->roots_end)
			n->roots_end = p->value == UINT64_MAX ? UINT64_MAX : p->value + 1;
	}
}

/* ---- links as they stand in the file ---------------------------------- */

static uint32_t nodes_index_of(const struct nodes *n, uint64_t number)
{
	uint32_t slot = number < n->slots ? n->slot[number] : SLOT_NONE;

	return slot == SLOT_NONE || slot == SLOT_UNFINISHED ? PROF_NONE : slot - 1;
}

static uint32_t parent_of(const struct nodes *n, uint32_t i)
{
	const struct prof_node *p = node_at(n, n->number[i]);

	return nodes_kind_of(p) == PROF_NODE_ROOT ? PROF_NONE : nodes_index_of(n, p->parent);
}

static uint32_t nodes_context_of(const struct nodes *n, uint32_t i)
{
	const struct prof_node *p = node_at(n, n->number[i]);

	return names_context(nodes_kind_of(p)) && p->value ? nodes_index_of(n, p->value) :
							     PROF_NONE;
}

/* ---- what may hang beneath what --------------------------------------- */

#define BIT(kind) (1u << (kind))
#define INNER \
	(BIT(PROF_NODE_ROOT) | BIT(PROF_NODE_FRAME) | BIT(PROF_NODE_BOUNDARY) | \
	 BIT(PROF_NODE_PHASE))
#define MEMORY (BIT(PROF_NODE_DATA) | BIT(PROF_NODE_BLOCK))
#define LEAFWARD \
	(INNER | BIT(PROF_NODE_BODY) | BIT(PROF_NODE_OBJECT) | BIT(PROF_NODE_CONSTRUCT) | MEMORY)

static const uint32_t parents_allowed[] = {
	[PROF_NODE_FRAME] = INNER | BIT(PROF_NODE_BODY),
	[PROF_NODE_BOUNDARY] = INNER,
	[PROF_NODE_OBJECT] = INNER | BIT(PROF_NODE_CONSTRUCT) | MEMORY,
	[PROF_NODE_LEAF] = LEAFWARD,
	[PROF_NODE_STATS] = LEAFWARD | BIT(PROF_NODE_DESCRIPTOR),
	[PROF_NODE_CONSTRUCT] = INNER | MEMORY,
	[PROF_NODE_DATA] = INNER,
	[PROF_NODE_COUNT] = BIT(PROF_NODE_ROOT) | BIT(PROF_NODE_BOUNDARY),
	[PROF_NODE_BLOCK] = INNER,
	[PROF_NODE_CPU] = BIT(PROF_NODE_ROOT),
	[PROF_NODE_BODY] = INNER,
	[PROF_NODE_PHASE] = BIT(PROF_NODE_ROOT) | BIT(PROF_NODE_PHASE),
	[PROF_NODE_DESCRIPTOR] = BIT(PROF_NODE_ROOT),
};

bool nodes_have_leaves(uint8_t kind)
{
	return (LEAFWARD & BIT(kind)) != 0;
}

static bool kind_known(uint8_t kind)
{
	return kind >= PROF_NODE_ROOT && kind <= PROF_NODE_DESCRIPTOR;
}

/* Whether a reader can interpret the numbers of such a node. */
static bool numbers_known(uint8_t kind, uint8_t flags)
{
	if (kind == PROF_NODE_STATS)
		return (flags >= PROF_STATS_REGION && flags <= PROF_STATS_SCHEDULE) ||
		       (flags >= PROF_STATS_BLAME && flags <= PROF_STATS_PHASE) ||
		       (flags >= PROF_STATS_DEVICE && flags <= PROF_STATS_CHUNK) ||
		       (flags >= PROF_STATS_WHOLE && flags <= PROF_STATS_BARRIER);
	if (kind == PROF_NODE_COUNT)
		return flags == PROF_COUNT_VALUE || flags == PROF_COUNT_TIME;
	return kind_known(kind);
}

static bool beneath_allowed(uint8_t kind, uint8_t parent)
{
	return kind_known(kind) && kind_known(parent) && parents_allowed[kind] & BIT(parent);
}

/* ---- from file order to an order that can be walked -------------------- */

enum fate {
	FATE_NONE = 0, /* not visited yet */
	FATE_OPEN,     /* waits for its parent or context */
	FATE_KEPT,
	FATE_SKIPPED, /* of an unknown kind: its children become its parent's */
	FATE_DROPPED,
};

struct linker {
	struct nodes *n;
	struct prof_file *f;
	uint8_t *cut; /* enum cut */
	uint8_t *fate;
	uint32_t *result; /* KEPT: index into f->nodes; SKIPPED: that of the nearest
				   ancestor that was kept */
	uint32_t *stack;
	size_t damaged, unfinished;
};

enum cut {
	CUT_NODE = 1,	 /* on or beneath a cycle of parents */
	CUT_CONTEXT = 2, /* its context link is part of a cycle */
};

/* A link may lead to a node that was incomplete when its page was read and complete when the
   page with the link was.  The writer was at work; such a link is no damage. */
static void count_bad_link(struct linker *l, uint64_t number)
{
	if (l->f->header.run == PROF_RUN_RUNNING && number < l->n->slots &&
	    l->n->slot[number] == SLOT_UNFINISHED)
		l->unfinished++;
	else
		l->damaged++;
}

static enum fate nodes_drop(struct linker *l, const struct prof_node *p)
{
	count_bad_link(l, p->parent);
	return FATE_DROPPED;
}

/* Later minor versions may add states. */
static uint8_t take_state(struct linker *l, uint8_t state)
{
	if (state < PROF_STATES)
		return state;
	l->damaged += l->f->header.version <= PROF_VERSION;
	return PROF_STATE_UNDEFINED;
}

/* Later minor versions may add parts; unknown ones become MIXED. */
static uint8_t take_part(struct linker *l, uint8_t part)
{
	if (part < PROF_PARTS)
		return part;
	l->damaged += l->f->header.version <= PROF_VERSION;
	return PROF_PART_MIXED;
}

static uint32_t take_context(struct linker *l, uint32_t i, const struct prof_node *p)
{
	uint32_t c = nodes_context_of(l->n, i);

	if (!p->value)
		return PROF_NONE;
	if (c != PROF_NONE && !(l->cut[i] & CUT_CONTEXT)) {
		/* A node of an unknown kind is replaced by its nearest ancestor. */
		uint32_t to = l->result[c];

		if ((l->fate[c] == FATE_KEPT || l->fate[c] == FATE_SKIPPED) && to != PROF_NONE &&
		    INNER & BIT(l->f->nodes[to].kind))
			return to;
	}
	count_bad_link(l, p->value);
	return PROF_NONE;
}

static bool values_allowed(const struct prof_file *f, const struct prof_rnode *r)
{
	switch (r->kind) {
	case PROF_NODE_ROOT: return r->a < f->nthreads;
	case PROF_NODE_LEAF:
	case PROF_NODE_CPU:
	case PROF_NODE_COUNT: return r->event < f->header.nevents;
	case PROF_NODE_STATS: return r->flags != PROF_STATS_BLAME || r->event < f->header.nevents;
	default: return true;
	}
}

/* Decides the fate of a node whose parent and context are decided. */
static enum fate nodes_settle(struct linker *l, uint32_t i)
{
	const struct prof_node *p = node_at(l->n, l->n->number[i]);
	uint32_t parent = parent_of(l->n, i);
	struct prof_rnode *r = &l->f->nodes[l->f->nnodes];

	*r = (struct prof_rnode){ .parent = PROF_NONE,
				  .context = PROF_NONE,
				  .kind = nodes_kind_of(p),
				  .event = (uint8_t)(p->info >> 8),
				  .flags = (uint8_t)(p->info >> 24),
				  .a = p->a,
				  .b = p->b };
	l->result[i] = PROF_NONE;
	if (l->cut[i] & CUT_NODE || !values_allowed(l->f, r))
		return nodes_drop(l, p);
	if (r->kind == PROF_NODE_ROOT) {
		r->thread = (uint32_t)p->value;
	} else {
		if (parent == PROF_NONE || l->result[parent] == PROF_NONE)
			return nodes_drop(l, p);
		r->parent = l->result[parent];
		r->thread = l->f->nodes[r->parent].thread;
		if (!numbers_known(r->kind, r->flags)) {
			l->result[i] = r->parent;
			return FATE_SKIPPED;
		}
		if (!beneath_allowed(r->kind, l->f->nodes[r->parent].kind))
			return nodes_drop(l, p);
	}
	r->state = (uint8_t)(p->info >> 16);
	if (r->kind == PROF_NODE_COUNT)
		r->state = take_part(l, r->state);
	else if (r->kind == PROF_NODE_LEAF)
		r->state = (uint8_t)(take_state(l, PROF_STATE_OF(r->state)) |
				     (r->state & PROF_STATE_MARKS));
	else if (r->kind != PROF_NODE_BOUNDARY && r->kind != PROF_NODE_CPU)
		r->state = take_state(l, r->state);
	if (names_context(r->kind))
		r->context = take_context(l, i, p);
	l->result[i] = (uint32_t)l->f->nnodes++;
	return FATE_KEPT;
}

/* The node that must be settled before i; PROF_NONE: none. */
static uint32_t nodes_waits_for(const struct linker *l, uint32_t i)
{
	uint32_t next;

	if (l->cut[i] & CUT_NODE)
		return PROF_NONE;
	next = parent_of(l->n, i);
	if (next != PROF_NONE && l->fate[next] <= FATE_OPEN)
		return next;
	next = l->cut[i] & CUT_CONTEXT ? PROF_NONE : nodes_context_of(l->n, i);
	return next != PROF_NONE && l->fate[next] <= FATE_OPEN ? next : PROF_NONE;
}

/* Settles node i and all nodes that it depends on.  False: it depends on itself. */
static bool settle_after(struct linker *l, uint32_t i)
{
	size_t depth = 0;

	l->fate[i] = FATE_OPEN;
	l->stack[depth++] = i;
	while (depth) {
		uint32_t at = l->stack[depth - 1], next = nodes_waits_for(l, at);

		if (next == PROF_NONE) {
			l->fate[at] = (uint8_t)nodes_settle(l, at);
			depth--;
			continue;
		}
		if (l->fate[next] == FATE_OPEN)
			return false;
		l->fate[next] = FATE_OPEN;
		l->stack[depth++] = next;
	}
	return true;
}

static bool settle_all(struct linker *l)
{
	l->f->nnodes = l->damaged = l->unfinished = 0;
	for (size_t i = 0; i < l->n->count; i++)
		l->fate[i] = FATE_NONE;
	for (uint32_t i = 0; i < l->n->count; i++) {
		if (l->fate[i] == FATE_NONE && !settle_after(l, i))
			return false;
	}
	return true;
}

static uint32_t linked_parent(const void *arg, uint32_t i)
{
	return parent_of(arg, i);
}

static uint32_t linked_context(const void *arg, uint32_t i)
{
	return nodes_context_of(arg, i);
}

void nodes_link(struct nodes *n, struct prof_file *f)
{
	struct linker l = { .n = n,
			    .f = f,
			    .cut = alloc_zeroed(n->count, 1),
			    .fate = alloc_bytes(n->count),
			    .result = alloc_array(NULL, n->count, sizeof(*l.result)),
			    .stack = alloc_array(NULL, n->count, sizeof(*l.stack)) };
	const struct cycles_graph g = { .arg = n,
					.count = (uint32_t)n->count,
					.parent = linked_parent,
					.context = linked_context };

	f->nodes = alloc_array(NULL, n->count, sizeof(*f->nodes));
	cycles_of_parents(&g, l.cut, CUT_NODE);
	if (!settle_all(&l)) {
		/* Cuts the links that would make a walk endless. */
		cycles_of_contexts(&g, l.cut, CUT_NODE, CUT_CONTEXT);
		settle_all(&l);
	}
	f->damaged += l.damaged;
	f->unfinished += l.unfinished;
	n->result = l.result;
	free(l.cut);
	free(l.fate);
	free(l.stack);
}

uint32_t nodes_find(const struct nodes *n, uint32_t number)
{
	const uint32_t i = nodes_index_of(n, number);

	return i == PROF_NONE ? PROF_NONE : n->result[i];
}

bool nodes_usable(const struct prof_file *f, const struct prof_rnode *r)
{
	return kind_known(r->kind) && r->kind != PROF_NODE_ROOT &&
	       numbers_known(r->kind, r->flags) &&
	       beneath_allowed(r->kind, f->nodes[r->parent].kind) && values_allowed(f, r) &&
	       (names_context(r->kind) || r->context == PROF_NONE) &&
	       (r->context == PROF_NONE || INNER & BIT(f->nodes[r->context].kind));
}
