/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batch.h - some processes of a job, read and merged with each other.
 *
 * A batch is made of its own processes only, so that batches can be made at the same time, and
 * is written as one RANKS chunk when it is known what became of its trees.  For ordinary code:
 * one thread at a time uses a batch.
 */
#ifndef OMPHWC_SRC_MERGE_BATCH_H
#define OMPHWC_SRC_MERGE_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/pack.h"
#include "src/merge/forest.h"
#include "src/profile/format.h"

struct prof_file;
struct batch_value;
struct batch_column;

/* What the processes' threads counted in a tree of the batch. */
struct batch_tree {
	struct batch_value *values; /* until batch_end() */
	size_t nvalues, values_room;
	struct batch_column *columns; /* from batch_end() on */
	size_t ncolumns;
};

struct batch_process;
struct batch_module;

/* Of how many processes something is kept apart. */
enum batch_special {
	BATCH_MADE,   /* contexts with code made at run time: apart from all other processes' */
	BATCH_KERNEL, /* contexts with kernel code: apart from those of other boots */
	BATCH_SPECIALS
};

/* A zeroed struct is empty and ready. */
struct batch {
	struct forest forest;
	size_t nprocesses;
	size_t special[BATCH_SPECIALS]; /* processes */
	/* private */
	struct batch_tree *trees; /* by number */
	size_t ntrees, trees_room;
	struct batch_process *processes;
	size_t processes_room;
	struct batch_module *modules;
	size_t nmodules, modules_room;
	struct pack packed;  /* of each process what does not depend on its tree */
	struct pack columns; /* all columns' bytes */
	struct prof_header header;
	struct prof_thread thread;
	struct prof_file *before; /* the last process */
	uint32_t nthreads;
};

void batch_free(struct batch *b);

/* Adds a process; input is its number among all of the job.  Takes f, and its timelines and traces
   out of it. */
void batch_add(struct batch *b, struct prof_file *f, uint32_t input);

/* After the last process: sorts and packs what was counted. */
void batch_end(struct batch *b);

/* The contents of its RANKS chunk; mappings show what became of its forest. */
void batch_pack(const struct batch *b, const struct forest_mapping *mappings, struct pack *out);

#endif
