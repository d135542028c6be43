/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_names.h - the names of a merged tree's locations: those that its profiles have stored,
 * and of the rest those that the program's files show.
 */
#ifndef OMPHWC_SRC_MERGE_TREE_NAMES_H
#define OMPHWC_SRC_MERGE_TREE_NAMES_H

#include <stddef.h>

struct forest_tree;
struct merge_inputs;

/* *names is for the caller to free; NULL where there are none.  0 or -errno. */
int tree_names(const struct forest_tree *t, const struct merge_inputs *in, const char *sysroot,
	       unsigned char **names, size_t *n);

#endif
