/*
 * output.h - a report, and the formats that it can be written in.
 *
 * A format is one struct output in the table of output.c; adding one adds a
 * file and a line there.  Writers only write: errors of the stream are the
 * caller's to look for (ferror), and what they return is 0 or -ENOMEM.
 */
#ifndef OMPHWC_SRC_OUTPUT_OUTPUT_H
#define OMPHWC_SRC_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct model;
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
	BYS
};

/* Modules that gave no names, or not all: path and why. */
struct output_trouble {
	const char *path;
	const char *why;
};

struct report {
	const struct model *model;
	const struct view *view;
	enum output_by by;
	size_t event;		/* which one sorts, and is shown first */
	double limit_percent;	/* rows below this share are summed up in one */
	size_t columns;		/* 0: lines may be as long as they like */
	const struct output_trouble *troubles;
	size_t ntroubles;
};

struct output {
	const char *name;
	const char *summary;	/* for --help */
	unsigned bys;		/* bit N: knows grouping N */
	enum output_by by;	/* its own grouping, where none was asked for */
	bool counts;		/* it shows what was counted and not sampled */
	int (*write)(FILE *out, const struct report *r);
};

/* The format of that name, or NULL; the table for --help, ended by NULL name. */
const struct output *output_find(const char *name);
const struct output *output_all(void);

/* "region" and so on; the grouping of that name, or -1. */
const char *output_by_name(enum output_by by);
int output_by_find(const char *name);

#endif
