/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expert.h - names outlined functions for the expert view: `foo -- OMP parallel region from
 * line 12 [.omp_outlined.]`.
 */
#ifndef OMPHWC_SRC_PATH_EXPERT_H
#define OMPHWC_SRC_PATH_EXPERT_H

#include <stdint.h>

#include "src/model/construct_kind.h"

struct map;
struct names;

/*
 * The number of the named function for outlined function f, called at user_line (0:
 * unknown).  what: the construct whose body f is.  known is a cache that the caller owns.
 */
uint32_t expert_function(struct names *n, struct map *known, uint32_t f, uint32_t user_line,
			 enum construct_kind what);

#endif
