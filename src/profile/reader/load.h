/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.h - reads a file into memory in two steps.
 *
 * The first step reads only enough to decide whether the rest is wanted, so that a foreign
 * file of any size costs one page.  The bytes are a copy, so a file that grows or shrinks
 * meanwhile does no harm.  Pipes work as well as files.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_LOAD_H
#define OMPHWC_SRC_PROFILE_READER_LOAD_H

#include <stdbool.h>
#include <stddef.h>

struct load {
	int fd;
	unsigned char *bytes; /* aligned as malloc aligns */
	size_t size;	      /* bytes read so far */
	size_t room;	      /* bytes allocated */
	bool fifo;
	size_t stop; /* a regular file's size when it was opened; bytes that a
				   writer appends later are not read */
};

/* Opens path and reads at most first_bytes.  file: it must be an ordinary file: -EISDIR or -ESPIPE
   of others, without waiting for a pipe.  0 or -errno; after success the caller must call
   load_close(). */
int load_open(struct load *l, const char *path, size_t first_bytes, bool file);

/* Reads the rest.  0 or -errno; -ENOMEM also for more than the physical memory. */
int load_rest(struct load *l);

void load_close(struct load *l);

#endif
