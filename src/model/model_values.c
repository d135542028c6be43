/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/model_values.h"

typedef void visitor(const struct model_value *v, void *arg);

static void node_values(const struct model_tree *t, uint32_t i, visitor *visit, void *arg)
{
	struct model_value found = { .tree = t, .node = &t->file->nodes[i] };
	struct prof_values values;
	struct prof_rvalue v;

	prof_values_begin(&values, t->file, i);
	while (prof_values_next(&values, &v)) {
		found.a = v.a;
		found.b = v.b;
		found.thread = t->first_thread + v.thread;
		visit(&found, arg);
	}
}

void model_values(const struct model *m, enum prof_node_kind kind, visitor *visit, void *arg)
{
	for (size_t t = 0; t < m->ntrees; t++) {
		const struct prof_file *f = m->trees[t].file;

		for (uint32_t i = 0; i < f->nnodes; i++)
			if (f->nodes[i].kind == kind)
				node_values(&m->trees[t], i, visit, arg);
	}
}
