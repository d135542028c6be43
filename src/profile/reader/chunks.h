/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks.h - finds the chunks of a profile in memory.
 *
 * A chunk is accepted when its magic, offset and size agree with its position; otherwise
 * the search goes on at the next page.  The chunks returned never overlap and never extend
 * past the end of the bytes.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_CHUNKS_H
#define OMPHWC_SRC_PROFILE_READER_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk_walk {
	const unsigned char *bytes; /* aligned to 8 */
	size_t size;
	size_t pos;	/* start at the header's end */
	size_t damaged; /* chunks that contradict themselves */
	bool another;	/* another profile begins at pos: somebody wrote it behind this one */
};

struct chunk {
	uint32_t kind; /* enum prof_chunk_kind, or an unknown kind */
	uint32_t owner;
	size_t begin, end; /* contents, without the struct prof_chunk */
};

/* The next chunk in file order; false: there is none, or another profile begins. */
bool chunk_next(struct chunk_walk *w, struct chunk *c);

#endif
