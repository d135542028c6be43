/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forest.h - the calling-context trees of many processes as few.
 *
 * Processes share a tree if their programs, runtimes and events are the same (its key).  In it
 * equal contexts of all threads are one node, whose number is that of its first occurrence.  So
 * the forest of some processes, into which that of the next ones is merged, is the forest of
 * all of them, wherever the cut between them is.
 */
#ifndef OMPHWC_SRC_MERGE_FOREST_H
#define OMPHWC_SRC_MERGE_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"
#include "src/base/hash.h"
#include "src/base/pack.h"

struct prof_rmodule;
struct pack;
struct unpack;

/* A loaded object.  Its first address and bias are those of the first process that has it. */
struct forest_module {
	const char *path;
	uint64_t map_start, map_bytes, bias;
	uint32_t build_id_bytes, flags;
	uint8_t build_id[32];
};

/*
 * A context, or what is counted in it.  Two are the same if all is equal.  Locations have the
 * tree's numbers of modules.
 */
struct forest_node {
	uint64_t a, b;
	uint32_t parent, context; /* number + 1; 0: none */
	uint32_t info;		  /* as in the profile */
	uint32_t process;	  /* whose alone it is: its number + 1; 0: anyone's */
	uint32_t ordinal;	  /* of nodes that are equal in one thread, from 0 */
	uint32_t first;		  /* the process that had it first; not compared */
};

struct forest_tree {
	char *key;
	size_t key_bytes;
	struct forest_module *modules; /* module 1 is modules[0] */
	size_t nmodules;
	struct forest_node *nodes;
	size_t nnodes;
	bool full; /* there were more modules or nodes than a file can number: these have no number
		      of their own */
	/* private */
	size_t modules_room, nodes_room;
	struct hash by_module, by_node;
};

/* A zeroed struct is empty and ready. */
struct forest {
	struct forest_tree *trees;
	size_t ntrees;
	/* private */
	size_t room;
	struct hash by_key;
	struct arena paths;
};

enum {
	FOREST_MODULES_MOST = 0xfffd, /* numbers of modules have 16 bits; two are reserved */
	FOREST_MODULE_UNKNOWN = 0xfffe,
};

void forest_free(struct forest *f);

/* The number of the tree with that key, which is copied. */
uint32_t forest_tree(struct forest *f, const void *key, size_t bytes);

/* Whether a tree is full: the file can't be written. */
bool forest_is_full(const struct forest *f);

/* The number of a module, from 1; its path is copied. */
uint32_t forest_module(struct forest *f, struct forest_tree *t, const struct forest_module *module);

/* The number of a module that was added; 0: none was. */
uint32_t forest_module_number(const struct forest_tree *t, const struct forest_module *module);

/* The module of a profile; its path is borrowed. */
struct forest_module forest_module_of(const struct prof_rmodule *m);

/* The number of a node; parent and context were added before. */
uint32_t forest_node(struct forest_tree *t, const struct forest_node *node);

/* What became of a tree that was merged into another forest. */
struct forest_mapping {
	uint32_t tree;
	uint32_t *modules; /* by number; [0] is 0 */
	uint32_t *nodes;   /* by number */
};

/* Merges from into f.  Returns one for each tree of from; the caller frees them by
   forest_mappings_free(). */
struct forest_mapping *forest_merge(struct forest *f, const struct forest *from);
void forest_mappings_free(struct forest_mapping *mappings, const struct forest *from);

/* A location with another number of its module: numbers[its own], or FOREST_MODULE_UNKNOWN where
   there is none.  n: how many numbers there are. */
uint64_t forest_location(const uint32_t *numbers, size_t n, uint64_t loc);

void forest_pack(const struct forest *f, struct pack *out);

/* Fills in f, which is empty.  The bytes are trusted, but for their length.  0 or -EPROTO;
   forest_free() is required in any case. */
int forest_unpack(struct unpack *u, struct forest *f);

#endif
