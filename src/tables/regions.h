/*
 * regions.h - each parallel region: who worked in it, and how evenly.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_REGIONS_H
#define OMPHWC_SRC_TABLES_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/tables/thread_spread.h"

struct view;

/* One region of the source, however it was reached; or a special one. */
struct region {
	uint32_t special;	/* enum view_region_special, or REGION_SPECIALS */
	uint32_t line;		/* of the directive; 0: special */
	struct cost *self;	/* a block */
	uint64_t entries;	/* 0: not known */
	uint64_t elapsed_ns;
	bool elapsed_known;
	uint32_t team_least, team_most; /* 0: not known */
	uint64_t team_sum;	/* over entries */
	const struct spread_thread *threads; /* those with samples */
	size_t nthreads;
	uint32_t *contexts;	/* regions of the view: the ways it was reached */
	size_t ncontexts;
};

struct regions {
	struct region *all;
	size_t n;
	/* private */
	struct table table, threads;
	struct spread spread;
	uint32_t *context_rows;
};

/* The costliest by event first.  0 or -ENOMEM. */
int regions_build(const struct view *v, size_t event, struct regions *r);
void regions_fini(struct regions *r);

/* What a thread worked at in a region, by line (key: table_line_key()), and what
   each of a region's calling contexts cost (key: region of the view); the
   costliest by event first.  0 or -ENOMEM. */
int region_lines(const struct view *v, const struct region *r, uint32_t thread, size_t event,
		 struct table *t);
int region_contexts(const struct view *v, const struct region *r, size_t event,
		    struct table *t);

/*
 * The innermost node of the tree beneath which the thread did at least half of its
 * work in the region, and how much: *node 0 where it did none.  0 or -ENOMEM.
 */
int region_hot_node(const struct view *v, const struct region *r, uint32_t thread, size_t event,
		    uint32_t *node, uint64_t *weight);

/* What the threads but one waited in the region, for each other or for it. */
uint64_t region_others_wait(const struct region *r, uint32_t thread, size_t event);

/* As spread_imbalance(); all of the largest team took part. */
double region_imbalance(const struct region *r, size_t event, uint32_t *slowest);

/* "(serial)" and so on. */
const char *region_special_name(uint32_t special);

#endif
