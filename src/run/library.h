/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h - finds the libomphwc.so that belongs to the running ompcount.
 */
#ifndef OMPHWC_SRC_RUN_LIBRARY_H
#define OMPHWC_SRC_RUN_LIBRARY_H

#include <limits.h>

struct trouble;

/*
 * Searches in this order: the file named by OMPHWC_LIBRARY; the build tree, if this
 * ompcount is there; the lib folders next to this ompcount's bin; the configured folder.  0
 * with an absolute path, or -1 with *t.
 */
int library_find(char path[PATH_MAX], struct trouble *t);

/* libomphwc_heap.so, which lies in the folder of the library found or in pkglibdir beneath
   that; "" where it does not. */
void library_heap(const char library[PATH_MAX], char path[PATH_MAX]);

/* libomphwc-gomp.so, likewise, where this glibc's loader does not take it as the library's filter
   (before 2.33): it is to be preloaded before that. "" where there is no need. */
void library_gomp(const char library[PATH_MAX], char path[PATH_MAX]);

#endif
