/*
 * origins.h - which function each region was taken from, by its own body.
 *
 * A compiler that inlines a function with a region into its caller may forget
 * to say so, and the region seems to begin in the caller.  The body's name
 * still tells: solve._omp_fn.0.
 */
#ifndef OMPHWC_SRC_ANALYSIS_ORIGINS_H
#define OMPHWC_SRC_ANALYSIS_ORIGINS_H

#include <stdint.h>

struct idmap;
struct sites;

/*
 * For each place that creates a region or task whose body names another
 * function as its origin than those that lie at the place: that function's
 * number, by the place's location (and 0).  0 or -ENOMEM.
 */
int origins_find(struct sites *s, struct idmap *origins);

#endif
