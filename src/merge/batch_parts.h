/* SPDX-License-Identifier: BSD-3-Clause */
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

/* When a process's samples were taken, and its threads' last events, by thread.  Nodes are those of
   the batch's tree. */
struct batch_times {
	struct prof_rtimeline *timelines;
	struct prof_rtrace *traces;
	size_t ntimelines, ntraces;
	uint64_t ticks_start;
};

/* A node of the batch's tree that a thread of the process has. */
struct batch_had {
	uint32_t thread, node;
};

/* Those beneath which the thread has none, and counted nothing. */
struct batch_bare {
	struct batch_had *all;
	size_t n;
};

struct batch_process {
	uint32_t tree;
	size_t packed;	/* where it ends in batch.packed */
	size_t modules; /* where they end in batch.modules */
	struct batch_times times;
	struct batch_bare bare;
};

/* Whether threads count at nodes of that kind. */
bool batch_is_counted(uint8_t kind);

/* Adds all nodes of f, whose processes is input, to the tree of that number.  ids: by id of its
   modules, their numbers in the tree.  Returns the nodes' numbers by node of f, for the caller to
   free. */
uint32_t *batch_add_nodes(struct batch *b, const struct prof_file *f, uint32_t input, uint32_t tree,
			  const uint32_t *ids, size_t nids);

/* Finds f's bare nodes; the caller frees bare->all.  numbers: by node of f. */
void batch_find_bare(const struct prof_file *f, const uint32_t *numbers, struct batch_bare *bare);

/* As the contents of a RANKS chunk; nodes: by node of the batch's tree, its number in the file. */
void batch_pack_bare(const struct batch_bare *bare, const uint32_t *nodes, struct pack *out);

/* Takes f's timelines and traces, if it has some.  numbers: by node of f. */
void batch_take_times(struct batch_times *t, struct prof_file *f, const uint32_t *numbers);

void batch_pack_times(const struct batch_times *t, const uint32_t *nodes, struct pack *out);

void batch_free_times(struct batch_times *t);

/* What processes that share a tree have in common, as bytes. */
void batch_key(struct pack *key, const struct prof_file *f, uint32_t input, bool made, bool kernel);

/* Whether there are frames of code that is in no file, and of the kernel: these are one
   process's, and those of one boot. */
void batch_look(const struct prof_file *f, bool *made, bool *kernel);

/* Sorts a tree's values and packs them. */
void batch_pack_values(struct batch *b, struct batch_tree *t, size_t nnodes);

#endif
