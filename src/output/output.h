/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - a report, and the formats in which it can be written.
 *
 * A format is a struct output in the table of output.c; a new one needs a file and a line
 * there.  Writers return 0 or -EINVAL: what was wanted is not there; callers check
 * the stream for errors (ferror).
 */
#ifndef OMPHWC_SRC_OUTPUT_OUTPUT_H
#define OMPHWC_SRC_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct details;
struct losses;
struct filtered;
struct findings;
struct flame;
struct model;
struct placement;
struct trouble;
struct view;

enum output_by {
	BY_REGION,
	BY_FUNCTION,
	BY_LINE,
	BY_PATH,
	BY_THREAD,
	BY_STATE,
	BY_CONSTRUCT,
	BY_ADDRESS,
	BY_MODULE,
	BY_FILE,
	BY_BLAME,
	BY_CPU,
	BY_RANK,
	BY_HOST,
	BY_TIME,
	BY_PARALLELISM,
	BY_TASK,
	BY_COUNT,
	BY_FINDING,
	BY_PHASE,
	BY_DEVICE,
	BY_DEPENDENCE,
	BY_DESCRIPTOR,
	BYS
};

/* The column by which rows are in descending order. */
enum output_sort {
	SORT_DEFAULT, /* the table's own order */
	SORT_TOTAL,
	SORT_WORK,
	SORT_WAIT,
	SORT_OVERHEAD,
	SORT_MPI,
	SORT_BLOCKED,
	SORT_IMBALANCE,
	SORT_ENTRIES,
	SORT_GAIN,
	SORT_INCLUSIVE,
	SORTS
};

/* A module with missing names: path and reason. */
struct output_trouble {
	const char *path;
	const char *why;
};

/* Whether a format's paths can have lines; then the view's tree has to distinguish them. */
enum output_lines { LINES_NEVER, LINES_ASKED, LINES_ALWAYS };

struct lookup;

struct report {
	const struct model *model;
	const struct view *view;
	const struct losses *losses;	    /* NULL: not shown */
	const struct filtered *filtered;    /* NULL: no filter */
	const struct placement *placement;  /* NULL: not shown; of all samples */
	const struct findings *findings;    /* NULL: not shown */
	const struct flame *flames;	    /* of each kind of view; NULL: not shown */
	const struct flame *elapsed_flames; /* the same of elapsed time; NULL: not known */
	const char *sources;		    /* folder to look for sources in, or NULL */
	struct lookup *lookup;		    /* that knows where they were compiled; NULL: none */
	enum output_by by;
	size_t event;	      /* the event that sorts and is shown first */
	double limit_percent; /* rows below this share are combined into one */
	size_t columns;	      /* maximum line length; 0: unlimited */
	bool lines;	      /* paths show lines; the view's tree distinguishes them */
	bool elapsed;	      /* paths of the event that measures time are those of elapsed time */
	const char *wanted;   /* columns, separated by commas, or "help"; NULL: all */
	struct trouble *trouble; /* says why a format has returned -EINVAL */
	const struct output_trouble *troubles;
	size_t ntroubles;
	bool verbose; /* list all of them */
	bool colour;
	size_t rows;	       /* lines of a screen that the whole text is to fit; 0: all */
	bool asked;	       /* the table is the one that was asked for */
	size_t depth;	       /* of the tree of paths; 0: unlimited */
	bool why;	       /* with the reasons for functions on it that have no frame */
	enum output_sort sort; /* one that output_sorts() has */
};

struct output {
	const char *name;
	const char *summary; /* for --help */
	const char *missing; /* why this program lacks the format; NULL: it has it */
	unsigned bys;	     /* bit N: supports grouping N */
	enum output_by by;   /* the default grouping */
	/* Bit N: grouping N shows report.losses, placement, findings. */
	unsigned losses, placement, findings;
	bool counts;   /* shows events that are counted and not sampled */
	bool flames;   /* shows paths of all views: takes report.flames */
	bool times;    /* shows when: takes a timeline */
	bool elapsed;  /* paths can be those of elapsed time */
	bool timeline; /* shows a timeline beside all else, where there is one */
	bool summed;   /* shows no path or line by thread: takes summed views */
	bool not_on_terminal;
	enum output_lines lines;
	bool table;		       /* has columns that can be selected */
	const struct details *details; /* of a function or file; NULL: none */
	int (*write)(FILE *out, const struct report *r);
};

/* output_all(): the formats, ended by a NULL name.  output_names(): their names, ended by NULL. */
const struct output *output_all(void);
const char *const *output_names(void);

/* output_sort_name(): "total" and so on.  output_sort_names(): all from SORT_TOTAL on, ended by
   NULL.  output_sorts(): bit N: the table has column N. */
const char *output_sort_name(enum output_sort sort);
const char *const *output_sort_names(void);
unsigned output_sorts(enum output_by by);

/* output_by_name(): "region" and so on.  output_bys(): all, ended by NULL. */
const char *output_by_name(enum output_by by);
const char *const *output_bys(void);

#endif
