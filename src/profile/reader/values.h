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
#include <stdint.h>

#include "src/profile/reader/columns.h"

struct prof_file;

/* The numbers of one thread: of a LEAF, STATS, COUNT or CPU node. */
struct prof_rvalue {
	uint64_t a, b;
	uint32_t thread; /* index into the file's threads; in a merged file: of all of them */
};

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
