/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/pprof/pprof_stream.h"

#include <stdlib.h>
#include <zlib.h>

#include "gen/profile.pb-c.h"
#include "src/base/alloc.h"

enum { GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8, OUT_BYTES = 1 << 15 };

void pprof_stream_begin(struct pprof_stream *s, FILE *out)
{
	*s = (struct pprof_stream){ .out = out, .deflate = alloc_zeroed(1, sizeof(*s->deflate)) };
	deflateInit2(s->deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
		     Z_DEFAULT_STRATEGY);
}

/* Compresses n bytes; flush: Z_FINISH at the end. */
static void stream_bytes(struct pprof_stream *s, uint8_t *bytes, size_t n, int flush)
{
	uint8_t out[OUT_BYTES];

	s->deflate->next_in = bytes;
	s->deflate->avail_in = (unsigned)n;
	do {
		s->deflate->next_out = out;
		s->deflate->avail_out = sizeof(out);
		deflate(s->deflate, flush);
		fwrite(out, 1, sizeof(out) - s->deflate->avail_out, s->out);
	} while (!s->deflate->avail_out);
}

void pprof_stream_put(struct pprof_stream *s, const void *piece)
{
	const size_t n = pprof__profile__get_packed_size(piece);

	if (n > s->piece_room) {
		s->piece = alloc_resize(s->piece, 2 * n);
		s->piece_room = 2 * n;
	}
	pprof__profile__pack(piece, s->piece);
	stream_bytes(s, s->piece, n, Z_NO_FLUSH);
}

void pprof_stream_end(struct pprof_stream *s)
{
	stream_bytes(s, NULL, 0, Z_FINISH);
	deflateEnd(s->deflate);
	free(s->deflate);
	free(s->piece);
}
