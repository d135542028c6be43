/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/merged_parts.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/reader.h"

static int merged_tree_take_module(struct unpack *u, struct prof_rmodule *m)
{
	const unsigned char *path, *build_id;
	size_t n, bytes;

	path = unpack_text(u, &n);
	build_id = unpack_text(u, &bytes);
	m->flags = (uint32_t)unpack_up_to(u, UINT32_MAX);
	m->map_start = unpack_number(u);
	m->map_end = prof_add(m->map_start, unpack_number(u));
	m->bias = unpack_number(u);
	if (u->damaged || bytes > sizeof(m->build_id))
		return -EINVAL;
	memcpy(m->build_id, build_id, bytes);
	m->build_id_bytes = (uint32_t)bytes;
	m->path = strndup((const char *)path, n);
	return m->path ? 0 : -ENOMEM;
}

static int merged_tree_take_modules(struct prof_file *t, struct unpack *u)
{
	const size_t n = (size_t)unpack_up_to(u, UINT16_MAX - 1);
	size_t room = 0;
	int err = 0;

	for (size_t i = 0; i < n && !err && !u->damaged; i++) {
		struct prof_rmodule *m = grow_or_null(t->modules, t->nmodules, &room, sizeof(*m));

		if (!m)
			return -ENOMEM;
		t->modules = m;
		m[i].id = (uint32_t)i + 1;
		err = merged_tree_take_module(u, &m[i]);
		t->nmodules += !err;
	}
	return err;
}

/* A root's value is a kind of threads. */
static bool is_sound(const struct prof_file *t, const struct prof_rnode *r)
{
	uint8_t state = r->state;

	if (r->parent == PROF_NONE)
		return r->kind == PROF_NODE_ROOT && r->context == PROF_NONE;
	if (r->kind == PROF_NODE_LEAF)
		state = PROF_STATE_OF(state);
	return nodes_usable(t, r) &&
	       (r->kind == PROF_NODE_BOUNDARY || r->kind == PROF_NODE_CPU || state < PROF_STATES);
}

static int take_node(struct prof_file *t, struct unpack *u, struct prof_rnode *r)
{
	const uint64_t n = t->nnodes, above = unpack_up_to(u, n), from = unpack_up_to(u, n);
	const uint32_t info = (uint32_t)unpack_up_to(u, UINT32_MAX);

	*r = (struct prof_rnode){ .parent = above ? (uint32_t)(n - above) : PROF_NONE,
				  .context = from ? (uint32_t)(n - from) : PROF_NONE,
				  .kind = (uint8_t)info,
				  .event = (uint8_t)(info >> 8),
				  .state = (uint8_t)(info >> 16),
				  .flags = (uint8_t)(info >> 24) };
	r->a = unpack_number(u);
	r->a |= unpack_number(u) << PROF_LOC_ADDRESS_BITS;
	if (r->kind == PROF_NODE_STATS && r->flags == PROF_STATS_OBJECT) {
		r->b = unpack_number(u);
		r->b |= unpack_number(u) << PROF_LOC_ADDRESS_BITS;
	}
	return !u->damaged && is_sound(t, r) ? 0 : -EINVAL;
}

int merged_take_tree(struct prof_file *t, struct unpack *u)
{
	const size_t n = (size_t)unpack_up_to(u, PROF_NONE - 1);
	size_t room = 0;
	int err = t->nnodes || t->nmodules ? -EINVAL : merged_tree_take_modules(t, u);

	for (size_t i = 0; i < n && !err; i++) {
		struct prof_rnode *nodes = grow_or_null(t->nodes, t->nnodes, &room, sizeof(*nodes));

		if (!nodes)
			return -ENOMEM;
		t->nodes = nodes;
		err = take_node(t, u, &nodes[i]);
		t->nnodes += !err;
	}
	return err;
}
