/* SPDX-License-Identifier: BSD-3-Clause */
/* merged_parts.h - shared by the files that read a merged file, and private to them. */
#ifndef OMPHWC_SRC_PROFILE_READER_MERGED_PARTS_H
#define OMPHWC_SRC_PROFILE_READER_MERGED_PARTS_H

#include "src/base/pack.h"

struct prof_file;

/* Takes the contents of a TREE chunk: modules and nodes.  0, -ENOMEM, or -EINVAL: the file is
   damaged. */
int merged_take_tree(struct prof_file *tree, struct unpack *u);

#endif
