/*
 * reader.h - reads a profile file and trusts nothing in it.
 *
 * The file may be truncated, foreign, still growing, or made to do harm.
 * What is returned is consistent: every index is in range, and a node comes
 * after its parent and after its creation context, so one pass from the first
 * node to the last meets both before the node, and every walk towards them
 * ends.  Depth is not bounded: don't recurse, and don't walk to the root from
 * every node.  What did not fit was left out and counted in `damaged`.  For
 * ordinary code, one thread at a time; memory is at most some six times the
 * file's size, the time proportional to it.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_READER_H
#define OMPHWC_SRC_PROFILE_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

#define PROF_NONE UINT32_MAX

/* A node of the file, its links turned into indices of prof_file.nodes. */
struct prof_rnode {
	uint32_t parent;	/* less than its own; PROF_NONE: a root */
	uint32_t context;	/* BOUNDARY, BLOCK: creation context, less than its
				   own, or PROF_NONE */
	uint8_t kind;		/* enum prof_node_kind, none but those */
	uint8_t event;		/* LEAF, COUNT: less than header.nevents */
	uint8_t state;		/* enum prof_state; one not known is UNDEFINED.
				   COUNT: enum prof_part; not known: MIXED */
	uint8_t flags;		/* as in the file: bits or kinds that are not
				   known may be there (but in STATS, COUNT) */
	uint32_t thread;	/* index into threads, of the tree's owner */
	uint64_t a;		/* value, samples, or the first number */
	uint64_t b;		/* weight, or the second number */
};

struct prof_rmodule {
	uint32_t id;
	uint32_t flags;
	char *path;		/* printable or not: as in the file, NUL-ended */
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	uint64_t map_start, map_end, bias;
};

/* Without a record in the file (it was under way) all but the index is 0. */
struct prof_rthread {
	struct prof_thread t;
};

struct prof_text {
	uint32_t kind;		/* enum prof_info_kind */
	char *text;		/* NUL-ended; bytes counts without the end */
	size_t bytes;
};

struct prof_file {
	char *path;
	uint64_t file_bytes;
	struct prof_header header; /* label/requested are NUL-ended; nevents, run and
				      refused are in range */
	uint64_t missing_bytes;	/* allotted, but past the file's end: it was cut,
				   or its process was just then making it longer */
	struct prof_rnode *nodes;
	size_t nnodes;
	struct prof_rmodule *modules;	/* sorted by id, ids unique */
	size_t nmodules;
	struct prof_rthread *threads;	/* threads[i].t.index == i */
	size_t nthreads;
	struct prof_text *texts;	/* ARGV … RUN_ID, in file order */
	size_t ntexts;
	size_t damaged;		/* records and nodes left out as inconsistent */
	size_t unfinished;	/* records and nodes under way at the last instant */
};

enum prof_read_error {
	PROF_READ_OK = 0,
	PROF_READ_SYSTEM,	/* errno says why */
	PROF_READ_EMPTY,	/* no byte in it */
	PROF_READ_FOREIGN,	/* not a profile */
	PROF_READ_TRUNCATED,	/* a profile's beginning, too short to use */
	PROF_READ_NEWER,	/* a later format: version in *version */
	PROF_READ_ORDER,	/* the other byte order */
	PROF_READ_DAMAGED,	/* the header contradicts itself */
};

/* Reads path whole.  On success *out is the caller's, ended by prof_free().
   *version is set whenever the file has one, else it is 0. */
enum prof_read_error prof_read(const char *path, struct prof_file **out,
			       uint32_t *version);

/* The same from memory, aligned to 8 bytes and not kept; path is its name. */
enum prof_read_error prof_read_memory(const void *bytes, size_t size, const char *path,
				      struct prof_file **out, uint32_t *version);

/* f may be NULL. */
void prof_free(struct prof_file *f);

/* The first text of that kind, or NULL.  ARGV's arguments are parted by NUL. */
const char *prof_text(const struct prof_file *f, enum prof_info_kind kind);

/* The module with that id, or NULL. */
const struct prof_rmodule *prof_module_by_id(const struct prof_file *f, uint32_t id);

/* Sums of what a file claims: the largest number rather than a wrong one. */
static inline uint64_t prof_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
