/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traces.h - the TRACE chunks of a profile, noted like TIMELINE chunks.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_TRACES_H
#define OMPHWC_SRC_PROFILE_READER_TRACES_H

struct nodes;
struct prof_file;
struct timelines;

/* Fills in f->traces, after nodes_link(), from the chunks that were met.  bytes is the whole
   file.  0 or -ENOMEM. */
int traces_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
		const unsigned char *bytes);

#endif
