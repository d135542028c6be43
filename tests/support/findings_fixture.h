/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_fixture.h - a program of one second whose losses are made, and what is found in it.
 *
 * It has two threads and a region in solve (line 12) that main calls. Times are in
 * milliseconds; a sample stands for made.sample_ms of them.
 */
#ifndef OMPHWC_TESTS_FINDINGS_FIXTURE_H
#define OMPHWC_TESTS_FINDINGS_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/placement.h"
#include "tests/support/scene.h"

enum { MS = 1000000, MADE_THREADS = 8 };

struct made {
	struct scene s;
	struct losses losses;
	struct placement placement;
	struct findings findings;
	struct view *view;
	uint32_t root[MADE_THREADS];
	unsigned nthreads;
	uint32_t context; /* the call of the region */
	uint64_t sample_ms;
};

extern struct made made;

void made_setup(void);
void made_teardown(void);

/* Another worker. */
void made_worker(void);

/* What the counts of the region say; each entry has a team of so many threads. */
void made_region(uint64_t entries, uint64_t ms, uint64_t team);

/* So many of its entries asked for so many threads, and got fewer. */
void made_asked(uint64_t entries, uint64_t threads);

/* So many of them have a team of another size than the team before. */
void made_resized(uint64_t entries);

/* A region in another function, which main calls at that line. */
uint32_t made_other(const char *call);
void made_other_region(uint32_t context, uint64_t entries, uint64_t ms, uint64_t team);

/* Time of a thread in the region; in a construct of it, which was begun by the call; outside
   of regions. Nothing where ms is 0. */
void made_time(unsigned thread, const char *path, enum prof_state state, uint64_t ms);
void made_inside(unsigned thread, enum prof_construct_kind kind, const char *call, const char *path,
		 enum prof_state state, uint64_t ms);
void made_outside(unsigned thread, const char *path, enum prof_state state, uint64_t ms);
void made_in(uint32_t context, unsigned thread, const char *path, enum prof_state state,
	     uint64_t ms);

/* A thread's passes of a construct, each of so many iterations; 0: not known. */
void made_passes(unsigned thread, enum prof_construct_kind kind, const char *call, uint64_t n,
		 uint64_t iterations);

/* Tasks that the thread ran, created in the region at solve._omp_fn.0:15. */
void made_tasks(unsigned thread, uint64_t n, uint64_t body_ms);

/* Tasks that the thread created at that place. */
void made_created(unsigned thread, uint64_t n);

/* The scheduler's times of a thread, and the CPU of its samples. */
void made_scheduled(unsigned thread, uint64_t ran_ms, uint64_t waited_ms);

/* Ends the process and finds. No loss may be in two findings. */
void made_end(void);

/* The number of findings, without that of regions whose threads all do the same. */
size_t made_losses(void);

/* NULL: not found. */
const struct finding *made_finding(enum finding_rule rule);

/* Assertions; made_says(): of what, why or helps. */
const struct finding *made_found(enum finding_rule rule);
void made_not_found(enum finding_rule rule);
void made_equal_ms(double ns, double ms);
void made_says(const struct finding *f, const char *part);

#endif
