/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions.h - each parallel region: its threads' work and balance.
 */
#ifndef OMPHWC_SRC_TABLES_REGIONS_H
#define OMPHWC_SRC_TABLES_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/tables/thread_spread.h"
#include "src/view/region_counts.h"

struct view;
struct view_record;
struct view_records;

/* A region of the source, in all its calling contexts; or a special one. */
struct region_row {
	uint32_t special;  /* enum view_region_special, or REGION_SPECIALS */
	uint32_t line;	   /* line of the directive; 0: special */
	struct cost *self; /* a block */
	/* Of its contexts; sampled, too, if one has view_region.begun. */
	struct region_counts counts;
	bool partial; /* some contexts' entries are not known, and so neither are the row's */
	const struct spread_thread *threads; /* threads with samples */
	size_t nthreads;
	uint32_t *contexts; /* its calling contexts: regions of the view */
	size_t ncontexts;
	struct table_records records; /* its records */
	struct table_records parts;   /* its parts: see view_parts() */
};

struct regions {
	struct region_row *all;
	size_t n;
	/* private */
	struct table table, threads;
	struct spread spread;
	uint32_t *contexts, *records, *parts; /* of all, by region */
};

/* Sorted by the cost of event, descending.  outside: what lies outside of regions has rows
   without samples, too, as its time is known. */
void regions_build(const struct view *v, size_t event, bool outside, struct regions *r);
void regions_fini(struct regions *r);

/*
 * The threads that a row is of: those with samples, or the largest team. Of a region's threads
 * that were made anew for its entries at most as many count as OpenMP needed at one time.
 */
size_t region_threads(const struct view *v, const struct region_row *r);

/* region_lines(): a thread's work in a region by line (key: table_line_key()).
   region_contexts(): the cost of a region's calling contexts (key: region of the view).
   Sorted by the cost of event, descending. */
void region_lines(const struct view *v, const struct region_row *r, uint32_t thread, size_t event,
		  struct table *t);

/* A region's cost by the size of the team that it ran with (key: threads; 0: unknown), the
   largest team first. */
void region_teams(const struct view *v, const struct region_row *r, struct table *t);
void region_contexts(const struct view *v, const struct region_row *r, size_t event,
		     struct table *t);

/*
 * The innermost node of the tree that has, with its descendants, at least half of the
 * thread's work in the region, and that work.  *node is 0 if the thread did none.
 */
void region_hot_node(const struct view *v, const struct region_row *r, uint32_t thread,
		     size_t event, uint32_t *node, uint64_t *weight);

/* The records of a thread, in a summed view those of all regions: then own->all is for the caller
   to free, which is NULL else. */
void region_of_thread(const struct view *v, const struct region_row *r, uint32_t thread,
		      struct table_records *of, struct view_records *own);

/* Whether a record is of the region's. */
bool region_has(const struct view *v, const struct region_row *r, const struct view_record *record);

/* The time that the other threads waited in the region. */
uint64_t region_others_wait(const struct region_row *r, uint32_t thread, size_t event);

/* See spread_imbalance(); the whole largest team counts as having taken part. */
double region_imbalance(const struct region_row *r, size_t event, uint32_t *slowest);

/* "(serial)" and so on; and for scripts: "serial", "region". */
const char *region_special_name(uint32_t special);
const char *region_kind(uint32_t special);

/* "solve:26 (jacobi.c)", "(serial)"; special and line as in struct region_row.  malloc'ed. */
char *region_label(const struct view *v, uint32_t special, uint32_t line);

/* The same of a region of the view. */
char *region_label_of(const struct view *v, uint32_t region);

#endif
