/*
 * batch_parts.h - shared by the files that make a batch, and private to them.
 */
#ifndef OMPHWC_SRC_MERGE_BATCH_PARTS_H
#define OMPHWC_SRC_MERGE_BATCH_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/merge/batch.h"

/* What one thread of the batch counted at a node. */
struct batch_value {
	uint64_t a, b;
	uint32_t node, thread;
};

/* A node's values: bytes of batch.columns. */
struct batch_column {
	uint32_t node;
	size_t at, bytes;
};

/* A module as one process has it. */
struct batch_module {
	uint32_t id, number;
	uint64_t map_start, map_bytes, bias;
};

struct batch_process {
	uint32_t tree;
	size_t packed;	/* where it ends in batch.packed */
	size_t modules; /* where they end in batch.modules */
};

/* Adds all nodes of f, whose processes is input, to the tree of that number.  ids: by id of its
   modules, their numbers in the tree.  0, -ENOMEM or -E2BIG. */
int batch_add_nodes(struct batch *b, const struct prof_file *f, uint32_t input, uint32_t tree,
		    const uint32_t *ids, size_t nids);

/* What processes that share a tree have in common, as bytes. */
void batch_key(struct pack *key, const struct prof_file *f, uint32_t input, bool made, bool kernel);

/* Whether there are frames of code that is in no file, and of the kernel: these are one
   process's, and those of one boot. */
void batch_look(const struct prof_file *f, bool *made, bool *kernel);

/* Sorts a tree's values and packs them.  0 or -ENOMEM. */
int batch_pack_values(struct batch *b, struct batch_tree *t, size_t nnodes);

#endif
