/* SPDX-License-Identifier: BSD-3-Clause */
/* extract_parts.h - shared by the files that extract processes, and private to them. */
#ifndef OMPHWC_SRC_PROFILE_READER_EXTRACT_PARTS_H
#define OMPHWC_SRC_PROFILE_READER_EXTRACT_PARTS_H

#include <stdint.h>

#include "src/profile/reader/extract.h"

struct prof_packed_rest;

/* Fills in the header, texts, threads and modules of f, which is empty.  *by_tree: by id of a
   module in the tree, that in f; for the caller to free, also after a failure.  0 or -ENOMEM. */
int extract_head(const struct prof_file *from, enum extract_ids ids, struct prof_file *f,
		 uint16_t **by_tree);

/* Fills in f->timelines, by thread, and f->traces; nodes are the tree's.  f has its header and
   threads.  0, -ENOMEM, or -EINVAL: the file is damaged. */
int extract_times(const struct prof_packed_rest *rest, const struct prof_file *tree,
		  struct prof_file *f);

#endif
