/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/forest.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/pack.h"
#include "src/base/pinned.h"
#include "src/profile/format.h"
#include "src/profile/reader/reader.h"

void forest_free(struct forest *f)
{
	for (size_t i = 0; i < f->ntrees; i++) {
		struct forest_tree *t = &f->trees[i];

		free(t->key);
		free(t->modules);
		free(t->nodes);
		hash_free(&t->by_module);
		hash_free(&t->by_node);
	}
	pinned_free(f->trees);
	hash_free(&f->by_key);
	arena_free(&f->paths);
	*f = (struct forest){ 0 };
}

/* ---- trees ----------------------------------------------------------- */

uint32_t forest_tree(struct forest *f, const void *key, size_t bytes)
{
	const uint32_t hash = hash_of_bytes(key, bytes);
	uint32_t tree;
	size_t at = hash;
	char *copy;

	while (hash_next(&f->by_key, hash, &at, &tree))
		if (f->trees[tree].key_bytes == bytes && !memcmp(f->trees[tree].key, key, bytes))
			return tree;
	f->trees = pinned_grow(f->trees, f->ntrees, &f->room, sizeof(*f->trees));
	copy = alloc_bytes(bytes + 1);
	hash_add_here(&f->by_key, hash, at, (uint32_t)f->ntrees);
	memcpy(copy, key, bytes);
	f->trees[f->ntrees] = (struct forest_tree){ .key = copy, .key_bytes = bytes };
	return (uint32_t)f->ntrees++;
}

bool forest_is_full(const struct forest *f)
{
	for (size_t i = 0; i < f->ntrees; i++)
		if (f->trees[i].full)
			return true;
	return false;
}

/* ---- modules --------------------------------------------------------- */

struct forest_module forest_module_of(const struct prof_rmodule *m)
{
	struct forest_module module = {
		.path = m->path,
		.map_start = m->map_start,
		.map_bytes = m->map_end - m->map_start,
		.bias = m->bias,
		.build_id_bytes = m->build_id_bytes,
		.flags = m->flags,
	};

	memcpy(module.build_id, m->build_id, m->build_id_bytes);
	return module;
}

/* at: where the search for its hash ended, if it is not there. */
static bool find_module(const struct forest_tree *t, const struct forest_module *module,
			uint32_t hash, size_t *at, uint32_t *number)
{
	while (hash_next(&t->by_module, hash, at, number)) {
		const struct forest_module *m = &t->modules[(*number)++];

		if (m->flags == module->flags && m->build_id_bytes == module->build_id_bytes &&
		    !memcmp(m->build_id, module->build_id, m->build_id_bytes) &&
		    !strcmp(m->path, module->path))
			return true;
	}
	return false;
}

uint32_t forest_module_number(const struct forest_tree *t, const struct forest_module *module)
{
	const uint32_t hash = hash_of_bytes(module->path, strlen(module->path) + 1);
	size_t at = hash;
	uint32_t number;

	return find_module(t, module, hash, &at, &number) ? number : 0;
}

uint32_t forest_module(struct forest *f, struct forest_tree *t, const struct forest_module *module)
{
	const size_t bytes = strlen(module->path) + 1;
	const uint32_t hash = hash_of_bytes(module->path, bytes);
	size_t at = hash;
	uint32_t number;
	char *path;

	if (find_module(t, module, hash, &at, &number))
		return number;
	t->full = t->full || t->nmodules == FOREST_MODULES_MOST;
	if (t->full)
		return FOREST_MODULE_UNKNOWN;
	t->modules = grow(t->modules, t->nmodules, &t->modules_room, sizeof(*t->modules));
	path = arena_alloc(&f->paths, bytes);
	hash_add_here(&t->by_module, hash, at, (uint32_t)t->nmodules);
	memcpy(path, module->path, bytes);
	t->modules[t->nmodules] = *module;
	t->modules[t->nmodules].path = path;
	return (uint32_t)++t->nmodules;
}

/* ---- nodes ----------------------------------------------------------- */

uint32_t forest_node(struct forest_tree *t, const struct forest_node *node)
{
	const uint64_t where = (uint64_t)node->parent << 32 | node->context;
	const uint64_t what = (uint64_t)node->info << 32 | (node->process ^ node->ordinal << 24);
	const uint32_t hash = hash_of_pair(hash_of_pair(where, what), node->a ^ node->b << 7);
	size_t at = hash;
	uint32_t number;

	while (hash_next(&t->by_node, hash, &at, &number)) {
		const struct forest_node *n = &t->nodes[number];

		if (n->a == node->a && n->b == node->b && n->parent == node->parent &&
		    n->context == node->context && n->info == node->info &&
		    n->process == node->process && n->ordinal == node->ordinal)
			return number;
	}
	t->full = t->full || t->nnodes >= UINT32_MAX - 2;
	if (t->full)
		return 0;
	t->nodes = grow(t->nodes, t->nnodes, &t->nodes_room, sizeof(*t->nodes));
	hash_add_here(&t->by_node, hash, at, (uint32_t)t->nnodes);
	t->nodes[t->nnodes] = *node;
	return (uint32_t)t->nnodes++;
}

