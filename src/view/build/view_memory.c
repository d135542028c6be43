/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_memory.c - groups accessed memory into objects: globals by symbol, stacks, heap
 * blocks by their allocation context, the rest of the heap, and ranges of mapped memory.
 *
 * Mapped memory has no name.  Addresses close together are merged into one object once all
 * addresses are known.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/view/build/view_build.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* Mapped addresses farther apart than this are different objects. */
static const uint64_t apart = UINT64_C(4) << 20;

static uint32_t view_memory_add(struct view *v, uint64_t key, uint64_t key2,
				const struct view_memory *m)
{
	uint32_t id;

	v->memory = pinned_grow(v->memory, v->nmemory, &v->memory_room, sizeof(*v->memory));
	if (map_add(&v->by_memory, key, key2, (uint32_t)v->nmemory, &id))
		v->memory[v->nmemory++] = *m;
	return id;
}

static uint32_t memory_global(struct view_builder *b, uint64_t loc)
{
	const struct prof_rmodule *module = prof_module_by_id(b->file, PROF_LOC_MODULE(loc));
	struct view_memory m = { .kind = PROF_DATA_GLOBAL };
	const char *name = ask(b->options->resolver, b->file, QUERY_OBJECT, loc, false).text;

	/* "table+0x40" belongs to table. */
	const char *offset = name ? strstr(name, "+0x") : NULL;
	char *symbol = offset ? alloc_text_part(name, (size_t)(offset - name)) : NULL;

	m.name = names_string(&b->view->names, symbol ? symbol : name);
	free(symbol);
	m.module = names_string(&b->view->names, module ? module->path : NULL);
	return view_memory_add(b->view, (uintptr_t)m.name, (uintptr_t)m.module, &m);
}

/* Each address is an object of its own, until all are known. */
static uint32_t memory_mapped(struct view_builder *b, const struct prof_rnode *data)
{
	const uint64_t process = (uint64_t)(b->process - b->view->model->processes);
	const struct view_memory m = {
		.kind = PROF_DATA_OTHER,
		.process = (uint32_t)process,
		.lo = data->a,
		.hi = prof_add(data->a, PROF_DATA_PAGE_BYTES),
	};

	return view_memory_add(b->view, data->a, PROF_DATA_KERNEL + 1 + process, &m);
}

/* The key of blocks that were allocated in context x. */
static uint32_t view_memory_block(struct view_builder *b, const struct path *x)
{
	const struct view_memory m = {
		.kind = VIEW_MEMORY_BLOCK,
		.by_runtime = decided_in_runtime(&x->at),
		.node = x->user_node,
		.line = b->view->folded ? x->line : x->at.user_line,
	};

	return view_memory_add(b->view, (uint64_t)m.node << 32 | m.line, UINT64_MAX - m.by_runtime,
			       &m);
}

static uint32_t memory_of(struct view_builder *b, const struct prof_rnode *data)
{
	const struct view_memory m = {
		.kind = data->kind == PROF_NODE_BLOCK ? PROF_DATA_HEAP : data->flags,
	};

	if (data->kind == PROF_NODE_BLOCK && data->context != PROF_NONE)
		return view_memory_block(b, path_build_of(&b->paths, data->context));
	switch (m.kind) {
	case PROF_DATA_GLOBAL: return memory_global(b, data->a);
	case PROF_DATA_STACK:
	case PROF_DATA_HEAP:
	case PROF_DATA_KERNEL: return view_memory_add(b->view, 0, m.kind, &m);
	default: return memory_mapped(b, data);
	}
}

void view_record_memory(struct view_builder *b, const struct prof_rnode *leaf,
			struct view_record *r)
{
	/* The DATA or BLOCK node of a leaf's path, or NULL. */
	const struct prof_rnode *n = leaf;

	do
		n = n->parent == PROF_NONE ? NULL : &b->file->nodes[n->parent];
	while (n && (n->kind == PROF_NODE_OBJECT || n->kind == PROF_NODE_CONSTRUCT));
	const struct prof_rnode *data =
		n && (n->kind == PROF_NODE_DATA || n->kind == PROF_NODE_BLOCK) ? n : NULL;

	if (!data)
		return;
	r->source = data->event < PROF_SOURCES ? data->event : PROF_SOURCE_UNKNOWN;
	r->memory = memory_of(b, data);
}

void view_stats_memory(struct view_builder *b, const struct prof_rnode *s,
		       const struct prof_rnode *data)
{
	const uint32_t id = memory_of(b, data);
	struct view_memory *m = &b->view->memory[id];

	m->measured = prof_add(m->measured, s->a);
	m->cycles = prof_add(m->cycles, s->b);
}

void view_stats_alloc(struct view_builder *b, const struct prof_rnode *s, const struct path *x)
{
	const uint32_t id = view_memory_block(b, x);
	struct view_memory *m = &b->view->memory[id];

	m->blocks = prof_add(m->blocks, s->a);
	m->bytes = prof_add(m->bytes, s->b);
}

/* ---- when all are known ---------------------------------------------- */

static int memory_order(const void *a, const void *b, void *arg)
{
	const struct view_memory *all = arg;
	const struct view_memory *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

void view_settle_memory(struct view_builder *b)
{
	struct view *v = b->view;
	uint32_t *order = alloc_zeroed(v->nmemory + 1, sizeof(*order));
	uint32_t *into = alloc_zeroed(v->nmemory + 1, sizeof(*into));
	size_t n = 0;

	for (uint32_t i = 0; i < v->nmemory; i++) {
		into[i] = i;
		if (v->memory[i].kind == PROF_DATA_OTHER)
			order[n++] = i;
	}
	if (n)
		qsort_r(order, n, sizeof(*order), memory_order, v->memory);
	/* Merges neighbours: into[i] is the first object of i's range. */
	uint32_t first = 0;

	for (size_t i = 0; i < n; i++) {
		struct view_memory *m = &v->memory[order[i]], *f = &v->memory[first];

		if (first && f->process == m->process && (m->lo < f->hi || m->lo - f->hi < apart)) {
			if (m->hi > f->hi)
				f->hi = m->hi;
			f->measured = prof_add(f->measured, m->measured);
			f->cycles = prof_add(f->cycles, m->cycles);
			into[order[i]] = first;
			continue;
		}
		first = order[i];
	}
	for (size_t i = 0; i < v->nrecords; i++)
		v->records[i].memory = into[v->records[i].memory];
	for (size_t i = 0; i < v->nparts; i++)
		v->parts[i].memory = into[v->parts[i].memory];
	free(order);
	free(into);
}

void view_init_memory(struct view *v)
{
	const struct view_memory none = { 0 };

	view_memory_add(v, 0, 0, &none);
}

const char *view_source_name(unsigned source)
{
	static const char *const names[PROF_SOURCES] = {
		[PROF_SOURCE_UNKNOWN] = "not known",
		[PROF_SOURCE_L1] = "L1 cache",
		[PROF_SOURCE_FILL_BUFFER] = "line fill buffer",
		[PROF_SOURCE_L2] = "L2 cache",
		[PROF_SOURCE_L3] = "L3 cache",
		[PROF_SOURCE_RAM] = "memory",
		[PROF_SOURCE_REMOTE_CACHE] = "another node's cache",
		[PROF_SOURCE_REMOTE_RAM] = "another node's memory",
		[PROF_SOURCE_UNCACHED] = "uncached memory",
	};

	return names[source < PROF_SOURCES ? source : PROF_SOURCE_UNKNOWN];
}
