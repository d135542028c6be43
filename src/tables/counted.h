/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.h - exact counts by region, thread and part.
 */
#ifndef OMPHWC_SRC_TABLES_COUNTED_H
#define OMPHWC_SRC_TABLES_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

struct model;
struct view;

/* A counter's value over some time, and for how long the event had a hardware counter. */
struct count {
	uint64_t value; /* as counted, not scaled */
	uint64_t enabled_ns, running_ns;
	uint64_t ticks_ns; /* elapsed time, if known */
};

enum counts_state {
	COUNT_NONE,   /* no time elapsed */
	COUNT_NEVER,  /* the event never had a hardware counter */
	COUNT_SCALED, /* the event had a hardware counter for part of the time */
	COUNT_EXACT,
};

/* Special rows in addition to enum view_region_special. */
enum counts_special {
	COUNTS_MIXED = 4, /* several activities of one thread, not read separately */
	COUNTS_REST,	  /* between a thread's last reading and its end */
	COUNTS_SPECIALS
};

/* Cells are at [event * PROF_PARTS + part]; events are those of struct counts. */
struct counts_thread {
	uint32_t thread; /* thread of the model */
	struct count *cells;
};

struct counts_region {
	uint32_t special;    /* enum view_region_special or counts_special, or
				   COUNTS_SPECIALS */
	uint32_t line;	     /* line of the directive; 0: special */
	uint32_t team_most;  /* 0: unknown */
	struct count *cells; /* sum over all its threads */
	struct counts_thread *threads;
	size_t nthreads;
};

struct counts {
	size_t *events; /* the counted events, as indices of the model's */
	size_t nevents;
	struct count *total;	       /* by event: sum over all processes */
	bool *ended;		       /* by event: whether it includes every thread's end */
	struct counts_region *regions; /* sorted by the first event, descending */
	size_t n;
	/* private */
	struct count *cells;
	struct counts_thread *threads;
};

/* nevents is 0 if nothing was counted. */
void counts_build(const struct view *v, struct counts *c);
void counts_fini(struct counts *c);

enum counts_state count_state(const struct count *c);

/* The value, extrapolated to all of the time that the event was enabled. */
double count_scaled(const struct count *c);

/* Sums over parts: all of them, or those that are work (implicit and explicit tasks). */
struct count counts_all(const struct count *cells, size_t event);
struct count counts_work(const struct count *cells, size_t event);

/* Maximum work of a thread divided by the mean of all that took part; 0: none. */
double counts_imbalance(const struct counts_region *r, size_t event);

/* "work" and so on. */
const char *counts_part_name(enum prof_part part);
const char *counts_special_name(uint32_t special);
const char *counts_region_kind(uint32_t special);

enum { COUNTS_RATIOS_MAX = 24, COUNTS_RATIO_BYTES = 64 };

/* The ratio of two counts times a factor, such as instructions a cycle. */
struct counts_ratio {
	size_t over, under; /* of the events that were given */
	double factor;
	char name[COUNTS_RATIO_BYTES]; /* "instructions a cycle" */
	char title[16];		       /* "IPC" */
};

/* The ratios that n events of the model permit, recognized by the events' names. */
size_t counts_ratios(const struct model *m, const size_t *events, size_t n,
		     struct counts_ratio ratios[COUNTS_RATIOS_MAX]);

/* False if one of the two was not counted, or the divisor is 0. */
bool counts_ratio_of(const struct counts_ratio *r, const struct count *over,
		     const struct count *under, double *value);

#endif
