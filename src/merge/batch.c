/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/batch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pinned.h"
#include "src/merge/batch_parts.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"

void batch_free(struct batch *b)
{
	for (size_t i = 0; i < b->ntrees; i++) {
		struct batch_tree *t = &b->trees[i];

		free(t->values);
		free(t->columns);
	}
	for (size_t i = 0; i < b->nprocesses; i++) {
		batch_free_times(&b->processes[i].times);
		free(b->processes[i].bare.all);
	}
	forest_free(&b->forest);
	pinned_free(b->trees);
	free(b->processes);
	free(b->modules);
	pack_free(&b->packed);
	pack_free(&b->columns);
	prof_free(b->before);
	*b = (struct batch){ 0 };
}

/* ---- a process ------------------------------------------------------- */

static void pack_texts(struct batch *b, const struct prof_file *f)
{
	const struct prof_file *before = b->before;

	pack_number(&b->packed, f->ntexts);
	for (size_t i = 0; i < f->ntexts; i++) {
		const struct prof_text *t = &f->texts[i];
		const struct prof_text *same = before && i < before->ntexts ? &before->texts[i] :
									      NULL;

		pack_number(&b->packed, t->kind);
		if (same && same->kind == t->kind && same->bytes == t->bytes &&
		    !memcmp(same->text, t->text, t->bytes)) {
			pack_number(&b->packed, 0);
			continue;
		}
		pack_number(&b->packed, t->bytes + 1);
		pack_bytes(&b->packed, t->text, t->bytes);
	}
}

static uint32_t add_module(struct batch *b, const struct prof_rmodule *m, uint32_t tree)
{
	const struct forest_module module = forest_module_of(m);
	const uint32_t number = forest_module(&b->forest, &b->forest.trees[tree], &module);

	b->modules = grow(b->modules, b->nmodules, &b->modules_room, sizeof(*b->modules));
	b->modules[b->nmodules++] = (struct batch_module){
		.id = m->id,
		.number = number,
		.map_start = m->map_start,
		.map_bytes = module.map_bytes,
		.bias = m->bias,
	};
	return number;
}

/* The process without what is in its tree. */
static void pack_process(struct batch *b, const struct prof_file *f)
{
	const struct prof_kept kept = model_kept(f);

	pack_text(&b->packed, f->path, strlen(f->path));
	pack_difference(&b->packed, &b->header, &f->header, sizeof(b->header));
	b->header = f->header;
	pack_number(&b->packed, f->file_bytes);
	pack_number(&b->packed, f->missing_bytes);
	pack_number(&b->packed, f->damaged);
	pack_number(&b->packed, f->unfinished);
	pack_number(&b->packed, kept.kept);
	pack_number(&b->packed, kept.guessed);
	pack_texts(b, f);
	pack_number(&b->packed, f->nthreads);
	for (size_t i = 0; i < f->nthreads; i++) {
		pack_difference(&b->packed, &b->thread, &f->threads[i].t, sizeof(b->thread));
		b->thread = f->threads[i].t;
	}
}

void batch_add(struct batch *b, struct prof_file *f, uint32_t input)
{
	struct pack key = { 0 };
	struct batch_process *new;
	bool made, kernel;

	batch_look(f, &made, &kernel);
	b->special[BATCH_MADE] += made;
	b->special[BATCH_KERNEL] += kernel;
	batch_key(&key, f, input, made, kernel);
	b->processes = grow(b->processes, b->nprocesses, &b->processes_room, sizeof(*new));
	new = &b->processes[b->nprocesses++];
	*new = (struct batch_process){ .tree = forest_tree(&b->forest, key.bytes, key.n) };
	pack_free(&key);
	if (new->tree >= b->ntrees) {
		b->trees = pinned_grow(b->trees, b->ntrees, &b->trees_room, sizeof(*b->trees));
		b->ntrees++;
	}
	/* Adds what the process counted to its tree, and takes its times. */
	const size_t nids = f->nmodules ? (size_t)f->modules[f->nmodules - 1].id + 1 : 1;
	uint32_t *ids = alloc_zeroed(nids, sizeof(*ids)), *numbers;

	for (size_t i = 0; i < f->nmodules; i++)
		ids[f->modules[i].id] = add_module(b, &f->modules[i], new->tree);
	numbers = batch_add_nodes(b, f, input, new->tree, ids, nids);
	batch_find_bare(f, numbers, &new->bare);
	batch_take_times(&new->times, f, numbers);
	free(numbers);
	free(ids);
	pack_process(b, f);
	new->packed = b->packed.n;
	new->modules = b->nmodules;
	b->nthreads += (uint32_t)f->nthreads;
	prof_free(b->before);
	b->before = f;
}

void batch_end(struct batch *b)
{
	for (size_t i = 0; i < b->ntrees; i++)
		batch_pack_values(b, &b->trees[i], b->forest.trees[i].nnodes);
	prof_free(b->before);
	b->before = NULL;
}

/* ---- the chunk ------------------------------------------------------- */

struct placed {
	uint32_t node;
	const struct batch_column *column;
};

static int by_node(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static void pack_columns(const struct batch *b, size_t tree, const struct forest_mapping *m,
			 struct pack *out)
{
	const struct batch_tree *t = &b->trees[tree];
	struct placed *all = alloc_zeroed(t->ncolumns + 1, sizeof(*all));
	uint32_t before = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		all[i] = (struct placed){ m->nodes[t->columns[i].node], &t->columns[i] };
	qsort(all, t->ncolumns, sizeof(*all), by_node);
	pack_number(out, m->tree);
	pack_number(out, t->ncolumns);
	for (size_t i = 0; i < t->ncolumns; i++) {
		pack_number(out, all[i].node - before);
		pack_text(out, b->columns.bytes + all[i].column->at, all[i].column->bytes);
		before = all[i].node;
	}
	free(all);
}

void batch_pack(const struct batch *b, const struct forest_mapping *mappings, struct pack *out)
{
	pack_number(out, b->nprocesses);
	pack_number(out, sizeof(struct prof_header));
	pack_number(out, sizeof(struct prof_thread));
	for (size_t i = 0; i < b->nprocesses; i++) {
		const struct batch_process *p = &b->processes[i];
		const size_t from = i ? p[-1].packed : 0, first = i ? p[-1].modules : 0;
		const struct forest_mapping *m = &mappings[p->tree];

		pack_bytes(out, b->packed.bytes + from, p->packed - from);
		pack_number(out, m->tree);
		pack_number(out, p->modules - first);
		for (size_t k = first; k < p->modules; k++) {
			pack_number(out, b->modules[k].id);
			pack_number(out, m->modules[b->modules[k].number]);
			pack_number(out, b->modules[k].map_start);
			pack_number(out, b->modules[k].map_bytes);
			pack_number(out, b->modules[k].bias);
		}
	}
	pack_number(out, b->ntrees);
	for (size_t i = 0; i < b->ntrees; i++)
		pack_columns(b, i, &mappings[i], out);
	for (size_t i = 0; i < b->nprocesses; i++) {
		const uint32_t *nodes = mappings[b->processes[i].tree].nodes;

		batch_pack_bare(&b->processes[i].bare, nodes, out);
		batch_pack_times(&b->processes[i].times, nodes, out);
	}
}
