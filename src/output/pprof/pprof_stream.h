/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof_stream.h - writes a message in pieces, compressed.
 *
 * Serialized messages that follow each other are one message, whose repeated fields have the
 * elements of all.  So only a piece at a time is in memory.  For ordinary code, one thread at a
 * time.
 */
#ifndef OMPHWC_SRC_OUTPUT_PPROF_PPROF_STREAM_H
#define OMPHWC_SRC_OUTPUT_PPROF_PPROF_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct z_stream_s;

struct pprof_stream {
	FILE *out;
	/* private */
	struct z_stream_s *deflate;
	uint8_t *piece;
	size_t piece_room;
};

/* pprof_stream_end() is required in any case. */
void pprof_stream_begin(struct pprof_stream *s, FILE *out);

/* Appends the fields of a piece, which is a Pprof__Profile. */
void pprof_stream_put(struct pprof_stream *s, const void *piece);

void pprof_stream_end(struct pprof_stream *s);

#endif
