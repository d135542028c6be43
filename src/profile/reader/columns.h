/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.h - the numbers that the threads of many processes counted at the nodes of a tree.
 *
 * A column is a node's numbers of some processes, packed as doc/profile-format.md describes.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_COLUMNS_H
#define OMPHWC_SRC_PROFILE_READER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/pack.h"

struct prof_rvalue;

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

/* A damaged column has no numbers, or fewer. */
void column_begin(struct column_walk *w, const struct prof_column *c);
bool column_next(struct column_walk *w, struct prof_rvalue *value);

#endif
