/*
 * expert.h - how the expert view calls an outlined function:
 * `foo -- OMP parallel region from line 12 [.omp_outlined.]`.
 */
#ifndef OMPHWC_SRC_VIEW_EXPERT_H
#define OMPHWC_SRC_VIEW_EXPERT_H

#include <stdint.h>

#include "src/model/construct_kind.h"

struct map;
struct names;

/*
 * The number of outlined function f, called from the place user_line (0: not
 * known); what: the construct whose body it is.  known is a cache of the caller's.
 * 0 or -ENOMEM.
 */
int expert_function(struct names *n, struct map *known, uint32_t f, uint32_t user_line,
		    enum construct_kind what, uint32_t *id);

#endif
