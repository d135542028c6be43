/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A node is written completely, its info word last, and linked by a
 * compare-and-swap. Where a handler has added the same child meanwhile, the
 * handler's node wins, and the other node stays behind, valid and empty.
 */
#include "config.h"

#include "ompt_tool/tree/cct.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
	CHUNK_FIRST_BYTES = 4096,
	CHUNK_MOST_BYTES = 1 << 18,
	REFUSED_TRIES = 1000,
	STEPS_MOST = 256, /* of a look-up: 64 bits, and siblings with the same hash */
};

static uint64_t key_hash(uint32_t info, uint64_t value)
{
	uint64_t h = (value ^ (uint64_t)info << 32) * UINT64_C(0x9e3779b97f4a7c15);

	return h ^ h >> 32;
}

/* Adds a chunk, twice the last one's size. */
static int chunk_add(struct cct *t, uint64_t seen)
{
	uint32_t bytes = t->chunk_bytes == 0		   ? CHUNK_FIRST_BYTES :
			 t->chunk_bytes < CHUNK_MOST_BYTES ? t->chunk_bytes * 2 :
							     CHUNK_MOST_BYTES;
	uint64_t offset;

	if (t->refused != 0) {
		t->refused--;
		return -ENOSPC;
	}
	int err = prof_chunk_new(t->writer, PROF_CHUNK_NODES, t->owner, bytes, &offset);
	if (err != 0) {
		t->refused = REFUSED_TRIES;
		return err;
	}
	t->chunk_bytes = bytes;
	uint64_t first = (offset + sizeof(struct prof_chunk)) / PROF_GRANULE;
	uint64_t end = (offset + bytes) / PROF_GRANULE;

	atomic_compare_exchange_strong(&t->room, &seen, first | end << 32);
	return 0;
}

static uint32_t node_take(struct cct *t)
{
	uint64_t room = atomic_load_explicit(&t->room, memory_order_relaxed);

	for (;;) {
		if ((uint32_t)room != (uint32_t)(room >> 32)) {
			if (atomic_compare_exchange_weak(&t->room, &room, room + 1))
				return (uint32_t)room;
		} else {
			if (chunk_add(t, room) != 0)
				return 0;
			room = atomic_load_explicit(&t->room, memory_order_relaxed);
		}
	}
}

static bool has_value(uint32_t info)
{
	uint32_t kind = info & 0xff;

	return kind != PROF_NODE_LEAF && kind != PROF_NODE_STATS && kind != PROF_NODE_COUNT &&
	       kind != PROF_NODE_CPU;
}

static uint32_t node_make(struct cct *t, uint32_t parent, uint32_t info, uint64_t value)
{
	uint32_t n = node_take(t);

	if (n == 0)
		return 0;
	struct prof_node *node = cct_node(t->writer, n);
	node->parent = parent;
	if (has_value(info))
		node->value = value;
	atomic_store_explicit((_Atomic uint32_t *)&node->info, info, memory_order_release);
	return n;
}

void cct_init(struct cct *t, struct prof_writer *w, uint32_t owner)
{
	t->writer = w;
	t->owner = owner;
	t->chunk_bytes = 0;
	t->refused = 0;
	atomic_store(&t->room, 0);
	t->root = 0;
	t->root = node_make(t, 0, PROF_NODE_INFO(PROF_NODE_ROOT, 0, 0, 0), owner);
}

uint32_t cct_root(struct cct *t)
{
	if (t->root == 0 && t->writer)
		t->root = node_make(t, 0, PROF_NODE_INFO(PROF_NODE_ROOT, 0, 0, 0), t->owner);
	return t->root;
}

static __attribute__((noinline, cold)) uint32_t overwritten(struct cct *t)
{
	prof_mark_overwritten(t->writer);
	return 0;
}

uint32_t cct_child(struct cct *t, uint32_t parent, uint32_t info, uint64_t value)
{
	struct prof_node *const above = cct_node(t->writer, parent);
	_Atomic uint32_t *link = (_Atomic uint32_t *)&above->child;
	uint64_t hash = key_hash(info, value);
	uint32_t fresh = 0;

	if (parent == 0)
		return 0;
	for (int step = 0; step < STEPS_MOST; step++) {
		uint32_t n = atomic_load_explicit(link, memory_order_acquire);

		if (n == 0) {
			if (above->info == 0) /* it was a node: these are zeros */
				break;
			if (fresh == 0)
				fresh = node_make(t, parent, info, value);
			if (fresh == 0)
				return 0;
			if (atomic_compare_exchange_strong(link, &n, fresh))
				return fresh;
		}
		if (cct_link(t->writer, n) == 0)
			break;
		struct prof_node *node = cct_node(t->writer, n);
		if (node->info == info && (!has_value(info) || node->value == value))
			return n;
		link = (_Atomic uint32_t *)((hash & 1) != 0 ? &node->right : &node->left);
		hash >>= 1;
	}
	return overwritten(t);
}

uint32_t cct_find(const struct prof_writer *w, uint32_t parent, uint32_t info)
{
	uint64_t hash = key_hash(info, 0);
	uint32_t n = parent == 0 ? 0 : cct_link(w, cct_node(w, parent)->child);

	for (int step = 0; n != 0 && step < STEPS_MOST; step++) {
		if (cct_node(w, n)->info == info)
			return n;
		n = cct_link(w, (hash & 1) != 0 ? cct_node(w, n)->right : cct_node(w, n)->left);
		hash >>= 1;
	}
	return 0;
}
