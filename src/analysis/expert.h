/*
 * expert.h - how the expert view calls an outlined function:
 * `foo -- OMP parallel region from line 12 [.omp_outlined.]`.
 */
#ifndef OMPHWC_SRC_ANALYSIS_EXPERT_H
#define OMPHWC_SRC_ANALYSIS_EXPERT_H

#include <stdbool.h>
#include <stdint.h>

struct idmap;
struct names;

/*
 * The number of outlined function f, called from the place user_line (0: not
 * known).  task: it is a task's body, whatever its name says.  known is a
 * cache of the caller's.  0 or -ENOMEM.
 */
int expert_function(struct names *n, struct idmap *known, uint32_t f, uint32_t user_line,
		    bool task, uint32_t *id);

#endif
