/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grow.h - arrays that grow by appending.
 */
#ifndef OMPHWC_SRC_BASE_GROW_H
#define OMPHWC_SRC_BASE_GROW_H

#include <stddef.h>

/*
 * Makes room for one more element after the n elements of array, which may move; *room is
 * the capacity in elements.  New elements are zeroed.  Returns the array.
 */
void *grow(void *array, size_t n, size_t *room, size_t element_bytes);

#endif
