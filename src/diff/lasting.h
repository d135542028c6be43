/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lasting.h - where the level of a sequence of values changes by more than chance explains.
 *
 * All that is assumed is that without a change each order of the values is as likely as any other,
 * not how they are distributed.  Values that drift slowly, or whose neighbours are alike for
 * another reason, have changes.
 */
#ifndef OMPHWC_SRC_DIFF_LASTING_H
#define OMPHWC_SRC_DIFF_LASTING_H

#include <stddef.h>

/* What chance does to sequences of the lengths that were asked for. */
struct lasting {
	struct lasting_null *all;
	size_t n, room;
};

/* Values that are too few for any change. */
enum { LASTING_LEAST = 6 };

/*
 * The indices at which another level begins, ascending, in at[], which has room for n.  Returns how
 * many.  chance: that a sequence without a change gets one, at most.  A zeroed struct lasting
 * serves all sequences of one caller; lasting_fini() is required.
 */
size_t lasting_find(struct lasting *l, const double *values, size_t n, double chance, size_t *at);
void lasting_fini(struct lasting *l);

/* The length from which on a change can be found with that chance; more than most: none. */
size_t lasting_needed(struct lasting *l, double chance, size_t most);

/* The median of n > 0 values, which are not changed. */
double lasting_median(const double *values, size_t n);

#endif
