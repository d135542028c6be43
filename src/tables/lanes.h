/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - what each thread did when: classes and regions over time.
 *
 * Time is from the first process's start on, in buckets of one width: that of the widest
 * bucket of any thread's timeline.
 */
#ifndef OMPHWC_SRC_TABLES_LANES_H
#define OMPHWC_SRC_TABLES_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/leaf.h"
#include "src/tables/tables.h"

struct view;

enum { LANES_BUCKETS_MOST = 1 << 12 };

/* The samples of one thread in one bucket. */
struct lane_cell {
	uint32_t thread; /* of the model */
	uint32_t bucket;
	uint32_t region; /* of the view: the first one of those at the same line */
	uint8_t class;	 /* enum omp_class */
	uint64_t weight, samples;
};

struct lanes {
	const char *unknown; /* why nothing is known; NULL: it is */
	size_t event;
	double bucket_ns;
	double end_ns; /* of the last process */
	size_t nbuckets;
	struct lane_cell *cells; /* by thread, bucket, region and class; one each */
	size_t ncells;
	struct cost placed[OMP_CLASSES]; /* the sum of cells */
	struct cost all[OMP_CLASSES];	 /* of all samples of the view: what the difference was
					    taken at is not known */
	/* private */
	size_t room;
};

/* The lanes of an event; v may be filtered. */
void lanes_build(const struct view *v, size_t event, struct lanes *l);
void lanes_fini(struct lanes *l);

/* What a record of the event has in a bucket; the parts of a record add up to what was placed. */
struct lane_part {
	uint32_t thread, bucket;
	uint32_t record; /* of the view */
	uint64_t weight;
};
typedef void lanes_part_add(void *arg, const struct lane_part *part);

/* Calls add() for each part; l was built from v and is known. */
void lanes_records(const struct view *v, const struct lanes *l, lanes_part_add *add, void *arg);

/* By region of the view: the first region at the same line; special ones are their own.  The
   caller frees it. */
uint32_t *lanes_rows(const struct view *v);

/* Whether any process kept a timeline. */
bool lanes_exist(const struct view *v);

/* Nanoseconds from the first process's start to this one's. */
double lanes_offset_ns(const struct view *v, size_t process);

/* 0: the profile does not show the rate of the process's clock of ticks. */
double lanes_ns_per_tick(const struct view *v, size_t process);

#endif
