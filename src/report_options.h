/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_options.h - the command line of report.
 */
#ifndef OMPHWC_SRC_REPORT_OPTIONS_H
#define OMPHWC_SRC_REPORT_OPTIONS_H

#include <stdbool.h>

#include "src/filter/filter.h"
#include "src/output/output.h"
#include "src/view/view.h"

struct report_options {
	enum view_kind view;
	int by; /* enum output_by; -1: the format's default */
	const struct output *format;
	const char *event;  /* NULL: the first */
	const char *output; /* NULL: standard output */
	bool page;	    /* without output: to a file named after the profile */
	const char *sysroot;
	const char *sources;
	const char *calls;    /* a function; NULL: not requested */
	const char *annotate; /* a function or file; NULL: not requested */
	bool asm_code;
	bool lines; /* in paths */
	bool unfold_libraries;
	bool elapsed;	     /* paths are those of elapsed time */
	const char *columns; /* NULL: all */
	bool verbose;
	bool no_pager;
	enum report_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour;
	enum output_sort sort;
	size_t depth;  /* 0: unlimited */
	bool why;      /* reasons beside the tree of paths */
	bool overview; /* nothing was said of what is shown, or how */
	struct filter_options filters;
	double limit_percent;
};

/* Fills in o, which has its defaults; profiles are from argv[optind] on.  0; an exit status; or
   -1 if help was requested. */
int report_parse(int argc, char **argv, struct report_options *o);

/* Prints it; returns an exit status. */
int report_help(void);

#endif
