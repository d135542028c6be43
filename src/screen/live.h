/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h - what a run in progress did since the last look, and since its start.
 *
 * A profile is complete at every instant; each look reads it anew.  For ordinary code, one thread
 * at a time.
 */
#ifndef OMPHWC_SRC_SCREEN_LIVE_H
#define OMPHWC_SRC_SCREEN_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/model/leaf.h"

enum live_kind { LIVE_REGIONS, LIVE_FUNCTIONS, LIVE_THREADS, LIVE_KINDS };

/* What rows are in descending order of. */
enum live_sort { LIVE_NOW, LIVE_TOTAL, LIVE_WORK, LIVE_WAIT, LIVE_OVERHEAD, LIVE_SORTS };

struct live_row {
	char *label;
	uint64_t all[OMP_CLASSES];  /* since the start */
	uint64_t last[OMP_CLASSES]; /* since the look before */
	uint32_t tid;		    /* of a thread */
};

struct cpu_time;
struct live_table {
	struct live_row *rows;
	size_t n;
};

struct live {
	const char *path;  /* borrowed */
	const char *event; /* borrowed; NULL: the first that is sampled */
	struct live_table tables[LIVE_KINDS];
	struct live_row sum; /* label: the event's */
	char *about;	     /* the program, its process and threads */
	uint32_t unit;
	size_t nevents; /* that are sampled */
	uint64_t samples, last_samples;
	uint64_t look_ns;		   /* CLOCK_MONOTONIC */
	double seconds;			   /* between the looks; 0: there was one */
	struct cpu_time *cpus, *last_cpus; /* by tid: of threads of the program, at both looks */
	size_t ncpus, nlast_cpus;
	char trouble[256]; /* why the last look failed; empty: it did not */
	const char *ended; /* what became of the process; NULL: it runs */
	/* private */
	uint32_t pid;
	uint64_t start_ns;
};

/* Looks at the profile.  0; -EINVAL: it could not be read, as trouble says, and all is as it
   was. */
int live_look(struct live *l);
void live_fini(struct live *l);

/* Selects the next sampled event: what was seen before is forgotten.  The name stays the
   caller's. */
void live_forget(struct live *l);

/* How it is printed. */
struct live_style {
	enum live_sort sort;
	bool colour;
	size_t columns; /* 0: unlimited */
	size_t rows;	/* of each table; 0: all above a tenth of a percent */
	size_t skipped; /* the first ones */
};

/* The part of the time between the looks in which the program's threads had a CPU, summed up, and
   in which they waited for one; of those that there were at both.  Their number; 0: not known. */
size_t live_cpus(const struct live *l, double *had, double *waited);

/* The same of one thread; below 0: not known. */
double live_cpus_of(const struct live *l, uint32_t tid);

void live_print_head(FILE *out, const struct live *l, const struct live_style *s);
/* Returns the number of rows that there are. */
size_t live_print_table(FILE *out, const struct live *l, enum live_kind kind,
			const struct live_style *s);

const char *live_sort_name(enum live_sort sort);

#endif
