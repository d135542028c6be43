/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forest_pack.h - a forest as bytes, for the other processes of one MPI program.
 */
#ifndef OMPHWC_SRC_MERGE_FOREST_PACK_H
#define OMPHWC_SRC_MERGE_FOREST_PACK_H

struct forest;
struct pack;
struct unpack;

void forest_pack(const struct forest *f, struct pack *out);

/* Fills in f, which is empty.  The bytes are trusted, but for their length.  0 or -errno;
   forest_free() is required in any case. */
int forest_unpack(struct unpack *u, struct forest *f);

#endif
