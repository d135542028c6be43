/*
 * view.h - a model's samples as a user, an expert or the machine sees them.
 *
 * Building a view turns each leaf of the profiles into one record, which says
 * on which path it lies, at which source line, in which region and thread, and
 * what the thread was doing.  All tables are sums over these records, so their
 * totals are equal, whatever they are grouped by.
 *
 *   user     the path that a serial build would show: outlined functions are
 *            part of the function that they were taken from, workers' frames
 *            lie beneath the place where the region or task was created
 *   expert   likewise, but outlined functions are frames of their own
 *   machine  the stack as it was unwound, each thread's for itself
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_VIEW_H
#define OMPHWC_SRC_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/construct_kind.h"
#include "src/model/leaf.h"
#include "src/view/names.h"
#include "src/view/tree.h"

struct model;
struct resolver;

enum view_kind {
	VIEW_USER,
	VIEW_EXPERT,
	VIEW_MACHINE,
	VIEW_KINDS
};

/* What a record's region is when it is none: the first regions of each view. */
enum view_region_special {
	REGION_SERIAL,		/* between regions */
	REGION_IDLE,		/* a worker without a region */
	REGION_UNKNOWN,		/* in a region whose creation is not known */
	REGION_OUTSIDE,		/* a thread that OpenMP doesn't know */
	REGION_SPECIALS
};

/* A parallel region in one calling context. */
struct view_region {
	uint32_t node;		/* of the tree: the path to the call */
	uint32_t line;		/* the call: function (never an outlined one), line */
	uint64_t entries;	/* 0: not known */
	uint64_t elapsed_ns;	/* sum over entries */
	bool elapsed_known;
	uint32_t team_least;	/* 0: not known */
	uint32_t team_most;
	uint64_t team_sum;	/* over entries */
	uint32_t body;		/* the outlined function, as far as it was met */
	uint8_t kind;		/* CONSTRUCT_PARALLEL, CONSTRUCT_TEAMS, CONSTRUCT_TARGET */
	uint8_t combined;	/* the loop or sections that the same call begins, as gcc
				   makes of parallel for; else CONSTRUCT_SERIAL */
};

/* Explicit tasks created at one place, in one calling context. */
struct view_task {
	uint32_t node, line;	/* as in view_region */
	uint32_t region;	/* that the creating code belongs to */
	uint32_t creator;	/* the explicit task that it belongs to; 0: none */
	uint32_t within;	/* function of that code, an outlined one if it lies there */
	uint64_t created, run;
	uint64_t stolen;	/* run by another thread than the one that created it */
	uint64_t cancelled;	/* and so never run */
	uint64_t body_ns;	/* that threads spent in their bodies, without those of
				   tasks that they ran meanwhile; sum over tasks */
	bool body_known;
	uint8_t kind;		/* CONSTRUCT_TASK or CONSTRUCT_TASKLOOP */
	uint32_t body;		/* as in view_region */
};

/* A construct of the source, however it was reached. */
struct view_construct {
	uint32_t line;		/* of the directive, in a function of the source */
	uint8_t kind;		/* enum construct_kind */
	bool elapsed_known;
	bool several;		/* locks of more than one name were met there */
	const char *object;	/* a critical section's or lock's name, or NULL */
	uint64_t entries;	/* 0: not known; of each thread that entered it */
	uint64_t elapsed_ns;	/* sum over entries */
	uint64_t ended;		/* of what synchronises: entries whose end was told, which
				   elapsed_ns is of */
	uint64_t longest_ns;	/* of these */
	uint64_t count_sum;	/* iterations or sections, summed over entries */
	uint32_t count_least, count_most; /* of an entry; 0: not known */
	uint32_t nthreads;	/* that entered it; 0: not known */
	uint32_t entrants;	/* view.entrants[entrants] …: nentrants of its own */
	uint32_t nentrants;
	unsigned first_line, last_line; /* from directive to end; 0: not known */
	/* private: a barrier that ends a construct, until that is found */
	uint32_t otherwise;
};

/* Beside enum prof_data_kind: blocks of the heap that were allocated on one path. */
enum { VIEW_MEMORY_BLOCK = 128 };

/* A thread that entered a construct. */
struct view_entrant {
	uint32_t construct;
	uint32_t thread;	/* of the model */
	uint64_t entries;
	uint64_t elapsed_ns;
};

