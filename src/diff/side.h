/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * side.h - one side of a comparison: the runs that a file or folder holds, and what each
 * region, construct, function and line cost in them.
 *
 * Strings are in an interner that both sides share, so equal ones have equal addresses.
 */
#ifndef OMPHWC_SRC_DIFF_SIDE_H
#define OMPHWC_SRC_DIFF_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/arena.h"
#include "src/base/hash.h"
#include "src/base/interner.h"
#include "src/tables/losses.h"
#include "src/tables/tables.h"

struct view;

enum diff_by {
	DIFF_RUN,
	DIFF_CLASS,
	DIFF_REGION,
	DIFF_CONSTRUCT,
	DIFF_FUNCTION,
	DIFF_LINE,
	DIFF_PATH, /* a calling context, by its functions */
	DIFF_BYS
};

/* What has a cost: identified by names and its place in the source. */
struct side_item {
	enum diff_by by;
	bool ordinal;	      /* place is only an order (code without lines) */
	const char *function; /* linkage name, or name; "": not in a function */
	const char *file;     /* base name of the function's file or object; "": unknown */
	const char *kind;     /* "parallel", "for", "critical (queue)"; a path's functions; "" */
	const char *inside;   /* base name of the line's file, if it is not the function's; "" */
	int64_t place;	      /* line; 0: none */
	/* For people */
	const char *name;     /* of the function, or of the whole */
	const char *title;    /* "for schedule(dynamic)" */
	unsigned function_at; /* line of the function's definition; 0: unknown */
	/* private: of each run; see side_cost(), side_elapsed() */
	struct cost *costs;
	uint64_t *elapsed_ns;
};

/* The base name of the file that its place is in. */
static inline const char *side_item_file(const struct side_item *item)
{
	return *item->inside ? item->inside : item->file;
}

struct side_run {
	const char *path;      /* of its first profile */
	size_t profiles;       /* number of its processes' profiles */
	uint64_t elapsed_ns;   /* in which at least one of its processes ran; 0: unknown */
	uint32_t threads;      /* of the largest team, sum over OpenMP processes */
	uint64_t start_ns;     /* since the epoch; 0: unknown */
	const char *program;   /* of its first process, without its folder */
	const char *arguments; /* of that one, separated by blanks */
	const char *host;      /* "": not known */
	/* Set by side_add(): */
	double efficiency;   /* parallel efficiency; NaN: not known */
	double lost[LOSSES]; /* where it is known: shares of the threads' time */
};

/* An object whose names are missing. */
struct side_trouble {
	const char *path;
	const char *why;
};

struct side {
	struct side_run *runs;
	size_t nruns;
	struct side_trouble *troubles; /* each once */
	size_t ntroubles;
	struct side_item *items;
	size_t nitems;
	unsigned classes;	  /* those of all runs' views */
	struct interner *strings; /* borrowed */
	unsigned only; /* bits of enum diff_by: what runs are added to; set by side_init()
				     to all */
	/* private */
	struct arena arena;
	struct hash hash;
	size_t items_room, troubles_room, capacity;
};

/* strings is borrowed; capacity is the number of runs that will be added.  side_fini()
   is required. */
void side_init(struct side *s, struct interner *strings, size_t capacity);
void side_fini(struct side *s);

/* Adds a run by its view, which is in the user's terms.  The run's texts are copied, but for its
   path; NULL: not known. */
void side_add(struct side *s, const struct side_run *run, const struct view *v, size_t event);

/* Notes that an object's names are missing; the texts are copied. */
void side_unnamed(struct side *s, const char *path, const char *why);

/* Whether two items, of sides with the same strings, are the same. */
bool side_same(const struct side_item *x, const struct side_item *y);

/* The cost of an item in a run, by class. */
const struct cost *side_cost(const struct side *s, size_t item, size_t run);

/* All classes together: in a run, and the mean of the runs. */
double side_total(const struct side *s, size_t item, size_t run);
double side_mean(const struct side *s, size_t item);

/* The variance of a cost by sampling: n samples are sqrt(n) off, none at all are one. */
double side_sampling(const struct side *s, size_t run, const struct cost *c);

/* The time of a region in a run, from fork to join; of serial code, what samples of a clock
   show; 0: unknown. */
uint64_t side_elapsed(const struct side *s, size_t item, size_t run);

/* The mean of the runs' efficiencies, and of their losses; NaN: of one it is not known. */
double side_efficiency(const struct side *s);
double side_lost(const struct side *s, enum loss loss);

/* What all runs had; 0 or NULL: they differ. */
uint32_t side_threads(const struct side *s);
const char *side_arguments(const struct side *s);
const char *side_host(const struct side *s);

#endif
