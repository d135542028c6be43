/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merged.h - reads a merged file: the profiles of many processes, whose trees are one.
 *
 * Each process is a struct prof_file without nodes.  The nodes are in a tree, one for all
 * processes that have a program, a runtime and events in common; it is a struct prof_file too,
 * whose header and texts are those of its first process, whose modules are those of all, and
 * whose root nodes stand for all threads of a kind (a: enum prof_thread_kind).  values.h describes
 * what each thread counted at a node: threads are numbered through all processes.
 *
 * The file is as little trusted as a profile (reader.h), but a damaged one is refused.  For
 * ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_MERGED_H
#define OMPHWC_SRC_PROFILE_READER_MERGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/reader/load.h"
#include "src/profile/reader/reader.h"

/* The samples of a process that are in its tree, and those of them with a guessed caller. */
struct prof_kept {
	uint64_t kept, guessed;
};

/* What only extraction needs of a process (extract.h), as it is packed; n: bytes, 0: nothing. */
struct prof_packed_rest {
	/* Nodes of its threads beneath which they counted nothing. */
	const unsigned char *bare;
	size_t nbare;
	/* When its samples were taken, and its threads' last events. */
	const unsigned char *times;
	size_t ntimes;
};

struct prof_merged {
	struct prof_file **processes;
	struct prof_kept *kept;	       /* by process */
	struct prof_packed_rest *rest; /* by process */
	bool timed;		       /* whether any process has times */
	size_t nprocesses;
	struct prof_file **trees;
	size_t ntrees;
	uint64_t nvalues; /* of all columns */
	/* private */
	size_t processes_room, kept_room, rest_room, trees_room;
	uint64_t nthreads;
	struct load load;
};

/* Reads the merged file at path.  On success the caller frees *out by prof_merged_free(). */
enum prof_read_error prof_read_merged(const char *path, struct prof_merged **out,
				      uint32_t *version);
void prof_merged_free(struct prof_merged *m);

/* The hash of a chunk's payload: FNV-1a over words of 8 bytes, and a last shorter one. */
uint64_t prof_packed_hash(const void *bytes, size_t n);

#endif
