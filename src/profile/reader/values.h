/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * values.h - what threads counted at a node of a profile.
 *
 * In the profile of one process, one thread counted at a node.  In a tree of a merged file any
 * number of them did, of all its processes, and each one's numbers are kept.  For ordinary
 * code, one thread at a time.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_VALUES_H
#define OMPHWC_SRC_PROFILE_READER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/pack.h"

struct prof_file;

/* The numbers of one thread: of a LEAF, STATS, COUNT or CPU node. */
struct prof_rvalue {
	uint64_t a, b;
	uint32_t thread; /* index into the file's threads; in a merged file: of all of them */
};

/* A node's numbers of some processes, packed as doc/profile-format.md describes. */
struct prof_column {
	uint32_t node;
	uint32_t first_thread; /* the file's thread that is number 0 here */
	uint32_t nthreads;     /* how many these processes have */
	const unsigned char *bytes;
	size_t n;
};

struct prof_columns {
	struct prof_column *all; /* by node, and then by thread */
	size_t n, room;
	uint32_t *first; /* by node, and one more: its first column; set by columns_sort() */
};

/* c may be NULL. */
void columns_free(struct prof_columns *c);

/* Adds a column whose threads come after those of the columns before. */
void columns_add(struct prof_columns *c, const struct prof_column *column);

/* After the last one; nodes are below nnodes. */
void columns_sort(struct prof_columns *c, size_t nnodes);

/* A walk over one column. */
struct column_walk {
	uint64_t left;	/* numbers to come */
	uint64_t run;	/* of them, those of successive threads */
	uint64_t next;	/* the thread after the last one */
	uint64_t times; /* b is a times this, where same is set */
	uint32_t first_thread, nthreads;
	bool same;
	struct unpack runs, as, bs;
};

/* How many numbers a column claims to have. */
uint64_t column_count(const struct prof_column *c);

struct prof_values {
	/* private */
	const struct prof_file *file;
	uint32_t node;
	bool done;
	uint32_t column, end; /* of a merged file */
	struct column_walk walk;
};

/* Begins with a node of f. */
void prof_values_begin(struct prof_values *v, const struct prof_file *f, uint32_t node);

/* The same, but for those that can't be of n threads from that one on: some others' may come,
   too. */
void prof_values_of(struct prof_values *v, const struct prof_file *f, uint32_t node,
		    uint32_t thread, uint32_t n);

/* Whether any thread counted there. */
bool prof_values_any(const struct prof_file *f, uint32_t node);

/* The next thread's numbers, by thread; false: there are no more. */
bool prof_values_next(struct prof_values *v, struct prof_rvalue *value);

#endif