/* ---- merging --------------------------------------------------------- */

uint64_t forest_location(const uint32_t *numbers, size_t n, uint64_t loc)
{
	const uint32_t module = PROF_LOC_MODULE(loc);
	uint32_t number = FOREST_MODULE_UNKNOWN;

	if (!module || module == PROF_MODULE_ID_KERNEL)
		return loc;
	if (module < n && numbers[module])
		number = numbers[module];
	return PROF_LOC(number, PROF_LOC_ADDRESS(loc));
}

/* Whether such a node's numbers are locations. */
static bool has_locations(uint32_t info)
{
	const uint32_t kind = info & 0xff, flags = info >> 24;

	switch (kind) {
	case PROF_NODE_FRAME:
	case PROF_NODE_BODY:
	case PROF_NODE_CONSTRUCT: return true;
	case PROF_NODE_OBJECT: return flags != 0;
	case PROF_NODE_DATA: return flags == PROF_DATA_GLOBAL;
	case PROF_NODE_STATS: return flags == PROF_STATS_OBJECT;
	}
	return false;
}

static void merge_nodes(struct forest_tree *t, const struct forest_tree *from,
			struct forest_mapping *m)
{
	m->nodes = alloc_zeroed(from->nnodes + 1, sizeof(*m->nodes));
	for (size_t i = 0; i < from->nnodes && !t->full; i++) {
		struct forest_node n = from->nodes[i];

		n.parent = n.parent ? m->nodes[n.parent - 1] + 1 : 0;
		n.context = n.context ? m->nodes[n.context - 1] + 1 : 0;
		if (has_locations(n.info)) {
			n.a = forest_location(m->modules, from->nmodules + 1, n.a);
			n.b = forest_location(m->modules, from->nmodules + 1, n.b);
		}
		m->nodes[i] = forest_node(t, &n);
	}
}

struct forest_mapping *forest_merge(struct forest *f, const struct forest *from)
{
	struct forest_mapping *all = alloc_zeroed(from->ntrees + 1, sizeof(*all));

	for (size_t i = 0; i < from->ntrees; i++) {
		const struct forest_tree *t = &from->trees[i];

		all[i].tree = forest_tree(f, t->key, t->key_bytes);
		all[i].modules = alloc_zeroed(t->nmodules + 1, sizeof(*all[i].modules));
		for (size_t k = 0; k < t->nmodules; k++)
			all[i].modules[k + 1] =
				forest_module(f, &f->trees[all[i].tree], &t->modules[k]);
		merge_nodes(&f->trees[all[i].tree], t, &all[i]);
	}
	return all;
}

void forest_mappings_free(struct forest_mapping *mappings, const struct forest *from)
{
	for (size_t i = 0; mappings && i < from->ntrees; i++) {
		free(mappings[i].modules);
		free(mappings[i].nodes);
	}
	free(mappings);
}

/* ---- as bytes -------------------------------------------------------- */

void forest_pack(const struct forest *f, struct pack *out)
{
	pack_number(out, f->ntrees);
	for (size_t i = 0; i < f->ntrees; i++) {
		const struct forest_tree *t = &f->trees[i];

		pack_text(out, t->key, t->key_bytes);
		pack_number(out, t->nmodules);
		for (size_t k = 0; k < t->nmodules; k++) {
			pack_text(out, t->modules[k].path, strlen(t->modules[k].path) + 1);
			pack_bytes(out, &t->modules[k], sizeof(t->modules[k]));
		}
		pack_number(out, t->nnodes);
		pack_bytes(out, t->nodes, t->nnodes * sizeof(*t->nodes));
	}
}

static void unpack_modules(struct unpack *u, struct forest *f, struct forest_tree *t)
{
	size_t bytes;

	for (uint64_t n = unpack_number(u); n && !u->damaged; n--) {
		const unsigned char *path = unpack_text(u, &bytes);
		const unsigned char *from = unpack_bytes(u, sizeof(struct forest_module));
		struct forest_module m;

		if (u->damaged)
			return;
		memcpy(&m, from, sizeof(m));
		m.path = (const char *)path;
		forest_module(f, t, &m);
	}
}

static void unpack_nodes(struct unpack *u, struct forest_tree *t)
{
	for (uint64_t n = unpack_number(u); n && !u->damaged; n--) {
		const unsigned char *from = unpack_bytes(u, sizeof(struct forest_node));
		struct forest_node node;

		if (u->damaged)
			return;
		memcpy(&node, from, sizeof(node));
		forest_node(t, &node);
	}
}

int forest_unpack(struct unpack *u, struct forest *f)
{
	for (uint64_t n = unpack_number(u); n && !u->damaged; n--) {
		size_t bytes;
		const unsigned char *key = unpack_text(u, &bytes);
		uint32_t tree;

		if (u->damaged)
			break;
		tree = forest_tree(f, key, bytes);
		unpack_modules(u, f, &f->trees[tree]);
		unpack_nodes(u, &f->trees[tree]);
	}
	return u->damaged ? -EPROTO : 0;
}
