/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mkprofile.h - builds profiles in memory, for tests.
 *
 * The result is valid unless a caller changes the bytes.  It shares no code with the
 * writer.  Without memory the test program ends.
 */
#ifndef OMPHWC_TESTS_MKPROFILE_H
#define OMPHWC_TESTS_MKPROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

struct mkprofile;

/* A profile with a header in the state RUNNING, without events, threads or anything else. */
struct mkprofile *mk_new(void);
void mk_free(struct mkprofile *m);

/* Both are valid until the next call that adds something. */
struct prof_header *mk_header(struct mkprofile *m);
unsigned char *mk_bytes(struct mkprofile *m);
size_t mk_size(const struct mkprofile *m);

/* The size of later NODES chunks (default: a page). */
void mk_chunk_bytes(struct mkprofile *m, size_t bytes);

/* Returns the event's number.  The period is 1; only user mode is counted. */
unsigned mk_event(struct mkprofile *m, const char *label, enum prof_unit unit);

/* Each returns an identifier for later calls: thread index, module id (from 1). */
uint32_t mk_thread(struct mkprofile *m, enum prof_thread_kind kind, uint32_t tid);
uint32_t mk_module(struct mkprofile *m, const char *path, uint32_t flags);
uint32_t mk_module_full(struct mkprofile *m, const struct prof_module *module, const char *path);
void mk_text(struct mkprofile *m, enum prof_info_kind kind, const char *text);

/* Adds a record of any kind; returns the offset of its payload. */
size_t mk_info(struct mkprofile *m, uint32_t kind, const void *payload, size_t bytes);

/* A thread's record, which may be changed; valid until something is added. */
struct prof_thread *mk_thread_record(struct mkprofile *m, uint32_t thread);

uint32_t mk_data(struct mkprofile *m, uint32_t parent, uint64_t value, enum prof_data_kind kind,
		 enum prof_data_source source);

/* Nodes; each call returns the node's number.  A child belongs to its parent's thread. */
uint32_t mk_root(struct mkprofile *m, uint32_t thread);
uint32_t mk_frame(struct mkprofile *m, uint32_t parent, uint64_t loc, uint32_t flags);
uint32_t mk_boundary(struct mkprofile *m, uint32_t parent, uint32_t context,
		     enum prof_boundary_kind kind);
uint32_t mk_object(struct mkprofile *m, uint32_t parent, uint64_t value, uint32_t flags);
uint32_t mk_construct(struct mkprofile *m, uint32_t parent, uint64_t loc,
		      enum prof_construct_kind kind);
/* Also counts the samples in the thread's record. */
uint32_t mk_block(struct mkprofile *m, uint32_t parent, uint32_t context,
		  enum prof_data_source source);
uint32_t mk_leaf(struct mkprofile *m, uint32_t parent, unsigned event, enum prof_state state,
		 enum prof_cause cause, uint64_t samples, uint64_t weight);
uint32_t mk_stats(struct mkprofile *m, uint32_t parent, enum prof_stats_kind kind, uint64_t a,
		  uint64_t b);
/* Samples of the root's thread on that CPU. */
uint32_t mk_cpu(struct mkprofile *m, uint32_t root, unsigned event, uint32_t cpu, uint64_t samples,
		uint64_t weight);
/* A value with its times, as two nodes; returns the first one's number. */
uint32_t mk_count(struct mkprofile *m, uint32_t parent, unsigned event, enum prof_part part,
		  const struct prof_value *v, uint64_t ticks);
/* Any node, in that thread's chunk. */
uint32_t mk_node(struct mkprofile *m, uint32_t thread, const struct prof_node *node);
struct prof_node *mk_node_at(struct mkprofile *m, uint32_t number);

/* Frames beneath parent, outermost first; returns the innermost one's number. */
#define mk_path(m, parent, ...) mk_path_of(m, parent, (const uint64_t[]){ __VA_ARGS__, 0 })
uint32_t mk_path_of(struct mkprofile *m, uint32_t parent, const uint64_t *locs);

/* An empty chunk of any kind; returns its offset. */
uint64_t mk_chunk(struct mkprofile *m, uint32_t kind, uint32_t owner, size_t bytes);

/* The thread's timeline, of cells as in the file; returns the offset of its struct
   prof_timeline. */
size_t mk_timeline(struct mkprofile *m, uint32_t thread, unsigned shift,
		   const struct prof_cell *cells, uint32_t n);

/* The thread's ring with room for n events; returns the offset of its struct prof_trace. */
size_t mk_trace(struct mkprofile *m, uint32_t thread, const struct prof_traced *events, uint32_t n);

/* Sets the end of an orderly run: header.run, end times. */
void mk_end(struct mkprofile *m);

/* Writes the file.  0 or -errno. */
int mk_write(struct mkprofile *m, const char *path);

#endif
