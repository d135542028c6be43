/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constructs.h - each construct of the source: its cost and its threads.
 */
#ifndef OMPHWC_SRC_TABLES_CONSTRUCTS_H
#define OMPHWC_SRC_TABLES_CONSTRUCTS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/thread_spread.h"

struct view;
struct view_construct;

struct construct_row {
	const struct view_construct *what;
	struct cost *self;		     /* a block */
	const struct spread_thread *threads; /* threads with samples */
	size_t nthreads;
};

struct constructs {
	struct construct_row *all;
	size_t n;
	/* private */
	struct table table, threads;
	struct spread spread;
};

/* Sorted by the cost of event, descending; constructs that were entered but have no sample
   are last. */
void constructs_build(const struct view *v, size_t event, struct constructs *c);
void constructs_fini(struct constructs *c);

/* The work of the construct's threads: of those with samples, or of all that entered it if
   they are more. */
struct spread_work construct_work(const struct construct_row *c, size_t event);

/* The time each thread spent inside, from entry to exit. */
struct construct_inside {
	uint64_t least, most; /* of the threads that entered */
	double mean;
};
struct construct_inside construct_inside(const struct view *v, const struct view_construct *c);

/* What its kind is called: that of a barrier which may be a construct's end says so. */
const char *construct_said(const struct view_construct *c);

/* "for schedule(dynamic)", "critical (queue)", "sections (3)"; malloc'ed. */
char *construct_title(const struct view_construct *c);

/* "for schedule(dynamic) in solve (demo.c:16-18)"; likewise. */
char *construct_label(const struct view *v, const struct view_construct *c);

#endif
