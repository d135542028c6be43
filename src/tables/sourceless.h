/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sourceless.h - the program's code that reports can't show by its source, and why.
 *
 * Code of modules without debug information has no lines. Functions of a program in Python are on
 * the stack only where the interpreter makes code for each of them, and names it for perf: its
 * -X perf, from 3.12 on.
 */
#ifndef OMPHWC_SRC_TABLES_SOURCELESS_H
#define OMPHWC_SRC_TABLES_SOURCELESS_H

#include <stddef.h>
#include <stdint.h>

struct view;

struct sourceless {
	const char *module; /* the one that has most of the weight; NULL: none is worth a word */
	size_t more;	    /* further ones */
	double share;	    /* of the event's work, in all of them */
	const char *python; /* the interpreter whose functions are not shown; NULL: none is */
};

/* Of one event's records. Strings are the view's. */
struct sourceless sourceless_of(const struct view *v, size_t event);

#endif
