/*
 * grow.h - arrays that grow by appending.
 */
#ifndef OMPHWC_SRC_BASE_GROW_H
#define OMPHWC_SRC_BASE_GROW_H

#include <stddef.h>

/*
 * array with room for one more element after the n that it holds, maybe
 * moved; *room is how many fit.  New elements are zeroed.  NULL without
 * memory: then array is as it was.
 */
void *grow(void *array, size_t n, size_t *room, size_t element_bytes);

#endif
