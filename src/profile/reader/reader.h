/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.h - reads a profile file without trusting its contents.
 *
 * The file may be truncated, foreign, still growing, or malicious.  The result is
 * consistent: every index is in range, and a node follows its parent and its creation
 * context; so one pass from the first node to the last visits both before the node, and
 * every walk towards the root ends.  The depth is unlimited: do not recurse, and do not
 * walk to the root from every node.  Inconsistent records are left out and counted in
 * `damaged`.  For ordinary code, one thread at a time.  Memory is at most about six times
 * the file's size, the time is proportional to it.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_READER_H
#define OMPHWC_SRC_PROFILE_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

#define PROF_NONE UINT32_MAX

/* A node of the file.  Its links are indices into prof_file.nodes. */
struct prof_rnode {
	uint32_t parent;  /* less than the node's own index; PROF_NONE: a root */
	uint32_t context; /* BOUNDARY, BLOCK: creation context, less than the node's own
				   index, or PROF_NONE */
	uint8_t kind;	  /* a known enum prof_node_kind */
	uint8_t event;	  /* LEAF, COUNT, CPU: less than header.nevents; BOUNDARY: the low byte
				   of the team's threads */
	uint8_t state;	  /* enum prof_state; unknown ones are UNDEFINED.  LEAF: with
				   PROF_STATE_MARKS.  COUNT: enum prof_part; unknown ones are MIXED.
				   BOUNDARY: the high byte of the team's threads.  CPU: the low
				   byte of its number */
	uint8_t flags;	  /* as in the file; may contain unknown bits or kinds (except
				   for STATS and COUNT) */
	uint32_t thread;  /* index into threads: the tree's owner */
	uint64_t a;	  /* value, samples, or the first number */
	uint64_t b;	  /* weight, or the second number */
};

struct prof_rmodule {
	uint32_t id;
	uint32_t flags;
	char *path; /* as in the file, NUL-terminated; may contain unprintable
				   characters */
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	uint64_t map_start, map_end, bias;
	uint32_t tree_id; /* of a merged file's process: the id in its tree; else 0 */
};

/* A thread whose record was incomplete has zeros in all fields but the index. */
struct prof_rthread {
	struct prof_thread t;
};

/* Samples of one bucket of time: see struct prof_cell. */
struct prof_rcell {
	uint32_t node;	 /* index into nodes, of the timeline's thread */
	uint32_t bucket; /* not less than that of the cell before */
	uint64_t weight;
	uint64_t samples;
	uint8_t event; /* less than header.nevents */
	uint8_t state; /* enum prof_state, with PROF_STATE_MARKS */
};

/* When a thread's samples were taken. */
struct prof_rtimeline {
	uint32_t thread; /* index into threads */
	unsigned shift;	 /* buckets are 2^shift ticks wide; at most PROF_TIMELINE_SHIFT_MOST */
	uint64_t origin_ticks;
	struct prof_rcell *cells;
	size_t n;
};

/* An event of a thread: see struct prof_traced. */
struct prof_rtraced {
	uint64_t ticks;
	uint32_t context; /* index into nodes, or PROF_NONE */
	uint8_t kind;	  /* a known enum prof_trace_kind */
	uint8_t state;	  /* enum prof_state */
};

/* A thread's last events, in their order. */
struct prof_rtrace {
	uint32_t thread; /* index into threads */
	uint64_t lost;	 /* older ones that were overwritten */
	struct prof_rtraced *events;
	size_t n;
};

struct prof_text {
	uint32_t kind; /* enum prof_info_kind */
	char *text;    /* NUL-terminated; bytes does not count the NUL */
	size_t bytes;
};

struct prof_columns;

struct prof_file {
	char *path;
	struct prof_file *tree; /* of a merged file's process: where its names are, and its nodes,
				   unless they were extracted (extract.h); else NULL */
	uint64_t file_bytes;
	struct prof_header header; /* label and requested are NUL-terminated; nevents, run and
				      refused are in range */
	uint64_t missing_bytes;	   /* allotted but past the file's end: the file was truncated,
				   or was just being extended */
	struct prof_rnode *nodes;
	size_t nnodes;
	struct prof_rmodule *modules; /* sorted by id, ids unique */
	size_t nmodules;
	struct prof_rthread *threads; /* threads[i].t.index == i */
	size_t nthreads;
	struct prof_text *texts; /* ARGV … BOOT, CPUS … USAGE, in file order */
	size_t ntexts;
	struct prof_rtimeline *timelines; /* by thread; a thread has at most one */
	size_t ntimelines;
	struct prof_rtrace *traces; /* a thread has at most one */
	size_t ntraces;
	struct prof_columns *columns; /* a merged tree's values (values.h); else NULL */
	unsigned char *names; /* payload of the NAMES chunk, its contents unchecked; NULL: none */
	size_t names_bytes;
	size_t damaged;	   /* inconsistent records and nodes, left out */
	size_t unfinished; /* incomplete records and nodes, being written at the last
				   instant */
};

enum prof_read_error {
	PROF_READ_OK = 0,
	PROF_READ_SYSTEM,    /* errno says why */
	PROF_READ_EMPTY,     /* no byte in it */
	PROF_READ_FOREIGN,   /* not a profile */
	PROF_READ_TRUNCATED, /* the beginning of a profile, too short to use */
	PROF_READ_NEWER,     /* a later format: version in *version */
	PROF_READ_OLDER,     /* of before version 1.0 */
	PROF_READ_ORDER,     /* the other byte order */
	PROF_READ_DAMAGED,   /* the header is inconsistent */
	PROF_READ_MERGED,    /* of many processes: see merged.h */
	PROF_READ_PIPE, /* a pipe or device: nothing came from it, or, of prof_read_head(), it can
				be read once */
	PROF_READ_SEVERAL, /* another profile lies behind the first */
};

/* Reads the file at path.  On success the caller owns *out and frees it by prof_free().
   *version is that of the file, or 0 if it has none. */
enum prof_read_error prof_read(const char *path, struct prof_file **out, uint32_t *version);

/* Reads a profile from memory, which is aligned to 8 bytes and not retained; path is its name. */
enum prof_read_error prof_read_memory(const void *bytes, size_t size, const char *path,
				      struct prof_file **out, uint32_t *version);

/* Reads only the beginning of a profile: its header, and the texts that were written at the
   process's start.  The rest of *out is empty.  It waits for no pipe. */
enum prof_read_error prof_read_head(const char *path, struct prof_file **out, uint32_t *version);

/* Whether the function above or below that just returned result, with errno, lacked memory: that
   says nothing of the file. */
bool prof_read_starved(enum prof_read_error result);

/* What the first size bytes say of a file; PROF_HEADER_BYTES of them show all. */
enum prof_read_error prof_check_header(const void *bytes, size_t size, uint32_t *version);

/* f may be NULL. */
void prof_free(struct prof_file *f);

/* The first text of that kind, or NULL.  ARGV's arguments are separated by NULs. */
const char *prof_text(const struct prof_file *f, enum prof_info_kind kind);

/* The next text of that kind, from number *at on, which is 0 at first: each that differs, once;
   NULL: there is none. */
const char *prof_text_next(const struct prof_file *f, enum prof_info_kind kind, size_t *at);

/* The module with that id, or NULL. */
const struct prof_rmodule *prof_module_by_id(const struct prof_file *f, uint32_t id);

/* Adds untrusted numbers; the sum saturates. */
static inline uint64_t prof_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
