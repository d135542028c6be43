/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * align.h - finds which line of a function before is which one after an edit.
 */
#ifndef OMPHWC_SRC_DIFF_ALIGN_H
#define OMPHWC_SRC_DIFF_ALIGN_H

#include <stddef.h>
#include <stdint.h>

enum { ALIGN_NONE = UINT32_MAX };

/*
 * Matches two ascending sequences of places in one function, in order: match[i] is the index
 * in b of a[i], or ALIGN_NONE.  Prefers many matches, and few places where the distance
 * between the two changes: each such place is an edit.  Distances begin at 0, so places are
 * given from the function's beginning where that is known.
 */
void align(const int64_t *a, size_t na, const int64_t *b, size_t nb, uint32_t *match);

#endif
