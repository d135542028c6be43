/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter.h - which of a view's records a report is made of.
 *
 * Records are selected by their places in the user view, whatever the report's view is: so
 * reports of the same filter have the same records in all views.  What is not of records
 * cannot be selected; filter_apply() removes it from the view, or the report says so.
 */
#ifndef OMPHWC_SRC_FILTER_FILTER_H
#define OMPHWC_SRC_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost;
struct trouble;
struct view;

enum filter_kind {
	FILTER_FOCUS,  /* regular expression: a function of the path matches */
	FILTER_IGNORE, /* regular expression: none does */
	FILTER_REGION, /* pattern (pattern.h) */
	FILTER_THREAD, /* "0,2-4" */
	FILTER_RANK,   /* likewise */
	FILTER_MODULE, /* pattern */
	FILTER_PHASE,  /* pattern: in it, or within it */
	FILTER_FROM,   /* "1.5", "300ms", "10%": from the first process's start on */
	FILTER_TO,     /* likewise */
	FILTERS,
	FILTER_HIDE = FILTERS, /* patterns with commas: selects nothing, see hide.h */
	FILTER_OPTIONS
};

struct filter_options {
	const char *value[FILTER_OPTIONS]; /* NULL: not given */
};

/* "--focus" and so on. */
const char *filter_option_name(enum filter_kind kind);

/* Whether records are selected, and whether by their places in the user view. */
bool filter_selects(const struct filter_options *o);
bool filter_needs_user_view(const struct filter_options *o);

/* Whether regions with records keep their entries: the filter leaves whole regions. */
bool filter_keeps_entries(const struct filter_options *o);

/* What a report says of its filters. */
struct filtered {
	const struct filter_options *options; /* borrowed */
	struct cost *all;		      /* by event: before */
	struct cost *left;		      /* by event */
	size_t nevents;
	bool *kept;	       /* by record */
	struct cost *within;   /* by record: its part in the time that is left; NULL: all of it */
	double from_ns, to_ns; /* that time; to_ns 0: no part of the time was asked for */
	double bucket_ns;      /* how exactly it is known */
	char **hidden;	       /* modules, each once */
	size_t nhidden;
};

/*
 * Selects records; v is a user view, or any view where none is needed.  filtered_fini() is
 * required in any case.  0; -EINVAL: an option's value is none, -ENOENT: nothing is
 * left, or an option has no effect; these two with *t.
 */
int filter_select(const struct view *v, const struct filter_options *o, struct filtered *f,
		  struct trouble *t);
void filtered_fini(struct filtered *f);

/* Removes records from v, a view of the same model as that of filter_select(). */
void filter_apply(struct view *v, const struct filtered *f);

/* The sums over events of samples before, and left. */
uint64_t filtered_all(const struct filtered *f);
uint64_t filtered_left(const struct filtered *f);

/*
 * Hides the modules that the options' patterns with commas stand for, and lists them in f.
 * The view's tree must distinguish lines; it does afterwards if lines is set.  *t is
 * about the patterns that stand for no module of the view; it is empty where each has one.  0;
 * -ENOENT: no pattern has one.
 */
int hide_modules(struct view *v, struct filtered *f, bool lines, struct trouble *t);

#endif
