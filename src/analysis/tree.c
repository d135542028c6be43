/* tree.c - children are found through one hash table for the whole tree. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/analysis/grow.h"
#include "src/analysis/tree.h"

int tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	t->nodes = grow(NULL, 0, &t->room, sizeof(*t->nodes));
	if (!t->nodes)
		return -ENOMEM;
	t->n = 1;
	return 0;
}

void tree_fini(struct tree *t)
{
	free(t->nodes);
	idmap_fini(&t->by_child);
	*t = (struct tree){ 0 };
}

int tree_child(struct tree *t, uint32_t parent, uint32_t function, uint32_t line,
	       uint32_t *node)
{
	struct tree_node *room = grow(t->nodes, t->n, &t->room, sizeof(*room));
	int added;

	if (!room)
		return -ENOMEM;
	t->nodes = room;
	added = idmap_add(&t->by_child, (uint64_t)parent << 32 | function, line,
			  (uint32_t)t->n, node);
	if (added == 1)
		t->nodes[t->n++] = (struct tree_node){
			.parent = parent, .function = function, .line = line,
		};
	return added < 0 ? added : 0;
}
