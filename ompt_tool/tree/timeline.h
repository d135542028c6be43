/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - when a thread's samples were taken, in bounded memory.
 *
 * Cells count samples of one bucket of time by event, state and a node of the thread's tree
 * beneath which their leaves lie.  They are in the profile's mapping (struct prof_timeline).
 * When all cells are used, buckets become twice as wide, and with too few buckets left the
 * nodes become nodes nearer the root, until half of the cells are free: so the size is the
 * same whatever the run's length, and each sample stays in exactly one cell.
 *
 * The rewritten cells go to the file's other area, which becomes valid by one store.  A
 * process that is killed meanwhile leaves the area before, and a reader of a running
 * process's file finds one that is complete.
 *
 * For one thread's handler, whose samples do not nest.  No locks, and no system calls but
 * those of the chunk, once for each thread.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_TIMELINE_H
#define OMPHWC_OMPT_TOOL_TREE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"
#include "src/profile/writer.h"

enum {
	TIMELINE_SLOTS = 1 << 10,
	TIMELINE_BUCKETS_LEAST = 128, /* fewer only where nodes near the root do not help */
	TIMELINE_BUCKETS_FEW = 16,    /* then the root replaces them */
};

/* Cells that are being added to an area. */
struct timeline_fill {
	struct prof_cell *cells;
	uint32_t n;
	uint32_t first;	 /* the last bucket's first cell */
	uint32_t bucket; /* the last bucket */
};

/* A thread's.  All 0: it has no chunk yet. */
struct timeline {
	struct prof_timeline *head; /* in the mapping; NULL: no chunk yet */
	const struct prof_writer *writer;
	struct prof_cell *area[2];
	struct timeline_fill fill; /* of the valid area */
	uint64_t origin_ticks;
	uint64_t wall_ticks; /* when the last sample of a wall clock was taken; 0: none */
	uint32_t room;	     /* cells of an area */
	uint32_t refused;    /* samples until room for the chunk is asked for again */
	uint8_t now;	     /* the valid area */
	uint8_t shift;
	uint16_t slot[TIMELINE_SLOTS]; /* by hash: a cell's number in the last bucket, + 1 */
};

struct timeline_sample {
	uint32_t node; /* beneath which the leaf lies */
	uint8_t event;
	uint8_t state;
	uint64_t weight;
	uint64_t since_ticks; /* the sample stands for the time from then on; 0: of now */
	uint64_t ticks;
};

/* Whether the process keeps timelines.  Set before the first sample; owned by timeline.c. */
extern bool timeline_on;

/*
 * Begins an empty timeline in memory of `bytes` bytes (aligned to 8) that is part of w's
 * mapping.  It is valid, and empty, from then on.
 */
void timeline_init(struct timeline *t, void *memory, uint32_t bytes, const struct prof_writer *w,
		   uint64_t origin_ticks);

/* Counts a sample.  t has been initialized.  Where the file was overwritten, all cells may be
   lost. */
void timeline_add(struct timeline *t, const struct timeline_sample *s);

/* The same for the thread with that index, which gets its chunk at its first sample.  Without
   room for it, the sample is in no timeline. */
void timeline_count(struct timeline *t, uint32_t thread, const struct timeline_sample *s);

#endif
