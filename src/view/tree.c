/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - children are found through one hash table for the whole tree. */
#include "config.h"

#include "src/view/tree.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/pinned.h"

void tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	t->nodes = pinned_grow(NULL, 0, &t->room, sizeof(*t->nodes));
	t->n = 1;
}

void tree_fini(struct tree *t)
{
	pinned_free(t->nodes);
	hash_free(&t->children);
	*t = (struct tree){ 0 };
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t function, uint32_t line)
{
	const struct tree_node new = { .parent = parent, .function = function, .line = line };
	const uint32_t hash = hash_of_pair((uint64_t)parent << 32 | function, line);
	size_t at = hash;
	uint32_t node;

	while (hash_next(&t->children, hash, &at, &node))
		if (t->nodes[node].parent == parent && t->nodes[node].function == function &&
		    t->nodes[node].line == line)
			return node;
	t->nodes = pinned_grow(t->nodes, t->n, &t->room, sizeof(*t->nodes));
	hash_add_here(&t->children, hash, at, (uint32_t)t->n);
	t->nodes[t->n] = new;
	return (uint32_t)t->n++;
}

void tree_children(const struct tree *t, struct tree_children *c)
{
	/* While filling, first[i + 1] is where the next child of node i goes; at the end it
	   is the end of node i's children. */
	uint32_t *first = alloc_zeroed(t->n + 2, sizeof(*first));

	*c = (struct tree_children){ .first = first,
				     .child = alloc_zeroed(t->n, sizeof(*c->child)) };
	for (size_t i = 1; i < t->n; i++)
		first[t->nodes[i].parent + 2]++;
	for (size_t i = 2; i < t->n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 1; i < t->n; i++)
		c->child[first[t->nodes[i].parent + 1]++] = (uint32_t)i;
}

void tree_children_fini(struct tree_children *c)
{
	free(c->first);
	free(c->child);
	*c = (struct tree_children){ 0 };
}
