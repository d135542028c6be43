/*
 * counted.h - what was counted exactly, by region, thread and part.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_COUNTED_H
#define OMPHWC_SRC_TABLES_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/profile/format.h"

struct model;
struct view;

/* A counter's value over some time, and for how much of it it had a counter. */
struct count {
	uint64_t value;		/* as it was counted */
	uint64_t enabled_ns, running_ns;
	uint64_t ticks_ns;	/* time that went by, as far as it is known */
};

enum counts_state {
	COUNT_NONE,		/* no time went by: nothing to count */
	COUNT_NEVER,		/* it never had a counter */
	COUNT_SCALED,		/* it had one for a part of the time */
	COUNT_EXACT,
};

/* What is no region of the source, beside enum view_region_special. */
enum counts_special {
	COUNTS_MIXED = 4,	/* not read apart, of one thread each */
	COUNTS_REST,		/* after a thread's last reading, until its end */
	COUNTS_SPECIALS
};

/* Cells are at [event * PROF_PARTS + part], events as in struct counts. */
struct counts_thread {
	uint32_t thread;	/* of the model */
	struct count *cells;
};

struct counts_region {
	uint32_t special;	/* enum view_region_special or counts_special, or
				   COUNTS_SPECIALS */
	uint32_t line;		/* of the directive; 0: special */
	uint32_t team_most;	/* 0: not known */
	struct count *cells;	/* of all its threads */
	struct counts_thread *threads;
	size_t nthreads;
};

struct counts {
	size_t *events;		/* of the model: those that are counted */
	size_t nevents;
	struct count *total;	/* by event: of all processes */
	bool *ended;		/* by event: every thread's end is in it */
	struct counts_region *regions; /* most of the first event first */
	size_t n;
	/* private */
	struct count *cells;
	struct counts_thread *threads;
};

/* 0 or -ENOMEM.  nevents is 0 where nothing was counted. */
int counts_build(const struct view *v, struct counts *c);
void counts_fini(struct counts *c);

enum counts_state count_state(const struct count *c);

/* The value, scaled up to all of the time that it was enabled. */
double count_scaled(const struct count *c);

/* Sums over parts: all, or what is work (the implicit task and explicit ones). */
struct count counts_all(const struct count *cells, size_t event);
struct count counts_work(const struct count *cells, size_t event);

/* The most work of a thread over the mean of all that took part; 0: none. */
double counts_imbalance(const struct counts_region *r, size_t event);

/* "work" and so on. */
const char *counts_part_name(enum prof_part part);
const char *counts_special_name(uint32_t special);

/* ---- ratios ---------------------------------------------------------- */

enum { COUNTS_RATIOS_MAX = 24, COUNTS_RATIO_BYTES = 64 };

/* One count over another, times a factor: instructions a cycle, … */
struct counts_ratio {
	size_t over, under;	/* events of struct counts */
	double factor;
	char name[COUNTS_RATIO_BYTES];	/* "instructions a cycle" */
	char title[16];			/* "IPC" */
};

/* Those that the counted events allow, by their names. */
size_t counts_ratios(const struct model *m, const struct counts *c,
		     struct counts_ratio ratios[COUNTS_RATIOS_MAX]);

/* False where one of the two was not counted, or the lower one is 0. */
bool counts_ratio_of(const struct counts_ratio *r, const struct count *over,
		     const struct count *under, double *value);

#endif
