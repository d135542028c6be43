/*
 * detail.h - prints one function or file in detail: its callers and callees, its source or
 * its machine code with costs.
 *
 * The output is text for people.  Writers return 0, -ENOENT (the profile has no such
 * function or file), -ENOMEM, or another -errno.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_DETAIL_H
#define OMPHWC_SRC_OUTPUT_TEXT_DETAIL_H

#include <stdio.h>

struct lookup;
struct report;

struct detail_target {
	const char *name; /* of a function or file */
	struct lookup *lookup;
	const char *sysroot; /* prepended to objects' paths; NULL: none */
	const char *sources; /* folder to search for sources; NULL: the working folder */
};

int detail_calls(FILE *out, const struct report *r, const struct detail_target *t);

/* The report's view must distinguish lines. */
int detail_annotate(FILE *out, const struct report *r, const struct detail_target *t);

/* Runs objdump; -ENOEXEC: not installed. */
int detail_asm(FILE *out, const struct report *r, const struct detail_target *t);

#endif
