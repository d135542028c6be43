/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned.h - tables that grow by appending, and whose elements never move.
 *
 * A pointer to an element stays valid until pinned_free(), whatever is appended meanwhile.
 * For tables that more than one function appends to; what one function fills and nobody
 * points into is simpler in an array of grow.h.  A table takes a mapping of its own, so
 * there may be thousands of them, not millions.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_PINNED_H
#define OMPHWC_SRC_BASE_PINNED_H

#include <stddef.h>

/*
 * Makes room for one more element after the n elements of table, which is NULL at first;
 * *room is the capacity in elements.  Elements that were never used are zero.  Returns the
 * table, whose address changes only if it was NULL.
 */
void *pinned_grow(void *table, size_t n, size_t *room, size_t element_bytes);

/* NULL is fine. */
void pinned_free(void *table);

#endif
