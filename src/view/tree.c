/*
 * tree.c - children are found through one hash table for the whole tree.
 *
 * Trees have a million nodes: a slot is 8 bytes, and half of the hash in it
 * saves looking at nodes that are others.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/base/grow.h"
#include "src/view/tree.h"

enum { SLOTS_MIN = 64 };

int tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	t->nodes = grow(NULL, 0, &t->room, sizeof(*t->nodes));
	t->slots = calloc(SLOTS_MIN, sizeof(*t->slots));
	if (!t->nodes || !t->slots)
		return -ENOMEM;
	t->nslots = SLOTS_MIN;
	t->n = 1;
	return 0;
}

void tree_fini(struct tree *t)
{
	free(t->nodes);
	free(t->slots);
	*t = (struct tree){ 0 };
}

static uint32_t tree_hash(uint32_t parent, uint32_t function, uint32_t line)
{
	uint64_t h = ((uint64_t)parent << 32 | function) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32 ^ line) * UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(h >> 32);
}

/* Doubles the table: the hashes in the slots are enough for that. */
static int tree_widen(struct tree *t)
{
	const size_t n = t->nslots * 2;
	uint64_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < t->nslots; i++) {
		size_t at = (size_t)(t->slots[i] >> 32) & (n - 1);

		if (!t->slots[i])
			continue;
		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = t->slots[i];
	}
	free(t->slots);
	t->slots = slots;
	t->nslots = n;
	return 0;
}

static bool tree_is(const struct tree *t, uint64_t slot, uint32_t hash, uint32_t parent,
		    uint32_t function, uint32_t line)
{
	const struct tree_node *n = &t->nodes[(uint32_t)slot];

	return slot >> 32 == hash && n->parent == parent && n->function == function &&
	       n->line == line;
}

int tree_child(struct tree *t, uint32_t parent, uint32_t function, uint32_t line,
	       uint32_t *node)
{
	const uint32_t hash = tree_hash(parent, function, line);
	size_t at = hash & (t->nslots - 1);
	struct tree_node *room;

	for (; t->slots[at]; at = (at + 1) & (t->nslots - 1))
		if (tree_is(t, t->slots[at], hash, parent, function, line)) {
			*node = (uint32_t)t->slots[at];
			return 0;
		}
	room = grow(t->nodes, t->n, &t->room, sizeof(*room));
	if (!room)
		return -ENOMEM;
	t->nodes = room;
	*node = (uint32_t)t->n;
	t->nodes[t->n] = (struct tree_node){
		.parent = parent, .function = function, .line = line,
	};
	t->slots[at] = (uint64_t)hash << 32 | t->n++;
	return t->n * 3 > t->nslots * 2 ? tree_widen(t) : 0;
}

int tree_children(const struct tree *t, struct tree_children *c)
{
	/* first[i + 1] is where node i's go on being filled, and so ends as their end. */
	uint32_t *first = calloc(t->n + 2, sizeof(*first));

	*c = (struct tree_children){ .first = first, .child = calloc(t->n, sizeof(*c->child)) };
	if (!first || !c->child)
		return -ENOMEM;
	for (size_t i = 1; i < t->n; i++)
		first[t->nodes[i].parent + 2]++;
	for (size_t i = 2; i < t->n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 1; i < t->n; i++)
		c->child[first[t->nodes[i].parent + 1]++] = (uint32_t)i;
	return 0;
}

void tree_children_fini(struct tree_children *c)
{
	free(c->first);
	free(c->child);
	*c = (struct tree_children){ 0 };
}