/* What memory was accessed, where samples tell an address. */
struct view_memory {
	uint8_t kind;		/* enum prof_data_kind or VIEW_MEMORY_BLOCK; 0: no address
				   was told */
	bool by_runtime;	/* VIEW_MEMORY_BLOCK: the OpenMP runtime allocated them */
	uint32_t node, line;	/* likewise: the path to the allocator's caller */
	uint64_t blocks, bytes;	/* likewise: allocated there, touched or not */
	uint32_t process;	/* PROF_DATA_OTHER: of the model */
	const char *name;	/* PROF_DATA_GLOBAL: the symbol, or NULL */
	const char *module;	/* likewise: its file */
	uint64_t lo, hi;	/* PROF_DATA_OTHER: what was touched */
	uint64_t told;		/* accesses whose cost the hardware told */
	uint64_t cycles;	/* their sum */
};

struct view_record {
	uint64_t samples;
	uint64_t weight;
	const char *object;	/* name of the lock waited for, or NULL */
	uint32_t node;		/* of the tree, artificial leaf included */
	uint32_t line;		/* of the innermost frame shown; 0: none */
	uint32_t region;
	uint32_t task;		/* 0: not in an explicit task */
	uint32_t construct;
	uint32_t memory;	/* 0: no address was told */
	uint32_t thread;	/* of the model */
	uint32_t within;	/* function of the innermost user frame, as in view_task */
	uint8_t event;		/* of the model */
	uint8_t leaf;		/* enum omp_leaf */
	uint8_t class;		/* enum omp_class */
	uint8_t source;		/* enum prof_data_source */
	bool in_task;		/* the task is within the region, not around it */
};

/* Half of what a counter counted somewhere (COUNT nodes). */
struct view_count {
	uint32_t region;	/* specials by what kind of thread it was */
	uint32_t thread;	/* of the model */
	uint8_t event;		/* of the model */
	uint8_t part;		/* enum prof_part */
	uint64_t value, enabled_ns; /* or 0, 0 */
	uint64_t running_ns, ticks_ns; /* likewise; ticks 0: not known */
};

struct view {
	enum view_kind kind;
	const struct model *model;
	struct names names;
	struct tree tree;
	struct view_region *regions;
	size_t nregions;
	uint64_t untold;		/* some process's header.untold */
	struct view_task *tasks;	/* with number 0 */
	size_t ntasks;
	struct view_construct *constructs; /* CONSTRUCT_SPECIALS first */
	size_t nconstructs;
	struct view_entrant *entrants;	/* by construct and thread */
	size_t nentrants;
	struct view_memory *memory;	/* with number 0 */
	size_t nmemory;
	struct view_record *records;
	size_t nrecords;
	struct view_count *counts;
	size_t ncounts;
	/* private */
	size_t counts_room, regions_room, tasks_room, constructs_room, memory_room, records_room;
	size_t entrants_room;
	struct map by_region, by_task, by_construct, by_entrant, by_memory;
};

struct view_options {
	enum view_kind kind;
	const struct resolver *resolver;
	bool lines;		/* the tree's nodes tell call lines apart */
	/* Called now and then; may be NULL. */
	void (*progress)(void *arg, size_t done, size_t total);
	void *arg;
};

/* OMPT's numbers (ompt_callbacks_t), as bits of view.untold. */
enum {
	UNTOLD_TASK_CREATE = 1 << 5,
	UNTOLD_TASK_SCHEDULE = 1 << 6,
};

/* Whether a number is known that is counted by those callbacks: of what isn't always
   told some may be, but never that it is none. */
static inline bool view_counted(const struct view *v, uint64_t number, uint64_t callbacks)
{
	return number || !(v->untold & callbacks);
}

/* *out is the caller's, ended by view_free(); m is borrowed.  0 or -ENOMEM. */
int view_build(const struct model *m, const struct view_options *o, struct view **out);
void view_free(struct view *v);

/* "user" and so on; the kind of that name, or -1. */
const char *view_name(enum view_kind kind);
int view_by_name(const char *name);

/* How an enum prof_data_source is called, for people. */
const char *view_source_name(unsigned source);

/* How a cause of <unknown> is called, for people. */
const char *view_cause_name(enum prof_cause cause);

#endif
