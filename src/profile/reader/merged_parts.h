/*
 * merged_parts.h - shared by the files that read a merged file, and private to them.
 *
 * Functions return 0, -ENOMEM, or -EINVAL: the file is damaged.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_MERGED_PARTS_H
#define OMPHWC_SRC_PROFILE_READER_MERGED_PARTS_H

#include <stdint.h>

#include "src/base/pack.h"

struct prof_file;
struct prof_merged;

/* The tree of that number, which may be the next one that is new. */
int merged_tree(struct prof_merged *m, uint64_t number, struct prof_file **tree);

/* Takes the contents of a TREE chunk: modules and nodes. */
int merged_take_tree(struct prof_file *tree, struct unpack *u);

#endif
