/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timelines.h - the TIMELINE and TRACE chunks of a profile.
 *
 * They are noted when they are met, and read when the nodes are known that they name.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_TIMELINES_H
#define OMPHWC_SRC_PROFILE_READER_TIMELINES_H

#include <stddef.h>

#include "src/profile/reader/chunks.h"

struct nodes;
struct prof_file;

/* The chunks that were met. */
struct timelines {
	struct chunk *chunks;
	size_t n, room;
};

void timelines_note(struct timelines *t, const struct chunk *c);

/* Fills in f->timelines and f->traces, after nodes_link().  bytes is the whole file. */
void timelines_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
		    const unsigned char *bytes);

void timelines_fini(struct timelines *t);

#endif
