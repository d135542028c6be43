/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks_out.h - the chunks of a merged file.
 */
#ifndef OMPHWC_SRC_MERGE_CHUNKS_OUT_H
#define OMPHWC_SRC_MERGE_CHUNKS_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/pack.h"
#include "src/profile/format.h"

struct forest_tree;

/* How long a chunk is whose payload has n bytes. */
uint64_t chunk_out_bytes(size_t n);

/* Writes a RANKS or TREE chunk at that offset of fd.  0 or -errno. */
int chunk_out_write(int fd, uint64_t at, enum prof_chunk_kind kind, uint32_t owner,
		    const struct pack *payload);

/* The same of a NAMES chunk. */
int chunk_out_names(int fd, uint64_t at, uint32_t owner, const unsigned char *names, size_t n);

/* Writes the header of a merged file that ends at that offset.  0 or -errno. */
int chunk_out_header(int fd, uint64_t end);

/* The contents of a tree's chunk. */
void chunk_out_tree(const struct forest_tree *t, struct pack *out);

#endif
