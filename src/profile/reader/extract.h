/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extract.h - processes of a merged file as the profiles that they were.
 *
 * What their threads counted, and when, is as it was.  Nodes are in the order of their tree, those
 * of equal contexts by thread.  A creation context is that of the first thread that has it.
 * Objects that were known by an address only are one.  For ordinary code; one merged file may be
 * read by several threads at a time.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_EXTRACT_H
#define OMPHWC_SRC_PROFILE_READER_EXTRACT_H

#include <stddef.h>

struct prof_file;
struct prof_merged;

/* What the ids of modules are. */
enum extract_ids {
	EXTRACT_IDS_OWN,  /* as in the process's profile */
	EXTRACT_IDS_TREE, /* as in its tree, whose names so are the file's: tree is set */
};

/* Some processes are extracted at once in less time than one after the other. */
enum { EXTRACT_AT_ONCE = 8 };

/* The processes from first on, n of them.  The caller frees each of files[0 … n - 1] by
   prof_free().  0, or -EINVAL: the file is damaged; then there are none. */
int prof_extract(const struct prof_merged *m, size_t first, size_t n, enum extract_ids ids,
		 struct prof_file **files);

#endif
