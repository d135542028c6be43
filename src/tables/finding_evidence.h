/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_evidence.h - private: what findings are concluded from.
 *
 * A unit is a construct in a region of the source; shares are the threads' parts of it. All
 * times are those of the event that measures time.
 */
#ifndef OMPHWC_SRC_TABLES_FINDING_EVIDENCE_H
#define OMPHWC_SRC_TABLES_FINDING_EVIDENCE_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/losses.h"
#include "src/tables/regions.h"

struct placement;
struct view;

/* A thread in a unit or a region, in nanoseconds. */
struct finding_share {
	uint32_t unit, thread;
	double work, in_tasks; /* a part of the work: in explicit tasks */
	double lost[LOSSES];   /* without time in which it did not run */
};

/* How the threads' work differs. */
struct finding_spread {
	double most, second, least, mean;
	double behind;	  /* sum over threads of what they have less than the most */
	uint32_t slowest; /* thread of the model; UINT32_MAX: none */
	uint32_t nthreads;
};

/* The thread that is late at barriers for something else than its work. */
struct finding_late {
	struct finding_spread busy; /* of all that threads did but for waits at barriers */
	enum loss loss;		    /* what the busiest one spends the most time above the
				       mean in; LOSSES: nothing */
	double most, mean;	    /* its time in that, and the mean of the team's threads */
};

struct finding_unit {
	uint32_t row;	       /* of the regions */
	uint32_t construct;    /* of the view */
	double gain[LOSSES];   /* elapsed nanoseconds, without the profiler's own calls */
	double own[LOSSES];    /* these */
	double thread[LOSSES]; /* thread-nanoseconds, without them */
	double work;	       /* likewise */
	double in_calls;       /* of LOSS_LOCK: in calls, where no wait was reported */
	uint64_t samples[LOSSES];
	struct finding_spread spread;
};

/* A region. */
struct finding_row {
	size_t first, n; /* its units */
	double gain[LOSSES], own[LOSSES];
	double own_thread[LOSSES];
	double asleep; /* gain: threads waited for the busiest one, and did not run */
	double inside; /* work in regions of other rows inside of its regions */
	struct finding_spread spread; /* of their work */
	struct finding_late late;
	struct finding_task {
		uint64_t created, run;
		double work;		    /* in them, as sampled */
		double beside, beside_most; /* work that is in none, and of the thread with the
					       most of it */
	} tasks;
};

struct finding_evidence {
	const struct view *view;
	const struct losses *losses;
	const struct placement *placement;
	double sample_ns;	/* the mean thread time that a sample stands for; 0: no samples */
	double not_waited;	/* the part of the time not running that no CPU was waited for */
	double waited;		/* the part of their time that threads waited for CPUs */
	bool contended;		/* threads waited for CPUs: what a wait is for is less certain */
	struct regions regions; /* sorted by the event that measures time */
	struct finding_row *rows;
	struct finding_unit *units; /* by row */
	size_t nunits;
	struct finding_share *shares; /* by unit, then by thread */
	size_t nshares;
	/* Work of a row's threads in regions of one thread that are nested in it; unit: the row */
	struct finding_share *nested; /* by row, then by thread */
	size_t nnested;
};

/* The n shares of a row. */
const struct finding_share *finding_nested_of(const struct finding_evidence *e, uint32_t row,
					      size_t *n);

/* The context of the region (of one or more) that stands for all in what a thread's time costs:
   they differ little, but for those whose entries no runtime reports. */
uint32_t finding_context(const struct finding_evidence *e, const struct region_row *r);

/* The setting by which threads that wait sleep at once: then no sample sees them wait. NULL: there
   is none. */
const char *finding_passive(const struct finding_evidence *e);

/* Where the losses are known. */
void finding_evidence_build(struct finding_evidence *e, const struct view *v,
			    const struct losses *l, const struct placement *p);
void finding_evidence_fini(struct finding_evidence *e);

#endif
