/*
 * library.h - where libomphwc.so is: it goes with the ompcount that runs.
 */
#ifndef OMPHWC_SRC_RUN_LIBRARY_H
#define OMPHWC_SRC_RUN_LIBRARY_H

#include <limits.h>

struct trouble;

/*
 * In this order: the file that OMPHWC_LIBRARY names; the build tree, if this
 * ompcount was run there; the lib folders beside this ompcount's bin; the
 * folder that configure was told.  0 with an absolute path, or -1 with *t.
 */
int library_find(char path[PATH_MAX], struct trouble *t);

/* libomphwc_heap.so, which lies in the folder of the library found or in pkglibdir beneath
   that; "" where it does not. */
void library_heap(const char library[PATH_MAX], char path[PATH_MAX]);

#endif
