/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batch_bare.c - nodes that a thread has, and beneath which it counted nothing: creation contexts
 * above all.  Their tree does not show whose they are.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/pack.h"
#include "src/merge/batch_parts.h"
#include "src/profile/reader/reader.h"

#include "src/base/alloc.h"

/* By node: whether another one lies beneath it, or it has counts. */
static bool *find_parents(const struct prof_file *f)
{
	bool *parent = alloc_zeroed(f->nnodes + 1, sizeof(*parent));

	for (size_t i = 0; i < f->nnodes; i++) {
		if (f->nodes[i].parent != PROF_NONE)
			parent[f->nodes[i].parent] = true;
		if (batch_is_counted(f->nodes[i].kind))
			parent[i] = true;
	}
	return parent;
}

void batch_find_bare(const struct prof_file *f, const uint32_t *numbers, struct batch_bare *bare)
{
	bool *parent = find_parents(f);
	size_t n = 0;

	*bare = (struct batch_bare){ 0 };
	for (size_t i = 0; i < f->nnodes; i++)
		n += !parent[i];
	bare->all = alloc_zeroed(n + 1, sizeof(*bare->all));
	for (size_t i = 0; i < f->nnodes; i++)
		if (!parent[i])
			bare->all[bare->n++] = (struct batch_had){ f->nodes[i].thread, numbers[i] };
	free(parent);
}

static int batch_bare_order(const void *a, const void *b)
{
	const struct batch_had *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

void batch_pack_bare(const struct batch_bare *bare, const uint32_t *nodes, struct pack *out)
{
	struct batch_had *all = alloc_zeroed(bare->n + 1, sizeof(*all)), last = { 0 };
	struct pack packed = { 0 };

	for (size_t i = 0; i < bare->n; i++)
		all[i] = (struct batch_had){ bare->all[i].thread, nodes[bare->all[i].node] };
	qsort(all, bare->n, sizeof(*all), batch_bare_order);
	for (size_t i = 0; i < bare->n; i++) {
		/* Several objects without a name are one node. */
		if (i && !batch_bare_order(&all[i], &last))
			continue;
		if (all[i].thread != last.thread)
			last.node = 0;
		pack_number(&packed, all[i].thread - last.thread);
		pack_number(&packed, all[i].node - last.node);
		last = all[i];
	}
	pack_text(out, packed.bytes, packed.n);
	pack_free(&packed);
	free(all);
}
