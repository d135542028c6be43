/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge/forest_pack.h"

#include <errno.h>
#include <string.h>

#include "src/base/pack.h"
#include "src/merge/forest.h"

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

static int unpack_modules(struct unpack *u, struct forest *f, struct forest_tree *t)
{
	size_t bytes;
	int err = 0;

	for (uint64_t n = unpack_number(u); n && !err; n--) {
		const unsigned char *path = unpack_text(u, &bytes);
		const unsigned char *from = unpack_bytes(u, sizeof(struct forest_module));
		struct forest_module m;
		uint32_t number;

		if (u->damaged)
			return -EPROTO;
		memcpy(&m, from, sizeof(m));
		m.path = (const char *)path;
		err = forest_module(f, t, &m, &number);
	}
	return err;
}

static int unpack_nodes(struct unpack *u, struct forest_tree *t)
{
	int err = 0;

	for (uint64_t n = unpack_number(u); n && !err; n--) {
		const unsigned char *from = unpack_bytes(u, sizeof(struct forest_node));
		struct forest_node node;
		uint32_t number;

		if (u->damaged)
			return -EPROTO;
		memcpy(&node, from, sizeof(node));
		err = forest_node(t, &node, &number);
	}
	return err;
}

int forest_unpack(struct unpack *u, struct forest *f)
{
	int err = 0;

	for (uint64_t n = unpack_number(u); n && !err; n--) {
		size_t bytes;
		const unsigned char *key = unpack_text(u, &bytes);
		uint32_t tree;

		if (u->damaged)
			return -EPROTO;
		forest_tree(f, key, bytes, &tree);
		err = unpack_modules(u, f, &f->trees[tree]);
		if (!err)
			err = unpack_nodes(u, &f->trees[tree]);
	}
	return err ? err : u->damaged ? -EPROTO : 0;
}
