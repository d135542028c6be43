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

struct sites;

/*
 * For each node of the profile that created a region or task whose body names
 * another function as its origin than those that lie at the node: that
 * function's number, else 0.  origin is zeroed and as long as the nodes.
 * 0 or -ENOMEM.
 */
int origins_find(struct sites *s, uint32_t *origin);

#endif
