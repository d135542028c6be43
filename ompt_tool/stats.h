/*
 * stats.h - counts of regions and tasks by creation context.
 *
 * Each thread counts in its own tree, beneath a BOUNDARY node that names the
 * context: no two threads ever write the same word.  Called in OMPT callbacks;
 * no lock, no system call but a chunk's now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_STATS_H
#define OMPHWC_OMPT_TOOL_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct context;
struct region;
struct thread;

/* The nodes that a region's numbers go to; 0 where there is no room. */
void stats_region(struct thread *t, struct context *c, uint32_t *stats, uint32_t *team);

/* The region has ended: counts it. */
void stats_region_end(const struct region *was, uint64_t now_ticks);

/* A task was created in context c. */
void stats_task_created(struct thread *t, struct context *c);

/* The task with this token will never begin: it was cancelled. */
void stats_task_cancelled(struct thread *t, uint64_t token);

/* From now on the thread runs the task with this token; begins: for the first
   time.  Only explicit tasks are counted. */
void stats_task_switch(struct thread *t, uint64_t token, bool begins, uint64_t now_ticks);

#endif
