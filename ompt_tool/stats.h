/*
 * stats.h - counts of regions and tasks, kept at their creation contexts.
 * Called in OMPT callbacks; no lock, no system call.
 */
#ifndef OMPHWC_OMPT_TOOL_STATS_H
#define OMPHWC_OMPT_TOOL_STATS_H

#include <stdint.h>

struct context;
struct region;
struct thread;

/* The nodes that a region's numbers go to; 0 where there is no room. */
void stats_region(struct thread *t, struct context *c, uint32_t *stats, uint32_t *team);

/* The region has ended: counts it. */
void stats_region_end(const struct region *was, uint64_t now_ticks);

/* A task was created in context c. */
void stats_task(struct thread *t, struct context *c);

#endif
